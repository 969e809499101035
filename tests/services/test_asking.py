"""Asking the memory: the answer, its trace, and what goes wrong on the way."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.answers import (
    Answer,
    AnswerPart,
    AskNews,
    AskOptions,
    EvidenceFound,
    ReadingTurns,
    StepDone,
    SummaryPart,
)
from apexmem_desktop.domain.clarifying import OpenKind
from apexmem_desktop.domain.errors import (
    CancelledError,
    ModelCrashedError,
    ModelMissingError,
    NotFoundError,
)
from apexmem_desktop.domain.graph import MemoryType
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.services import clarifying
from apexmem_desktop.services.asking import ask, get_trace
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage.turns import find_turns_to_embed
from tests.agent.asking import Model, know, on
from tests.fakes import HashEmbedder, ScriptedLanguage
from tests.recall.builders import ms
from tests.recall.chats import store_chat

ANA = "Ana Ruiz"


class ScriptedWorkspace(Workspace):
    """A workspace whose models are stand-ins; without a script the language model is missing."""

    scripted: ScriptedLanguage | None = None
    hashing: HashEmbedder | None = None

    def language(self) -> ScriptedLanguage:  # type: ignore[override]
        if self.scripted is None:
            raise ModelMissingError("no model")
        return self.scripted

    def embedder(self) -> HashEmbedder | None:  # type: ignore[override]
        return self.hashing


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[ScriptedWorkspace]:
    """A memory in which Ana moved from Rome to Turin, and bought a lamp."""
    opened = ScriptedWorkspace(
        tmp_path / "memory.sqlite",
        settings=Settings(zone="UTC"),
        clock=lambda: ms("2025-08-01T23:30"),
    )
    with opened:
        first, second, third = store_chat(
            opened.vault,
            [
                (ANA, "2023-03-01T10:00", "I live in Rome"),
                (ANA, "2024-05-10T10:00", "I moved to Turin"),
                (ANA, "2025-08-01T10:00", "I bought a lamp"),
            ],
        )
        know(opened.vault, first, ANA, "lives_in", "Rome")
        know(opened.vault, second, ANA, "lives_in", "Turin", start=on("2024-05-10"))
        know(
            opened.vault, third, ANA, "bought", "lamp", start=on("2025-08-01"),
            single_valued=False, memory_type=MemoryType.ACTION,
        )  # fmt: skip
        opened.scripted = Model().language
        yield opened


def test_the_trace_is_the_answer_with_all_its_steps(ws: ScriptedWorkspace) -> None:
    first = ask(ws, "Where does Ana live now?", AskOptions())
    second = ask(ws, "Where did Ana live before Turin?", AskOptions())
    assert first.steps
    assert first.facts[0].evidence
    assert first.evidence
    assert get_trace(ws) == second
    assert get_trace(ws, 1) == first


def test_a_declined_answer_keeps_why(ws: ScriptedWorkspace) -> None:
    ws.scripted = Model(told="no").language
    answer = ask(ws, "Which town does Ana live in now?", AskOptions())
    assert answer.abstained
    assert answer.dropped
    assert get_trace(ws) == answer


def test_there_is_no_trace_before_the_first_question(ws: ScriptedWorkspace) -> None:
    with pytest.raises(NotFoundError):
        get_trace(ws)


def test_without_a_model_the_evidence_is_there(ws: ScriptedWorkspace) -> None:
    ws.scripted = None
    with pytest.raises(ModelMissingError):
        ask(ws, "Where does Ana live?", AskOptions())
    answer = ask(ws, "Where does Ana live?", AskOptions(use_model=False))
    assert [hit.text for hit in answer.evidence]


def test_a_crash_leaves_no_trace_and_the_next_question_works(ws: ScriptedWorkspace) -> None:
    ws.scripted = ScriptedLanguage([ModelCrashedError(), "yes"])
    with pytest.raises(ModelCrashedError):
        ask(ws, "Which town does Ana live in now?", AskOptions())
    with pytest.raises(NotFoundError):
        get_trace(ws)
    assert ask(ws, "Which town does Ana live in now?", AskOptions()).answer == "Turin"


def test_a_cancelled_question_leaves_no_trace(ws: ScriptedWorkspace) -> None:
    token = CancelToken()

    def stop(news: AskNews) -> None:
        if isinstance(news, EvidenceFound):
            token.cancel()

    with pytest.raises(CancelledError):
        ask(ws, "Where does Ana live now?", AskOptions(), on_news=stop, cancel=token)
    with pytest.raises(NotFoundError):
        get_trace(ws)


def test_now_is_the_clock_unless_it_is_given(ws: ScriptedWorkspace) -> None:
    question = "Where does Ana live now?"
    assert ask(ws, question, AskOptions()).answer == "Turin"
    assert ask(ws, question, AskOptions(now_ms=ms("2023-12-24"))).answer == "Rome"


def test_as_of_wins_over_now(ws: ScriptedWorkspace) -> None:
    options = AskOptions(as_of_ms=ms("2023-12-24"), now_ms=ms("2025-01-01"))
    assert ask(ws, "Where does Ana live?", options).answer == "Rome"


def test_yesterday_is_the_day_in_the_askers_zone(ws: ScriptedWorkspace) -> None:
    """At half past eleven in the evening, UTC, it is tomorrow already in Shanghai."""
    question = "What did Ana buy yesterday?"
    assert ask(ws, question, AskOptions(zone="Asia/Shanghai")).answer == "lamp"
    assert ask(ws, question, AskOptions(zone="UTC")).abstained


def test_what_was_just_imported_can_be_found_by_meaning(ws: ScriptedWorkspace) -> None:
    ws.hashing = HashEmbedder()
    ask(ws, "lamp", AskOptions(use_model=False))
    with ws.vault.read() as db:
        assert find_turns_to_embed(db, ws.hashing.embedder_id, 10) == []


def test_a_chat_goes_on(ws: ScriptedWorkspace) -> None:
    first = ask(ws, "Where does Ana live now?", AskOptions())
    earlier = ((first.question, first.answer),)
    assert ask(ws, "  and before that? ", AskOptions(earlier=earlier)).answer == "Rome"


def _news(ws: ScriptedWorkspace, question: str) -> tuple[list[AskNews], Answer]:
    heard: list[AskNews] = []
    return heard, ask(ws, question, AskOptions(), on_news=heard.append)


def test_the_answer_comes_in_parts_and_none_is_taken_back(ws: ScriptedWorkspace) -> None:
    heard, answer = _news(ws, "Where did Ana live before Turin?")
    told = [one for one in heard if isinstance(one, AnswerPart | SummaryPart)]
    assert told[0] == AnswerPart(answer.answer)
    sentences = [one for one in told if isinstance(one, SummaryPart)]
    assert len(sentences) == 2
    assert ". ".join(one.text for one in sentences) == answer.summary
    assert [cited for one in sentences for cited in one.citations] == list(answer.citations)
    assert any(isinstance(one, EvidenceFound) for one in heard[:2])
    assert heard.index(told[0]) > max(i for i, n in enumerate(heard) if isinstance(n, StepDone))


def test_what_is_worked_out_is_told_before_any_model_call(ws: ScriptedWorkspace) -> None:
    calls: list[int] = []
    assert ws.scripted is not None

    def heard(news: AskNews) -> None:
        if isinstance(news, AnswerPart):
            calls.append(len(ws.scripted.requests))  # type: ignore[union-attr]

    ask(ws, "Where does Ana live now?", AskOptions(), on_news=heard)
    assert calls == [0]


def test_nothing_is_said_before_the_last_check(ws: ScriptedWorkspace) -> None:
    ws.scripted = Model(told="no", finds="a lamp").language
    heard, answer = _news(ws, "What lamp shop did Ana like in Turin?")
    assert answer.abstained
    assert [one for one in heard if isinstance(one, AnswerPart)] == [AnswerPart(answer.answer)]
    reading = [one for one in heard if isinstance(one, ReadingTurns)]
    assert [0 < one.turns <= 3 for one in reading] == [True]


def test_words_are_searched_while_vectors_are_still_to_be_computed(ws: ScriptedWorkspace) -> None:
    ws.hashing = HashEmbedder()
    seen: list[int] = []

    def heard(news: AskNews) -> None:
        if isinstance(news, EvidenceFound):
            seen.append(len(ws.hashing.texts))  # type: ignore[union-attr]

    answer = ask(ws, "Where does Ana live now?", AskOptions(), on_news=heard)
    assert seen[0] == 0
    assert seen[-1] > 0
    usage = answer.usage
    assert 0 <= usage.ms_first_evidence <= usage.ms_first_words <= usage.ms_total


def test_a_conflict_is_put_to_the_user_whose_answer_is_kept_as_evidence(
    ws: ScriptedWorkspace,
) -> None:
    """Both sides are shown, the list of questions has it, and the ruling decides from then on."""
    one, other = store_chat(
        ws.vault,
        [
            (ANA, "2025-08-01T11:00", "the concert was on the 23rd"),
            ("Ben Holt", "2025-08-01T11:01", "no, the concert was on the 30th"),
        ],
    )
    know(ws.vault, one, "concert", "took_place_on", "23 May")
    know(ws.vault, other, "concert", "took_place_on", "30 May")
    before = ask(ws, "When was the concert?", AskOptions())
    assert {fact.value for side in before.conflicts for fact in side.sides} == {"23 May", "30 May"}
    asked = [q for q in clarifying.open_questions(ws) if q.kind is OpenKind.CONFLICT]
    values = [fact.value for fact in asked[0].sides]
    clarifying.decide(ws, asked[0], values.index("30 May"), reason="the ticket says so")
    after = ask(ws, "When was the concert?", AskOptions())
    assert after.conflicts == ()
    assert {fact.value for fact in after.facts} == {"30 May"}
    assert [fact.ruled for fact in after.facts] == ["prefer"]
    assert [q for q in clarifying.open_questions(ws) if q.kind is OpenKind.CONFLICT] == []
