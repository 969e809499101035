"""The gate's score: one threshold, the weights that the script gives, what it tells apart."""

import pytest

from apexmem_desktop.building import gate_training, noting
from apexmem_desktop.building.gate import find_openings, is_let_through, spare_model
from tests.building.telling import said


def test_the_weights_are_those_that_the_script_gives() -> None:
    bias, weights = gate_training.fit(*gate_training.own_turns())
    known = noting.load_weights()
    assert known.bias == pytest.approx(bias, abs=0.02)
    assert known.weights == pytest.approx(weights, abs=0.02)


@pytest.mark.parametrize(
    ("text", "through"),
    [
        ("I joined a rowing club in Ghent and we train on Lake Tarn every Sunday", True),
        ("My sister Nora moved to Lisbon with her two dogs last week", True),
        ("Wow, that's great! Congrats!", False),
        ("Thanks, see you soon!", False),
    ],
)
def test_what_somebody_would_note_is_let_through(text: str, through: bool) -> None:
    turn = said(text)
    assert is_let_through(turn, (), find_openings(turn)) is through


def test_of_a_turn_passed_over_the_rules_own_reading_stands() -> None:
    turn = said("Thanks! I like it here")
    openings = find_openings(turn)
    kept = spare_model(turn, (), openings)
    assert [one.told for one in kept] == [one.told for one in openings if one.told]
    assert not any(one.asks for one in kept)
