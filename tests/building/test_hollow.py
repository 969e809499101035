"""What is true and tells nothing by itself, what was cut, and what a small model misreads."""

import pytest

from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.building.hollow import CUT_OFF, SAYS_NOTHING, why_hollow
from apexmem_desktop.building.misread import why_misread
from tests.building.telling import read, said, spell
from tests.building.test_grounding import proposed

ANA = "Ana Ruiz"


@pytest.mark.parametrize(
    "text",
    [
        "A lot has happened since the flood",
        "The singing was great and the ending was so sad",
        "The training may be hard",
        "Life's been pretty hectic lately",
        "It was lovely catching up with the neighbours",
        "They bring me so much joy",
        "I've been fiddling with that melody and some others",
        "It's amazing how these creatures bring calm to a home",
        "Our evenings have been a mix of things",
    ],
)
def test_what_says_nothing_by_itself_does_not_stand(text: str) -> None:
    turn = said(text)
    assert [spell(one) for one in read(turn) if not why_ungrounded(turn, one)] == []


@pytest.mark.parametrize(
    "text",
    [
        "The sunset was so beautiful over the bay",
        "The dance studio is a dream of mine",
        "Dancing was fun for my whole family",
        "My kids have warm coats and others have none",
    ],
)
def test_what_names_what_it_speaks_of_stands(text: str) -> None:
    turn = said(text)
    found = [one for one in read(turn) if not why_ungrounded(turn, one)]
    assert [one.value for one in found if one.shape == "thinks"] == [text]


@pytest.mark.parametrize(
    ("shape", "value", "why"),
    [
        ("thinks", "Seeing the sea made me feel like", CUT_OFF),
        ("thinks", "especially for kids, is vital", CUT_OFF),
        ("did", "that taking breaks", CUT_OFF),
        ("thinks", "This ring is special to me", ""),
        ("thinks", "The ring is special", SAYS_NOTHING),
        ("wants", "check", SAYS_NOTHING),
        ("wants", "check the harbour lights", ""),
        ("likes", "getting immersed", SAYS_NOTHING),
        ("likes", "fencing", ""),
        ("likes", "board games", ""),
        ("likes", "the board game", SAYS_NOTHING),
        ("plans", "be a nurse", ""),
        ("plans", "be a huge challenge", SAYS_NOTHING),
        ("did", "similar interests", SAYS_NOTHING),
    ],
)
def test_a_value_is_whole_and_says_something(shape: str, value: str, why: str) -> None:
    one = proposed(value, ANA, shape, value, by="rule")
    assert why_hollow(one) == why


@pytest.mark.parametrize(
    ("text", "shape", "value", "stands"),
    [
        ("She's a rescue and so full of mischief", "pet", "full of mischief", False),
        ("My rabbits always wake me up", "pet", "rabbits", True),
        ("I used to have a goat on the farm", "pet", "goat", False),
        ("I'd recommend a fantasy trilogy for you", "read", "fantasy trilogy", False),
        ("I read a fantasy trilogy last year", "read", "fantasy trilogy", True),
        ("Since you named a book I thought of one too", "read", "book", False),
        ("I really love the scenery", "likes", "scenery", False),
        ("I love scenery by the sea", "likes", "scenery by the sea", True),
        ("Running my own biz is a ride", "practises", "my own biz", False),
        ("We work on business plans", "plans", "business plans", False),
    ],
)
def test_what_a_small_model_takes_for_said(
    text: str, shape: str, value: str, *, stands: bool
) -> None:
    one = proposed(text, ANA, shape, value)
    assert (why_misread(said(text), one) == "") == stands


def test_what_they_did_is_not_told_of_the_speaker() -> None:
    text = "They've introduced me to new harbours, and I feel at home"
    assert why_misread(said(text), proposed(text, ANA, "opened", "new harbours"))
    mine = "They were kind, and I opened a tea house"
    assert why_misread(said(mine), proposed(mine, ANA, "opened", "tea house")) == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I loved mending nets with my uncle when I was younger", ["used_to_love"]),
        ("I love mending nets with my uncle", ["likes"]),
        ("It's sad to see the old boats when they rot", []),
    ],
)
def test_then_is_not_now(text: str, told: list[str]) -> None:
    turn = said(text)
    assert [one.property for one in read(turn) if not why_ungrounded(turn, one)] == told
