"""The wall clock that something was said by, for showing times as its speaker would."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from apexmem_desktop.domain.graph import Evidence
from apexmem_desktop.domain.interval import Bound, Precision

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_MS = 86_400_000
_MINUTE_MS = 60_000
_FAR_MS = 253_370_000_000_000  # 9998: beyond it a datetime ends


@dataclass(frozen=True, slots=True)
class WallClock:
    """A clock on a wall, and the zone it hung in.

    Attributes:
        offset_minutes: How far it was ahead of UTC when the words were said.
        zone: Name of its time zone, by which another season has another offset; "" where only the
            offset is known, which then holds always.
    """

    offset_minutes: int = 0
    zone: str = ""

    def offset_at(self, at_ms: int | None) -> int:
        """Tell how far it is ahead of UTC at an instant, in minutes."""
        if not self.zone or at_ms is None:
            return self.offset_minutes
        return offset_in(self.zone, at_ms, self.offset_minutes)

    def local_ms(self, at_ms: int) -> int:
        """Give what it shows at an instant, as milliseconds of a calendar without zones."""
        return at_ms + self.offset_at(at_ms) * _MINUTE_MS

    def shown(self, at_ms: int) -> datetime:
        """Give what it shows at an instant, without an offset."""
        return (_EPOCH + timedelta(milliseconds=self.local_ms(at_ms))).replace(tzinfo=None)

    def day(self, at_ms: int) -> date:
        """Give the calendar day that it shows at an instant."""
        return self.shown(at_ms).date()

    def of_bound(self, bound: Bound | None) -> "WallClock":
        """Give the clock that a bound was set by.

        Before step 013 of the vault whole days were cut at the offset of the turn, in every season.
        Such a bound lies on midnights of that offset and not on those of the zone: it keeps its
        days.
        """
        if bound is None or not self.zone or bound.precision is Precision.INSTANT:
            return self
        fixed = WallClock(self.offset_minutes)
        ends = [
            ms
            for ms in (
                bound.earliest_ms,
                None if bound.latest_ms is None else bound.latest_ms + 1,
            )
            if ms is not None
        ]
        is_ours = not any(self.local_ms(ms) % _DAY_MS for ms in ends)
        return self if is_ours or any(fixed.local_ms(ms) % _DAY_MS for ms in ends) else fixed


UTC_CLOCK = WallClock()


def clock_of(evidence: Sequence[Evidence]) -> WallClock:
    """Give the clock that the first proof was said by; UTC without any."""
    return WallClock(evidence[0].offset_minutes, evidence[0].zone) if evidence else UTC_CLOCK


@lru_cache(maxsize=65_536)
def offset_in(zone: str, at_ms: int, otherwise: int) -> int:
    """Tell how far a zone is ahead of UTC at an instant, in minutes; else what is given."""
    if not -_FAR_MS < at_ms < _FAR_MS:
        return otherwise
    there = _zone(zone)
    if there is None:
        return otherwise
    try:
        offset = (_EPOCH + timedelta(milliseconds=at_ms)).astimezone(there).utcoffset()
    except OverflowError:
        return otherwise
    return otherwise if offset is None else round(offset / timedelta(minutes=1))


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of_turn(zone: str, said_at_ms: int | None, offset_minutes: int) -> str:
    """Tell by which zone's calendar a turn means its days; "" where only its offset is known.

    An export names a zone for all of it. A turn that carries another offset of its own was said
    elsewhere: there the zone of the export would be a guess.
    """
    if not zone or said_at_ms is None:
        return zone if zone and _zone(zone) is not None else ""
    return zone if offset_in(zone, said_at_ms, offset_minutes + 1) == offset_minutes else ""
