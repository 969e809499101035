"""What is shown of a long turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.agent.excerpt import CUT, excerpt

LONG = "Thanks for the tips! " * 20 + "By the way, I own four kilns now. " + "Take care. " * 20


def test_a_short_turn_is_shown_whole() -> None:
    assert excerpt("I own four kilns.", ["kilns"], 420) == "I own four kilns."


@pytest.mark.parametrize("topic", [["kilns"], ["kiln", "own"]])
def test_of_a_long_turn_what_bears_on_the_question_is_shown(topic: list[str]) -> None:
    shown = excerpt(LONG, topic, 120)
    assert "I own four kilns now." in shown
    assert shown.startswith(CUT)
    assert shown.endswith(CUT)


def test_where_nothing_bears_on_it_the_beginning_is_shown() -> None:
    assert excerpt(LONG, ["ship"], 60).startswith("Thanks for the tips!")


def test_a_sentence_without_an_end_is_cut() -> None:
    assert excerpt("kiln " * 100, ["kiln"], 50) == "kiln " * 10 + CUT


@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=6), max_size=3))
def test_it_is_never_longer_than_told(text: str, topic: list[str]) -> None:
    assert len(excerpt(text, topic, 50)) <= 50 + 2 * len(CUT)
