"""Dates that a user types for an option: a year, a month, a day, or an instant."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.errors import UserError

_PARTIAL = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_MS = 1000


@dataclass(frozen=True, slots=True)
class TypedDate:
    """A date as typed; what instant it means depends on the zone and on which end is asked for.

    Attributes:
        first_on: Its first calendar day; None for an instant.
        after_on: The first day after it; None for an instant.
        at: The instant, perhaps without an offset: then the zone decides.
    """

    first_on: date | None = None
    after_on: date | None = None
    at: datetime | None = None

    def start_ms(self, zone: str) -> int:
        """Return its first millisecond by the calendar of the zone, UTC."""
        if self.at is not None:
            return _instant_ms(self.at, zone)
        return _midnight_ms(self.first_on, zone)

    def end_ms(self, zone: str) -> int:
        """Return its last millisecond: "as of" a bare day means that whole day, to its end."""
        if self.at is not None:
            return _instant_ms(self.at, zone)
        return _midnight_ms(self.after_on, zone) - 1


def parse_date(text: str) -> TypedDate:
    """Read YYYY, YYYY-MM, YYYY-MM-DD, or an ISO 8601 instant with or without offset.

    Raises:
        ValueError: It is none of these, or no day of the calendar.
    """
    text = text.strip()
    match = _PARTIAL.fullmatch(text)
    if match is None:
        return TypedDate(at=datetime.fromisoformat(text))
    year, month, day = (int(part) if part else None for part in match.groups())
    first_on = date(year or 0, month or 1, day or 1)
    return TypedDate(first_on=first_on, after_on=_day_after(first_on, month, day))


def _day_after(first_on: date, month: int | None, day: int | None) -> date:
    if day is not None:
        return first_on + timedelta(days=1)
    if month is not None:
        return (first_on.replace(day=28) + timedelta(days=4)).replace(day=1)
    return first_on.replace(year=first_on.year + 1)


def checked_zone(name: str) -> str:
    """Return the zone's name if there is such a zone.

    Raises:
        UserError: There is none.
    """
    if name and not zones.is_zone(name):
        raise UserError(
            f'There is no time zone "{name}".',
            hint='Use a name like "Europe/Berlin" or "Asia/Shanghai".',
        )
    return name


def _midnight_ms(day: date | None, zone: str) -> int:
    if day is None:
        raise ValueError("a typed date has either days or an instant")
    return zones.to_utc_ms(datetime(day.year, day.month, day.day), zone)[0]  # noqa: DTZ001 - local


def _instant_ms(at: datetime, zone: str) -> int:
    if at.tzinfo is None:
        return zones.to_utc_ms(at, zone)[0]
    return round(at.astimezone(UTC).timestamp() * _MS)
