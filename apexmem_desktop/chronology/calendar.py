"""The calendar of a zone: its days, which may last 23 or 25 hours, and steps from day to day.

A local day is the half-open stretch from its first moment to that of the next day. Where the clocks
skip midnight, its first moment is the one they skip to; where they show midnight twice, the first
time counts; a day that a zone never had (30 December 2011 in Samoa) is an empty stretch.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from apexmem_desktop.chronology.clock import (
    DAY,
    add_months,
    monday_of,
    month_start,
)
from apexmem_desktop.chronology.zones import (
    EPOCH,
    day_start_ms,
    offset_minutes_at,
    to_utc_ms,
    zone_called,
)
from apexmem_desktop.domain.interval import Precision, TimeSource, TimeSpan

_MS = timedelta(milliseconds=1)


def local_time(at_ms: int, zone: str) -> datetime:
    """Give what the clocks of a zone show at an instant, without an offset."""
    return _shown(at_ms, zone).replace(tzinfo=None, fold=0)


def local_day(at_ms: int, zone: str) -> date:
    """Give the calendar day of a zone on which an instant lies."""
    return _shown(at_ms, zone).date()


def days_between(first: date, after: date, zone: str, precision: Precision) -> TimeSpan:
    """Span local days, from the first to the one before `after`."""
    start_ms = day_start_ms(first, zone)
    return TimeSpan(
        start_ms=start_ms,
        end_ms=day_start_ms(after, zone),
        precision=precision,
        source=TimeSource.STATED,
        offset_minutes=offset_minutes_at(zone, local_time(start_ms, zone)),
    )


def day_span(day: date, zone: str) -> TimeSpan:
    """Span one local day."""
    return days_between(day, day + DAY, zone, Precision.DAY)


def week_span(day: date, zone: str) -> TimeSpan:
    """Span the week of a day, which begins on Monday."""
    monday = monday_of(day)
    return days_between(monday, monday + timedelta(weeks=1), zone, Precision.WEEK)


def month_span(year: int, month: int, zone: str) -> TimeSpan:
    """Span one month of a zone's calendar."""
    return days_between(
        month_start(year, month), month_start(year, month + 1), zone, Precision.MONTH
    )


def year_span(year: int, zone: str) -> TimeSpan:
    """Span one year of a zone's calendar."""
    return days_between(date(year, 1, 1), date(year + 1, 1, 1), zone, Precision.YEAR)


def day_after(at_ms: int, zone: str, days: int = 1) -> TimeSpan:
    """Span the local day so many days after the one of an instant; negative for days before.

    A day that the zone never had does not count.
    """
    day, step = local_day(at_ms, zone), DAY if days > 0 else -DAY
    for _ in range(abs(days)):
        day += step
        while day_start_ms(day, zone) == day_start_ms(day + DAY, zone):
            day += step
    return day_span(day, zone)


def later(
    at_ms: int, zone: str, *, years: int = 0, months: int = 0, days: int = 0, hours: float = 0
) -> int:
    """Step from an instant by the calendar of a zone; negative numbers step back.

    Years, months and days keep what the clock shows (31 January and a month is the last day of
    February; a time that the clocks skip moves forward by what they skip). Hours are elapsed time
    and are added last: in the night of the change, "24 hours later" is not "the same time
    tomorrow".
    """
    shown = local_time(at_ms, zone)
    day = add_months(shown.date(), 12 * years + months) + timedelta(days=days)
    if day != shown.date():  # else keep the second pass of an hour shown twice
        moved = datetime.combine(day, shown.time())
        at_ms = to_utc_ms(moved, zone)[0]
    return at_ms + timedelta(hours=hours) // _MS


@dataclass(frozen=True, slots=True)
class Elapsed:
    """How long it was from one instant to another by a calendar: whole units, and what is left."""

    years: int
    months: int
    days: int
    rest_ms: int


def elapsed(start_ms: int, end_ms: int, zone: str) -> Elapsed:
    """Count whole years, months and days from one instant to a later one in a zone.

    `later(start, zone, years=…, months=…, days=…)` plus the rest gives the end again.

    Raises:
        ValueError: The end lies before the start.
    """
    if end_ms < start_ms:
        raise ValueError(f"it ends before it starts: {start_ms}..{end_ms}")
    first, last = local_day(start_ms, zone), local_day(end_ms, zone)
    months = (last.year - first.year) * 12 + last.month - first.month
    while months and later(start_ms, zone, months=months) > end_ms:
        months -= 1
    begun = later(start_ms, zone, months=months)
    days = max(0, (last - local_day(begun, zone)).days)
    while days and later(start_ms, zone, months=months, days=days) > end_ms:
        days -= 1
    rest_ms = end_ms - later(start_ms, zone, months=months, days=days)
    return Elapsed(months // 12, months % 12, days, rest_ms)


def _shown(at_ms: int, zone: str) -> datetime:
    return (EPOCH + timedelta(milliseconds=at_ms)).astimezone(zone_called(zone))
