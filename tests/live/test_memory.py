"""The memory of the samples as the commands show it."""

import json
import subprocess
from pathlib import Path

import pytest

from apexmem_desktop.domain.reports import BuildReport
from apexmem_desktop.services import browsing, building, maintenance
from apexmem_desktop.services.asking import get_trace
from apexmem_desktop.services.workspace import Workspace
from tests.live.gold import read_questions

pytestmark = pytest.mark.live

PLACES = ("ask", "timeline", "history", "people", "conversations", "imports", "models", "settings")
PNG_MAGIC = b"\x89PNG\r\n"


def test_every_turn_was_read_once(built: tuple[Workspace, BuildReport]) -> None:
    ws, report = built
    assert report.turns_read > 0
    assert report.facts_new > 40
    assert browsing.status(ws).pending == 0
    again = building.build(ws)
    assert (again.turns_read, again.facts_new, again.model_calls) == (0, 0, 0)


def test_the_history_of_a_favourite(ws: Workspace) -> None:
    jonas = browsing.find_entity(ws, "Jonas Weber")
    versions = browsing.property_history(ws, jonas.id, "favourite_restaurant")
    assert [fact.value for fact in versions] == ["Tomo", "Casa Pilar"]
    newest, oldest = versions
    assert newest.effective_to is None
    assert oldest.effective_to is not None
    assert "Casa Pilar is my favourite restaurant" in oldest.evidence[0].quote
    assert "Tomo is my new favourite restaurant" in newest.evidence[0].quote


def test_the_memory_is_whole(ws: Workspace) -> None:
    checks = maintenance.verify(ws)
    assert checks
    assert [check for check in checks if not check.ok] == []


def test_a_question_on_the_command_line(
    ws: Workspace, command: list[str], environment: dict[str, str]
) -> None:
    vault, question = str(ws.vault.path), read_questions()[0]
    arguments = ["--vault", vault, "--json", "ask", question.question, "--now", question.now]
    ran = subprocess.run(
        [*command, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["answer"] == "Glasgow"
    assert told["citations"][0]["speaker"] == "Mira Okafor"
    assert get_trace(ws).answer == "Glasgow"


def test_screenshots_of_every_place(
    ws: Workspace, command: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    vault = str(ws.vault.path)
    ran = subprocess.run(
        [*command, "--vault", vault, "--json", "screenshots", str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    files = [Path(file) for file in json.loads(ran.stdout)["files"]]
    wanted = {
        f"{place}-{theme}-{language}.png"
        for place in PLACES
        for theme in ("light", "dark")
        for language in ("en", "zh")
    }
    assert wanted <= {file.name for file in files}
    for file in files:
        assert file.read_bytes().startswith(PNG_MAGIC)
