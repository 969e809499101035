"""Properties that are none and what passes with the day, beside what lasts. All invented."""

import pytest

from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.building.slight import is_owned, why_slight
from tests.building.telling import read, said, spell

ANA = "Ana Ruiz"
# Of a view the value is the whole clause, and no property is made of its nouns.
VIEWS = ("thinks", "says", "finds")


def _kept(text: str) -> list[str]:
    turn = said(text)
    found = [one for one in read(turn) if not why_ungrounded(turn, one)]
    return [spell(one).removeprefix(f"{ANA} ") for one in found if one.property not in VIEWS]


@pytest.mark.parametrize(
    "text",
    [
        "My fingers only came back to life on the bus",
        # the noun before the verb is none, or nothing that one has
        "My toes finally warmed up by the stove",
        "My mouth is watering at the smell",
        "My larder is awesome",
        "My old ones are wearing out",
        "My current internet speed is dreadful",
        "My first question is about the ferry",
        "My twins are so excited about the circus",
        "My twins are getting excited",
        "My choir has been there for me all along",
        "My stubborn practice is paying off",
        # the verb carries nothing, and neither does what stands behind it
        "We had a really good laugh",
        "I had a quiet weekend",
        "I got a surge of hope and energy",
        "I still have so much to learn",
        "I felt a mixture of emotions",
        "I'm making progress towards being calmer",
        "I'm taking the time to breathe and settle down",
        "I'm working so hard to get everything right",
        "I had to laugh about it",
        "I tried to stay calm",
        "I had to take a picture",
        "I'm chasing my dreams",
        "I'm still figuring out the details",
        "I can't wait to see what happens",
        "Looking forward to more happy years",
    ],
)
def test_what_is_no_property_or_passes_is_left_out(text: str) -> None:
    assert _kept(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My larder is finally organised by colour", "larder is finally organised by colour"),
        ("My laptop crashed on Monday", "laptop crashed"),
        ("My kiln is a small Rohde from Hamburg", "kiln is a small Rohde from Hamburg"),
        ("My ankle was sprained on the stairs", "ankle was sprained on the stairs"),
        ("My family is my compass at sea", "family is my compass at sea"),
        ("My orchard was hit by a late frost", "orchard was hit by a late frost"),
        ("My monthly budget is around 300 euros", "monthly_budget is around 300 euros"),
        ("My twins are allergic to pollen", "twins are allergic to pollen"),
        ("I had a picnic with my choir by the weir", "had picnic with my choir by the weir"),
        ("I had a great time at the Harbour Parade", "had great time at the Harbour Parade"),
        ("I've got a regatta next month", "got regatta next month"),
        ("I had to close my bakery in Leeds", "had_to close my bakery in Leeds"),
        ("I had to say goodbye to our old spaniel", "had_to say goodbye to our old spaniel"),
        ("I got to conduct the town orchestra", "got_to conduct the town orchestra"),
        ("I used to be a lighthouse keeper", "used_to be a lighthouse keeper"),
        ("I'm making a rocking chair", "is_making rocking chair"),
        ("Can't wait to open the tea house", "looks_forward_to open the tea house"),
        ("I've done abstract weaving too", "did abstract weaving"),
    ],
)
def test_what_lasts_is_kept(text: str, told: str) -> None:
    assert told in _kept(text)


def test_a_feeling_of_ones_people_is_still_read_as_a_view() -> None:
    turn = said("My family is awesome")
    assert [spell(one) for one in read(turn)] == [f"{ANA} thinks My family is awesome"]


@pytest.mark.parametrize("word", ["family", "supply", "lily", "butterfly"])
def test_a_noun_that_ends_as_an_adverb_is_a_noun(word: str) -> None:
    assert is_owned([word], "came from Porto")


@pytest.mark.parametrize(
    ("name", "value", "slight"),
    [
        ("revised_on_of", "old songs", True),
        ("had", "wild week", True),
        ("had", "week in Porto", False),  # a name says which
        ("got", "ideas from everywhere", True),
        ("got", "idea from a fashion mag", False),
        ("painted", "wild week", False),  # what was painted is one's own business
        ("is_working", "hard on the roof", True),
        ("is_working_on", "hard cider", False),
    ],
)
def test_verb_and_value_are_looked_at_together(name: str, value: str, slight: bool) -> None:
    assert bool(why_slight(name, value)) is slight
