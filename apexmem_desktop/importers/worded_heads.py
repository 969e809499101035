"""Headers whose date has a month's name in it, or no year, rewritten as others write them.

Old phones named the month, and left out the year while it was the current one:
"14:05, 12 Mar - Ana: …". Only what stands before the message is touched, and only in lines that
are no header as they are.
"""

import re
from typing import NamedTuple

from apexmem_desktop.importers.odd_heads import BEFORE
from apexmem_desktop.importers.phrases import MARKS, SPACES, Phrases, fold

NO_YEAR = "0000"
_CLOCK = re.compile(r"(?<!\d)\d{1,2}[:٫]\d{2}(?::\d{2})?(?!\d)")
_OTHER_CLOCK = re.compile(r"(?<!\d)\d{1,2}[.h]\d{2}(?:\.\d{2})?(?!\d)")
_OPENING = re.compile(rf"[{SPACES}{MARKS}]*\[?[{SPACES}{MARKS}]*")
_CLOSING = re.compile(rf"[{SPACES}{MARKS}]*[\]\-–—]$")
_NUMBERS = re.compile(r"(\d+)")
_TOKENS = re.compile(rf"[^{SPACES}{MARKS},،、/()\-–]+")
_NUMBER_SIGNS = ("/", ".", "-")
_ELIDED = ("d'", "d’")
# What may stand before, between and behind the parts of a date without telling anything.
_FILLER_WORDS = (
    "de of del da di d the den st nd rd th er º ª ° a e è ng ika m г год года р року ж el le il la"
    " i gada eko ko o го ві an urteko ngày năm yil жыл y r roku"
)
_FILLERS = frozenset(_FILLER_WORDS.split())
_NUMBERED_MONTHS = frozenset(("tháng", "thg"))
_MOST_WORDS = 3


class Worded(NamedTuple):
    """A header rewritten.

    Attributes:
        line: The line with its date in numbers; its year is NO_YEAR where there is none.
        named: Whether the month had a name.
        croatian: Whether that name is one that only Croats have.
    """

    line: str
    named: bool
    croatian: bool


class _Date(NamedTuple):
    numbers: str
    named: bool
    croatian: bool
    rest: str  # words behind it, such as that for the half of the day


def begins_with_date_word(word: str, phrases: Phrases) -> bool:
    """Tell whether a line's first word is that of a month or a day of the week."""
    return word.casefold() in phrases.date_beginnings


def numbered_head(line: str, phrases: Phrases) -> Worded | None:
    """Rewrite a line's header; None where it is none, or needs no rewriting."""
    found = BEFORE.match(line)
    if found is None:
        return None
    head = found[0]
    clock = _CLOCK.search(head) or _OTHER_CLOCK.search(head)
    closing = _CLOSING.search(head)
    opening = _OPENING.match(head)
    if clock is None or closing is None or opening is None:
        return None
    before, after = head[opening.end() : clock.start()], head[clock.end() : closing.start()]
    if before.strip(f"{SPACES}{MARKS}"):
        date = _date(before, phrases)
        behind = after
    else:
        period, comma, words = after.partition(",")
        date = _date(words if comma else after, phrases)
        behind = period if comma else ""
    if date is None:
        return None
    head = f"{opening[0]}{date.numbers}, {date.rest} {clock[0]}{behind}{closing[0]}"
    return Worded(head + line[found.end() :], date.named, date.croatian)


def _date(text: str, phrases: Phrases) -> _Date | None:
    """Read a date of one to three numbers and words between them."""
    pieces = _NUMBERS.split(text)
    numbers, gaps = pieces[1::2], pieces[0::2]
    if not 1 <= len(numbers) <= 3:
        return None
    words = [[token for token in _TOKENS.findall(gap) if fold(token)] for gap in gaps]
    if any(fold(word) in _NUMBERED_MONTHS for word in words[1]):
        return _numbered(numbers, words)
    if len(numbers) == 2 and gaps[1].strip(f"{SPACES}{MARKS}") in _NUMBER_SIGNS:
        return _yearless(numbers, gaps[1].strip(f"{SPACES}{MARKS}"), words, phrases)
    return _named(numbers, words, phrases)


def _yearless(
    numbers: list[str], sign: str, words: list[list[str]], phrases: Phrases
) -> _Date | None:
    """Read "12/3"."""
    if len(numbers[0]) > 2 or len(numbers[1]) > 2 or not _are_weekdays(words[0], phrases):
        return None
    return _Date(
        f"{numbers[0]}{sign}{numbers[1]}{sign}{NO_YEAR}", False, False, _rest(words[2], phrases)
    )


def _numbered(numbers: list[str], words: list[list[str]]) -> _Date | None:
    """Read "12 tháng 3, 2021", as the Vietnamese write it."""
    if len(numbers) < 2:
        return None
    year = int(numbers[2]) if len(numbers) > 2 else 0
    return _dated(year, int(numbers[1]), numbers[0], False, " ".join(words[len(numbers)]))


def _named(numbers: list[str], words: list[list[str]], phrases: Phrases) -> _Date | None:
    """Read "12 Mar 2021", "March 12, 2021" or "2021. márc. 12."."""
    if len(numbers) > 2:
        return None
    between = _month(words[1], phrases)
    if between is not None:
        month, croatian, left = between
        if len(numbers[0]) == 4:  # the year comes first
            if len(numbers) < 2:
                return None
            day, year, last = numbers[1], numbers[0], words[2]
            if last and fold(last[0]) == "d":  # Lithuanian for "day"; elsewhere a half of the day
                last = last[1:]
        else:
            day, year = numbers[0], numbers[1] if len(numbers) > 1 else ""
            last = words[2] if year else left
        if not _are_weekdays(words[0], phrases) or (len(numbers) > 1 and not _is_filling(left)):
            return None
        return _dated(_year(year), month, day, croatian, _rest(last, phrases))
    before = _month(words[0], phrases)
    if before is None or (len(numbers) > 1 and not _is_filling(words[1])):
        return None
    month, croatian, left = before
    year = numbers[1] if len(numbers) > 1 else ""
    if not _is_filling(left):
        return None
    return _dated(_year(year), month, numbers[0], croatian, _rest(words[len(numbers)], phrases))


def _year(digits: str) -> int:
    """Complete a year; -1 for what is none, 0 where there is none."""
    if not digits:
        return 0
    return int(digits) if len(digits) == 4 else 2000 + int(digits) if len(digits) == 2 else -1


def _dated(year: int, month: int, day: str, croatian: bool, rest: str) -> _Date | None:
    other, month = divmod(month, 100)
    if year < 0 or len(day) > 2 or (other and not year):
        return None  # a month of another calendar needs its year
    return _Date(f"{year:04}-{month:02}-{int(day):02}", True, croatian, rest)


def _month(words: list[str], phrases: Phrases) -> tuple[int, bool, list[str]] | None:
    """Find a month's name, and what stands behind it."""
    for at, word in enumerate(words):
        for count in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            name = "".join(words[at : at + count])
            month = phrases.months.get(fold(name[2:] if name.startswith(_ELIDED) else name))
            if month is not None:
                return month, fold(name) in phrases.croatian, words[at + count :]
        if fold(word) not in _FILLERS and fold(word) not in phrases.weekdays:
            return None
    return None


def _are_weekdays(words: list[str], phrases: Phrases) -> bool:
    # "mar" is March to some and Tuesday to others.
    return (
        all(
            fold(word) in _FILLERS or fold(word) in phrases.weekdays or fold(word) in phrases.months
            for word in words
        )
        or fold("".join(words)) in phrases.weekdays
    )


def _is_filling(words: list[str]) -> bool:
    return all(fold(word) in _FILLERS for word in words)


def _rest(words: list[str], phrases: Phrases) -> str:
    """Give the words for the half of the day; those for "at" go."""
    return " ".join(
        word
        for word in words
        if fold(word) in phrases.periods
        or (fold(word) not in _FILLERS and fold(word) not in phrases.clock_words)
    )
