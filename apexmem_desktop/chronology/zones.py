"""Time zones by name: the offset of a wall clock, and the instant it shows."""

import warnings
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from apexmem_desktop.domain.errors import UserError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)


def to_ms(moment: datetime) -> int:
    """Count the milliseconds from the epoch, without the rounding of a float."""
    return (moment - EPOCH) // timedelta(milliseconds=1)


def zone_called(name: str) -> ZoneInfo:
    """Give the zone of a name; UserError if there is none."""
    try:
        return ZoneInfo(name)
    # A folder of the zone database ("Europe") is an OSError, a path that climbs a ValueError.
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UserError(
            f"There is no time zone called {name!r}.",
            hint="Give a name such as Europe/Berlin, Asia/Shanghai or UTC.",
        ) from error


def is_zone(name: str) -> bool:
    """Tell whether a name such as "Europe/Berlin" is known."""
    try:
        zone_called(name)
    except UserError:
        return False
    return True


def to_utc_ms(local: datetime, zone: str) -> tuple[int, int]:
    """Find the instant that a wall clock of a zone showed, and its offset then in minutes.

    An hour that the clocks showed twice is taken as its first pass; one that they skipped is
    moved forward by what was skipped. A datetime that carries an offset keeps it.
    """
    if local.tzinfo is not None:
        return to_ms(local), _minutes(local.utcoffset())
    there = zone_called(zone)
    instant = local.replace(tzinfo=there, fold=0).astimezone(UTC)
    return to_ms(instant), _minutes(instant.astimezone(there).utcoffset())


def offset_minutes_at(zone: str, local: datetime) -> int:
    """Tell how far a wall clock of a zone was ahead of UTC, in minutes."""
    return to_utc_ms(local.replace(tzinfo=None), zone)[1]


def offset_at(at_ms: int, zone: str) -> int:
    """Tell how far the clocks of a zone are ahead of UTC at an instant, in minutes."""
    there = datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(zone_called(zone))
    return _minutes(there.utcoffset())


def day_start_ms(day: date, zone: str) -> int:
    """Find the first instant of a local day, UTC milliseconds.

    Where the clocks skip midnight it is the moment they skip to; where they show midnight twice,
    the first time counts.
    """
    midnight = datetime(day.year, day.month, day.day, tzinfo=zone_called(zone))
    after = midnight.astimezone(UTC)
    if after.astimezone(midnight.tzinfo).replace(tzinfo=None) == midnight.replace(tzinfo=None):
        return to_ms(after)
    return _skip_ms(to_ms(midnight.replace(fold=1)), to_ms(after), midnight.tzinfo)


def _skip_ms(before_ms: int, after_ms: int, there: tzinfo | None) -> int:
    """Find the moment between two at which the clocks of a zone were put forward."""
    offset = _shown(before_ms, there).utcoffset()
    while after_ms - before_ms > 1:
        middle = (before_ms + after_ms) // 2
        if _shown(middle, there).utcoffset() == offset:
            before_ms = middle
        else:
            after_ms = middle
    return after_ms


def _shown(at_ms: int, there: tzinfo | None) -> datetime:
    return (EPOCH + timedelta(milliseconds=at_ms)).astimezone(there)


def local_zone_name() -> str:
    """Name the zone this computer is set to; "UTC" where that cannot be found out."""
    # tzlocal comes with dateparser; it warns where a machine is set to no zone at all.
    from tzlocal import get_localzone_name

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            name = get_localzone_name()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"
    return name if name and is_zone(name) else "UTC"


def _minutes(offset: timedelta | None) -> int:
    """Round to minutes: before 1900 many towns kept a sun time with seconds in it."""
    return 0 if offset is None else round(offset / _MINUTE)
