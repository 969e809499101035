"""The algebra of uncertain stretches, against a slow reference that tries every case."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.chronology import uncertain
from apexmem_desktop.chronology.allen import (
    Relation,
    certainty_of,
    possible_relations,
    relation,
)
from apexmem_desktop.chronology.validity import validity_from_spans
from apexmem_desktop.domain.interval import (
    Bound,
    Certainty,
    Precision,
    TimeSource,
    TimeSpan,
    UncertainSpan,
    Validity,
)
from tests.chronology.reading import OFFSET, anchor_ms, find

TOP = 3  # every limit lies in 0..TOP + 1; FAR is where an open one is tried
FAR = TOP + 4
Case = tuple[int, int]


@st.composite
def limits(draw: st.DrawFn, *, open_ended: bool = True) -> UncertainSpan:
    """Any four limits that some stretch meets, open ones among them."""
    begun = draw(st.integers(0, TOP))
    begun_by = draw(st.integers(begun, TOP))
    over = draw(st.integers(0, TOP))
    over_by = draw(st.integers(max(over, begun + 1), TOP + 1))
    four = (begun, begun_by, over, over_by)
    opened = draw(st.lists(st.booleans(), min_size=4, max_size=4)) if open_ended else [False] * 4
    return uncertain.between(
        *(None if is_open else limit for is_open, limit in zip(opened, four, strict=True))
    )


def cases(span: UncertainSpan) -> Iterator[Case]:
    """Every stretch that an uncertain one stands for, as far as FAR."""

    def among(low: int | None, high: int | None) -> range:
        return range(-FAR if low is None else low, (FAR if high is None else high) + 1)

    starts = among(span.start_earliest_ms, span.start_latest_ms)
    ends = among(span.end_earliest_ms, span.end_latest_ms)
    return ((start, end) for start, end in product(starts, ends) if start < end)


def verdict(answers: list[bool]) -> Certainty:
    """What a question is, when these are its answers in all cases."""
    if all(answers):
        return Certainty.CERTAIN
    return Certainty.POSSIBLE if any(answers) else Certainty.IMPOSSIBLE


def in_pairs(a: UncertainSpan, b: UncertainSpan, holds: Callable[[Case, Case], bool]) -> Certainty:
    return verdict([holds(one, two) for one, two in product(cases(a), cases(b))])


def shares(one: Case, two: Case) -> bool:
    return max(one[0], two[0]) < min(one[1], two[1])


def outline(found: list[Case]) -> tuple[int, int, int, int]:
    """The tightest limits around some stretches."""
    starts, ends = [one[0] for one in found], [one[1] for one in found]
    return min(starts), max(starts), min(ends), max(ends)


def closed(span: UncertainSpan) -> tuple[int | None, ...]:
    return (
        span.start_earliest_ms, span.start_latest_ms, span.end_earliest_ms, span.end_latest_ms,
    )  # fmt: skip


@given(limits(open_ended=False))
def test_every_limit_is_met_by_some_stretch(span: UncertainSpan) -> None:
    assert outline(list(cases(span))) == closed(span)


@given(limits(), st.integers(-1, TOP + 1))
def test_an_instant_lies_in_it_for_certain_perhaps_or_never(span: UncertainSpan, at: int) -> None:
    expected = verdict([start <= at < end for start, end in cases(span)])
    assert uncertain.contains(span, at) is expected


@given(limits(), limits())
def test_overlap_is_what_every_pair_says(a: UncertainSpan, b: UncertainSpan) -> None:
    assert uncertain.overlap(a, b) is in_pairs(a, b, shares)
    assert uncertain.overlap(b, a) is uncertain.overlap(a, b)


@given(limits(open_ended=False), limits(open_ended=False))
def test_the_intersection_is_what_pairs_share(a: UncertainSpan, b: UncertainSpan) -> None:
    shared = [
        (max(one[0], two[0]), min(one[1], two[1]))
        for one, two in product(cases(a), cases(b))
        if shares(one, two)
    ]
    found = uncertain.intersection(a, b)
    assert (found and closed(found)) == (outline(shared) if shared else None)


@given(limits(open_ended=False), limits(open_ended=False))
def test_the_hull_covers_both_and_no_more(a: UncertainSpan, b: UncertainSpan) -> None:
    hulls = [(min(one[0], two[0]), max(one[1], two[1])) for one, two in product(cases(a), cases(b))]
    assert closed(uncertain.hull(a, b)) == outline(hulls)


@given(limits(), limits())
def test_open_limits_are_kept_by_intersection_and_hull(a: UncertainSpan, b: UncertainSpan) -> None:
    shared, whole = uncertain.intersection(a, b), uncertain.hull(a, b)
    opened = a.start_earliest_ms is None, b.start_earliest_ms is None
    assert (whole.start_earliest_ms is None) == any(opened)
    if shared is not None:
        assert (shared.start_earliest_ms is None) == all(opened)
    never_ending = a.end_latest_ms is None, b.end_latest_ms is None
    assert (whole.end_latest_ms is None) == any(never_ending)


@given(limits(open_ended=False), st.integers(-3, 3), st.integers(0, 3))
def test_a_shift_moves_every_case(span: UncertainSpan, by: int, spread: int) -> None:
    moved = [
        (start + step, end + step)
        for start, end in cases(span)
        for step in range(by, by + spread + 1)
    ]
    assert closed(uncertain.shifted(span, by, by + spread)) == outline(moved)
    assert uncertain.shifted(span, by, by) == uncertain.shifted(span, by)


def test_a_shift_that_runs_backwards_is_refused() -> None:
    with pytest.raises(ValueError, match="at most"):
        uncertain.shifted(uncertain.exactly(0, 1), 3, 2)


@given(limits())
def test_a_duration_is_a_range(span: UncertainSpan) -> None:
    lengths = [end - start for start, end in cases(span)]
    least, most = uncertain.duration_ms(span)
    assert least == min(lengths)
    if most is not None:
        assert most == max(lengths)
    assert (most is None) == (span.start_earliest_ms is None or span.end_latest_ms is None)


@given(limits())
def test_the_certain_part_is_in_every_case(span: UncertainSpan) -> None:
    everywhere = [
        at for at in range(-FAR, FAR) if all(start <= at < end for start, end in cases(span))
    ]
    part = uncertain.certain_part(span)
    assert (list(range(*part)) if part else []) == everywhere


@given(limits(), limits())
def test_relations_are_what_every_pair_says(a: UncertainSpan, b: UncertainSpan) -> None:
    seen = Counter(_certain_relation(one, two) for one, two in product(cases(a), cases(b)))
    assert set(possible_relations(a, b)) == set(seen)
    for name in Relation:
        expected = Certainty.POSSIBLE if seen[name] else Certainty.IMPOSSIBLE
        if seen[name] == seen.total():
            expected = Certainty.CERTAIN
        assert certainty_of(name, a, b) is expected
        assert certainty_of(name.inverse, b, a) is expected


@lru_cache
def _certain_relation(one: Case, two: Case) -> Relation:
    first, second = (TimeSpan(*case, Precision.DAY, TimeSource.STATED) for case in (one, two))
    return relation(first, second)


@given(limits(), limits())
def test_overlap_agrees_with_allen(a: UncertainSpan, b: UncertainSpan) -> None:
    apart = {Relation.BEFORE, Relation.MEETS, Relation.MET_BY, Relation.AFTER}
    possible = set(possible_relations(a, b))
    assert (uncertain.overlap(a, b) is Certainty.IMPOSSIBLE) == (possible <= apart)
    assert (uncertain.overlap(a, b) is Certainty.CERTAIN) == (not possible & apart)


@pytest.mark.parametrize(
    "four",
    [(3, 2, 5, 6), (1, 2, 6, 5), (4, 4, 4, 4), (4, 5, 1, 3), (0, 9, 5, 6), (3, 3, None, 9),
     (0, None, 5, 9)],
)  # fmt: skip
def test_limits_that_nothing_meets_are_refused(four: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"limits|no end|no start"):
        UncertainSpan(*four)


def _day(text: str, *, happening: bool) -> UncertainSpan | None:
    validity = validity_from_spans(find(text), said_at_ms=anchor_ms(), offset_minutes=OFFSET)
    return uncertain.of_happening(validity) if happening else uncertain.of_validity(validity)


def test_what_lasts_has_an_open_end_and_what_happens_is_over() -> None:
    lasting, happening = (_day("on 5 July 2023", happening=flag) for flag in (False, True))
    assert lasting is not None
    assert happening is not None
    assert lasting.end_latest_ms is None
    assert happening.end_latest_ms == anchor_ms("2023-07-06T00:00")
    assert uncertain.duration_ms(happening) == (1, 86_400_000)
    assert uncertain.contains(happening, anchor_ms("2023-07-05T23:59")) is Certainty.POSSIBLE
    assert uncertain.contains(happening, anchor_ms("2023-07-06T00:00")) is Certainty.IMPOSSIBLE


def test_what_is_told_to_the_minute_lasts_that_minute() -> None:
    assert _day("at 5 pm on 5 July 2023", happening=True) == uncertain.exactly(
        anchor_ms("2023-07-05T17:00"), anchor_ms("2023-07-05T17:01")
    )


def test_nothing_is_known_of_when_without_words_of_time() -> None:
    assert _day("we will marry", happening=True) is None


def test_a_validity_that_ends_before_it_begins_is_refused() -> None:
    late, early = (Bound(at, at, Precision.DAY, TimeSource.STATED) for at in (9, 3))
    with pytest.raises(ValueError, match="limits"):
        uncertain.of_validity(Validity(late, early))


def test_a_span_lasts_throughout_or_happens_sometime() -> None:
    (week,) = find("last week")
    day = uncertain.exactly(week.start_ms, week.start_ms + 86_400_000)
    assert uncertain.overlap(uncertain.throughout(week), day) is Certainty.CERTAIN
    assert uncertain.overlap(uncertain.sometime_in(week), day) is Certainty.POSSIBLE
    assert certainty_of(Relation.BEFORE, day, uncertain.sometime_in(week)) is Certainty.POSSIBLE
    assert possible_relations(uncertain.throughout(week), day) == (Relation.STARTED_BY,)
