"""Local wall clock to UTC, also on the days on which the clocks change."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.chronology import zones
from apexmem_desktop.importers.local_clock import LocalClock, Offsets, time_ms

ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"]


@given(
    zone=st.sampled_from(ZONES),
    day=st.dates(date(2009, 1, 1), date(2035, 1, 1)),
    minute=st.integers(0, 1439),
)
def test_same_as_the_zone_says(zone: str, day: date, minute: int) -> None:
    local = datetime(day.year, day.month, day.day) + timedelta(minutes=minute)  # noqa: DTZ001
    assert LocalClock(zone).utc(day.toordinal(), minute, 0) == zones.to_utc_ms(local, zone)


@pytest.mark.parametrize("day", [date(2024, 3, 31), date(2024, 10, 27)])
def test_days_on_which_the_clocks_change(day: date) -> None:
    clock = LocalClock("Europe/Berlin")
    for minute in range(0, 1440, 7):
        local = datetime(day.year, day.month, day.day) + timedelta(minutes=minute)  # noqa: DTZ001
        expected = zones.to_utc_ms(local, "Europe/Berlin")
        assert clock.utc(day.toordinal(), minute, 0) == expected


def test_offset_at_an_instant() -> None:
    summer = datetime(2024, 7, 1, tzinfo=UTC)
    assert Offsets("Europe/Berlin").at(int(summer.timestamp() * 1000)) == 120


@pytest.mark.parametrize(
    ("value", "ms"),
    [
        (1714550400, 1_714_550_400_000),
        (1714550400.25, 1_714_550_400_250),
        (1714550400000, 1_714_550_400_000),
        ("1714550400", 1_714_550_400_000),
        ("2024-05-01T08:00:00Z", 1_714_550_400_000),
        ("2024-05-01T10:00:00+02:00", 1_714_550_400_000),
        (0, None),
        (float("nan"), None),
        (float("inf"), None),
        ("soon", None),
        (True, None),
        (None, None),
    ],
)
def test_time_in_any_writing(value: object, ms: int | None) -> None:
    assert time_ms(value) == ms
