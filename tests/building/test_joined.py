"""Clauses that lean on the one before them, or need no object."""

import pytest

from apexmem_desktop.building.grounding import why_ungrounded
from tests.building.telling import read, said, spell

ANA = "Ana Ruiz"


def _read(text: str) -> list[str]:
    turn = said(text)
    return [spell(one) for one in read(turn) if not why_ungrounded(turn, one)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I went to Leeds and repaired the old kiln", f"{ANA} repaired old kiln"),
        ("We roasted chestnuts and shared stories around the fire", f"{ANA} shared stories"),
        ("I've been busy glazing forty bowls", f"{ANA} is_glazing forty bowls"),
        ("I've been busy with the harvest and the cider", f"{ANA} busy_with harvest and the cider"),
        ("I'm having trouble with the wheel of my kiln", f"{ANA} struggles_with wheel of my kiln"),
        (
            "I'm singing too, volunteering at the seamen's home",
            f"{ANA} volunteers_at seamen's home",
        ),
        ("I graduated last week!", f"{ANA} did graduated"),
        ("Last month my uncle passed away", "~uncle did passed away"),
        ("I'm lactose intolerant, so no cream for me", f"{ANA} health lactose intolerant"),
        ("When I was younger, we kept twelve hives of bees", f"{ANA} kept twelve hives of bees"),
        ("I opened a little bakery not so long ago", f"{ANA} opened little bakery"),
        ("I've had a few offers from bakeries", f"{ANA} had a few offers from bakeries"),
        (
            "I had some rough weeks with my bakery, Jon",
            f"{ANA} had some rough weeks with my bakery",
        ),
    ],
)
def test_what_leans_on_the_clause_before_is_read(text: str, told: str) -> None:
    assert any(one.startswith(told) for one in _read(text)), _read(text)


@pytest.mark.parametrize(
    "text",
    [
        "I saw that she left and repaired the kiln",  # who repaired it?
        "I felt tired and relieved about the storm",
        "Max looks calm, just dozing in the hay",
        "I'm not having trouble with the kiln",
        "I went to see him and asked about it",
        "Been a long road",
        "Read lots of sagas",
        "I had a special day",
        "We talked for twenty minutes",
    ],
)
def test_what_has_another_subject_or_says_nothing_is_left_out(text: str) -> None:
    told = " ".join(_read(text))
    assert not any(f"{ANA} {word}" in told for word in (
        "repaired", "relieved", "is_dozing", "struggles", "asked", "is_a", "read", "had", "talked",
    )), told  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It's great to see you stand up for the crew", None),
        ("It's inspiring to see your love for the sea", "admires your love for the sea"),
        ("It's awesome to see how much you've done here", None),
        ("It's amazing to see how patient you are with the foals", None),  # whoever "you" are
        ("Your urge to explore is amazing", "admires Your urge to explore"),
        (
            "I'll never forget the night that the dam broke",
            "remembers the night that the dam broke",
        ),
        ("Let's rebuild the old boat house together", "suggests Let's rebuild the old boat house"),
        ("Let's make a change", None),
        ("Keep going and make it a real bakery", None),
        ("Keep going and make your bakery a success", "advises Keep going and make your bakery"),
        ("I'd really appreciate your help with sorting the seeds", "needs your help with sorting"),
        ("I'll watch your play on Friday", "plans watch your play"),
        ("I'll keep you posted", None),
        (
            "Neighbours like you make a real difference",
            "thinks Neighbours like you make a real difference",
        ),
        ("This old accordion is dear to me", None),
        ("The event was awesome", None),
        ("I'm so relieved", None),
        ("Speaking out like that takes nerve", None),
    ],
)
def test_what_is_thought_of_the_one_spoken_to(text: str, told: str | None) -> None:
    found = [one.removeprefix(f"{ANA} ") for one in _read(text)]
    assert not found if told is None else any(one.startswith(told) for one in found), found
