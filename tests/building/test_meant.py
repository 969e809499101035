"""Who "he" and "she" are at the head of a view; what "it" is in a sentence. All invented."""

import pytest

from apexmem_desktop.building.grounding import why_ungrounded
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
        ("I met a fine potter, a woman named Ida. She taught me to wait for the glaze",
         "Ida taught me to wait for the glaze"),
        ("My brother lives in Turku. He taught us the value of long winters",
         "My brother taught us the value of long winters"),
        ("Rufus was our dog for ten years. He taught us a lot about patience",
         "Rufus taught us a lot about patience"),
    ],
)  # fmt: skip
def test_he_and_she_are_the_one_spoken_of(text: str, value: str) -> None:
    assert value in _views(text)


def test_he_may_be_named_in_the_turn_before() -> None:
    views = _views("He really taught us what loyalty is worth", _ben("Rufus was a fine dog!"))
    assert views == ["Rufus really taught us what loyalty is worth"]


@pytest.mark.parametrize(
    "text",
    [
        "He taught us a lot about patience",
        "My sister lives in Turku. He taught us a lot about patience",  # no man
        "My brother and my dad are bakers. He taught us a lot about patience",  # one of two
        "I met a man named Olaf. She taught me to wait for the glaze",
    ],
)
def test_nobody_or_two_are_left_open(text: str) -> None:
    assert not [one for one in _views(text) if "taught" in one or "patience" in one]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Pottery is half my life, not just work - it helps me forget the office",
         "Pottery helps me forget the office"),
        ("Selling the barn was sad but it gave me the push to travel",
         "Selling the barn gave me the push to travel"),
        ("There was a flood in our street, and it made me realize the worth of good drains",
         "a flood made me realize the worth of good drains"),
    ],
)  # fmt: skip
def test_it_is_what_its_own_sentence_names(text: str, value: str) -> None:
    assert value in _views(text)


@pytest.mark.parametrize(
    "text",
    [
        "Their patience has really helped me finish the boat",
        "Playing it helps me forget the office",
        "The lace and the buttons are lovely - it reminds me of Galicia",
        "Gives me a view of the bay and keeps me calm before exams",
    ],
)
def test_what_is_not_named_helps_nobody(text: str) -> None:
    assert not [one for one in _views(text) if " me " in f" {one}" or "forget" in one]


def test_a_thing_shown_may_remind_without_a_name() -> None:
    assert _views("This ring reminds me of the farm in Galicia") == ["of the farm in Galicia"]


def test_what_its_own_sentence_names_needs_no_other_proof(vault: Vault) -> None:
    append(vault, tell(vault, "Rowing is half my life - it helps me forget the office"))
    values = [one.value for one in told_facts(vault)]
    assert "Rowing helps me forget the office" in values
