"""The algebra of stretches whose ends are uncertain: certain, possible or impossible.

Two stretches are taken to vary independently. Every result has tight limits: each limit is met by
some pair of the stretches that the arguments stand for, and nothing beyond it is.
"""

from apexmem_desktop.domain.interval import (
    Certainty,
    Precision,
    TimeSpan,
    UncertainSpan,
    Validity,
)

Limit = int | None


def between(
    start_earliest_ms: Limit, start_latest_ms: Limit, end_earliest_ms: Limit, end_latest_ms: Limit
) -> UncertainSpan:
    """Build a stretch from limits that need not be tight; ValueError if no stretch meets them."""
    return UncertainSpan(
        start_earliest_ms,
        _least(start_latest_ms, _later(end_latest_ms, -1)),
        _greatest(end_earliest_ms, _later(start_earliest_ms, 1)),
        end_latest_ms,
    )


def exactly(start_ms: int, end_ms: int) -> UncertainSpan:
    """Build the stretch [start_ms, end_ms), both ends known; ValueError if it is empty."""
    return UncertainSpan(start_ms, start_ms, end_ms, end_ms)


def throughout(span: TimeSpan) -> UncertainSpan:
    """Take a span as what lasted from its first moment to its last ("from 2015 to 2018")."""
    return exactly(span.start_ms, span.end_ms)


def sometime_in(span: TimeSpan) -> UncertainSpan:
    """Take a span as what happened somewhere within it, however long ("we met last week")."""
    return between(span.start_ms, None, None, span.end_ms)


def of_validity(validity: Validity) -> UncertainSpan:
    """Take a validity as what lasts: an end that nobody told is open.

    Raises:
        ValueError: It ended before it can have begun.
    """
    end = validity.end
    end_limits = (None, None) if end is None else (end.earliest_ms, end.latest_ms)
    return between(validity.start.earliest_ms, validity.start.latest_ms, *end_limits)


def of_happening(validity: Validity) -> UncertainSpan | None:
    """Take a validity as something that happens and is over; None where nothing tells when.

    An end that nobody told lies within the words that told the start: dinner "on Friday" is over
    by the end of Friday. What was told to the minute lasts that minute.

    Raises:
        ValueError: It ended before it can have begun.
    """
    start = validity.start
    if start.earliest_ms is None or start.latest_ms is None:
        return None
    if validity.end is not None:
        return of_validity(validity)
    if start.precision is Precision.INSTANT:
        return exactly(start.earliest_ms, start.latest_ms + 1)
    return between(start.earliest_ms, start.latest_ms, None, start.latest_ms + 1)


def intersection(a: UncertainSpan, b: UncertainSpan) -> UncertainSpan | None:
    """Give what both share, where they share something; None if they never can.

    Whether they do for certain is told by `overlap`.
    """
    if overlap(a, b) is Certainty.IMPOSSIBLE:
        return None
    return between(
        _greatest(a.start_earliest_ms, b.start_earliest_ms),
        _latest_of_both(a.start_latest_ms, b.start_latest_ms),
        _earliest_of_both(a.end_earliest_ms, b.end_earliest_ms),
        _least(a.end_latest_ms, b.end_latest_ms),
    )


def hull(a: UncertainSpan, b: UncertainSpan) -> UncertainSpan:
    """Give the shortest stretch that covers both, with the gap between them if there is one."""
    return UncertainSpan(
        _earliest_of_both(a.start_earliest_ms, b.start_earliest_ms),
        _least(a.start_latest_ms, b.start_latest_ms),
        _greatest(a.end_earliest_ms, b.end_earliest_ms),
        _latest_of_both(a.end_latest_ms, b.end_latest_ms),
    )


def shifted(span: UncertainSpan, by_ms: int, at_most_ms: int | None = None) -> UncertainSpan:
    """Move a stretch later, or earlier by a negative number.

    Args:
        at_most_ms: The greatest shift, where only a range of it is known ("two or three days
            later"); None when the shift is exactly `by_ms`.
    """
    most = by_ms if at_most_ms is None else at_most_ms
    if most < by_ms:
        raise ValueError(f"a shift of at least {by_ms} and at most {most}")
    return UncertainSpan(
        _later(span.start_earliest_ms, by_ms),
        _later(span.start_latest_ms, most),
        _later(span.end_earliest_ms, by_ms),
        _later(span.end_latest_ms, most),
    )


def duration_ms(span: UncertainSpan) -> tuple[int, int | None]:
    """Tell how long it lasts: at least, and at most (None when that is open)."""
    least = 1
    if span.start_latest_ms is not None and span.end_earliest_ms is not None:
        least = max(1, span.end_earliest_ms - span.start_latest_ms)
    if span.start_earliest_ms is None or span.end_latest_ms is None:
        return least, None
    return least, span.end_latest_ms - span.start_earliest_ms


def contains(span: UncertainSpan, at_ms: int) -> Certainty:
    """Tell whether an instant lies in it; the end is no part of it."""
    if not (_begun(span.start_earliest_ms, at_ms) and _lasting(span.end_latest_ms, at_ms)):
        return Certainty.IMPOSSIBLE
    surely_begun = span.start_latest_ms is not None and span.start_latest_ms <= at_ms
    surely_lasting = span.end_earliest_ms is not None and at_ms < span.end_earliest_ms
    return Certainty.CERTAIN if surely_begun and surely_lasting else Certainty.POSSIBLE


def overlap(a: UncertainSpan, b: UncertainSpan) -> Certainty:
    """Tell whether they share at least a millisecond; ones that only meet do not."""
    if not (_can_precede(a, b) and _can_precede(b, a)):
        return Certainty.IMPOSSIBLE
    if _must_precede(a, b) and _must_precede(b, a):
        return Certainty.CERTAIN
    return Certainty.POSSIBLE


def certain_part(span: UncertainSpan) -> tuple[int, int] | None:
    """Give the stretch [start, end) that it covers in every case; None if there is none."""
    start, end = span.start_latest_ms, span.end_earliest_ms
    return (start, end) if start is not None and end is not None and start < end else None


def _can_precede(a: UncertainSpan, b: UncertainSpan) -> bool:
    """Tell whether a can start before b ends."""
    start, end = a.start_earliest_ms, b.end_latest_ms
    return start is None or end is None or start < end


def _must_precede(a: UncertainSpan, b: UncertainSpan) -> bool:
    """Tell whether a starts before b ends in every case."""
    start, end = a.start_latest_ms, b.end_earliest_ms
    return start is not None and end is not None and start < end


def _begun(start_ms: Limit, at_ms: int) -> bool:
    return start_ms is None or start_ms <= at_ms


def _lasting(end_ms: Limit, at_ms: int) -> bool:
    return end_ms is None or at_ms < end_ms


def _later(limit: Limit, by_ms: int) -> Limit:
    return None if limit is None else limit + by_ms


def _least(a: Limit, b: Limit) -> Limit:
    """Give the stricter of two upper limits."""
    return b if a is None else a if b is None else min(a, b)


def _greatest(a: Limit, b: Limit) -> Limit:
    """Give the stricter of two lower limits."""
    return b if a is None else a if b is None else max(a, b)


def _earliest_of_both(a: Limit, b: Limit) -> Limit:
    """Give the looser of two lower limits."""
    return None if a is None or b is None else min(a, b)


def _latest_of_both(a: Limit, b: Limit) -> Limit:
    """Give the looser of two upper limits."""
    return None if a is None or b is None else max(a, b)
