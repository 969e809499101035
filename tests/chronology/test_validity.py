"""From the time words of a statement to when it held."""

import pytest

from apexmem_desktop.chronology.allen import relation
from apexmem_desktop.chronology.spell import spell_bound
from apexmem_desktop.chronology.validity import validity_from_spans
from apexmem_desktop.domain.interval import Precision, TimeSource, TimeSpan, Validity
from apexmem_desktop.domain.wall import WallClock
from tests.chronology.reading import OFFSET, anchor_ms, find


def _validity(text: str) -> Validity:
    return validity_from_spans(find(text), said_at_ms=anchor_ms(), offset_minutes=OFFSET)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("I moved to Rome in March 2021", "March 2021", ""),
        ("I have lived here since 2016", "2016", ""),
        ("I've lived here for three years", "2020", ""),
        ("I've lived here for two months", "April 2023", ""),
        ("We met yesterday", "8 June 2023", ""),
        ("Since 2016 I live in Rome, until next month", "2016", "July 2023"),
        ("I lived in Rome until 2019", "by 31 December 2019", "2019"),
        ("I am a baker", "by 9 June 2023", ""),
    ],
)
def test_both_ends_are_worked_out(text: str, start: str, end: str) -> None:
    validity = _validity(text)
    assert spell_bound(validity.start, WallClock(OFFSET)) == start
    assert (spell_bound(validity.end, WallClock(OFFSET)) if validity.end else "") == end


def test_the_words_are_kept() -> None:
    assert _validity("I moved last week").phrase == "last week"
    assert _validity("I moved last week").start.source is TimeSource.WORKED_OUT
    assert _validity("I moved in 2019").start.source is TimeSource.STATED


def test_nothing_is_known_of_a_turn_without_a_date() -> None:
    validity = validity_from_spans([], said_at_ms=None, offset_minutes=0)
    assert (validity.start.earliest_ms, validity.start.latest_ms) == (None, None)


@pytest.mark.parametrize(
    ("a", "b", "name"),
    [
        ((0, 1), (2, 3), "before"), ((0, 2), (2, 3), "meets"), ((0, 2), (1, 3), "overlaps"),
        ((0, 1), (0, 3), "starts"), ((1, 2), (0, 3), "during"), ((2, 3), (0, 3), "finishes"),
        ((0, 3), (0, 3), "equals"), ((0, 3), (2, 3), "finished_by"), ((0, 3), (1, 2), "contains"),
        ((0, 3), (0, 1), "started_by"), ((1, 3), (0, 2), "overlapped_by"),
        ((2, 3), (0, 2), "met_by"), ((2, 3), (0, 1), "after"),
    ],
)  # fmt: skip
def test_the_thirteen_relations(a: tuple[int, int], b: tuple[int, int], name: str) -> None:
    first, second = (TimeSpan(*one, Precision.DAY, TimeSource.STATED) for one in (a, b))
    assert relation(first, second).value == name
