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
        "It was lovely to hear their verdict",
        "I'm so thankful for their patience",
        "I'm gonna submit it to a book prize",
        "I'm gonna test that out in the barn",
        "Baking bread for those sailors is so lovely",
        "Seeing that kind of courage is inspiring",
        "Thanks for sharing a bit of this with me",
        "Evenings like these really give me hope for the valley",
        "I'll miss that little fellow on our walks",
        "Walking daily like you mentioned keeps us calm",
    ],
)
def test_what_is_not_named_is_not_stored(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It's great to see how bees build their hives", "finds great to see how bees build"),
        ("I'm so thankful for my aunts and their love", "feels so thankful for my aunts"),
        ("My favourite band is They Might Be Giants", "favourite_band They Might Be Giants"),
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
        ("It's wonderful to see how well you've settled", "admires how well Ben has settled"),
        ("It's lovely to see you rowing for your village",
         "admires Ben rowing for their village"),
        ("I'm proud of you for keeping calm and teaching yourself to weave",
         "admires Ben keeping calm and teaching themself to weave"),
        ("You're so kind to bake for the ferrymen",
         "thinks Ben is so kind to bake for the ferrymen"),
        ("You're a great friend", "thinks Ben is a great friend"),
        ("I'm here for you", "supports Ben"),
        ("I'll be right here for you", "supports Ben"),
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
    assert _told("You're so kind to bake for the ferrymen", *before) == []
