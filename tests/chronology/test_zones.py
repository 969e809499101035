"""Wall clocks of zones, also in the two odd nights of the year."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.errors import UserError


def _wall(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _utc(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("zone", "wall", "utc", "offset"),
    [
        ("Europe/Berlin", "2023-06-09T15:00", "2023-06-09T13:00", 120),
        ("Europe/Berlin", "2023-01-09T15:00", "2023-01-09T14:00", 60),
        ("Asia/Tokyo", "2023-06-09T15:00", "2023-06-09T06:00", 540),
        ("Asia/Kolkata", "2023-06-09T15:00", "2023-06-09T09:30", 330),
        # 26 March 2023, 02:30 was skipped: the clock would have shown 03:30
        ("Europe/Berlin", "2023-03-26T02:30", "2023-03-26T01:30", 120),
        # 29 October 2023, 02:30 was shown twice: the first time
        ("Europe/Berlin", "2023-10-29T02:30", "2023-10-29T00:30", 120),
    ],
)
def test_a_wall_clock_tells_its_instant(zone: str, wall: str, utc: str, offset: int) -> None:
    assert zones.to_utc_ms(_wall(wall), zone) == (_utc(utc), offset)
    assert zones.offset_minutes_at(zone, _wall(wall)) == offset


def test_an_offset_that_was_written_is_kept() -> None:
    local = _wall("2026-06-05T20:36").replace(tzinfo=timezone(timedelta(hours=8)))
    assert zones.to_utc_ms(local, "Europe/Berlin") == (_utc("2026-06-05T12:36"), 480)


@pytest.mark.parametrize("name", ["", "Europe", "Berlin", "../etc/passwd", "Mars/Base", "\x00"])
def test_an_unknown_zone_is_told_so(name: str) -> None:
    assert not zones.is_zone(name)
    with pytest.raises(UserError, match="no time zone"):
        zones.to_utc_ms(_wall("2023-06-09T15:00"), name)


def test_this_computer_has_a_zone() -> None:
    assert zones.is_zone(zones.local_zone_name())


def test_the_offset_at_an_instant_changes_when_the_clocks_do() -> None:
    change_ms = 1_679_792_400_000  # 26 March 2023, 01:00 UTC: in Berlin two o'clock becomes three
    assert zones.offset_at(change_ms - 1, "Europe/Berlin") == 60
    assert zones.offset_at(change_ms, "Europe/Berlin") == 120
    assert zones.offset_at(change_ms, "Asia/Kolkata") == 330
