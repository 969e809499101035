"""A question to a memory of which nothing was read: the sessions that bear on it are read first."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.answers import AskNews, AskOptions, EvidenceFound
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.services import asking, building
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.storage import facts, jobs
from tests.agent.asking import Model
from tests.fakes import Reply, ScriptedLanguage
from tests.recall.builders import ms
from tests.recall.chats import store_chat
from tests.services.test_asking import ScriptedWorkspace

ANA = "Ana Ruiz"
DAYS = ["2023-03-01", "2023-06-01", "2023-09-01", "2023-12-01"]
SAID = ["I live in Rome", "I adopted a cat called Miso", "I moved to Turin", "I bought a lamp"]


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[ScriptedWorkspace]:
    opened = ScriptedWorkspace(
        tmp_path / "memory.sqlite", settings=Settings(zone="UTC"), clock=lambda: ms("2024-02-01")
    )
    with opened:
        chat = [(ANA, f"{day}T10:00", text) for day, text in zip(DAYS, SAID, strict=True)]
        store_chat(opened.vault, chat)
        opened.scripted = Model().language
        yield opened


def _told(ws: ScriptedWorkspace) -> set[str]:
    with ws.vault.read() as db:
        return {one.value for one in facts.find_facts(db)}


def test_what_bears_on_it_is_read_and_the_rest_waits(ws: ScriptedWorkspace) -> None:
    news: list[AskNews] = []
    answer = asking.ask(
        ws, "What is Ana's cat called?", AskOptions(), read_first=None, on_news=news.append
    )
    assert _told(ws) == {"Miso"}
    assert any(fact.value == "Miso" for fact in answer.facts)
    assert isinstance(news[0], EvidenceFound)
    with ws.vault.read() as db:
        assert jobs.counts(db)["pending"] == 3


def test_later_questions_only_put_it_forward(ws: ScriptedWorkspace) -> None:
    building.build(ws, limit=1)
    before = _told(ws)
    asking.ask(ws, "What is Ana's cat called?", AskOptions(), read_first=None)
    assert _told(ws) == before


def test_without_a_model_nothing_is_read(ws: ScriptedWorkspace) -> None:
    asking.ask(ws, "What is Ana's cat called?", AskOptions(use_model=False), read_first=None)
    assert _told(ws) == set()


def test_of_many_sessions_the_most_relevant_are_read_in_order_of_time(
    ws: ScriptedWorkspace,
) -> None:
    best = building.find_relevant(ws, "moved to Turin, lamp", most=1)
    every = building.find_relevant(ws, "moved to Turin, lamp")
    assert len(best) == 1
    assert set(best) < set(every)
    assert every == sorted(every)


def test_asked_again_the_next_session_is_read(ws: ScriptedWorkspace) -> None:
    for left in (3, 2):
        building.build(ws, about="moved to Turin, lamp", limit=1)
        with ws.vault.read() as db:
            assert jobs.counts(db)["pending"] == left


def test_a_model_that_finds_nothing_is_no_hindrance(ws: ScriptedWorkspace) -> None:
    def nothing(request: GenerateRequest) -> Reply:
        return "no" if request.choices else "-"

    ws.scripted = ScriptedLanguage(nothing)
    assert asking.ask(ws, "Who is Zora?", AskOptions(), read_first=None).abstained
