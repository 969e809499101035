"""Pictures, quoted replies, and "you and I"."""

from dataclasses import replace

import pytest

from apexmem_desktop.building.grounding import why_ungrounded
from tests.building.telling import read, said, spell

ANA, BEN = "Ana Ruiz", "Ben Oduya"
BEFORE = replace(said("Shall we travel this year?", speaker=BEN), id=1)


def _read(text: str) -> list[str]:
    turn = replace(said(text), id=2)
    return [spell(one) for one in read(turn, BEFORE) if not why_ungrounded(turn, one)]


def test_a_caption_says_what_this_is() -> None:
    found = _read("I made this last week! [shared image: a photo of a green bowl on a table]")
    assert found == [f"{ANA} made green bowl"]


def test_the_caption_is_part_of_the_proof() -> None:
    turn = said("I made this! [shared image: a photo of a green bowl]")
    (one,) = read(turn)
    assert [quote.text for quote in one.beside] == ["[shared image: a photo of a green bowl]"]


def test_a_caption_by_itself_tells_nothing() -> None:
    assert _read("I made it! [shared image: a photo of a green bowl]") == []
    assert _read("So nice [shared image: a photo of my dog Rex in Rome]") == []
    assert _read("I painted this [shared image: a photo of a woman in a hat]") == []


def test_a_quoted_line_belongs_to_whom_it_names() -> None:
    assert _read("> Ben: I moved to Rome in May\nReally? I moved to Porto.") == [
        f"{ANA} lives_in Porto",
        "Ben lives_in Rome",
    ]
    mail = "On Tue, 4 June 2024, Ben Oduya wrote:\n> I work at Lumo.\nWow, great!"
    assert _read(mail) == [f"{BEN} works_at Lumo"]


def test_a_quoted_line_of_nobody_or_of_a_program_tells_nothing() -> None:
    assert _read("> I moved to Rome\nWow") == []
    assert _read("> Assistant: I moved to Rome\nWow") == []


def test_what_was_quoted_from_the_turns_before_is_not_read_again() -> None:
    turn = replace(said("> Ben: I moved to Rome\nWow"), id=2)
    assert read(turn, replace(BEFORE, text="I moved to Rome")) == []


def test_you_and_i_are_both() -> None:
    assert _read("We're flying to Oslo in May, you and I.") == [
        f"{ANA} plans flying to Oslo in May",
        f"{BEN} plans flying to Oslo in May",
    ]
    assert _read("咱们打算去云南") == [f"{ANA} plans 去云南", f"{BEN} plans 去云南"]


def test_a_plain_we_is_both() -> None:
    assert _read("We're flying to Oslo in May.") == [
        f"{ANA} plans flying to Oslo in May",
        f"{BEN} plans flying to Oslo in May",
    ]
    assert _read("我们打算去云南") == [f"{ANA} plans 去云南", f"{BEN} plans 去云南"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('Omar said "I moved to Riga"', "Omar lives_in Riga"),
        ('"I work at Lumo," said Omar', "Omar works_at Lumo"),
        ("小雨说：“我搬到了苏州”", "小雨 lives_in 苏州"),
        ("王强昨天告诉我“我对花生过敏”", "王强 allergic_to 花生"),
    ],
)
def test_what_somebody_is_said_to_have_said_is_theirs(text: str, told: str) -> None:
    assert _read(text) == [told]


@pytest.mark.parametrize(
    "text", ['she said "I moved to Riga"', 'My boss said: "I sold my car"', "他说：“我搬到了苏州”"]
)
def test_what_nobody_named_said_is_nobodys(text: str) -> None:
    assert _read(text) == []


def test_a_title_in_quotation_marks_is_left_as_it_is() -> None:
    text = 'My favourite song is "My Paper Boats"'
    assert _read(text) == [f"{ANA} thinks {text}"]


@pytest.mark.parametrize("text", ["Just bought this", "我买了这个"])
def test_a_caption_says_what_was_bought(text: str) -> None:
    found = _read(f"{text} [shared image: a photo of a red bicycle]")
    assert f"{ANA} bought red bicycle" in found
