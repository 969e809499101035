"""What is told across turns: question and answer, "he", "we both"."""

from dataclasses import replace

import pytest

from apexmem_desktop.building.dialogue import find_earlier
from apexmem_desktop.building.gate import find_openings
from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.storage import turns
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import read, said, spell, tell

ANA, BEN = "Ana Ruiz", "Ben Oduya"


def _chat(*told: tuple[str, str]) -> list[Turn]:
    return [replace(said(text, speaker=who), id=at) for at, (who, text) in enumerate(told, 1)]


def _told(*lines: tuple[str, str]) -> list[str]:
    *before, last = _chat(*lines)
    return [spell(one) for one in read(last, *before) if not why_ungrounded(last, one)]


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("Where do you work now?", "At Siemens since May", f"{ANA} works_at Siemens"),
        ("Nice! Where are you living these days?", "In Porto!", f"{ANA} lives_in Porto"),
        ("How old are you?", "41, sadly", f"{ANA} age 41"),
        ("What's your favourite band?", "Probably Low Tide", f"{ANA} favourite_band Low Tide"),
        ("What did you buy?", "A red kayak", f"{ANA} bought red kayak"),
        ("When is your birthday?", "It's on 4 March", f"{ANA} birthday 4 March"),
        ("Did you buy the kayak?", "Yes, last week", f"{ANA} bought kayak"),
        ("Did you quit?", "Yes, last week", f"{ANA} did quit"),
        ("你现在在哪上班？", "在蓝鲸银行", f"{ANA} works_at 蓝鲸银行"),
        ("你今年多大？", "32岁", f"{ANA} age 32"),
    ],
)
def test_question_and_answer_tell_a_fact_together(question: str, answer: str, told: str) -> None:
    assert told in _told((BEN, question), (ANA, answer))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do you work now?", "I don't know yet"),
        ("Where do you work now?", "Why do you ask?"),
        ("Where does Tom work now?", "At Siemens since May"),
        ("Did you buy the kayak?", "No, last week was busy"),
        ("Did you buy the kayak?", "Not yet"),
        ("Did you buy it?", "Yes, last week"),
        ("I work at night.", "At Siemens since May"),
    ],
)
def test_without_a_fitting_answer_nothing_is_told(question: str, answer: str) -> None:
    assert _told((BEN, question), (ANA, answer)) == []


def test_another_relation_than_the_one_asked_about_is_no_property_of_hers() -> None:
    assert _told((BEN, "Is Lena your sister?"), (ANA, "No, she's my cousin")) == []


def test_both_turns_prove_it() -> None:
    question, answer = _chat((BEN, "Hm. Where do you work now?"), (ANA, "At Siemens since May"))
    [one] = read(answer, question)
    [proof] = one.beside
    assert (proof.turn_id, proof.text) == (question.id, "Where do you work now?")
    assert question.text[proof.start : proof.end] == proof.text
    assert answer.text[one.value_start : one.value_end] == "Siemens"


def test_nobody_answers_their_own_question() -> None:
    assert _told((ANA, "Where do you work now?"), (ANA, "At Siemens since May")) == []


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([(ANA, "My brother called."), (ANA, "He moved to Lyon.")], "~brother moved_to Lyon"),
        ([(ANA, "My brother called. He moved to Lyon.")], "~brother moved_to Lyon"),
        ([(BEN, "How's your sister?"), (ANA, "She bought a mill")], "~sister bought mill"),
    ],
)
def test_a_pronoun_means_whom_the_window_names(lines: list[tuple[str, str]], told: str) -> None:
    found = [one.replace("lives_in", "moved_to") for one in _told(*lines)]
    assert told in found


@pytest.mark.parametrize(
    "lines",
    [
        [(ANA, "My brother and my uncle called."), (ANA, "He bought a mill")],
        [(BEN, "My brother called."), (ANA, "He bought a mill")],
        [(BEN, "So tired."), (ANA, "He bought a mill")],
    ],
)
def test_a_pronoun_that_could_mean_two_is_left_out(lines: list[tuple[str, str]]) -> None:
    assert _told(*lines) == []


def test_we_both_is_both_and_tom_and_i_is_both() -> None:
    assert f"{BEN} likes rowing" in _told((BEN, "Rowing again?"), (ANA, "We both love rowing"))
    assert "Tom bought mill" in _told((ANA, "Tom and I bought a mill"))
    assert "~sister bought mill" in _told((ANA, "My sister and I bought a mill"))
    assert not [t for t in _told((BEN, "Hm."), (ANA, "We bought a mill")) if BEN in t]


def test_the_window_is_of_the_same_chat(vault: Vault) -> None:
    ids = tell(vault, (BEN, "Where do you work now?"), (ANA, "At Siemens since May"))
    later = tell(vault, (ANA, "At Siemens since May"), at="2025-01-01T10:00")
    with vault.read() as db:
        batch = turns.find_turns(db, [*ids, *later])
        before = find_earlier(db, batch)
    assert [len(before[one.id]) for one in batch] == [0, 1, 0]
    assert find_openings(batch[1], before[batch[1].id])[0].told[0].value == "Siemens"
