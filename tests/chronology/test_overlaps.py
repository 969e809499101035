"""Two plans for one time are found, and told apart from plans that only may collide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.chronology.overlaps import Overlap, find_overlaps
from apexmem_desktop.chronology.uncertain import of_happening, overlap
from apexmem_desktop.chronology.validity import validity_from_spans
from apexmem_desktop.domain.interval import Bound, Certainty, Precision, TimeSource, Validity
from tests.chronology.reading import OFFSET, anchor_ms, find


def _plan(text: str) -> Validity:
    return validity_from_spans(find(text), said_at_ms=anchor_ms(), offset_minutes=OFFSET)


@pytest.mark.parametrize(
    ("first", "second", "certainty"),
    [
        ("dinner on 5 July 2023", "a concert on 5 July 2023", Certainty.POSSIBLE),
        ("dinner at 7 pm on 5 July 2023", "a call at 7 pm on 5 July 2023", Certainty.CERTAIN),
        ("dinner at 7 pm on 5 July 2023", "a concert on 5 July 2023", Certainty.POSSIBLE),
        ("dinner at 7 pm on 5 July 2023", "a call at 8 pm on 5 July 2023", None),
        ("dinner on 5 July 2023", "a concert on 6 July 2023", None),
        ("I will be in Rome since 1 July 2023 until 9 July 2023", "a call on 5 July 2023",
         Certainty.CERTAIN),
        ("I will be in Rome since 1 July 2023 until 9 July 2023", "a call on 9 July 2023",
         Certainty.POSSIBLE),
        ("I will be in Rome since 1 July 2023 until 9 July 2023", "a call on 10 July 2023", None),
        ("we will move next month", "a call next week", None),
        ("we will move next month", "a holiday in July", Certainty.POSSIBLE),
        ("we will marry", "a holiday in July", None),
    ],
)  # fmt: skip
def test_two_plans(first: str, second: str, certainty: Certainty | None) -> None:
    found = find_overlaps([_plan(first), _plan(second)])
    assert found == ([] if certainty is None else [Overlap(0, 1, certainty)])


def test_what_contradicts_itself_overlaps_nothing() -> None:
    late, early = (Bound(at, at, Precision.DAY, TimeSource.STATED) for at in (9, 3))
    assert find_overlaps([Validity(late, early), Validity(late)]) == []


edges = st.integers(0, 12)


@st.composite
def validities(draw: st.DrawFn) -> Validity:
    first, more, length, spread = (draw(edges) for _ in range(4))
    start = Bound(first, first + more, Precision.DAY, TimeSource.STATED)
    if draw(st.booleans()):
        return Validity(start)
    over = first + more + length + 1
    latest = None if draw(st.booleans()) else over + spread
    return Validity(start, Bound(over, latest, Precision.DAY, TimeSource.STATED))


@given(st.lists(validities(), max_size=8))
def test_every_pair_is_looked_at(times: list[Validity]) -> None:
    spans = [of_happening(one) for one in times]
    expected = [
        Overlap(i, j, certainty)
        for i, one in enumerate(spans)
        for j, two in enumerate(spans)
        if i < j and one and two and (certainty := overlap(one, two)) is not Certainty.IMPOSSIBLE
    ]
    assert find_overlaps(times) == expected
