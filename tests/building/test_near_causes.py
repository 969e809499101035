"""What is near in time and meaning is a possible cause: one, called so, and nothing else."""

from dataclasses import replace

import pytest

from apexmem_desktop.building.near_causes import LEAST_COSINE, near_causes
from apexmem_desktop.domain.graph import Fact, FactLink, LinkKind, MemoryType, Modality
from tests.recall.builders import between, make_fact, ms

LOST_ON, BOUGHT_ON, LONG_AFTER = "2024-06-01", "2024-06-05", "2024-09-01"


def _deed(number: int, name: str, value: str, said_on: str) -> Fact:
    fact = make_fact(number, value, said_on, property=name)
    return replace(fact, memory_type=MemoryType.ACTION)


LOST = _deed(1, "lost", "my phone", LOST_ON)
BOUGHT = _deed(2, "bought", "a new phone", BOUGHT_ON)


def test_a_deed_is_linked_with_what_is_near_it_in_time_and_meaning() -> None:
    (bond,) = near_causes([(BOUGHT, LOST, 0.8)])
    assert (bond.from_id, bond.to_id, bond.kind) == (1, 2, LinkKind.POSSIBLY_CAUSES)
    assert bond.reason.startswith("possible only (20%): near in meaning and told 4 days before")


def test_in_whichever_order_they_are_read_the_earlier_is_the_cause() -> None:
    assert near_causes([(BOUGHT, LOST, 0.8)]) == near_causes([(LOST, BOUGHT, 0.8)])


@pytest.mark.parametrize(
    "other",
    [
        replace(LOST, subject_id=2),
        replace(LOST, modality=Modality.PLANNED),
        replace(LOST, polarity=False),
        replace(LOST, memory_type=MemoryType.PREFERENCE),
        replace(LOST, evidence=()),
        _deed(1, "bought", "a phone case", LOST_ON),
        _deed(1, "lost", "A new phone", LOST_ON),
        _deed(1, "lost", "my phone", BOUGHT_ON),
        _deed(1, "lost", "my phone", LONG_AFTER),
        _deed(1, "felt", "lost without my phone", LOST_ON),
    ],
    ids=[
        "another's", "a plan", "not so", "no deed", "no date", "the same verb", "the same thing",
        "the same day", "long after", "a feeling",
    ],
)  # fmt: skip
def test_what_cannot_have_led_to_it_is_not_linked(other: Fact) -> None:
    assert near_causes([(BOUGHT, other, 0.9)]) == []


def test_what_is_unlike_is_not_linked() -> None:
    assert near_causes([(BOUGHT, LOST, LEAST_COSINE - 0.01)]) == []


def test_of_several_the_nearest_in_meaning_is_linked() -> None:
    broke = _deed(3, "broke", "my old telephone", LOST_ON)
    (bond,) = near_causes([(BOUGHT, LOST, 0.7), (broke, BOUGHT, 0.8)])
    assert bond.from_id == 3


def test_what_has_a_reason_already_gets_no_guess() -> None:
    said = FactLink(9, 2, LinkKind.CAUSES, "rule", "because")
    assert near_causes([(replace(BOUGHT, links=(said,)), LOST, 0.8)]) == []


def test_what_had_happened_before_is_no_effect() -> None:
    last_year = replace(BOUGHT, valid_from=between(ms("2023-01-01"), ms("2024-01-01")))
    assert near_causes([(LOST, last_year, 0.9)]) == []
    lately = replace(BOUGHT, valid_from=between(ms("2024-06-04"), ms("2024-06-05")))
    assert len(near_causes([(LOST, lately, 0.9)])) == 1
