"""Help, options on either side of the command, and wrong usage."""

import subprocess
import sys
from pathlib import Path

import pytest

from apexmem_desktop.cli.arguments import build_parser
from tests.cli.running import Run

COMMANDS = [
    "import", "build", "ask", "search", "entities", "facts", "timeline", "sql", "schema", "status",
    "verify", "models", "trace", "gui", "screenshots",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.status == 0
    assert f"apexmem {command}" in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["ask"],
        ["import"],
        ["import", "a.txt", "--date-order", "yyd"],
        ["build", "--limit", "0"],
        ["build", "--limit", "many"],
        ["search", "x", "--from", "last tuesday"],
        ["facts", "Ben", "--as-of", "2024-02-30"],
        ["ask", "x", "--now", "tomorrow"],
        ["models", "use"],
        ["status", "--nonsense"],
    ],
)
def test_wrong_usage_is_2(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.status == 2
    assert "usage: apexmem" in ran.err
    assert ran.out == ""


def test_common_options_stand_on_either_side() -> None:
    parser = build_parser()
    before = parser.parse_args(["--vault", "a", "--json", "--quiet", "status"])
    after = parser.parse_args(["status", "--vault", "a", "--json", "--quiet"])
    neither = parser.parse_args(["status"])
    assert vars(before) == vars(after)
    assert (neither.vault, neither.json, neither.quiet) == (None, False, False)
    nested = parser.parse_args(["--json", "models", "pull", "--quiet", "x"])
    assert (nested.json, nested.quiet, nested.names) == (True, True, ["x"])


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "apexmem_desktop.cli", "--version"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.startswith("apexmem 0")


def test_no_memory_is_told_and_none_is_made(run: Run, vault: Path) -> None:
    for command in (["status"], ["search", "x"], ["entities"], ["verify"], ["ask", "x"], ["build"]):
        ran = run(*command)
        assert ran.status == 1
        assert "no memory" in ran.err
        assert "apexmem import" in ran.err
    assert not vault.exists()


@pytest.mark.parametrize("command", [["facts"], ["search"], ["ask"], ["sql"]])
def test_words_that_are_no_text_are_told(run: Run, command: list[str]) -> None:
    ran = run(*command, "\udcff\udcfe")  # how Python hands over bytes that are not UTF-8
    assert ran.status == 1
    assert "UTF-8" in ran.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_output_to_a_full_disk_is_told(vault: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "apexmem_desktop.cli", "--vault", str(vault), "schema"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert done.returncode == 1
    assert "disk is full" in done.stderr
    assert "Traceback" not in done.stderr
