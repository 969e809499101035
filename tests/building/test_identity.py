"""Near names: what is asked of the model, what its word does, and that it can be undone."""

import pytest

from apexmem_desktop.building import identity
from apexmem_desktop.building.identity import find_near, likeness
from apexmem_desktop.domain.graph import Entity


@pytest.mark.parametrize(
    ("a", "b"),
    [("Novo Labs", "Novo Labs GmbH"), ("Nordlicht", "Nordlihct"), ("Café Lune", "Cafe Lune")],
)
def test_near_names_are_asked_about(a: str, b: str) -> None:
    assert likeness(a, b) >= identity.LEAST_LIKENESS


@pytest.mark.parametrize(
    ("a", "b"), [("Gate 4", "Gate 5"), ("Lena Hart", "Lena Brook"), ("Oslo", "Lima")]
)
def test_other_names_are_not(a: str, b: str) -> None:
    assert likeness(a, b) < identity.LEAST_LIKENESS


def test_the_nearest_of_several_comes_first() -> None:
    known = [Entity(1, "Novo Bank", "organization"), Entity(2, "Novo Labs", "organization")]
    assert [one.id for one in find_near("Novo Labs GmbH", known)] == [2]
    assert find_near("Helix", known) == ()
