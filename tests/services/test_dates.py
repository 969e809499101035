"""Dates as a user types them."""

from datetime import UTC, datetime

import pytest

from apexmem_desktop.services.dates import parse_date


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).astimezone(UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("typed", "first", "after"),
    [
        ("2024", "2024-01-01T00:00+01:00", "2025-01-01T00:00+01:00"),
        ("2024-12", "2024-12-01T00:00+01:00", "2025-01-01T00:00+01:00"),
        ("2024-02", "2024-02-01T00:00+01:00", "2024-03-01T00:00+01:00"),
        ("2024-2-9", "2024-02-09T00:00+01:00", "2024-02-10T00:00+01:00"),
        # The day on which the clock goes forward has 23 hours.
        ("2024-03-31", "2024-03-31T00:00+01:00", "2024-04-01T00:00+02:00"),
    ],
)
def test_a_stretch_has_its_local_ends(typed: str, first: str, after: str) -> None:
    date = parse_date(typed)
    assert date.start_ms("Europe/Berlin") == ms(first)
    assert date.end_ms("Europe/Berlin") == ms(after) - 1


def test_an_instant_is_itself() -> None:
    assert parse_date("2024-05-03T10:00+09:00").end_ms("Europe/Berlin") == ms("2024-05-03T01:00Z")
    assert parse_date("2024-05-03T10:00").start_ms("Europe/Berlin") == ms("2024-05-03T10:00+02:00")
    assert parse_date("2024-05-03T10:00:00Z").start_ms("Asia/Tokyo") == ms("2024-05-03T10:00Z")


@pytest.mark.parametrize("typed", ["", "yesterday", "2024-13", "2024-02-30", "03/04/2024", "0"])
def test_anything_else_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_date(typed)
