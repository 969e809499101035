"""A command line on a memory of the test's own."""

from pathlib import Path

import pytest

from tests.cli.running import Run, make_runner

CHAT = """\
03/04/2024, 10:00 - Ana Lima: good morning
03/04/2024, 10:01 - Ben Roth: morning! I live in Porto now
13/04/2024, 10:02 - Ana Lima: since when??
13/04/2024, 10:03 - Ben Roth: since last week
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "memory.apexmem"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], vault: Path) -> Run:
    return make_runner(capfd, vault)


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "WhatsApp Chat with Ben Roth.txt"
    path.write_text(CHAT, encoding="utf-8")
    return path


@pytest.fixture
def imported(run: Run, chat: Path) -> Run:
    """A command line on a memory that holds one chat."""
    assert run("import", chat, "--zone", "Europe/Berlin").status == 0
    return run
