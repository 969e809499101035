"""Units of time counted from now, as vague as the unit is: two weeks ago, in three years."""

from dataclasses import replace
from datetime import datetime, timedelta

from apexmem_desktop.chronology.clock import Clock, Stretch, add_months
from apexmem_desktop.domain.interval import Precision

PRECISIONS = {
    "second": Precision.INSTANT, "minute": Precision.INSTANT, "hour": Precision.INSTANT,
    "day": Precision.DAY, "week": Precision.WEEK, "weekend": Precision.DAY,
    "month": Precision.MONTH, "year": Precision.YEAR, "decade": Precision.YEAR,
}  # fmt: skip
SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_MONTHS = {"month": 1, "year": 12, "decade": 120}


def unit_precision(unit: str) -> Precision:
    """Tell how finely a unit tells the time."""
    return PRECISIONS[unit]


def period(clock: Clock, unit: str, steps: int) -> Stretch:
    """Span the calendar week, weekend, month, year so many steps from this one."""
    if unit == "weekend":
        return clock.weekend(steps)
    if unit == "month":
        return clock.months_from_now(steps)
    if unit == "year":
        return clock.year(clock.today.year + steps)
    if unit == "quarter":
        month = (clock.today.month - 1) // 3 * 3 + 1 + 3 * steps
        return replace(clock.month(clock.today.year, month, 3), precision=Precision.SEASON)
    if unit == "decade":
        return clock.year(clock.today.year // 10 * 10 + 10 * steps, 10)
    if unit == "fortnight":
        return clock.days(clock.today + timedelta(days=14 * steps), 14, Precision.WEEK)
    return clock.week(steps)


def moved(clock: Clock, unit: str, near: float, far: float | None = None) -> Stretch:
    """Span what lies so many units away, as wide as the unit is vague.

    Args:
        near: Steps to the nearer end; negative means back.
        far: Steps to the farther end, when the words told a range ("a few weeks ago").
    """
    one = _moved_one(clock, unit, near)
    if far is None or far == near:
        return one
    other = _moved_one(clock, unit, far)
    return Stretch(min(one.start, other.start), max(one.end, other.end), one.precision)


def _moved_one(clock: Clock, unit: str, steps: float) -> Stretch:
    if unit in SECONDS:
        moment = clock.in_seconds(SECONDS[unit] * steps)
        half = timedelta(seconds=SECONDS[unit] / 2)
        return Stretch(moment - half, moment + half, Precision.INSTANT)
    if unit == "weekend":
        return clock.weekend(int(steps))
    if unit == "day":
        return clock.day(clock.today + timedelta(days=int(steps)))
    if unit == "week":
        return clock.week_around(clock.today + timedelta(days=round(steps * 7)))
    months = steps * _MONTHS[unit]
    if unit == "month" and months == int(months):
        return clock.months_from_now(int(months))
    if unit == "year" and steps == int(steps):
        return clock.year(clock.today.year + int(steps))
    if unit == "decade" and steps == int(steps):
        return clock.year(clock.today.year + 10 * int(steps) - 1, 3)
    if abs(months) < 2:
        return clock.week_around(clock.today + timedelta(days=round(months * 30.4)))
    return clock.months_from_now(round(months))


def away(clock: Clock, unit: str, steps: float) -> datetime:
    """Step from now by so many units, keeping the time of the day."""
    if unit in SECONDS:
        return clock.in_seconds(SECONDS[unit] * steps)
    if unit in {"day", "week", "weekend"}:
        return clock.now + timedelta(days=steps * (1 if unit == "day" else 7))
    day = add_months(clock.today, round(steps * _MONTHS[unit]))
    return clock.midnight(day) + (clock.now - clock.midnight(clock.today))
