"""Words said in a zone that changes its clocks: days of 23 and 25 hours, and other offsets."""

from datetime import UTC, datetime

import pytest

from apexmem_desktop.chronology.words import find_time_spans, parse_time_phrase
from apexmem_desktop.chronology.zones import to_utc_ms
from apexmem_desktop.domain.errors import UserError

BERLIN, NEW_YORK, SAO_PAULO = "Europe/Berlin", "America/New_York", "America/Sao_Paulo"


def _utc(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("zone", "said_at", "text", "start_utc", "end_utc"),
    [
        # the day on which Berlin went to summer time had 23 hours, that of the way back 25
        (BERLIN, "2023-03-27T10:00", "yesterday", "2023-03-25T23:00", "2023-03-26T22:00"),
        (BERLIN, "2023-10-30T10:00", "yesterday", "2023-10-28T22:00", "2023-10-29T23:00"),
        (BERLIN, "2023-03-25T10:00", "tomorrow", "2023-03-25T23:00", "2023-03-26T22:00"),
        (BERLIN, "2023-03-28T10:00", "last week", "2023-03-19T23:00", "2023-03-26T22:00"),
        # said in summer, meant in winter
        (BERLIN, "2023-06-09T15:00", "last December", "2022-11-30T23:00", "2022-12-31T23:00"),
        (BERLIN, "2023-06-09T15:00", "last year", "2021-12-31T23:00", "2022-12-31T23:00"),
        (BERLIN, "2023-06-09T15:00", "on Christmas Eve", "2022-12-23T23:00", "2022-12-24T23:00"),
        (BERLIN, "2023-12-09T15:00", "last summer", "2023-05-31T22:00", "2023-08-31T22:00"),
        (NEW_YORK, "2024-03-09T20:00", "tomorrow at 5pm", "2024-03-10T21:00", "2024-03-10T21:01"),
        (NEW_YORK, "2024-03-11T09:00", "yesterday", "2024-03-10T05:00", "2024-03-11T04:00"),
        # elapsed hours are elapsed, also over the hour that was skipped
        (BERLIN, "2023-03-26T04:00", "two hours ago", "2023-03-25T23:30", "2023-03-26T00:30"),
        # midnight did not exist: the day began at 1 o'clock
        (SAO_PAULO, "2018-11-03T12:00", "tomorrow", "2018-11-04T03:00", "2018-11-05T02:00"),
        ("Asia/Beirut", "2022-03-28T12:00", "yesterday", "2022-03-26T22:00", "2022-03-27T21:00"),
        (BERLIN, "2023-03-27T10:00", "gestern", "2023-03-25T23:00", "2023-03-26T22:00"),
        (BERLIN, "2023-03-27T10:00", "昨天", "2023-03-25T23:00", "2023-03-26T22:00"),
        ("Asia/Shanghai", "2023-06-09T15:00", "昨天", "2023-06-07T16:00", "2023-06-08T16:00"),
    ],
)
def test_the_clocks_of_the_zone_decide(
    zone: str, said_at: str, text: str, start_utc: str, end_utc: str
) -> None:
    anchor, offset = to_utc_ms(datetime.fromisoformat(said_at), zone)
    (span,) = find_time_spans(text, anchor_ms=anchor, offset_minutes=offset, zone=zone)
    assert (span.start_ms, span.end_ms) == (_utc(start_utc), _utc(end_utc))
    alone = parse_time_phrase(span.phrase, anchor_ms=anchor, offset_minutes=offset, zone=zone)
    assert alone is not None
    assert (alone.start_ms, alone.end_ms) == (span.start_ms, span.end_ms)


def test_without_a_zone_the_offset_holds_always() -> None:
    anchor, offset = to_utc_ms(datetime.fromisoformat("2023-06-09T15:00"), BERLIN)
    (span,) = find_time_spans("last December", anchor_ms=anchor, offset_minutes=offset)
    assert span.start_ms == _utc("2022-11-30T22:00")


def test_an_unknown_zone_is_told_so() -> None:
    with pytest.raises(UserError, match="no time zone"):
        find_time_spans("yesterday", anchor_ms=0, offset_minutes=0, zone="Mars/Base")
