"""What the tables of this room are written in: local times, told shortly."""

from datetime import UTC, datetime, timedelta, timezone

from apexmem_desktop.chronology.words import find_time_spans, parse_time_phrase
from apexmem_desktop.domain.interval import TimeSpan

FRIDAY = "2023-06-09T15:00"  # the anchor of most rows: a Friday afternoon in June
OFFSET = 120


def anchor_ms(local: str = FRIDAY, offset_minutes: int = OFFSET) -> int:
    """The instant at which a wall clock with this offset shows a local time."""
    zone = timezone(timedelta(minutes=offset_minutes))
    moment = datetime.fromisoformat(local).replace(tzinfo=zone)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def find(text: str, at: str = FRIDAY, language: str = "") -> list[TimeSpan]:
    """Find the spans of a text said at a local time."""
    return find_time_spans(text, anchor_ms=anchor_ms(at), offset_minutes=OFFSET, language=language)


def parse(phrase: str, at: str = FRIDAY, language: str = "") -> TimeSpan | None:
    """Read a phrase said at a local time."""
    return parse_time_phrase(
        phrase, anchor_ms=anchor_ms(at), offset_minutes=OFFSET, language=language
    )


def told(span: TimeSpan) -> str:
    """Write a span as "2023-06-08" (one local day) or "start..end", end exclusive."""
    zone = timezone(timedelta(minutes=span.offset_minutes))
    start, end = (datetime.fromtimestamp(ms / 1000, zone) for ms in (span.start_ms, span.end_ms))
    shown = f"{_short(start)}..{_short(end)}"
    if end - start == timedelta(days=1) and start.hour == 0:
        shown = _short(start)
    elif end - start == timedelta(minutes=1):
        shown = _short(start) + "!"
    return shown if span.role == "at" else f"{span.role} {shown}"


def _short(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d" if moment.hour == moment.minute == 0 else "%Y-%m-%dT%H:%M")
