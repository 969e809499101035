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
        ("I just started helping out in a kitchen for folks who lost their homes",
         "started helping out in a kitchen for folks who lost their homes"),
        ("It's so nice to have neighbours and friends who share my love of moss",
         "finds nice to have neighbours and friends who share my love of moss"),
        ("I brought oats, butter, and a jar of jam", "brought oats, butter, and a jar of jam"),
        ("I love jazz and brass band music", "likes jazz and brass band music"),
        ("I love stories that take their time", "likes stories that take their time"),
        ("My face gets all red when I'm near hay", "thinks My face gets all red when I'm near hay"),
        ("I've been patching and painting the old canoe", "is_patching old canoe"),
        ("I'm working on a new project - a radio play set in Oslo",
         "works_on radio play set in Oslo"),
        ("I made my niece some soup", "made my niece some soup"),
        ("I'm focusing on the positive and leaning on my choir",
         "is_focusing_on the positive and leaning on my choir"),
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
        ("Spending time at sea is so healthy, and that all sounds perfect", "sounds perfect"),
        ("Gonna be a big change", "be a"),
        ("Don't give up, buddy", "Don't give up"),
        ("Here's a pic from the event", "from the event"),
        ("I've been exploring options", "options"),
        ("Here's another recipe I like", "recipe"),
        ("I'm more excited than ever", "more excited"),
    ],
)
def test_what_is_cut_or_runs_on_is_not_told(text: str, never: str) -> None:
    assert not [one for one in _told(text) if never in one]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I drew it after I visited the harbour last week", "visited harbour"),
        ("The hardest part is that we had to say goodbye to Rufus", "had_to say goodbye to Rufus"),
        ("We were able to save a family from the burning barn",
         "was_able_to save a family from the burning barn"),
        ("I've been working hard on my bakery and just teamed up with a local miller",
         "teamed_up_with local miller"),
        ("I worked hard on a new script", "worked_on new script"),
        ("Quite a week - had an audition for a radio play", "had audition for a radio play"),
        ("We were all scared when my son got into an accident", "son got_into accident"),
        ("I met some investors at the fair", "met some investors at the fair"),
        ("I met this fine potter, Ida, who lives in Turku", "met Ida"),
        ("I wanted to let you know that I'm running for mayor again", "is_running_for mayor"),
        ("My brother loves us all - he used to write us these little notes",
         "brother used_to write us these little notes"),
    ],
)  # fmt: skip
def test_clauses_that_lean_on_another_are_read(text: str, told: str) -> None:
    assert told in _told(text)
