"""The calendar of a zone, also where the clocks skip midnight, show it twice, or skip a day."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.chronology import calendar
from apexmem_desktop.chronology.calendar import Elapsed
from apexmem_desktop.chronology.clock import Clock
from apexmem_desktop.domain.interval import TimeSpan
from apexmem_desktop.domain.wall import WallClock

HOUR_MS = 3_600_000
ZONES = [
    "Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "America/St_Johns", "America/Havana",
    "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata", "UTC",
]  # fmt: skip
zones = st.sampled_from(ZONES)
days = st.dates(date(1990, 1, 1), date(2035, 12, 31))
instants = st.integers(631_152_000_000, 2_082_758_400_000)  # 1990 to 2035


def _utc(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def _clock(said_utc: str, zone: str) -> Clock:
    return Clock(_utc(said_utc), 0, zone)


def _day(day: date, zone: str) -> TimeSpan:
    there = Clock(0, 0, zone)
    return there.span(there.day(day), "", 0)


@pytest.mark.parametrize(
    ("zone", "day", "start_utc", "hours"),
    [
        ("Europe/Berlin", "2023-06-09", "2023-06-08T22:00", 24),
        ("Europe/Berlin", "2023-03-26", "2023-03-25T23:00", 23),
        ("Europe/Berlin", "2023-10-29", "2023-10-28T22:00", 25),
        ("America/New_York", "2024-03-10", "2024-03-10T05:00", 23),
        ("America/New_York", "2024-11-03", "2024-11-03T04:00", 25),
        # the clocks went from 23:59 to 01:00: the day began at 1 o'clock
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00", 23),
        ("Asia/Beirut", "2022-03-27", "2022-03-26T22:00", 23),
        # at midnight back to 23:00: the day before was long, this one is as usual
        ("America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00", 25),
        ("America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00", 24),
        # at 1 o'clock back to midnight, which is shown twice: the first counts
        ("America/Havana", "2023-11-05", "2023-11-05T04:00", 25),
        # half an hour is changed on this island, at 2 o'clock
        ("Australia/Lord_Howe", "2023-10-01", "2023-09-30T13:30", 23.5),
        # a day that never was
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00", 0),
        ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00", 24),
    ],
)
def test_a_local_day_is_as_long_as_the_clocks_make_it(
    zone: str, day: str, start_utc: str, hours: float
) -> None:
    span = _day(date.fromisoformat(day), zone)
    assert span.start_ms == _utc(start_utc)
    assert span.end_ms - span.start_ms == hours * HOUR_MS


def test_weeks_begin_on_monday_and_months_have_their_days() -> None:
    berlin = _clock("2023-03-26T10:00", "Europe/Berlin")
    week = berlin.span(berlin.week(), "this week", 0)
    assert (week.start_ms, week.end_ms) == (_utc("2023-03-19T23:00"), _utc("2023-03-26T22:00"))
    there = _clock("2024-02-05T10:00", "UTC")
    month = there.span(there.month(2024, 2), "this month", 0)
    assert month.end_ms - month.start_ms == 29 * 24 * HOUR_MS
    december = there.span(there.month(2023, 12), "December", 0)
    year = there.span(there.year(2023), "2023", 0)
    assert december.end_ms == year.end_ms == _utc("2024-01-01T00:00")


@pytest.mark.parametrize(
    ("zone", "start_utc", "end_utc", "expected"),
    [
        ("UTC", "2020-03-15T10:00", "2023-06-09T10:00", Elapsed(3, 2, 25)),
        ("UTC", "2020-03-15T10:00", "2023-03-15T09:00", Elapsed(2, 11, 27)),
        ("UTC", "2021-01-01T00:00", "2022-01-01T00:00", Elapsed(1, 0, 0)),
        ("UTC", "2024-02-29T00:00", "2025-02-28T00:00", Elapsed(1, 0, 0)),
        ("UTC", "2023-01-31T00:00", "2023-02-28T00:00", Elapsed(0, 1, 0)),
        ("UTC", "2023-01-31T00:00", "2023-03-01T00:00", Elapsed(0, 1, 1)),
        ("UTC", "2023-06-09T10:00", "2023-06-09T10:00", Elapsed(0, 0, 0)),
        # a whole day by the clock, though it had 23 hours; in UTC the day is not yet over
        ("Europe/Berlin", "2023-03-25T11:00", "2023-03-26T10:00", Elapsed(0, 0, 1)),
        ("UTC", "2023-03-25T11:00", "2023-03-26T10:00", Elapsed(0, 0, 0)),
        ("Europe/Berlin", "2023-10-28T10:00", "2023-10-29T10:00", Elapsed(0, 0, 0)),
        # between the two times that 02:30 was shown
        ("Europe/Berlin", "2023-10-29T00:45", "2023-10-29T01:15", Elapsed(0, 0, 0)),
        # New Year came earlier in Tokyo
        ("Asia/Tokyo", "2022-12-31T15:00", "2023-12-31T15:00", Elapsed(1, 0, 0)),
    ],
)
def test_how_long_it_was_by_the_calendar(
    zone: str, start_utc: str, end_utc: str, expected: Elapsed
) -> None:
    wall = WallClock(0, zone)
    assert calendar.elapsed(_utc(start_utc), _utc(end_utc), wall) == expected


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="before it starts"):
        calendar.elapsed(1, 0, WallClock())


@given(days, zones)
def test_days_follow_one_another_without_gap(day: date, zone: str) -> None:
    today, tomorrow = _day(day, zone), _day(day + timedelta(days=1), zone)
    assert today.end_ms == tomorrow.start_ms


@given(days, zones)
def test_a_day_begins_with_its_own_date(day: date, zone: str) -> None:
    span, wall = _day(day, zone), WallClock(0, zone)
    if span.end_ms > span.start_ms:
        assert wall.day(span.start_ms) == day
        assert wall.day(span.start_ms - 1) < day


@given(instants, zones)
def test_every_instant_lies_in_its_local_day(at: int, zone: str) -> None:
    span = _day(WallClock(0, zone).day(at), zone)
    if zone != "America/St_Johns":  # its clocks went back at 00:01: one hour of a day came after it
        assert span.start_ms <= at < span.end_ms


@given(instants, st.integers(0, 4_000 * 24 * HOUR_MS), zones)
def test_what_elapsed_leads_back_to_the_end(start: int, length: int, zone: str) -> None:
    wall = WallClock(0, zone)
    told = calendar.elapsed(start, start + length, wall)
    months = calendar.later(wall.shown(start), 12 * told.years + told.months)
    left = wall.shown(start + length) - months - timedelta(days=told.days)
    assert left < timedelta(days=1)
    assert left >= timedelta(0) or length < 3 * HOUR_MS  # an hour shown twice
    assert 0 <= told.months < 12
    assert 0 <= told.days < 31
