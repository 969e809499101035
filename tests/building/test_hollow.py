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
        "A lot has happened since we last met",
        "The acting was awesome and the plot was so gripping",
        "The process may be tough",
        "Life's been pretty hectic lately",
        "It was great catching up with the gang",
        "They bring me so much joy",
        "I've been tinkering with that recipe and a few others",
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
        "My kids have so much and others have nothing",
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
        ("did", "similar interests", SAYS_NOTHING),
    ],
)
def test_a_value_is_whole_and_says_something(shape: str, value: str, why: str) -> None:
    one = proposed(value, ANA, shape, value, by="rule")
    assert why_hollow(one) == why


@pytest.mark.parametrize(
    ("text", "shape", "value", "stands"),
    [
        ("He's adopted and so full of energy", "pet", "full of energy", False),
        ("My turtles always cheer me up", "pet", "turtles", True),
        ("I used to have a dog back in Michigan", "pet", "dog", False),
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
    text = "They've opened my eyes to new harbours, and I feel at home"
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
