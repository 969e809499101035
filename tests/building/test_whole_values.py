"""Values that are told whole, and clauses that lean on another. All sentences are invented."""

import pytest

from apexmem_desktop.building.grounding import why_ungrounded
from tests.building.telling import read, said


def _told(text: str) -> list[str]:
    turn = said(text)
    found = [one for one in read(turn) if not why_ungrounded(turn, one)]
    who = {turn.speaker: ""}
    return [f"{who.get(one.who, one.who + ' ')}{one.property} {one.value}" for one in found]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I gave my old loom to a museum I volunteer at yesterday",
         "gave old loom to a museum I volunteer at"),
        ("I just started cooking in a canteen for people who lost their boats",
         "started cooking in a canteen for people who lost their boats"),
        ("It's so nice to have neighbours and friends who share my love of moss",
         "finds nice to have neighbours and friends who share my love of moss"),
        ("I brought oats, butter, and a jar of jam", "brought oats, butter, and a jar of jam"),
        ("I love jazz and brass band music", "likes jazz and brass band music"),
        ("I love stories that take their time", "likes stories that take their time"),
        ("My face gets all red when I'm near hay", "thinks My face gets all red when I'm near hay"),
        ("I've been patching and painting the old canoe", "is_patching old canoe"),
        ("I'm working on a big idea - a radio play about owls",
         "works_on radio play about owls"),
        ("I made my niece some soup", "made my niece some soup"),
        ("I'm focusing on the good and leaning on my choir",
         "is_focusing_on the good and leaning on my choir"),
        ("I made a plum cake with walnuts on it the other day",
         "made plum cake with walnuts on it"),
    ],
)  # fmt: skip
def test_a_value_is_not_cut_in_its_middle(text: str, told: str) -> None:
    assert told in _told(text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("We rested under the oaks, played cards, and ate plums", "played cards"),
        ("I'm reading The Magic Mountain and hoping it'll calm me", "hoping"),
        ("I'll bring plates so we can both eat", "we can both eat"),
        ("Spending time at sea is so healthy, and that all sounds lovely", "sounds lovely"),
        ("Gonna be a long winter", "be a"),
        ("Don't give up, buddy", "Don't give up"),
        ("Here's a photo from the party", "from the party"),
        ("I've been exploring options", "options"),
        ("Here's another song I like", "song"),
        ("I'm more nervous than ever", "more nervous"),
    ],
)
def test_what_is_cut_or_runs_on_is_not_told(text: str, never: str) -> None:
    assert not [one for one in _told(text) if never in one]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I drew it after I visited the harbour last week", "visited harbour"),
        ("The worst of it is that we had to sell our rowing boat", "had_to sell our rowing boat"),
        ("We were able to lead the ponies out of the flood",
         "was_able_to lead the ponies out of the flood"),
        ("I've been painting my bakery and just met with a local miller",
         "met_with local miller"),
        ("I worked hard on a new script", "worked_on new script"),
        ("Quite a week - had an audition for a radio play", "had audition for a radio play"),
        ("We all ran when my son fell into the canal", "son fell_into canal"),
        ("I met some investors at the fair", "met some investors at the fair"),
        ("I met this fine potter, Ida, who lives in Turku", "met Ida"),
        ("You should know that I'm training for a triathlon again", "is_training_for triathlon"),
        ("My brother loves us all - he used to write us these little notes",
         "brother used_to write us these little notes"),
    ],
)  # fmt: skip
def test_clauses_that_lean_on_another_are_read(text: str, told: str) -> None:
    assert told in _told(text)
