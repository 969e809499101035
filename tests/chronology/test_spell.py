"""Times are written as people write them, as finely as they were told."""

from datetime import datetime

import pytest

from apexmem_desktop.chronology import spell, zones
from apexmem_desktop.chronology.validity import validity_from_spans
from apexmem_desktop.chronology.words import find_time_spans
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.wall import WallClock
from tests.chronology.reading import OFFSET, anchor_ms, parse


@pytest.mark.parametrize(
    ("phrase", "english", "chinese"),
    [
        ("yesterday", "8 June 2023", "2023年6月8日"),
        ("last week", "the week of 29 May 2023", "2023年5月29日那一周"),
        ("last weekend", "the weekend of 3 June 2023", "2023年6月3日那个周末"),
        ("the other day", "a few days before 9 June 2023", "2023年6月9日前几天"),
        ("two weeks ago", "around 26 May 2023", "2023年5月26日前后"),
        ("next month", "July 2023", "2023年7月"),
        ("early March 2022", "early March 2022", "2022年3月初"),
        ("the end of February 2022", "late February 2022", "2022年2月底"),
        ("last year", "2022", "2022年"),
        ("mid-2019", "mid-2019", "2019年中"),
        ("last summer", "summer 2022", "2022年夏天"),
        ("last winter", "winter 2022/23", "2022年冬天"),
        ("the 90s", "the 1990s", "1990年代"),
        ("from 2015 to 2018", "2015 to 2018", "2015年至2018年"),
        ("June to August 2022", "June to August 2022", "2022年6月至2022年8月"),
        ("May 3-5", "3 to 5 May 2023", "2023年5月3日至2023年5月5日"),
        ("28 May to 3 June 2021", "28 May to 3 June 2021", "2021年5月28日至2021年6月3日"),
        ("tomorrow at 5pm", "10 June 2023, 17:00", "2023年6月10日17:00"),
        ("for seven years now", "since 2016", "自2016年起"),
        ("for the past six months", "since December 2022", "自2022年12月起"),
        ("last night", "8 June 2023", "2023年6月8日"),
    ],
)
def test_a_span_is_spelled(phrase: str, english: str, chinese: str) -> None:
    span = parse(phrase)
    assert span is not None
    assert spell.spell_span(span) == english
    assert spell.spell_span(span, "zh") == chinese


@pytest.mark.parametrize(
    ("text", "annotated"),
    [
        ("I ran last week.", "I ran last week [= the week before 9 June 2023]."),
        ("I rest next week.", "I rest next week [= the week after 9 June 2023]."),
        ("Busy this week!", "Busy this week [= the week of 9 June 2023]!"),
        ("Last weekend we hiked", "Last weekend [= the weekend before 9 June 2023] we hiked"),
        ("met last Friday", "met last Friday [= Friday 2 June 2023]"),
        ("for seven years now", "for seven years now [= since 2016]"),
        ("a few years ago", "a few years ago [= 2018 to 2021]"),
        ("上周很忙", "上周 [= 2023年6月9日的前一周]很忙"),
        ("no time here", "no time here"),
        ("in 2019", "in 2019"),
    ],
)
def test_relative_words_get_their_date_beside_them(text: str, annotated: str) -> None:
    assert spell.annotate(text, anchor_ms=anchor_ms(), offset_minutes=OFFSET) == annotated


@pytest.mark.parametrize(
    ("earliest", "latest", "english", "chinese"),
    [
        (None, None, "at an unknown time", "时间不详"),
        (None, "2023-06-09T15:00", "by 9 June 2023", "最晚2023年6月9日"),
        ("2023-06-09T15:00", None, "9 June 2023 or later", "2023年6月9日或更晚"),
    ],
)
def test_a_bound_says_what_is_not_known(
    earliest: str | None, latest: str | None, english: str, chinese: str
) -> None:
    bound = Bound(
        anchor_ms(earliest) if earliest else None,
        anchor_ms(latest) if latest else None,
        Precision.UNKNOWN,
        TimeSource.MESSAGE_TIME,
    )
    assert spell.spell_bound(bound, WallClock(OFFSET)) == english
    assert spell.spell_bound(bound, WallClock(OFFSET), "zh") == chinese


@pytest.mark.parametrize(
    ("minutes", "english", "chinese"),
    [
        (0, "less than a minute", "不到一分钟"),
        (1, "1 minute", "1分钟"),
        (61, "1 hour 1 minute", "1小时1分钟"),
        (1440, "1 day", "1天"),
        (14 * 1440, "2 weeks", "2周"),
        (90 * 1440, "3 months", "3个月"),
        (456 * 1440, "1 year 3 months", "1年3个月"),
        (3653 * 1440, "10 years", "10年"),
    ],
)
def test_a_duration_is_spelled_in_its_largest_units(
    minutes: int, english: str, chinese: str
) -> None:
    assert spell.spell_duration(minutes * 60_000) == english
    assert spell.spell_duration(minutes * 60_000, "zh") == chinese


@pytest.mark.parametrize(
    ("start", "end", "english"),
    [
        ("2021-01-01", "2022-01-01", "1 year"),  # 365 days: not yet the mean length of a year
        ("2020-01-01", "2021-01-01", "1 year"),
        ("2020-03-15", "2023-06-09", "3 years 3 months"),
        ("2020-03-15", "2023-03-01", "2 years 11 months"),
        ("2020-03-15", "2023-03-12", "3 years"),
        ("2014-05-01", "2023-06-01", "9 years"),
        ("2023-05-01", "2023-05-15", "2 weeks"),
        ("2023-03-25", "2023-03-27", "2 days"),  # 47 hours in Berlin
    ],
)
def test_how_long_it_lasted_is_spelled_by_the_calendar(start: str, end: str, english: str) -> None:
    first, last = (
        zones.to_utc_ms(datetime.fromisoformat(t), "Europe/Berlin")[0] for t in (start, end)
    )
    assert spell.spell_lasting(first, last, WallClock(60, "Europe/Berlin")) == english


@pytest.mark.parametrize(
    ("said", "offset_minutes", "words", "spelled"),
    [
        # The eves of both clock changes in Europe, and a day of the other season.
        ("2024-03-30T20:00+01:00", 60, "see you tomorrow", "31 March 2024"),
        ("2024-03-30T20:00+01:00", 60, "it leaves tomorrow at 9am", "31 March 2024, 09:00"),
        ("2024-10-26T20:00+02:00", 120, "see you tomorrow", "27 October 2024"),
        ("2024-01-10T12:00+01:00", 60, "it is on 5 July 2024", "5 July 2024"),
        ("2024-07-10T12:00+02:00", 120, "it was on 5 January 2024", "5 January 2024"),
    ],
)
def test_across_a_clock_change_a_day_is_shown_as_it_was_told(
    said: str, offset_minutes: int, words: str, spelled: str
) -> None:
    """Words are dated by the turn's own offset, and shown by it: both, or no day would be right."""
    at_ms = round(datetime.fromisoformat(said).timestamp() * 1000)
    [span] = find_time_spans(words, anchor_ms=at_ms, offset_minutes=offset_minutes)
    told = validity_from_spans([span], said_at_ms=at_ms, offset_minutes=offset_minutes)
    assert spell.spell_bound(told.start, WallClock(offset_minutes)) == spelled
