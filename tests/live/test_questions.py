"""The questions on the samples, asked of the real model."""

import pytest

from apexmem_desktop.domain.answers import Answer
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage.turns import find_turns
from tests.live.gold import GoldQuestion

pytestmark = pytest.mark.live

# What the default model reached when this was written, less what another machine's arithmetic
# may cost. A better one should not do worse.
LEAST_RIGHT = 22
LEAST_DECLINED = 1

Answers = list[tuple[GoldQuestion, Answer]]


def _told(answers: Answers) -> str:
    return "\n".join(f"{q.question} => {a.answer} {a.dropped}" for q, a in answers)


def test_most_questions_are_answered_right(answers: Answers) -> None:
    wrong = [(q, a) for q, a in answers if not q.is_right(a)]
    assert len(answers) - len(wrong) >= LEAST_RIGHT, _told(wrong)


def test_the_questions_of_the_demo_are_all_answered_right(answers: Answers) -> None:
    wrong = [(q, a) for q, a in answers if q.demo and not q.is_right(a)]
    assert not wrong, _told(wrong)


def test_what_the_memory_does_not_hold_is_declined(answers: Answers) -> None:
    unknown = [(q, a) for q, a in answers if q.must_abstain]
    declined = [a for _, a in unknown if a.abstained]
    assert len(declined) >= LEAST_DECLINED, _told(unknown)


def test_every_answer_cites_words_that_stand_in_their_turns(
    ws: Workspace, answers: Answers
) -> None:
    given = [answer for _, answer in answers if not answer.abstained]
    assert given
    for answer in given:
        assert answer.citations, answer.question
        with ws.vault.read() as db:
            turns = find_turns(db, [one.turn_id for one in answer.citations])
        for one, turn in zip(answer.citations, turns, strict=True):
            assert one.quote == turn.text[one.start : one.end], answer.question
            assert one.quote.strip(), answer.question
            assert (one.speaker, one.said_at_ms) == (turn.speaker, turn.said_at_ms)


def test_what_is_declined_cites_nothing(answers: Answers) -> None:
    for _, answer in answers:
        if answer.abstained:
            assert not answer.citations
            assert not answer.facts


def test_both_sides_of_a_conflict_are_shown(answers: Answers) -> None:
    shown = [a for q, a in answers if q.kind == "contradiction" and q.demo]
    assert shown
    for answer in shown:
        assert [len(one.sides) for one in answer.conflicts] == [2]


def test_the_evidence_is_there_long_before_the_answer(answers: Answers) -> None:
    for _, answer in answers:
        assert answer.evidence
        assert answer.usage.ms_first_evidence <= answer.usage.ms_total
        assert len(answer.steps) <= 40
