"""Dates that name no year: which year it is, as far as the file can tell.

Phones left the year out while it was the current one, so such dates are all of the year in which
the export was made; a tool may have written several years so. A line of a plan that somebody sent
("12/3, 14:05 - Dinner: …") is no header at all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

Numbers = tuple[int, int, int]

# What stands for a year that is not named: the last one of the file; less by one, the one before.
LAST_YEAR = 20_000
COUNTED = 30_000  # the same on the way, counted from the first on
_LONGEST_YEAR = 9_999
_TURN_MONTHS = 6  # so far back goes a month only where a new year begins
_NEAR = timedelta(days=92)
_LAST_MONTH, _LAST_DAY = 12, 31
_FEBRUARY, _LEAP_DAY = 2, 29


def is_yearless(numbers: Numbers) -> bool:
    """Tell whether a date names no year."""
    return max(numbers) > _LONGEST_YEAR


def with_year(numbers: Numbers, year: int) -> Numbers:
    """Put in the year that is not named.

    Args:
        year: The last one of the file.
    """
    a, b, c = (year + one - LAST_YEAR if one > _LONGEST_YEAR else one for one in numbers)
    return a, b, c


class YearCounter:
    """Counts how often a new year has begun, in dates that name none."""

    def __init__(self) -> None:
        self._years = 0
        self._last: tuple[int, int] | None = None

    def count(self, first: int, second: int, *, named: bool) -> int:
        """Take the next date; give what stands for its year.

        Args:
            first: Its month; where it has no name, this may be the day as well.
            named: Whether it is known which of the two is the month.
        """
        if self._last is not None and self._is_new_year(self._last, (first, second), named=named):
            self._years += 1
        self._last = first, second
        return COUNTED + self._years

    def _is_new_year(self, last: tuple[int, int], now: tuple[int, int], *, named: bool) -> bool:
        readings = [(last, now)] if named else [(last, now), (last[::-1], now[::-1])]
        possible = [pair for pair in readings if all(map(_is_month_and_day, pair))]
        back = [last[0] - now[0] for last, now in possible]
        return bool(back) and max(back) >= _TURN_MONTHS and all(b < a for a, b in possible)


def counted_from_last(dates: Sequence[Numbers]) -> list[Numbers]:
    """Count the years that are not named from the last one back."""
    last = max((one for numbers in dates for one in numbers), default=0)
    return [
        with_year(numbers, LAST_YEAR - (last - COUNTED) + LAST_YEAR - COUNTED)
        if is_yearless(numbers)
        else numbers
        for numbers in dates
    ]


def are_headers(yearless: Iterable[bool], *, named: bool) -> bool:
    """Tell whether dates without a year begin messages, from where in the file they stand.

    Args:
        yearless: Of all dates of a chat, in their order.
        named: Whether their months have names; in numbers, no phone wrote both kinds.
    """
    stretches = [kind for kind, _ in groupby(yearless)]
    return len(stretches) <= (2 if named else 1)


@dataclass(frozen=True, slots=True)
class FoundYear:
    """The last year of the dates that name none.

    Attributes:
        certain: False when it is a guess that the user should look at.
        named: The year of the dates beside those; 0 where there are none.
    """

    year: int
    certain: bool
    named: int = 0


def find_year(
    chats: Sequence[Sequence[tuple[Numbers, date | None]]], wish: int, written_on: date
) -> FoundYear:
    """Find the last year of the dates that name none.

    Args:
        chats: Each chat's dates with their days, None for those without a year.
        wish: What the user said; 0 for nothing.
        written_on: When the file was written; no message is from later.
    """
    if wish:
        return FoundYear(wish, True)
    bounds = [bound for chat in chats if (bound := _bound(chat)) is not None]
    if bounds:
        year, near, other, step = max(bounds)
        fitting = _fitting(chats, year, step)
        return FoundYear(fitting, near and fitting == year, other)
    year = written_on.year
    if any(_is_later(numbers, year, written_on) for chat in chats for numbers, _ in chat):
        year -= 1
    return FoundYear(_fitting(chats, year, -1), False)


def _bound(chat: Sequence[tuple[Numbers, date | None]]) -> tuple[int, bool, int, int] | None:
    """Read the year off the dates beside those without one: it is the next, or theirs.

    Returns:
        The year; whether the dates lie near to the others; of which year those are; and whether
        it could be a later one (1) or an earlier (-1).
    """
    without = [number for number, (_, day) in enumerate(chat) if day is None]
    days = [(number, day) for number, (_, day) in enumerate(chat) if day is not None]
    if not without or not days:
        return None
    first, last = chat[without[0]][0], chat[without[-1]][0]
    if days[0][0] < without[0]:  # the years before the current one were named
        before = max(day for number, day in days if number < without[0])
        year = before.year + 1
        begins = _day(with_year(first, year))
        near = begins is not None and begins - before <= _NEAR
        return year - _years_back(first, last), near, before.year, 1
    after = min(day for _, day in days)
    ends = _day(with_year(last, after.year))
    year = after.year if ends is None or ends <= after else after.year - 1
    ends = _day(with_year(last, year))
    return year, ends is not None and after - ends <= _NEAR, after.year, -1


def _years_back(first: Numbers, last: Numbers) -> int:
    return max(first) - max(last)


def _fitting(chats: Sequence[Sequence[tuple[Numbers, date | None]]], year: int, step: int) -> int:
    """Take a later year, or an earlier one, where one of the days is the 29th of February."""
    leap = [
        LAST_YEAR - max(numbers)
        for chat in chats
        for numbers, _ in chat
        if is_yearless(numbers) and {_FEBRUARY, _LEAP_DAY} <= set(numbers)
    ]
    if not leap:
        return year
    fits = (
        one
        for one in range(year, year + 9 * step, step)
        if all(_is_leap(one - back) for back in leap)
    )
    return next(fits, year)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _is_later(numbers: Numbers, year: int, than: date) -> bool:
    """Tell whether a date would be later, however it is read."""
    if not is_yearless(numbers):
        return False
    day = _day(with_year(numbers, year))
    return day is not None and day > than + timedelta(days=1)


def _day(numbers: Numbers) -> date | None:
    """Read a date with its year; the earlier of two where it is open which is the month."""
    year = max(numbers)
    rest = list(numbers)
    rest.remove(year)
    readings = [rest] if numbers[0] == year else [rest, rest[::-1]]
    days = [date(year, m, d) for m, d in readings if _is_day(year, m, d)]
    return min(days, default=None)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _is_month_and_day(pair: tuple[int, int]) -> bool:
    return 1 <= pair[0] <= _LAST_MONTH and 1 <= pair[1] <= _LAST_DAY
