"""The documents tell what is there."""

import argparse
import re
import tomllib
from pathlib import Path

import pytest

from apexmem_desktop import __version__
from apexmem_desktop.cli.arguments import build_parser

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def _commands() -> dict[str, argparse.ArgumentParser]:
    (action,) = (
        one for one in build_parser()._actions if isinstance(one, argparse._SubParsersAction)
    )
    return dict(action.choices)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_exist(path: Path) -> None:
    for name in re.findall(r"\bbin/apexmem ([a-z]+)", path.read_text(encoding="utf-8")):
        assert name in _commands(), name


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for name in re.findall(r"`?\bmake ([a-z-]+)`?(?=[`\s#])", path.read_text(encoding="utf-8")):
        if f"make {name}" in path.read_text(encoding="utf-8") and f"`make {name}" in path.read_text(
            encoding="utf-8"
        ):
            assert name in targets, name


@pytest.mark.parametrize("document", ["asking.md", "building.md", "window.md"])
def test_the_tests_that_a_document_names_are_there(document: str) -> None:
    told = (ROOT / "docs" / document).read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_/]+\.py)::(\w+)`", told)
    assert len(named) > 30
    for path, test in named:
        source = (ROOT / "tests" / path).read_text(encoding="utf-8")
        assert f"\ndef {test}(" in source, f"{path}::{test}"


def test_every_command_explains_itself() -> None:
    for name, parser in _commands().items():
        assert parser.description, name
        assert "--vault" in parser.format_help(), name


def test_every_dependency_has_its_reason_and_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    reasons = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    extras = project["optional-dependencies"]
    for requirement in project["dependencies"] + extras["encryption"] + extras["dev"]:
        name = re.split(r"[<>=!\[; ]", requirement)[0]
        assert name in reasons
        assert re.search(rf"^{re.escape(name.lower())}==", lock, re.MULTILINE), name


def test_the_lock_is_exact() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    lines = [line for line in lock.splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line) for line in lines)


def test_decisions_are_listed_and_have_their_headings() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    for path in folder.glob("0*.md"):
        assert path.name in index
        text = path.read_text(encoding="utf-8")
        for heading in ("Context", "Decision", "Consequences", "Alternatives"):
            assert f"**{heading}.**" in text, (path.name, heading)


def test_the_version_is_a_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
