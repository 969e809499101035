"""From the time words of a statement to when it held."""

from collections.abc import Sequence

from apexmem_desktop.chronology.clock import Clock, bound_in
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, TimeSpan, Validity


def validity_from_spans(
    spans: Sequence[TimeSpan], *, said_at_ms: int | None, offset_minutes: int
) -> Validity:
    """Work out both ends of a validity; an end is given only where words told one.

    The first "since" decides the start, else the first "at", else the first "for", whose start
    lies a duration before the moment of speaking. Without any of them, all that is known is that
    the statement held when it was made. A range ("from 2015 to 2018") tells both ends; an "until"
    beside it tells the end better.
    """
    starting = _first_start(spans)
    start = None if starting is None else _start_of(starting, offset_minutes)
    ending = next((span for span in spans if span.role == "until"), None)
    end = None if ending is None else _bound_in(ending)
    if end is None and starting is not None and starting.ends is not None:
        end = starting.ends[1]
    phrases = [span.phrase for span in spans if span.phrase]
    return Validity(start or _unknown(said_at_ms, end), end, "; ".join(phrases))


def _first_start(spans: Sequence[TimeSpan]) -> TimeSpan | None:
    for role in ("since", "at", "for"):
        for span in spans:
            if span.role == role:
                return span
    return None


def _bound_in(span: TimeSpan) -> Bound:
    return bound_in(span.start_ms, span.end_ms, span.precision, span.source)


def _start_of(span: TimeSpan, offset_minutes: int) -> Bound:
    if span.role == "for":
        return _start_of_duration(span, offset_minutes)
    return _bound_in(span) if span.ends is None else span.ends[0]


def _start_of_duration(span: TimeSpan, offset_minutes: int) -> Bound:
    """Place the start of a duration: nobody who says "for three years" means it to the day."""
    there = Clock(span.start_ms, span.offset_minutes or offset_minutes, span.zone)
    today = there.today
    if span.precision is Precision.YEAR:
        around = there.year(today.year)
    elif span.precision is Precision.MONTH:
        around = there.month(today.year, today.month)
    elif span.precision is Precision.WEEK:
        around = there.week_around(today)
    elif span.precision is Precision.DAY:
        around = there.day(today)
    else:
        return Bound(span.start_ms, span.start_ms, span.precision, span.source)
    return bound_in(there.ms(around.start), there.ms(around.end), span.precision, span.source)


def _unknown(said_at_ms: int | None, end: Bound | None) -> Bound:
    """Know only the latest start: it held when said, or had begun when it ended."""
    latest = said_at_ms
    if end is not None and end.latest_ms is not None:
        latest = end.latest_ms if latest is None else min(latest, end.latest_ms)
    return Bound(None, latest, Precision.UNKNOWN, TimeSource.MESSAGE_TIME)
