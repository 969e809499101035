"""Whose "your" is, and who takes part "with" somebody."""

import pytest

from apexmem_desktop.building.addressed import says_whose
from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.building.together import named_with
from tests.building.telling import read, said

BEFORE = said("How did the regatta go?", speaker="Lena Vos")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Your kindness means the world to us", "values Lena's kindness"),
        ("I admire your care for your goats", "admires Lena's care for their goats"),
        (
            "Thanks for using your voice for the club",
            "thanks_for Lena using their voice for the club",
        ),
        ("Your long practice will pay off", "thinks Lena's long practice will pay off"),
    ],
)
def test_your_has_the_name_of_the_one_spoken_to(text: str, told: str) -> None:
    turn = said(text)
    found = {f"{one.property} {one.value}": one for one in read(turn, BEFORE)}
    assert told in found
    assert why_ungrounded(turn, found[told]) == ""
    assert all("Lena" not in one.value for one in read(turn))  # nobody is known to be spoken to


def test_of_several_nobody_is_meant() -> None:
    others = (BEFORE, said("And the race?", speaker="Omar"))
    assert [one.value for one in read(said("Your kindness means the world to us"), *others)] == [
        "Your kindness"
    ]


@pytest.mark.parametrize(
    ("words", "value", "same"),
    [
        ("your kiln", "Lena's kiln", True),
        ("your kiln", "Lena's oven", False),
        ("being true to your art", "Lena being true to their art", True),
        ("my kiln", "Lena's kiln", False),
    ],
)
def test_only_a_name_may_stand_for_your(words: str, value: str, *, same: bool) -> None:
    assert says_whose(words, value) == same


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I went to Rome with Lena last week", [("Lena", False)]),
        ("I visited Genoa with Tom and Lena Vos", [("Tom", False), ("Lena Vos", False)]),
        ("I had dinner with my sister on Friday", [("sister", True)]),
        ("I went with Lena to Rome", [("Lena", False)]),
        ("I made a poster with Blender", []),
        ("I had a meeting with Lumo", []),
        ("I went camping with my kids", []),
        ("I visited Oslo, but Tom stayed with Lena", []),
        ("我和小雨一起去了大理", [("小雨", False)]),
        ("我跟我妹妹上周去了黄山", [("妹妹", True)]),
        ("我昨天带孩子去动物园了", []),
    ],
)
def test_who_went_along_is_named(text: str, names: list[tuple[str, bool]]) -> None:
    found = [one for candidate in read(said(text)) for one in named_with(candidate)]
    assert found == names
