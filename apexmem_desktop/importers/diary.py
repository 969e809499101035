"""A diary as plain text or Markdown: a date on a line of its own, or at a line's beginning."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import pairwise
from pathlib import PurePosixPath
from typing import ClassVar

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role
from apexmem_desktop.importers.chat_zones import ChatZones
from apexmem_desktop.importers.decoding import decode, decode_head, looks_binary
from apexmem_desktop.importers.local_clock import Offsets
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item, Opened
from apexmem_desktop.importers.said import Said, to_turns
from apexmem_desktop.importers.written_dates import WrittenDate, decide_order, written_date

_FEWEST_ENTRIES = 2
_MOST_BYTES = 32_000_000  # held whole, with seven bytes for each
_NOON_MINUTE = 12 * 60
_LONGEST_HEADING_CHARS = 120
_MARKS = re.compile(r"(?:\ufeff|\s{0,3}#{1,6}[ \t]+|\*\*|__|=+[ \t]+)?\[{0,2}")
_BEHIND = re.compile(r"\]{0,2}(?:\*\*|__)?[ \t]*(?:#+|=+)?$")
_PARTS_HEADING = re.compile(r"\]{0,2}(?:\*\*|__)?[ \t]*(?:[:：,–—|-][ \t]*)?(?P<rest>\S.*)?$")
_INLINE = re.compile(r"(?:\*\*|__)?[ \t]*(?:[:：]|[–—-][ \t]|\t)[ \t]*(?P<rest>\S.*)$")
_IS_HEADING = re.compile(r"\s{0,3}#{1,6}[ \t]")
_DIVIDER = re.compile(r"\s*(?:[-=*_~#][ \t]*){3,}$")
_TITLE = re.compile(r"\ufeff?#{1,2}[ \t]+(\S.{0,80})")
# A list of changes to a program has dates in its headings, too.
_CHANGES = re.compile(
    r"#{2,4}\s+(?:added|changed|deprecated|removed|fixed|security|bug ?fixes|features)\b", re.I
)
_FEWEST_WORDS = 3
_SCRIPT_WITHOUT_SPACES = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CELLS = re.compile(r"[;,\t|]")


@dataclass(slots=True)
class _Entry:
    """What was written under one date."""

    when: WrittenDate
    line: int
    inline: bool
    lines: list[str]

    @property
    def text(self) -> str:
        """The words, without what only divides them."""
        return "\n".join(one for one in self.lines if not _DIVIDER.match(one)).strip()


class DiaryImporter:
    """One turn an entry; who writes is the user. Where an entry tells no clock it is noon."""

    name: ClassVar[str] = "diary"

    def recognises(self, part: Part) -> bool:
        """Tell by two dated entries at least, and nothing that speaks against a diary."""
        if looks_binary(part.head):
            return False
        lines = decode_head(part.head).splitlines()
        if part.size_bytes > len(part.head) and len(lines) > _FEWEST_ENTRIES:
            lines.pop()
        entries = [entry for entry in _entries(lines) if entry.text]
        if len(entries) < _FEWEST_ENTRIES or any(_CHANGES.match(line) for line in lines):
            return False
        return _one_after_the_other(entries) and not _is_table_or_log(entries)

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Read every diary; the date order is decided once from all dates."""
        zones_chosen = ChatZones(choices)
        diaries = [(part, lines, _entries(lines)) for part, lines in _read(export, parts)]
        dates = [entry.when for _, _, entries in diaries for entry in entries]
        if not dates:
            raise ExportUnreadableError(
                f"{export.file_name} holds no dated entry.",
                hint="Begin each entry with a line that is its date.",
            )
        order, certain = decide_order(dates, choices.date_order)

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            for number, (part, lines, entries) in enumerate(diaries, start=1):
                cancel.check()
                title = _title(part, lines, entries)
                offsets = Offsets(zones_chosen.of(title))
                yield from _conversation(part, lines, entries, title, order, offsets)
                progress(Progress("Reading diaries", number, len(diaries), "files", part.name))

        return Opened(source, zones_chosen.zone, order, certain, wall_clock=True)


def _read(export: Export, parts: tuple[Part, ...]) -> Iterator[tuple[Part, list[str]]]:
    """Read the diaries, which are held whole; what is packed tells its size only while it is."""
    size_bytes = 0
    for part in parts:
        held = bytearray()
        for chunk in part.chunks():
            held += chunk
            size_bytes += len(chunk)
            if size_bytes > _MOST_BYTES:
                raise ExportUnreadableError(
                    f"{export.file_name} is longer than a diary can be here "
                    f"({_MOST_BYTES // 1_000_000} MB).",
                    hint="Cut it into files of a year each, and import one after the other.",
                )
        yield part, decode(bytes(held)).splitlines()


def _title(part: Part, lines: list[str], entries: list[_Entry]) -> str:
    before = lines[: entries[0].line if entries else 0]
    titles = (found[1].strip() for line in before if (found := _TITLE.match(line)))
    return next(titles, "") or PurePosixPath(part.name).stem or "Diary"


def _conversation(
    part: Part,
    lines: list[str],
    entries: list[_Entry],
    title: str,
    order: str,
    offsets: Offsets,
) -> Iterator[Item]:
    said: list[Said] = []
    for entry in entries:
        where = f"{part.name}, line {entry.line + 1}"
        at_ms = _at_ms(entry.when, order, offsets.zone)
        if not entry.text:
            yield ImportProblem(where, "a date with nothing under it")
        elif at_ms is None:
            yield ImportProblem(where, "its date is no day of the calendar; it has no time")
        if entry.text:
            said.append(Said("You", entry.text, at_ms, Role.USER))
    first = entries[0].line if entries else 0
    if any(line.strip() and not _TITLE.match(line) for line in lines[:first]):
        yield ImportProblem(f"{part.name}, line 1", "text before the first date was left out")
    said.sort(key=lambda one: one.at_ms or 0)
    if said:
        yield ImportedConversation("", title, to_turns(said, offsets))


def _at_ms(when: WrittenDate, order: str, zone: str) -> int | None:
    day = when.day(order or "ymd")
    if day is None:
        return None
    minute = _NOON_MINUTE if when.minute is None else when.minute
    local = datetime.combine(day, time()) + timedelta(minutes=minute, seconds=when.second or 0)
    return zones.to_utc_ms(local, zone)[0]


def _entries(lines: list[str]) -> list[_Entry]:
    entries: list[_Entry] = []
    for number, line in enumerate(lines):
        begun = _begun(line, number)
        if begun is not None:
            entries.append(begun)
        elif entries:
            entries[-1].lines.append(line.rstrip())
    return entries


def _begun(line: str, number: int) -> _Entry | None:
    """Read a line that begins an entry."""
    marks = _MARKS.match(line)
    start = marks.end() if marks else 0
    when = written_date(line, start)
    if when is None:
        return None
    if len(line) <= _LONGEST_HEADING_CHARS and _BEHIND.match(line, when.end):
        return _Entry(when, number, False, [])
    if _IS_HEADING.match(line):
        rest = _PARTS_HEADING.match(line, when.end)
        return _Entry(when, number, False, [rest["rest"] or ""]) if rest else None
    inline = _INLINE.match(line, when.end)
    return _Entry(when, number, True, [inline["rest"]]) if inline else None


def _one_after_the_other(entries: list[_Entry]) -> bool:
    """Tell whether the dates go one way, as a diary's do, and are not all of one day."""
    order, _ = decide_order([entry.when for entry in entries], "")
    days = [day for entry in entries if (day := entry.when.day(order or "ymd")) is not None]
    if len(set(days)) < _FEWEST_ENTRIES:
        return False
    back = sum(later < day for day, later in pairwise(days))
    forth = sum(later > day for day, later in pairwise(days))
    return min(back, forth) <= (back + forth) // 4


def _is_table_or_log(entries: list[_Entry]) -> bool:
    """Tell lines that a program wrote: a date before each, and hardly a sentence behind it."""
    inline = [entry for entry in entries if entry.inline]
    if len(inline) < len(entries) / 2:
        return False
    to_the_second = sum(entry.when.second is not None for entry in inline)
    telling = sum(_is_prose(entry.text) for entry in inline)
    cells = {len(_CELLS.findall(entry.lines[0])) for entry in inline}
    is_table = len(inline) > _FEWEST_ENTRIES and len(cells) == 1 and cells != {0}
    return to_the_second > len(inline) / 2 or telling < len(inline) / 2 or is_table


def _is_prose(text: str) -> bool:
    words = [word for word in text.split() if word.strip(".,!?;:'\"").isalpha()]
    return len(words) >= _FEWEST_WORDS or len(_SCRIPT_WITHOUT_SPACES.findall(text)) >= _FEWEST_WORDS
