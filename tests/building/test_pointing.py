"""What points at somebody or something that a value does not name. All sentences are invented."""

import pytest

from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.domain.turn import Turn
from tests.building.telling import read, said


def _told(text: str, *before: Turn) -> list[str]:
    turn = said(text)
    found = [one for one in read(turn, *before) if not why_ungrounded(turn, one)]
    return [f"{one.property} {one.value}" for one in found]


def _ben(text: str) -> Turn:
    return said(text, speaker="Ben Hale")


@pytest.mark.parametrize(
    "text",
    [
        "It was great to see their reactions",
        "I'm really thankful for their love",
        "I'm gonna submit it to a book prize",
        "I'll try that out for myself",
        "Building a home for those kids is so lovely",
        "Seeing that kind of courage is inspiring",
        "Thanks for being a part of this with me",
        "Evenings like these really give me hope for the valley",
        "I'll cherish that little guy with all my heart",
        "Finding balance like you mentioned helps us out a lot",
    ],
)
def test_what_is_not_named_is_not_stored(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It's great to see how bees build their hives", "finds great to see how bees build"),
        ("I'm so thankful for my aunts and their love", "feels so thankful for my aunts"),
        ("I found these old maps with my grandfather's notes", "found these old maps"),
        ("I'll always remember those nights that kept us laughing", "remembers those nights that"),
    ],
)
def test_what_names_whom_it_points_at_is(text: str, told: str) -> None:
    assert [one for one in _told(text) if one.startswith(told)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It's amazing to see how patient you are with the foals",
         "admires how patient Ben is with the foals"),
        ("It's incredible to see how far you've come", "admires how far Ben has come"),
        ("It's great to see you standing up for your village",
         "admires Ben standing up for their village"),
        ("I'm proud of you for staying strong and being true to yourself",
         "admires Ben staying strong and being true to themself"),
        ("You're so brave to speak up for the ferrymen",
         "thinks Ben is so brave to speak up for the ferrymen"),
        ("You're a great friend", "thinks Ben is a great friend"),
        ("I'm here for you", "supports Ben"),
        ("I'll always be there for you", "supports Ben"),
        ("I still have that brass lamp you gave me", "has that brass lamp Ben gave"),
    ],
)  # fmt: skip
def test_the_one_spoken_to_has_a_name(text: str, told: str) -> None:
    assert told in _told(text, _ben("The ferry is late again."))


@pytest.mark.parametrize(
    "text",
    ["You're so right", "You're welcome", "You're so funny and keep going", "You're not strong"],
)
def test_not_every_word_for_the_one_spoken_to_is_a_view_of_them(text: str) -> None:
    assert _told(text, _ben("The ferry is late again.")) == []


def test_in_a_group_nobody_knows_who_you_are() -> None:
    before = (_ben("The ferry is late."), said("Again!", speaker="Cleo Park"))
    assert _told("I'm here for you", *before) == []
    assert _told("You're so brave to speak up for the ferrymen", *before) == []
