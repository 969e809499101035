"""The clock that words were said by, and stretches of its local time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, timezone
from functools import cached_property
from zoneinfo import ZoneInfo

from apexmem_desktop.chronology.zones import EPOCH, day_start_ms, to_ms
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, TimeSpan

DAY = timedelta(days=1)
FIRST_YEAR = 1500
LAST_YEAR = 2200
_MIDNIGHT = time()
SEASON_FIRST_MONTH = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A half-open stretch of local time [start, end), before it becomes a TimeSpan.

    Attributes:
        stated: The words named a date outright; nothing was worked out from the clock.
        ends: Of a range, its first time and its last ("from 2015 to 2018").
    """

    start: datetime
    end: datetime
    precision: Precision
    stated: bool = False
    role: str = "at"
    ends: "tuple[Stretch, Stretch] | None" = None

    def with_role(self, role: str) -> "Stretch":
        """Give the same stretch another part to play."""
        return replace(self, role=role)

    def as_stated(self) -> "Stretch":
        """Mark the stretch as named outright."""
        return replace(self, stated=True)


def joined(first: Stretch, last: Stretch) -> Stretch:
    """Span from the start of one to the end of the other; ValueError if that runs backwards."""
    if last.end <= first.start:
        raise ValueError("a range that runs backwards")
    finer = min((first, last), key=lambda part: part.end - part.start)
    # "between 3pm and 5pm" ends at five; "from Monday to Friday" has its Friday in it
    end = last.start if last.precision is Precision.INSTANT else last.end
    return Stretch(
        first.start,
        max(end, first.end),
        finer.precision,
        first.stated and last.stated,
        ends=(first, last),
    )


def bound_in(start_ms: int, end_ms: int, precision: Precision, source: TimeSource) -> Bound:
    """Place a bound somewhere inside a half-open span; its last moment is in it."""
    return Bound(start_ms, max(start_ms, end_ms - 1), precision, source)


def _source(stretch: Stretch) -> TimeSource:
    return TimeSource.STATED if stretch.stated else TimeSource.WORKED_OUT


@dataclass(frozen=True)
class Clock:
    """A wall clock that stands at the moment of speaking.

    Attributes:
        anchor_ms: The moment of speaking, UTC.
        offset_minutes: Its offset from UTC at that moment.
        zone: Name of its time zone; "" where only the offset is known, which then holds always.
    """

    anchor_ms: int
    offset_minutes: int
    zone: str = ""

    @cached_property
    def now(self) -> datetime:
        """The moment of speaking, in local time."""
        return self._shown(self.anchor_ms)

    def _shown(self, at_ms: int) -> datetime:
        fixed = timezone(timedelta(minutes=self.offset_minutes))
        there = ZoneInfo(self.zone) if self.zone else fixed
        return (EPOCH + timedelta(milliseconds=at_ms)).astimezone(there)

    def set_to(self, day: date) -> "Clock":
        """Give the same clock as it stands at the first moment of a day."""
        return replace(self, anchor_ms=self.ms(self.midnight(day)))

    def in_seconds(self, seconds: float) -> datetime:
        """Give the moment so many elapsed seconds from now, also where the clocks change."""
        return self._shown(self.anchor_ms + round(seconds * 1000))

    @cached_property
    def today(self) -> date:
        """The local day of speaking."""
        return self.now.date()

    def midnight(self, day: date) -> datetime:
        """Give the first moment of a local day; ValueError outside a sane range of years."""
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise ValueError(f"no sensible year: {day.year}")
        return datetime(day.year, day.month, day.day, tzinfo=self.now.tzinfo)

    def days(self, first: date, count: int, precision: Precision = Precision.DAY) -> Stretch:
        """Span whole local days."""
        start = self.midnight(first)
        return Stretch(start, start + count * DAY, precision)

    def day(self, day: date) -> Stretch:
        """Span one local day."""
        return self.days(day, 1)

    def week(self, weeks: int = 0) -> Stretch:
        """Span the Monday-to-Sunday week so many weeks from this one."""
        return self.days(monday_of(self.today) + timedelta(weeks=weeks), 7, Precision.WEEK)

    def week_around(self, day: date) -> Stretch:
        """Span the seven days that have this one in their middle."""
        return self.days(day - timedelta(days=3), 7, Precision.WEEK)

    def weekend(self, weeks: int = 0) -> Stretch:
        """Span the Saturday and Sunday of the week so many weeks from this one."""
        return self.days(monday_of(self.today) + timedelta(weeks=weeks, days=5), 2)

    def month(self, year: int, month: int, count: int = 1) -> Stretch:
        """Span whole months; a month outside 1..12 rolls over into another year."""
        start = self.midnight(month_start(year, month))
        end = self.midnight(month_start(year, month + count))
        return Stretch(start, end, Precision.MONTH)

    def months_from_now(self, months: int, count: int = 1) -> Stretch:
        """Span the month so many months from this one."""
        return self.month(self.today.year, self.today.month + months, count)

    def year(self, year: int, count: int = 1) -> Stretch:
        """Span whole years."""
        start = self.midnight(date(year, 1, 1))
        return Stretch(start, self.midnight(date(year + count, 1, 1)), Precision.YEAR)

    def season(self, name: str, year: int) -> Stretch:
        """Span a season of the northern half; winter is named by the year it begins in."""
        whole = self.month(year, SEASON_FIRST_MONTH[name], 3)
        return replace(whole, precision=Precision.SEASON)

    def hours(self, day: date, first: float, last: float) -> Stretch:
        """Span a part of a day, told in hours from its midnight; may run past 24."""
        start = self.midnight(day)
        return Stretch(start + timedelta(hours=first), start + timedelta(hours=last), Precision.DAY)

    def minute(self, moment: datetime) -> Stretch:
        """Span the minute that begins at this moment."""
        return Stretch(moment, moment + timedelta(minutes=1), Precision.INSTANT)

    def ms(self, moment: datetime) -> int:
        """Give the instant of a moment of this clock; of a day's midnight the day's first one."""
        if self.zone and not moment.fold and moment.time() == _MIDNIGHT:
            return day_start_ms(moment.date(), self.zone)
        return to_ms(moment)

    def span(self, stretch: Stretch, phrase: str, phrase_start: int) -> TimeSpan:
        """Turn local time into UTC, with the words that meant it."""
        return TimeSpan(
            start_ms=self.ms(stretch.start),
            end_ms=self.ms(stretch.end),
            precision=stretch.precision,
            source=_source(stretch),
            phrase=phrase,
            phrase_start=phrase_start,
            anchor_ms=self.anchor_ms,
            offset_minutes=self.offset_minutes,
            zone=self.zone,
            role=stretch.role,
            ends=None
            if stretch.ends is None
            else (self._bound(stretch.ends[0]), self._bound(stretch.ends[1])),
        )

    def _bound(self, part: Stretch) -> Bound:
        start_ms, end_ms = self.ms(part.start), self.ms(part.end)
        return bound_in(start_ms, end_ms, part.precision, _source(part))


def monday_of(day: date) -> date:
    """Find the Monday that begins this day's week."""
    return day - timedelta(days=day.weekday())


def month_start(year: int, month: int) -> date:
    """Give the first day of a month counted from 1, which may lie outside 1..12."""
    years, index = divmod(month - 1, 12)
    return date(year + years, index + 1, 1)


def add_months(day: date, months: int) -> date:
    """Move by calendar months; the 31st becomes the last day of a shorter month."""
    first = month_start(day.year, day.month + months)
    last = month_start(first.year, first.month + 1) - DAY
    return first.replace(day=min(day.day, last.day))


def years_around(year: int) -> Iterator[int]:
    """Yield the years in which a date without a year may lie."""
    yield from (year - 1, year, year + 1)


def easter(year: int) -> date:
    """Work out Easter Sunday of the Gregorian calendar (the anonymous method of 1876)."""
    golden = year % 19
    century, rest = divmod(year, 100)
    skipped, kept = divmod(century, 4)
    moon = (19 * golden + century - skipped - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    leap, left = divmod(rest, 4)
    weekday = (32 + 2 * kept + 2 * leap - moon - left) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """Find the nth Monday (0) … Sunday (6) of a month; nth -1 is the last one."""
    if nth < 0:
        last = month_start(year, month + 1) - DAY
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = month_start(year, month)
    found = first + timedelta(days=(weekday - first.weekday()) % 7, weeks=nth - 1)
    if found.month != first.month:
        raise ValueError(f"no weekday number {nth} in that month")
    return found
