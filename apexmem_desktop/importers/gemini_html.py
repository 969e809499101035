"""Google's "My Activity" as a page: what was asked, when, and the answer."""

import re
from collections.abc import Iterator
from datetime import datetime, time, timedelta

from apexmem_desktop.chronology import zones
from apexmem_desktop.importers.decoding import decode_head
from apexmem_desktop.importers.html_text import to_text
from apexmem_desktop.importers.json_importer import Meter
from apexmem_desktop.importers.parts import Part, damaged
from apexmem_desktop.importers.text_lines import read_text
from apexmem_desktop.importers.written_dates import WrittenDate, decide_order, written_date

_CELL = re.compile(r"<div class=\"outer-cell\b")
_PRODUCT = re.compile(r"mdl-typography--title\">([^<]{1,200})")
_CONTENT = re.compile(r"<div class=\"content-cell [^\"]*\bmdl-typography--body-1[^\"]*\">")
_LONGEST_CELL_CHARS = 20_000_000
_IS_GEMINI = re.compile(r"Gemini|Bard")
_FILE = re.compile(r"- (\S.*)")
_ATTACHED = re.compile(r"Attached \d+ files?\.?")
_NUMBERED_ZONE = re.compile(r"\s*(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?\b")
_NAMED_ZONE = re.compile(r"\s*([A-Z]{1,5})\b")
_ZONE_HOURS = {
    "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MEZ": 1, "CEST": 2,
    "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7,
    "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10, "BRT": -3, "JST": 9,
    "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}  # fmt: skip
_Found = tuple[str, str, int | None, tuple[str, ...]]


def is_activity_page(head: bytes) -> bool:
    """Tell a page of activities with Gemini among them."""
    if b"<html" not in head[:2000].lower() or b"mdl-" not in head:
        return False
    text = decode_head(head)
    return any(_IS_GEMINI.search(found[1]) for found in _PRODUCT.finditer(text))


def html_activities(part: Part, zone: str, meter: Meter) -> Iterator[_Found]:
    """Give question, answer, time and files of each activity.

    Args:
        zone: For a clock whose zone's name says no offset.
    """
    order, _ = decide_order([when for _, _, when in _dated_cells(part) if when is not None], "")
    meter.read(part.size_bytes)
    for lines, number, when in _dated_cells(part):
        meter.tick()
        question = [line for line in lines[:number] if line]
        files = tuple(found[1] for line in question if (found := _FILE.match(line)))
        marked = next((n for n, line in enumerate(question) if _ATTACHED.fullmatch(line)), None)
        if marked is None:
            files = ()
        asked = "\n".join(question[:marked])
        answer = "\n".join(lines[number + 1 :]).strip()
        at_ms = _at_ms(when, lines[number], order, zone) if when is not None else None
        yield asked, answer, at_ms, files


def _dated_cells(part: Part) -> Iterator[tuple[list[str], int, WrittenDate | None]]:
    for cell in _cells(part):
        product = _PRODUCT.search(cell)
        if product is not None and _IS_GEMINI.search(product[1]):
            lines = _lines(cell)
            yield (lines, *_dated(lines))


def _cells(part: Part) -> Iterator[str]:
    """Give the cells of a page one by one, which may be all of one line.

    Raises:
        ExportUnreadableError: One has no end.
    """
    kept, is_in_cell = "", False
    for text in read_text(part):
        *whole, kept = _CELL.split(kept + text)
        for cell in whole:
            if is_in_cell:
                yield cell
            is_in_cell = True
        if len(kept) > _LONGEST_CELL_CHARS:
            raise damaged(part.name)
    if is_in_cell:
        yield kept


def _lines(cell: str) -> list[str]:
    """Take the middle of a cell; its edge tells of products and settings."""
    begins = _CONTENT.search(cell)
    if begins is None:
        return []
    rest = cell[begins.end() :]
    ends = rest.find('<div class="content-cell ')
    return to_text(rest[:ends] if ends >= 0 else rest).split("\n")


def _dated(lines: list[str]) -> tuple[int, WrittenDate | None]:
    """Find the line that is a date with a clock; without one all is the question."""
    for number, line in enumerate(lines):
        when = written_date(line)
        if when is not None and when.minute is not None and len(line) - when.end < 40:
            return number, when
    return len(lines), None


def _at_ms(when: WrittenDate, line: str, order: str, zone: str) -> int | None:
    day = when.day(order or "ymd")
    if day is None or when.minute is None:
        return None
    clock = timedelta(minutes=when.minute, seconds=when.second or 0)
    local = datetime.combine(day, time()) + clock
    offset = _offset(line[when.end :])
    if offset is None:
        return zones.to_utc_ms(local, zone)[0]
    return zones.to_utc_ms(local - offset, "UTC")[0]


def _offset(text: str) -> timedelta | None:
    if found := _NUMBERED_ZONE.match(text):
        offset = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
        return -offset if found[1] == "-" else offset
    named = _NAMED_ZONE.match(text)
    hours = _ZONE_HOURS.get(named[1]) if named else None
    return None if hours is None else timedelta(hours=hours)
