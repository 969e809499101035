"""What holds for every text, every clock and every pair of intervals."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.chronology.allen import Relation, relation
from apexmem_desktop.chronology.spell import annotate, spell_span
from apexmem_desktop.chronology.validity import validity_from_spans
from apexmem_desktop.chronology.words import find_time_spans
from apexmem_desktop.chronology.zones import to_utc_ms
from apexmem_desktop.domain.interval import Precision, TimeSource, TimeSpan
from tests.chronology import chinese_table, english_chat_table, english_table

anchors = st.integers(
    min_value=int(datetime(1980, 1, 1, tzinfo=UTC).timestamp()) * 1000,
    max_value=int(datetime(2060, 1, 1, tzinfo=UTC).timestamp()) * 1000,
)
offsets = st.integers(-12 * 60, 14 * 60)
phrases = st.sampled_from(
    [row[0] for row in [*english_table.TABLE, *english_chat_table.TABLE, *chinese_table.TABLE]]
)
_PIECES = (
    "last next this week month Friday May 5 th 2019 ago in since until 3 of the - , . : / two "
    "early Christmas at pm 5pm 12:30 year from to between and before after 年 月 "
    "上 周 前 三 从 到 日 了"
)
pieces = st.sampled_from(_PIECES.split())
texts = st.one_of(st.text(), st.lists(pieces).map(" ".join), st.lists(pieces).map("".join))
numbers = st.integers(0, 6)


@st.composite
def intervals(draw: st.DrawFn) -> TimeSpan:
    start, length = draw(numbers), draw(numbers)
    return TimeSpan(start, start + length, Precision.DAY, TimeSource.STATED)


@given(texts, anchors, offsets)
def test_any_text_is_read_without_a_fault(text: str, anchor: int, offset: int) -> None:
    spans = find_time_spans(text, anchor_ms=anchor, offset_minutes=offset)
    end = 0
    for span in spans:
        assert text[span.phrase_start :].startswith(span.phrase)
        assert span.phrase
        assert span.phrase_start >= end
        end = span.phrase_start + len(span.phrase)


@given(phrases, anchors, offsets)
def test_every_span_can_be_spelled_and_placed(text: str, anchor: int, offset: int) -> None:
    spans = find_time_spans(text, anchor_ms=anchor, offset_minutes=offset)
    for span in spans:
        assert span.start_ms < span.end_ms
        assert spell_span(span)
        assert spell_span(span, "zh")
    validity = validity_from_spans(spans, said_at_ms=anchor, offset_minutes=offset)
    for bound in (validity.start, validity.end):
        if bound and bound.earliest_ms is not None and bound.latest_ms is not None:
            assert bound.earliest_ms <= bound.latest_ms


@given(phrases, anchors, offsets)
def test_a_whole_day_begins_and_ends_at_local_midnight(text: str, anchor: int, offset: int) -> None:
    for span in find_time_spans(text, anchor_ms=anchor, offset_minutes=offset):
        if span.precision in {Precision.MONTH, Precision.YEAR} and span.role == "at":
            if span.phrase.startswith("最近"):
                continue
            assert (span.start_ms + offset * 60_000) % 86_400_000 == 0
            assert (span.end_ms + offset * 60_000) % 86_400_000 == 0


@given(texts, anchors, offsets)
def test_annotation_only_adds(text: str, anchor: int, offset: int) -> None:
    rest = iter(annotate(text, anchor_ms=anchor, offset_minutes=offset))
    assert all(sign in rest for sign in text)


@given(phrases, anchors, offsets, st.integers(-14 * 60, 14 * 60))
def test_the_wall_clock_decides_and_not_the_zone(
    text: str, anchor: int, offset: int, other: int
) -> None:
    shift = (offset - other) * 60_000
    here = find_time_spans(text, anchor_ms=anchor, offset_minutes=offset)
    there = find_time_spans(text, anchor_ms=anchor + shift, offset_minutes=other)
    assert [(span.start_ms + shift, span.end_ms + shift) for span in here] == [
        (span.start_ms, span.end_ms) for span in there
    ]


@given(intervals(), intervals())
def test_exactly_one_relation_holds_and_it_turns_round(a: TimeSpan, b: TimeSpan) -> None:
    assert relation(b, a) is relation(a, b).inverse
    assert relation(a, b).inverse.inverse is relation(a, b)
    assert (relation(a, b) is Relation.EQUALS) == ((a.start_ms, a.end_ms) == (b.start_ms, b.end_ms))


@given(intervals(), intervals(), st.integers(-1000, 1000))
def test_relations_do_not_depend_on_when(a: TimeSpan, b: TimeSpan, shift: int) -> None:
    def moved(span: TimeSpan) -> TimeSpan:
        return TimeSpan(
            span.start_ms + shift, span.end_ms + shift, Precision.DAY, TimeSource.STATED
        )

    assert relation(moved(a), moved(b)) is relation(a, b)


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1)),  # noqa: DTZ001 (a wall clock)
    st.sampled_from(["Europe/Berlin", "Asia/Tokyo", "America/New_York", "Asia/Kolkata", "UTC"]),
)
def test_a_wall_clock_comes_back_unless_it_was_skipped(local: datetime, zone: str) -> None:
    ms, offset = to_utc_ms(local, zone)
    shown = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms, minutes=offset)
    ahead = shown.replace(tzinfo=None) - local.replace(microsecond=local.microsecond // 1000 * 1000)
    assert ahead in {timedelta(0), timedelta(hours=1)}
