"""What happened and what is planned as a calendar (RFC 5545); only what has a date."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, timedelta
from pathlib import Path

from apexmem_desktop.domain.graph import Event, Evidence, Fact, Modality
from apexmem_desktop.domain.interval import Bound, Precision
from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.domain.wall import WallClock, clock_of
from apexmem_desktop.services.export_reading import MemoryReader, day_of, moment

_LINE_BYTES = 75
_HEAD = (
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//APEX-MEM Desktop//EN",
    "CALSCALE:GREGORIAN",
)
_TOLD = {Modality.ASSERTED: "CONFIRMED", Modality.PLANNED: "TENTATIVE"}


def write_ics(folder: Path, memory: MemoryReader) -> dict[str, int]:
    """Write the calendar; return how many entries it has, and how many events have no date."""
    counted = {"entries": 0, "without_date": 0}
    with (folder / "memory.ics").open("w", encoding="utf-8", newline="") as file:
        file.writelines(map(folded, _HEAD))
        for entry in _entries(memory):
            counted["entries" if entry else "without_date"] += 1
            file.writelines(map(folded, entry))
        file.write(folded("END:VCALENDAR"))
    return counted


def spell_calendar(name: str, items: Sequence[TimelineItem], now_ms: int) -> tuple[str, int]:
    """Write what happened to one person or thing, and its plans, as a calendar.

    Returns:
        The calendar, and how many entries it has: what has no date is left out.
    """
    made = moment(now_ms)
    stamp = f"DTSTAMP:{made.astimezone(UTC):%Y%m%dT%H%M%SZ}" if made else "DTSTAMP:19700101T000000Z"
    entries = [_item_lines(name, item, stamp) for item in items if not item.denied]
    lines = [*_HEAD, *(line for entry in entries for line in entry), "END:VCALENDAR"]
    return "".join(map(folded, lines)), sum(map(bool, entries))


def _item_lines(name: str, item: TimelineItem, stamp: str) -> list[str]:
    is_event = item.kind == "event"
    number = f"event-{item.event_id}" if is_event else f"fact-{item.fact_id}"
    told = item.label if is_event else f"{name}: {item.lane.replace('_', ' ')} {item.label}"
    status = _TOLD[Modality.PLANNED if item.planned else Modality.ASSERTED]
    more = [stamp, f"DESCRIPTION:{text(_description('', item.evidence))}"]
    end = item.end if is_event or item.planned else None  # else the day on which it began
    return _lines(number, told, _when(item.start, end, clock_of(item.evidence)), status, more)


def _entries(memory: MemoryReader) -> Iterator[list[str]]:
    """Give the lines of each entry; none for what has no date."""
    made = moment(memory.now_ms)
    stamp = f"DTSTAMP:{made.astimezone(UTC):%Y%m%dT%H%M%SZ}" if made else "DTSTAMP:19700101T000000Z"
    for event in memory.events():
        if event.type != "statement" and event.modality in _TOLD:
            yield _event_lines(event, stamp)
    for entity in memory.entities():
        for fact in memory.facts(entity):
            if fact.modality is Modality.PLANNED and fact.polarity:
                yield _plan_lines(fact, stamp)


def _event_lines(event: Event, stamp: str) -> list[str]:
    names = ", ".join(name for _, name, _ in event.participants)
    more = [f"LOCATION:{text(event.place)}"] if event.place else []
    more.append(f"DESCRIPTION:{text(_description(names, event.evidence))}")
    when = _when(event.start, event.end, clock_of(event.evidence))
    status = _TOLD[event.modality]
    return _lines(f"event-{event.id}", event.summary or event.type, when, status, [stamp, *more])


def _plan_lines(fact: Fact, stamp: str) -> list[str]:
    summary = f"{fact.subject}: {fact.property.replace('_', ' ')} {fact.value}"
    more = [stamp, f"DESCRIPTION:{text(_description('', fact.evidence))}"]
    when = _when(fact.valid_from, fact.valid_to, clock_of(fact.evidence))
    return _lines(f"fact-{fact.id}", summary, when, _TOLD[Modality.PLANNED], more)


def _lines(
    number: str, summary: str, when: list[str], status: str, more: Sequence[str]
) -> list[str]:
    if not when:
        return []
    head = ["BEGIN:VEVENT", f"UID:{number}@apexmem", *more]
    return [*head, *when, f"SUMMARY:{text(summary)}", f"STATUS:{status}", "END:VEVENT"]


def _description(names: str, evidence: Sequence[Evidence]) -> str:
    said = [f"{proof.speaker}: “{proof.quote}”" for proof in evidence]
    return "\n".join([names, *said] if names else said)


def _when(start: Bound, end: Bound | None, clock: WallClock) -> list[str]:
    """Give the start and end lines: an instant, or whole days by the clock it was said by."""
    if start.earliest_ms is None:
        return []
    begins = clock.of_bound(start)
    at = moment(start.earliest_ms, begins.offset_at(start.earliest_ms))
    if at is None:
        return []
    if start.precision is Precision.INSTANT:
        # The clock time that was told, without a zone: nine o'clock is nine o'clock.
        return [f"DTSTART:{at:%Y%m%dT%H%M%S}"]
    latest_ms = start.latest_ms if end is None else end.latest_ms or end.earliest_ms
    ends, first = clock.of_bound(end or start), at.date()
    last = max(first, day_of(latest_ms, ends.offset_at(latest_ms)) or first)
    return [f"DTSTART;VALUE=DATE:{first:%Y%m%d}", f"DTEND;VALUE=DATE:{_next(last):%Y%m%d}"]


def _next(day: date) -> date:
    """Give the day after; a calendar's end is the first day that no longer belongs."""
    return day + timedelta(days=1) if day < date.max else day


def text(words: str) -> str:
    """Write words as a value."""
    lines = words.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").splitlines()
    return "\\n".join(lines)


def folded(line: str) -> str:
    """Cut a line at 75 bytes, never inside a sign, as the format wants it."""
    parts, part, room = [], "", _LINE_BYTES
    for sign in line:
        size = len(sign.encode())
        if size > room:
            parts.append(part)
            part, room = "", _LINE_BYTES - 1
        part, room = part + sign, room - size
    return "\r\n ".join([*parts, part]) + "\r\n"
