"""A time axis that reads like a calendar at every zoom, in the user's language."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pyqtgraph as pg

from apexmem_desktop.ui.dates import local, month_name
from apexmem_desktop.ui.translation import tr

_DAY_S = 86_400
_MONTH_S = 30.44 * _DAY_S
_YEAR_S = 365.25 * _DAY_S
_LABEL_PX = 92
_FIRST_YEAR, _LAST_YEAR = 1, 9998
# (unit, how many, about how long in seconds), from fine to coarse
_STEPS = (
    ("hour", 1, 3600),
    ("hour", 3, 3 * 3600),
    ("hour", 6, 6 * 3600),
    ("hour", 12, 12 * 3600),
    ("day", 1, _DAY_S),
    ("day", 2, 2 * _DAY_S),
    ("day", 7, 7 * _DAY_S),
    ("day", 14, 14 * _DAY_S),
    ("month", 1, _MONTH_S),
    ("month", 2, 2 * _MONTH_S),
    ("month", 3, 3 * _MONTH_S),
    ("month", 6, 6 * _MONTH_S),
    ("year", 1, _YEAR_S),
    ("year", 2, 2 * _YEAR_S),
    ("year", 5, 5 * _YEAR_S),
    ("year", 10, 10 * _YEAR_S),
    ("year", 25, 25 * _YEAR_S),
    ("year", 100, 100 * _YEAR_S),
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class DateAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Ticks at midnights, firsts of months, first days of years; values are seconds since 1970."""

    def __init__(self, offset_minutes: int = 0) -> None:
        super().__init__(orientation="bottom")
        self._offset_minutes = offset_minutes
        self._unit = "month"
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Choose ticks that leave room for their labels; pyqtgraph calls this."""
        if high <= low or size <= 0:
            return []
        wanted_s = (high - low) * _LABEL_PX / size
        unit, many, about_s = next((s for s in _STEPS if s[2] >= wanted_s), _STEPS[-1])
        self._unit = unit
        shift = self._offset_minutes * 60
        ticks = [(at - _EPOCH).total_seconds() - shift for at in self._walk(unit, many, low, high)]
        return [(about_s, [tick for tick in ticks if low <= tick <= high])]

    def marks(self, low: float, high: float, size: float) -> list[float]:
        """Give where the axis has its marks, in a view so many pixels wide."""
        return [tick for _, ticks in self.tickValues(low, high, size) for tick in ticks]

    def tickStrings(self, values: list[float], _scale: float, _spacing: float) -> list[str]:
        """Write the ticks; pyqtgraph calls this."""
        return [tick_text(value, self._unit, self._offset_minutes) for value in values]

    def _walk(self, unit: str, many: int, low: float, high: float) -> Iterator[datetime]:
        at = _floor(local(round(low * 1000), self._offset_minutes), unit, many)
        end = local(round(high * 1000), self._offset_minutes)
        while at <= end and at.year < _LAST_YEAR:
            yield at
            at = _next(at, unit, many)


def tick_text(at_s: float, unit: str, offset_minutes: int = 0) -> str:
    """Write a tick no more finely than the axis steps; a new year is always named."""
    at = local(round(at_s * 1000), offset_minutes)
    if unit == "year" or (unit == "month" and at.month == 1):
        return tr("date.year", y=at.year)
    if unit == "month":
        return tr("date.axis_month", month=month_name(at.month), m=at.month, y=at.year)
    if unit == "day" or at.hour == 0:
        return tr("date.axis_day", d=at.day, month=month_name(at.month), m=at.month)
    return f"{at:%H:%M}"


def _floor(at: datetime, unit: str, many: int) -> datetime:
    if unit == "hour":
        return at.replace(hour=at.hour - at.hour % many, minute=0, second=0, microsecond=0)
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "day":
        return midnight - timedelta(days=midnight.toordinal() % many)
    if unit == "month":
        return midnight.replace(day=1, month=at.month - (at.month - 1) % many)
    return midnight.replace(day=1, month=1, year=max(_FIRST_YEAR, at.year - at.year % many))


def _next(at: datetime, unit: str, many: int) -> datetime:
    if unit == "hour":
        return at + timedelta(hours=many)
    if unit == "day":
        return at + timedelta(days=many)
    if unit == "month":
        months = at.year * 12 + at.month - 1 + many
        return at.replace(year=months // 12, month=months % 12 + 1)
    return at.replace(year=at.year + many)
