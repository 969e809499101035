"""What "it" is at the head of a view: the one thing named just before, or nothing. All invented."""

import pytest

from apexmem_desktop.building.grounding import why_ungrounded
from apexmem_desktop.building.referents import stands_for
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.storage.vault import Vault
from tests.building.telling import append, read, said, tell, told_facts


def _views(text: str, *before: Turn) -> list[str]:
    turn = said(text)
    found = [one for one in read(turn, *before) if not why_ungrounded(turn, one)]
    return [one.value for one in found if one.shape in ("thinks", "feels")]


def _ben(text: str) -> Turn:
    return said(text, speaker="Ben Hale")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I joined a choir. It taught me patience and how to listen",
         "a choir taught me patience and how to listen"),
        ("I love rowing. It really helps me forget the office",
         "rowing really helps me forget the office"),
        ("I have two hens. They remind me of the farm in Galicia",
         "two hens remind me of the farm in Galicia"),
        ("My bees are thriving. They've given up on me, but they keep me calm before exams", ""),
        ("I'm learning Welsh. It's not easy. It reminds me of my grandmother",
         "Welsh reminds me of my grandmother"),
        ("My allotment is tiny. It gives me a reason to get up",
         "My allotment gives me a reason to get up"),
    ],
)  # fmt: skip
def test_it_is_the_one_thing_named_before(text: str, value: str) -> None:
    assert [one for one in _views(text) if one == value] == ([value] if value else [])


@pytest.mark.parametrize(
    ("asked", "text", "value"),
    [
        ("How is your new pottery class?", "It helps me forget the office",
         "new pottery class helps me forget the office"),
        ("Do you still play chess?", "It keeps me sharp for the exams",
         "chess keeps me sharp for the exams"),
    ],
)  # fmt: skip
def test_it_may_be_named_by_the_one_spoken_to(asked: str, text: str, value: str) -> None:
    assert _views(text, _ben(asked)) == [value]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("", "It taught me patience and how to listen"),
        ("", "It was fun, and it taught me patience and how to listen"),
        ("", "They keep me calm before exams"),
        ("", "I joined a choir in the old church. It taught me patience and how to listen"),
        ("", "I love rowing and I bought a harp. It taught me patience and how to listen"),
        ("", "My knees are bad. It taught me patience and how to listen"),  # one, not several
        ("", "I bought a harp. They remind me of the farm in Galicia"),
        ("", "I love rowing. Ben was there with my cousin. It helps me forget the office"),
        ("My dog is old.", "It reminds me of the farm in Galicia"),  # another's dog
        ("Nice!", "It reminds me of the farm in Galicia"),
    ],
)
def test_where_nothing_or_two_could_be_meant_nothing_is_read(asked: str, text: str) -> None:
    assert not [one for one in _views(text, *([_ben(asked)] if asked else [])) if " me " in one]
    assert not [one for one in _views(text) if one.startswith(("patience", "calm", "of the farm"))]


@pytest.mark.parametrize(
    "text",
    [
        "This photo reminds me of the farm in Galicia",
        "Weaving is half my life, not only work - it reminds me of the farm in Galicia",
    ],
)
def test_what_its_own_sentence_names_is_read_as_before(text: str) -> None:
    assert [one for one in _views(text) if "of the farm in Galicia" in one]


def test_both_sentences_prove_it(vault: Vault) -> None:
    append(vault, tell(vault, "I joined a choir. It taught me patience and how to listen"))
    [view] = [one for one in told_facts(vault) if one.property == "thinks"]
    assert [one.quote for one in view.evidence] == [
        "It taught me patience and how to listen",
        "I joined a choir.",
    ]


@pytest.mark.parametrize(
    ("as_said", "value", "name"),
    [
        ("It helps me sleep", "rowing helps me sleep", "rowing"),
        ("It's helped me sleep", "rowing's helped me sleep", "rowing"),
        ("It helps me sleep", "rowing helps me", ""),
        ("Tea helps me sleep", "rowing helps me sleep", ""),
    ],
)
def test_only_the_pronoun_may_be_replaced(as_said: str, value: str, name: str) -> None:
    assert stands_for(as_said, value) == name
