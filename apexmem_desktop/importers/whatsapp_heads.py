"""Finds where messages begin in a WhatsApp text: date, clock and the rest of the line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from apexmem_desktop.importers.odd_heads import ODD_STARTS, usual_head
from apexmem_desktop.importers.phrases import MARKS, SPACES, Phrases, fold, load_phrases

# Nothing is given back of these, or a line of many spaces would take forever.
_W = f"[{SPACES}{MARKS}]*+"
_S = f"[{SPACES}{MARKS}]"
# Letters of a word for the half of the day, the signs on them in Indic scripts included.
_WORD = (
    "(?:[^\\W\\d_](?:[^\\W\\d_]|[.·'’״\"\u0300-\u036f\u0610-\u061a\u064b-\u065f"
    f"\u0900-\u0e4f\u0eb0-\u0ecd\u1000-\u109f\u1780-\u17d3{SPACES}{MARKS}]){{0,24}})"
)
_DATE = (
    rf"(\d{{4}}|\d{{1,2}}){_W}([./\-年]{_W})(\d{{1,2}}){_W}[./\-月]{_W}(\d{{4}}|\d{{1,2}})(?!\d)"
)
_CLOCK = r"(\d{1,2})[:.٫h](\d{2})(?!\d)(?:[:.](\d{2}))?"
_HEAD = re.compile(
    rf"{_W}(\[)?{_W}{_DATE}(?:{_W}日|\.)?{_W}[,،、]?{_W}"
    rf"({_WORD}[,،]?)??{_W}{_CLOCK}{_W}({_WORD}(?<![{SPACES}]))??{_W}"
    rf"(\]{_W}:?|[-–—](?={_S}|$)|:(?={_S})){_W}"
)
# Some languages write the clock before the date: "15:12, 05/01/24 - Ana: …".
_CLOCK_FIRST = re.compile(
    rf"{_W}(\[)?{_W}{_CLOCK}{_W}({_WORD}(?<![{SPACES}]))??{_W}[,،、]?{_W}{_DATE}"
    rf"{_W}(\]{_W}:?|[-–—](?={_S}|$)){_W}"
)
# Seen where a tool took the brackets away; strict, or any dated line of a text would begin one.
_BARE = re.compile(rf"{_W}{_DATE},{_W}{_CLOCK}{_W}([AaPp]\.?[Mm]\.?)?{_S}+(?=[^:\n]{{1,40}}: )")
_BUDDHIST_YEARS = 543
_FIRST_BUDDHIST = 52  # 2552 is 2009, the first year of WhatsApp


class Style(NamedTuple):
    """The way a header is written; a file that changes its format changes this.

    Attributes:
        separator: Between the numbers of the date; ". " where a space follows the dot.
        capitals: Whether AM and PM are written so, as in the United States.
    """

    bracket: bool
    separator: str
    year_first: bool
    long_year: bool
    clock_first: bool
    capitals: bool


@dataclass(slots=True)
class Head:
    """Where a message begins.

    Attributes:
        line: Number of the line, from 0.
        date: The three numbers of the date in their order in the file.
        minute: Minute of the day.
        second: None when the clock shows none.
        rest: What stands behind the header in the line.
    """

    line: int
    style: Style
    date: tuple[int, int, int]
    minute: int
    second: int | None
    rest: str


def find_heads(lines: list[str]) -> Iterator[Head]:
    """Find the header lines among the lines of a text."""
    phrases = load_phrases()
    for number, line in enumerate(lines):
        if (head := _read_head(number, line, phrases)) is not None:
            yield head


def _read_head(number: int, line: str, phrases: Phrases) -> Head | None:
    if (found := _HEAD.match(line)) is not None:
        bracket, a, separator, b, c, before, hour, minute, second, after, end = found.groups()
        if (bracket is None) is (end[0] == "]"):
            return None
        period = _period(before, after, phrases)
        if period is not None:
            style = _style(bracket, (a, separator, c), after, clock_first=False)
            rest = line[found.end() :]
            return _head(number, style, (a, b, c), (hour, minute, second), period, rest)
    if not line[:8].strip(" [\u200e\u200f\ufeff")[:1].isdigit() and line[:4] not in ODD_STARTS:
        return None
    head = _read_clock_first(number, line, phrases) or _read_bare(number, line)
    if head is None and (rewritten := usual_head(line)) != line:
        return _read_head(number, rewritten, phrases)
    return head


def _read_clock_first(number: int, line: str, phrases: Phrases) -> Head | None:
    found = _CLOCK_FIRST.match(line)
    if found is None:
        return None
    bracket, hour, minute, second, after, a, separator, b, c, end = found.groups()
    period = _period(None, after, phrases)
    if period is None or (bracket is None) is (end[0] == "]"):
        return None
    style = _style(bracket, (a, separator, c), after, clock_first=True)
    return _head(number, style, (a, b, c), (hour, minute, second), period, line[found.end() :])


def _read_bare(number: int, line: str) -> Head | None:
    found = _BARE.match(line)
    if found is None or (found[7] is None and found[8] is None):
        return None
    a, separator, b, c, hour, minute, second, after = found.groups()
    style = _style("[", (a, separator, c), after, clock_first=False)
    period = fold(after or "")
    return _head(number, style, (a, b, c), (hour, minute, second), period, line[found.end() :])


def _period(before: str | None, after: str | None, phrases: Phrases) -> str | None:
    """Tell the half of the day, "" for a 24-hour clock, None for words that do not belong here."""
    period = ""
    if before:
        word = fold(before.rstrip(",،"))
        if word not in phrases.clock_words:
            found = phrases.periods.get(word) or _behind_clock_word(before, phrases)
            if found is None:
                return None
            period = found
    if after:
        return phrases.periods.get(fold(after))
    return period


def _behind_clock_word(words: str, phrases: Phrases) -> str | None:
    first, _, rest = words.partition(" ")
    if fold(first) in phrases.clock_words:
        return phrases.periods.get(fold(rest))
    return None


def _style(
    bracket: str | None, date: tuple[str, str, str], after: str | None, *, clock_first: bool
) -> Style:
    return _known_style(
        bracket is not None,
        len(date[0]) == 4,
        date[1],
        len(date[2]) == 4,
        clock_first,
        after in ("AM", "PM"),
    )


@lru_cache(maxsize=256)
def _known_style(  # keeps the few styles of a file as one object each
    bracket: bool,
    year_first: bool,
    separator: str,
    long_year: bool,
    clock_first: bool,
    capitals: bool,
) -> Style:
    dotted = ". " if separator.startswith(".") and len(separator) > 1 else separator[0]
    return Style(bracket, dotted, year_first or dotted == "年", long_year, clock_first, capitals)


def _head(
    number: int,
    style: Style,
    date: tuple[str, str, str],
    clock: tuple[str, str, str | None],
    period: str,
    rest: str,
) -> Head | None:
    hour, minute, second = int(clock[0]), int(clock[1]), clock[2]
    if period:
        hour = hour_of_day(hour, period)
    if hour > 23 or minute > 59 or (second is not None and int(second) > 59):
        return None
    numbers = _numbers(date)
    at_second = int(second) if second is not None else None
    return Head(number, style, numbers, hour * 60 + minute, at_second, rest)


@lru_cache(maxsize=64)
def _numbers(date: tuple[str, str, str]) -> tuple[int, int, int]:
    return int(date[0]), int(date[1]), int(date[2])


def hour_of_day(hour: int, period: str) -> int:
    """Turn an hour of a 12-hour clock and "am", "pm", "noon" or "night" into one of 24."""
    if hour > 12:
        return hour  # a 24-hour clock with a word for the half of the day beside it
    if period == "am":
        return hour % 12
    if period == "pm":
        return hour % 12 + 12
    if period == "noon":
        return hour if hour in (10, 11, 12) else hour + 12
    return hour % 12 if hour in (12, 1, 2, 3, 4, 5) else hour + 12


def full_year(year: int) -> int:
    """Complete a two-digit year, and turn a Buddhist one (2567) into ours (2024)."""
    if year < 100:
        # No chat is of 2067: that is the Buddhist 2567.
        return 2000 + year if year < _FIRST_BUDDHIST else 2500 + year - _BUDDHIST_YEARS
    return year - _BUDDHIST_YEARS if 2440 < year < 2700 else year
