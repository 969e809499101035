"""Near names: what is asked of the model, what its word does, and that it can be undone."""

import pytest

from apexmem_desktop.building import identity
from apexmem_desktop.building.identity import Choice, Doubt, decide, find_near, likeness
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.inference.language import Generation


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


def _weighed(share: float) -> Generation:
    shares = {identity.SAME: share, identity.NEW: 1.0 - share}
    return Generation("", "stop", 10, 1, 1, 0.0, choice_probabilities=shares)


@pytest.mark.parametrize(
    ("share", "choice", "entity_id", "told"),
    [
        (0.75, Choice.CHOOSE_EXISTING, 2, "takes “Novo Lab” for Novo Labs (75%)"),
        (0.60, Choice.NONE, 0, "for Novo Labs with 60% only"),  # not sure of either
        (0.20, Choice.PROPOSE_NEW, 0, "for Novo Labs with 20% only"),
    ],
)
def test_each_choice_has_its_name_kind_confidence_and_reason(
    share: float, choice: Choice, entity_id: int, told: str
) -> None:
    labs = Entity(2, "Novo Labs", "organization", ("Novo",))
    bank = Entity(1, "Novo Bank", "organization")
    doubt = Doubt("Novo Lab", "organization", "I work at Novo Lab", (labs, bank), 1, 0)
    found = decide(doubt, [(bank, _weighed(0.1)), (labs, _weighed(share))])
    assert (found.choice, found.entity_id) == (choice, entity_id)
    assert told in found.reason
    assert found.name == ("Novo Labs" if entity_id else "Novo Lab")
    assert found.type == "organization"
    assert found.aliases == (("Novo Lab", "Novo") if entity_id else ())
    assert found.confidence == pytest.approx(share if entity_id else 1.0 - share)
