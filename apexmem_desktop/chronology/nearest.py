"""Which one is meant when the words leave the week or the year open."""

from collections.abc import Callable
from datetime import date, timedelta

from apexmem_desktop.chronology.clock import Clock, Stretch, years_around
from apexmem_desktop.chronology.tense import Tense


def nearest_year(clock: Clock, tense: Tense, in_year: Callable[[int], Stretch]) -> Stretch:
    """Choose the year of a month, season, feast or date that was named without one.

    Args:
        in_year: Builds the stretch for a year; a year without that day (29 February) raises
            ValueError and is passed over.
    """
    candidates = []
    for year in years_around(clock.today.year):
        try:
            candidates.append(in_year(year))
        except ValueError:
            continue
    if tense is Tense.PAST:
        candidates = [one for one in candidates if one.start <= clock.now] or candidates
        return max(candidates, key=lambda one: one.start)
    if tense is Tense.FUTURE:
        candidates = [one for one in candidates if one.end > clock.now] or candidates
        return min(candidates, key=lambda one: one.start)
    return min(candidates, key=lambda one: _distance(clock, one))


def _distance(clock: Clock, stretch: Stretch) -> timedelta:
    if stretch.start <= clock.now < stretch.end:
        return timedelta(0)
    return abs(stretch.start + (stretch.end - stretch.start) / 2 - clock.now)


def year_before(clock: Clock, in_year: Callable[[int], Stretch]) -> Stretch:
    """Choose the last one that was over before now ("last March", "last summer")."""
    whole = [in_year(clock.today.year - back) for back in (0, 1, 2)]
    return next(one for one in whole if one.end <= clock.now)


def year_after(clock: Clock, in_year: Callable[[int], Stretch]) -> Stretch:
    """Choose the first one that begins after now ("next March", "next summer")."""
    whole = [in_year(clock.today.year + ahead) for ahead in (-1, 0, 1, 2)]
    return next(one for one in whole if one.start > clock.now)


def year_this(clock: Clock, in_year: Callable[[int], Stretch]) -> Stretch:
    """Choose the one of this year, or the winter that still runs in January."""
    before = in_year(clock.today.year - 1)
    return before if before.end > clock.now else in_year(clock.today.year)


def weekday_before(day: date, weekday: int) -> date:
    """Find the last such weekday strictly before a day."""
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)


def weekday_after(day: date, weekday: int) -> date:
    """Find the first such weekday strictly after a day."""
    return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)


def weekday_next(day: date, weekday: int) -> date:
    """Find "next Friday": the first one ahead, but nobody calls tomorrow so."""
    found = weekday_after(day, weekday)
    return found + timedelta(weeks=1) if (found - day).days == 1 else found


def weekday_this(day: date, weekday: int, tense: Tense) -> date:
    """Find "this Friday": that of this week, or, once it is past and no past is told, the next."""
    found = day + timedelta(days=weekday - day.weekday())
    if found < day and tense is not Tense.PAST:
        return found + timedelta(weeks=1)
    return found


def weekday_bare(day: date, weekday: int, tense: Tense) -> date:
    """Find "on Friday": by the tense, else the nearest; its own day of the week is today."""
    if tense is Tense.PAST:
        return weekday_before(day, weekday)
    if tense is Tense.FUTURE:
        return weekday_after(day, weekday)
    ahead = (weekday - day.weekday()) % 7
    return day + timedelta(days=ahead if ahead <= 3 else ahead - 7)


def month_with_day(clock: Clock, tense: Tense, day: int) -> Stretch:
    """Find "the 5th": by the tense, else the nearest month that has the day."""
    candidates = []
    for months in (-2, -1, 0, 1, 2):
        first = clock.months_from_now(months).start.date()
        found = first + timedelta(days=day - 1)
        if found.month == first.month:
            candidates.append(found)
    today = clock.today
    if tense is Tense.PAST:
        return clock.day(max(one for one in candidates if one <= today))
    if tense is Tense.FUTURE:
        return clock.day(min(one for one in candidates if one >= today))
    return clock.day(min(candidates, key=lambda one: abs((one - today).days)))
