"""Dates and durations as the window writes them, in the user's language."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.interval import Bound, Precision
from apexmem_desktop.domain.wall import UTC_CLOCK, WallClock, clock_of
from apexmem_desktop.ui.translation import tr, tr_count

_JOINER = "\u2060"
_NUMBERED = re.compile("(\\d)([年月日])")
_MINUTE_S = 60
_HOUR_S = 3600
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def local(ms: int, offset_minutes: int = 0) -> datetime:
    """Give the wall clock at an offset; safe for years before 1970."""
    return _EPOCH + timedelta(milliseconds=ms, minutes=offset_minutes)


def offset_of(zone: str, ms: int) -> int:
    """Give a zone's offset from UTC at an instant, in minutes."""
    at = (_EPOCH + timedelta(milliseconds=ms)).astimezone(ZoneInfo(zone))
    shift = at.utcoffset() or timedelta()
    return int(shift.total_seconds() // _MINUTE_S)


def month_name(month: int, *, short: bool = True) -> str:
    """Give a month's name, 1 to 12."""
    names = tr("date.months_short" if short else "date.months").split(",")
    return names[month - 1]


def day_text(ms: int | None, offset_minutes: int = 0) -> str:
    """Write a calendar day; "" when there is none."""
    if ms is None:
        return ""
    at = local(ms, offset_minutes)
    return tr("date.day", d=at.day, month=month_name(at.month), m=at.month, y=at.year)


def month_text(ms: int, offset_minutes: int = 0) -> str:
    """Write a month of a year."""
    at = local(ms, offset_minutes)
    return tr("date.month", month=month_name(at.month, short=False), m=at.month, y=at.year)


def instant_text(ms: int | None, offset_minutes: int = 0) -> str:
    """Write a day with its clock; "" when there is none."""
    if ms is None:
        return ""
    clock = f"{local(ms, offset_minutes):%H:%M}"
    return tr("date.instant", day=day_text(ms, offset_minutes), clock=clock)


def range_text(first_ms: int | None, last_ms: int | None, offset_minutes: int = 0) -> str:
    """Write from which day to which."""
    first, last = day_text(first_ms, offset_minutes), day_text(last_ms, offset_minutes)
    if not first or first == last:
        return last
    return f"{first} – {last}"


def unbroken(text: str) -> str:
    """Let no line end within 2025年 or 15日; Latin dates have spaces to break at."""
    return _NUMBERED.sub(f"\\1{_JOINER}\\2", text)


def bound_text(bound: Bound | None, clock: WallClock = UTC_CLOCK) -> str:
    """Write one end of a validity no more finely than it is known."""
    if bound is None:
        return ""
    clock = clock.of_bound(bound)
    if bound.precision is Precision.UNKNOWN:
        return _open_bound_text(bound, clock)
    at_ms = bound.earliest_ms if bound.earliest_ms is not None else bound.latest_ms
    if at_ms is None:
        return tr("date.unknown")
    return _precise_text(at_ms, bound.precision, clock.offset_at(at_ms))


def held_text(
    start: Bound,
    end: Bound | None,
    clock: WallClock = UTC_CLOCK,
    *,
    planned: bool = False,
    denied: bool = False,
) -> str:
    """Write from when to when something holds, or does not, as one would say it."""
    since = bound_text(start, clock) or tr("date.unknown")
    told = start.earliest_ms is None and start.latest_ms is not None
    if told:  # since when is not known, only when it was said
        since = tr("date.told", day=day_text(start.latest_ms, clock.offset_at(start.latest_ms)))
    if planned:
        return tr("fact.planned_told" if told else "fact.planned_for", when=since)
    if end is None and denied:
        return since if told else tr("fact.since", start=since)
    if end is None:
        return since if told else tr("fact.from_until", start=since, end=tr("date.still"))
    until = bound_text(end, clock)
    if until == since:
        return since
    vague = end.precision is Precision.UNKNOWN and end.latest_ms is not None
    if vague:
        day = day_text(end.latest_ms, clock.offset_at(end.latest_ms))
        return tr("fact.over_by", start=since, day=day)
    return tr("fact.told_until" if told else "fact.from_until", start=since, end=until)


def from_text(fact: Fact) -> str:
    """Write since when a fact has held."""
    return bound_text(fact.valid_from, clock_of(fact.evidence)) or tr("date.unknown")


def until_text(fact: Fact) -> str:
    """Write until when a fact held; "now" while it does."""
    return bound_text(fact.effective_to, clock_of(fact.evidence)) or tr("date.still")


def duration_text(seconds: float) -> str:
    """Write about how long something takes."""
    if seconds < _MINUTE_S:
        return tr_count("date.seconds", max(1, round(seconds)))
    if seconds < _HOUR_S:
        return tr_count("date.minutes", round(seconds / _MINUTE_S))
    return tr_count("date.hours", round(seconds / _HOUR_S))


def size_text(count: int) -> str:
    """Write a number of bytes."""
    size = float(count)
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _open_bound_text(bound: Bound, clock: WallClock) -> str:
    if bound.latest_ms is not None:
        return tr("date.by", day=day_text(bound.latest_ms, clock.offset_at(bound.latest_ms)))
    if bound.earliest_ms is not None:
        return tr("date.after", day=day_text(bound.earliest_ms, clock.offset_at(bound.earliest_ms)))
    return tr("date.unknown")


def _precise_text(at_ms: int, precision: Precision, offset_minutes: int) -> str:
    if precision is Precision.INSTANT:
        return instant_text(at_ms, offset_minutes)
    if precision is Precision.DAY:
        return day_text(at_ms, offset_minutes)
    if precision is Precision.WEEK:
        return tr("date.week", day=day_text(at_ms, offset_minutes))
    if precision is Precision.YEAR:
        return tr("date.year", y=local(at_ms, offset_minutes).year)
    return month_text(at_ms, offset_minutes)
