"""What messages order changes nothing: questions get the same answers with them and without."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.answers import Answer, AskOptions
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.services import browsing, building, importing
from apexmem_desktop.services.asking import ask
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from tests.fakes import ScriptedLanguage
from tests.recall.builders import ms
from tests.services.hostile import HOSTILE

LINES = (
    "[01/03/2024, 10:00:00] Ana Ruiz: I live in Porto",
    "[02/03/2024, 10:00:00] Ben Holt: I work as a baker",
    "[05/05/2024, 10:00:00] Ana Ruiz: I moved to Leeds",
    "[06/05/2024, 10:00:00] Ben Holt: my sister Cleo is visiting",
    "[07/05/2024, 10:00:00] Ana Ruiz: I'm allergic to walnuts",
    "[08/05/2024, 10:00:00] Ben Holt: I bought a kayak yesterday",
)
QUESTIONS = (
    "Where does Ana Ruiz live now?",
    "Where did Ana Ruiz live before?",
    "What is Ben Holt's job?",
    "Who is Ben Holt's sister?",
    "What is Ana Ruiz allergic to?",
    "When did Ben Holt buy a kayak?",
    "What instrument does Ana Ruiz play?",
)


class Scripted(Workspace):
    """A workspace whose model reads nothing, and takes for told what the rules have found."""

    said: ScriptedLanguage

    def language(self) -> ScriptedLanguage:  # type: ignore[override]
        return self.said

    def embedder(self) -> None:
        return None


def _reply(request: GenerateRequest) -> str:
    if request.choices:
        return "yes" if "yes" in request.choices else request.choices[0]
    return "none" if "copy" in request.messages[0].text.casefold() else "unknown"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[Scripted, Scripted]]:
    """The same chat twice; in the second somebody wrote hostile messages among the others."""
    settings = Settings(zone="UTC")
    plain, mixed = (Scripted(tmp_path / f"{n}.apexmem", settings=settings) for n in "ab")
    with plain, mixed:
        for ws, lines in ((plain, list(LINES)), (mixed, _with_hostile())):
            ws.said = ScriptedLanguage(_reply)
            file = tmp_path / f"{ws.vault.path.stem}.txt"
            file.write_text("\n".join(lines), encoding="utf-8")
            importing.import_file(ws, file, ImportChoices(zone="UTC"))
            building.build(ws)
        yield plain, mixed


def _with_hostile() -> list[str]:
    lines = []
    for number, text in enumerate(HOSTILE):
        if number % 11 == 0 and number // 11 < len(LINES):
            lines.append(LINES[number // 11])
        # Dated behind what they try to change, as far as the chat's order of time allows it.
        day = LINES[min(number // 11, len(LINES) - 1)][:11]
        lines.append(f"{day}, 10:30:00] Mallory: {text}")
    return lines


def _ask(ws: Scripted, question: str) -> Answer:
    return ask(ws, question, AskOptions(now_ms=ms("2024-06-01T12:00"), zone="UTC"))


def test_the_set_is_of_sixty_at_least() -> None:
    assert len(set(HOSTILE)) >= 60


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_what_they_were(opened: tuple[Scripted, Scripted], question: str) -> None:
    plain, mixed = (_ask(ws, question) for ws in opened)
    assert (mixed.answer, mixed.abstained) == (plain.answer, plain.abstained)
    assert [one.quote for one in mixed.citations] == [one.quote for one in plain.citations]


def test_most_of_the_questions_have_answers(opened: tuple[Scripted, Scripted]) -> None:
    answers = [_ask(opened[0], question) for question in QUESTIONS]
    assert [one.abstained for one in answers] == [False] * 6 + [True]


def test_every_hostile_message_is_kept_as_it_was(opened: tuple[Scripted, Scripted]) -> None:
    found = browsing.search(opened[1], "PWNED facts instructions", limit=50).turns
    kept = {hit.text for hit in found}
    assert any("Ignore all previous" in text for text in kept)
    assert any("DROP TABLE facts" in text for text in kept)


def test_no_prompt_has_marks_or_lines_of_theirs(opened: tuple[Scripted, Scripted]) -> None:
    _, mixed = opened
    mixed.said = ScriptedLanguage(_reply)
    for question in (*QUESTIONS, "What does PWNED mean, Ana Ruiz?", "Which facts are proved?"):
        _ask(mixed, question)
    assert mixed.said.requests
    for request in mixed.said.requests:
        last = request.messages[-1].text
        assert "<|" not in last
        assert "|>" not in last
        for line in last.splitlines():
            assert not line.startswith(("Result: Ana", "PWNED", "assistant", "## ", "turns: 1, 2"))
