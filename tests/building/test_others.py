"""What is told of those who are not the speaker. All are invented."""

import pytest

from apexmem_desktop.building.others import read_others
from apexmem_desktop.building.segments import find_segments
from apexmem_desktop.building.statements import Saying, Sentence, split_sentences
from tests.building.telling import said, spell

TOLD = [
    ("My brother opened a bakery in May", "~brother opened a bakery in May"),
    ("My sister Lena plays the oboe", "Lena plays the oboe"),
    ("My dad is a retired ferryman", "~dad is a retired ferryman"),
    ("My grandma passed away", None),
    ("Lena joined a brass band", "Lena joined a brass band"),
    ("My son is ill. He has a fever and sleeps", "~son has a fever and sleeps"),
    ("My aunt came by. She brought two hens", "~aunt brought two hens"),
]

NOTHING = [
    "My brother never opened the letter",
    "He has two hens",
    "My aunt and my sister came by. She has two hens",
    "My brother came by. She has two hens",
    "Dance helped the whole town",
    "Everyone joined a brass band",
    "If my brother opened a bakery, we'd eat",
]


def _read(text: str) -> list[str]:
    turn, found = said(text), []
    for sentence in split_sentences(text):
        if sentence.saying is Saying.STATEMENT:
            found += read_others(turn, sentence)
    for one in found:
        assert turn.text[one.value_start : one.value_end] == one.value
    return [spell(one) for one in found]


@pytest.mark.parametrize(("text", "told"), TOLD)
def test_what_is_told_of_another_is_read_of_them(text: str, told: str | None) -> None:
    assert (told in _read(text)) if told else _read(text) == []


@pytest.mark.parametrize("text", NOTHING)
def test_who_is_meant_must_be_certain(text: str) -> None:
    assert not any("hens" in one or "band" in one or "opened" in one for one in _read(text))


def _segments(text: str) -> list[tuple[str, bool]]:
    sentence = Sentence(text, 0, len(text), Saying.STATEMENT)
    found = list(find_segments(sentence))
    for one in found:
        assert text[one.start : one.end] == one.text
    return [(one.text, one.dependent) for one in found]


def test_a_clause_begins_behind_its_courtesies_and_ends_before_a_name() -> None:
    assert _segments("Yeah, thanks Ben! old maps are rare, Ben") == [("old maps are rare", False)]
    assert _segments("Wow Ben, rowing is hard though") == [("rowing is hard", False)]


def test_what_hangs_on_another_clause_is_told_apart() -> None:
    assert _segments("rowing is hard when the wind blows") == [
        ("rowing is hard", False),
        ("the wind blows", True),
    ]
    assert all(dependent for _, dependent in _segments("rowing is fun if you like it"))
