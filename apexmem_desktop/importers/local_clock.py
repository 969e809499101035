"""Local wall clock to UTC, fast: one look into the zone's rules a quarter of an hour."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.errors import UserError

_QUARTER_MINUTES = 15
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST_MS = 631_152_000_000  # 1990
_LATEST_MS = 7_258_118_400_000  # 2200
_APPLE_EPOCH_S = 978_307_200  # 2001
_LARGEST_APPLE_SECONDS = 1e11


def choose_zone(wish: str) -> str:
    """Take the zone the user named, or the computer's.

    Raises:
        UserError: There is no zone of that name.
    """
    if not wish:
        return zones.local_zone_name()
    if not zones.is_zone(wish):
        raise UserError(
            f"There is no time zone named {wish[:60]!r}.",
            hint="Write it as in Europe/Berlin, America/New_York or Asia/Shanghai.",
        )
    return wish


class LocalClock:
    """Turns a zone's wall clock into UTC.

    A day that begins and ends with the same offset needs one look into the zone's rules; a day
    on which the clocks change one for each quarter of an hour, as none has changed within one.
    """

    def __init__(self, zone: str) -> None:
        self.zone = zone
        self._days: dict[int, tuple[int, int]] = {}
        self._quarters: dict[tuple[int, int], tuple[int, int]] = {}

    def utc(self, day: int, minute: int, second: int) -> tuple[int, int]:
        """Give UTC milliseconds and the offset in minutes.

        Args:
            day: Proleptic ordinal, as date.toordinal gives it.
            minute: Of the day, 0 to 1439.
        """
        midnight_ms, offset_minutes = self._midnight(day)
        if self._midnight(day + 1)[1] == offset_minutes:
            return midnight_ms + (minute * 60 + second) * 1000, offset_minutes
        quarter, rest = divmod(minute, _QUARTER_MINUTES)
        if (day, quarter) not in self._quarters:
            self._quarters[day, quarter] = self._look_up(day, quarter * _QUARTER_MINUTES)
        quarter_ms, offset_minutes = self._quarters[day, quarter]
        return quarter_ms + (rest * 60 + second) * 1000, offset_minutes

    def whole_day(self, day: int) -> tuple[int, int] | None:
        """Give the UTC of a day's midnight and its offset; None where the clocks change in it."""
        midnight = self._midnight(day)
        return midnight if self._midnight(day + 1)[1] == midnight[1] else None

    def _midnight(self, day: int) -> tuple[int, int]:
        known = self._days.get(day)
        if known is None:
            known = self._days[day] = self._look_up(day, 0)
        return known

    def _look_up(self, day: int, minute: int) -> tuple[int, int]:
        midnight = datetime.combine(date.fromordinal(day), time())
        return zones.to_utc_ms(midnight + timedelta(minutes=minute), self.zone)


class Offsets:
    """Gives a zone's offset for instants in UTC, for exports that hold absolute times."""

    def __init__(self, zone: str) -> None:
        self.zone = zone
        self._rules = ZoneInfo(zone)
        self._quarters: dict[int, int] = {}

    def at(self, utc_ms: int | None) -> int:
        """Give the offset in minutes at an instant; that of the epoch when there is none."""
        quarter = (utc_ms or 0) // (_QUARTER_MINUTES * 60_000)
        if quarter not in self._quarters:
            instant = _EPOCH + timedelta(minutes=quarter * _QUARTER_MINUTES)
            offset = instant.astimezone(self._rules).utcoffset() or timedelta()
            self._quarters[quarter] = round(offset.total_seconds() / 60)
        return self._quarters[quarter]


def epoch_ms(seconds: float | None) -> int | None:
    """Turn seconds since 1970 into milliseconds; larger numbers are taken for finer units.

    None for what is no time between 1990 and 2200: a file's mistake must not become a date.
    """
    if seconds is None or seconds != seconds:
        return None
    for unit_ms in (1000.0, 1.0, 1e-3, 1e-6):
        ms = seconds * unit_ms
        if _EARLIEST_MS <= ms < _LATEST_MS:
            return int(ms)
    return None


def time_ms(value: object) -> int | None:
    """Read a time written as a number since 1970, or as ISO 8601."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return epoch_ms(float(value))
    if not isinstance(value, str):
        return None
    try:
        return epoch_ms(float(value))
    except ValueError:
        return iso_ms(value)


def iso_ms(text: str, offsets: Offsets | None = None) -> int | None:
    """Read an ISO 8601 time; one without offset is UTC, or the zone's own clock if given."""
    try:
        instant = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        return None
    try:
        if instant.tzinfo is None:
            if offsets is not None:
                return zones.to_utc_ms(instant, offsets.zone)[0]
            instant = instant.replace(tzinfo=UTC)
        return (instant - _EPOCH) // timedelta(milliseconds=1)
    except OverflowError:
        return None


def apple_ms(value: object) -> int | None:
    """Read a time of Apple's: seconds since 2001, or nanoseconds since iOS 11; 0 is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    seconds = value / 1e9 if value > _LARGEST_APPLE_SECONDS else value
    return epoch_ms(seconds + _APPLE_EPOCH_S)
