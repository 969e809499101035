"""Finds where messages begin in a WhatsApp text: date, clock and the rest of the line."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from apexmem_desktop.importers import missing_years
from apexmem_desktop.importers.odd_heads import ODD_STARTS, usual_head
from apexmem_desktop.importers.phrases import MARKS, SPACES, Phrases, fold, load_phrases
from apexmem_desktop.importers.worded_heads import NO_YEAR, numbered_head

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
_MAY_BEGIN = re.compile(rf"[{SPACES}{MARKS}\[]*+\d|{'|'.join(ODD_STARTS)}")
_FIRST_WORD = re.compile(rf"[{SPACES}{MARKS}\[]*+([^\W\d_]+)")
WORDED = "w"  # stands for the signs between the parts of a date whose month has a name
REFUSED = "?"  # for those of a line that begins no message after all
# A month's name that Croats, and one that their neighbours, understand so: lip, lis, srp.
_CROATIAN = {13: 6, 14: 10, 15: 7}
_THEIR_NEIGHBOURS = {13: 7, 14: 11, 15: 8}
_BUDDHIST_YEARS = 543
_FIRST_BUDDHIST = 52  # 2552 is 2009, the first year of WhatsApp
_MOST_FRAMES = 20_000


class Style(NamedTuple):
    """The way a header is written; a file that changes its format changes this.

    Attributes:
        separator: Between the numbers of the date; ". " where a space follows the dot; WORDED
            where the month has a name.
        capitals: Whether AM and PM are written so, as in the United States.
    """

    bracket: bool
    separator: str
    year_first: bool
    long_year: bool
    clock_first: bool
    capitals: bool


class Stamp(NamedTuple):
    """The date of a header: the way it is written, and its numbers in their order in the file."""

    style: Style
    date: tuple[int, int, int]


Head = tuple[int, int, int, int]
"""Where a message begins: which of the reader's stamps, minute of the day, second (-1 when the
clock shows none), and where in the line the header ends. A bare tuple: there are millions."""


class HeadReader:
    """Reads header lines of one text. What stands around the clock repeats, so it is kept in mind.

    Attributes:
        stamps: All dates met so far, each once.
        has_worded: Whether the month had a name somewhere, or the year was missing.
    """

    def __init__(self) -> None:
        self.stamps: list[Stamp] = []
        self._numbers: dict[Stamp, int] = {}
        self._phrases = load_phrases()
        self._frames: dict[tuple[str, str], tuple[int, str] | None] = {}
        self._minutes: dict[tuple[str, str], int] = {}
        self._years = missing_years.YearCounter()
        self._croatian = False
        self._has_shared_month = self._has_yearless = False
        self.has_worded = False

    def read(self, line: str) -> Head | None:
        """Read a line; None when no message begins in it."""
        found = _HEAD.match(line)
        if found is None:
            # Nearly every other line of a message begins with a letter.
            if _MAY_BEGIN.match(line):
                return self._read_otherwise(line)
            if not _could_end(line):
                return None
            word = _FIRST_WORD.match(line)
            if word is None or word[1].casefold() not in self._phrases.date_beginnings:
                return None
            return self._read_worded(line, usual_head(line))
        hour_at, clock_end, cut = found.start(7), found.end(8), found.end()
        seconds = found[9]
        frame = (line[:hour_at], line[clock_end if seconds is None else found.end(9) : cut])
        known = self._frames.get(frame) or self._frame(frame, found)
        if known is None:
            return None if _torn(found[1], found[11]) else self._read_otherwise(line)
        stamp, period = known
        clock = (line[hour_at:clock_end], period)
        minute = self._minutes.get(clock)
        if minute is None:
            minute = self._minutes[clock] = _minute_of_day(found[7], found[8], period)
        second = -1 if seconds is None else int(seconds)
        return None if minute < 0 or second > 59 else (stamp, minute, second, cut)

    def _frame(self, frame: tuple[str, str], found: re.Match[str]) -> tuple[int, str] | None:
        """Read what stands around the clock; None where it belongs to no header."""
        bracket, a, separator, b, c, before, _, _, _, after, end = found.groups()
        period = None if _torn(bracket, end) else _period(before, after, self._phrases)
        if period is None:
            return None
        if len(self._frames) > _MOST_FRAMES:
            self._frames.clear()
        stamp = self._stamp(_style(bracket, (a, separator, c), after, clock_first=False), (a, b, c))
        self._frames[frame] = (stamp, period)
        return stamp, period

    def _stamp(self, style: Style, date: tuple[str, str, str]) -> int:
        return self._number(Stamp(style, (int(date[0]), int(date[1]), int(date[2]))))

    def _number(self, stamp: Stamp) -> int:
        number = self._numbers.setdefault(stamp, len(self.stamps))
        if number == len(self.stamps):
            self.stamps.append(stamp)
        return number

    def _read_otherwise(self, line: str) -> Head | None:
        if not line[:8].strip(" [\u200e\u200f\ufeff")[:1].isdigit() and line[:4] not in ODD_STARTS:
            return None
        head = self._read_clock_first(line) or self._read_bare(line)
        if head is not None:
            return head
        if not _could_end(line):
            return None
        rewritten = usual_head(line)
        if rewritten != line and (head := self.read(rewritten)) is not None:
            return (*head[:3], head[3] + len(line) - len(rewritten))
        return self._read_worded(line, rewritten)

    def _read_worded(self, line: str, usual: str) -> Head | None:
        """Read a header with a month's name in its date, or without a year."""
        found = numbered_head(usual, self._phrases)
        head = None if found is None else self.read(found.line)
        if found is None or head is None:
            return None
        self.has_worded = True
        style, (a, b, c) = self.stamps[head[0]]
        if found.named:
            style = style._replace(separator=WORDED)
            self._croatian |= found.croatian
            self._has_shared_month |= b in _CROATIAN
        if NO_YEAR in found.line[: head[3]]:
            self._has_yearless = True
            if found.named:
                a = self._years.count(b, c, named=True)
            else:
                c = self._years.count(a, b, named=False)
        # What stands behind the header is the same in both.
        return (
            self._number(Stamp(style, (a, b, c))),
            *head[1:3],
            head[3] + len(line) - len(found.line),
        )

    def settle(self, order: Iterable[int]) -> None:
        """Settle what only a whole text tells: years that are not named, and whose months.

        Args:
            order: The stamps in the order of the text.
        """
        if self._has_shared_month:
            month_of = _CROATIAN if self._croatian else _THEIR_NEIGHBOURS
            self.stamps = [_with_month(stamp, month_of) for stamp in self.stamps]
        if self._has_yearless:
            self.stamps = _with_years(self.stamps, list(order))

    def _read_clock_first(self, line: str) -> Head | None:
        found = _CLOCK_FIRST.match(line)
        if found is None:
            return None
        bracket, hour, minute, second, after, a, separator, b, c, end = found.groups()
        period = _period(None, after, self._phrases)
        if period is None or _torn(bracket, end):
            return None
        style = _style(bracket, (a, separator, c), after, clock_first=True)
        return self._head(style, (a, b, c), (hour, minute, second), period, found.end())

    def _read_bare(self, line: str) -> Head | None:
        found = _BARE.match(line)
        if found is None or (found[7] is None and found[8] is None):
            return None
        a, separator, b, c, hour, minute, second, after = found.groups()
        style = _style("[", (a, separator, c), after, clock_first=False)
        period = fold(after or "")
        return self._head(style, (a, b, c), (hour, minute, second), period, found.end())

    def _head(
        self,
        style: Style,
        date: tuple[str, str, str],
        clock: tuple[str, str, str | None],
        period: str,
        cut: int,
    ) -> Head | None:
        minute = _minute_of_day(clock[0], clock[1], period)
        second = -1 if clock[2] is None else int(clock[2])
        if minute < 0 or second > 59:
            return None
        return self._stamp(style, date), minute, second, cut


def _could_end(line: str) -> bool:
    """Tell quickly whether a header with words in it could end somewhere in a line."""
    return " -" in line or "]" in line or " –" in line or " —" in line


def _with_month(stamp: Stamp, month_of: dict[int, int]) -> Stamp:
    a, b, c = stamp.date
    return Stamp(stamp.style, (a, month_of.get(b, b), c)) if _is_worded(stamp) else stamp


def _is_worded(stamp: Stamp) -> bool:
    return stamp.style.separator == WORDED


def _with_years(stamps: list[Stamp], order: list[int]) -> list[Stamp]:
    """Count the years that are not named from the last back; refuse what begins no message."""
    yearless = [missing_years.is_yearless(stamp.date) for stamp in stamps]
    named = [number for number in order if _is_worded(stamps[number]) or not yearless[number]]
    refused = {
        number
        for number, stamp in enumerate(stamps)
        if yearless[number]
        and not missing_years.are_headers(
            (yearless[one] for one in (named if _is_worded(stamp) else order)),
            named=_is_worded(stamp),
        )
    }
    dates = missing_years.counted_from_last([stamp.date for stamp in stamps])
    return [
        Stamp(stamp.style._replace(separator=REFUSED), (0, 0, 0))
        if number in refused
        else Stamp(stamp.style, numbers)
        for number, (stamp, numbers) in enumerate(zip(stamps, dates, strict=True))
    ]


def _torn(bracket: str | None, end: str) -> bool:
    """Tell a header of which one bracket is missing."""
    return (bracket is None) is (end[0] == "]")


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


def _minute_of_day(hour: str, minute: str, period: str) -> int:
    """Read a clock; -1 for one that no day has."""
    hours = hour_of_day(int(hour), period) if period else int(hour)
    return -1 if hours > 23 or int(minute) > 59 else hours * 60 + int(minute)


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
