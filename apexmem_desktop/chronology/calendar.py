"""How long it was by the calendar: whole years, months and days as a wall clock counts them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apexmem_desktop.chronology.clock import add_months
from apexmem_desktop.domain.wall import WallClock


@dataclass(frozen=True, slots=True)
class Elapsed:
    """Whole units from one instant to a later one; what is left is less than a day."""

    years: int
    months: int
    days: int


def elapsed(start_ms: int, end_ms: int, wall: WallClock) -> Elapsed:
    """Count from one UTC instant to a later one by a wall clock and its calendar.

    From noon to noon is a day, also in the night in which the clocks change.

    Raises:
        ValueError: The end lies before the start.
    """
    if end_ms < start_ms:
        raise ValueError(f"it ends before it starts: {start_ms}..{end_ms}")
    start, end = wall.shown(start_ms), max(wall.shown(start_ms), wall.shown(end_ms))
    months = (end.year - start.year) * 12 + end.month - start.month
    if months and later(start, months) > end:
        months -= 1
    days = (end - later(start, months)) // timedelta(days=1)
    return Elapsed(months // 12, months % 12, days)


def later(start: datetime, months: int) -> datetime:
    """Step by calendar months; the 31st becomes the last day of a shorter month."""
    return datetime.combine(add_months(start.date(), months), start.time())
