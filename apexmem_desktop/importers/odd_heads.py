"""Headers that some languages write with words in them, rewritten as others write them.

Only what stands before the message is touched, and only in lines that are no header as they are.
"""

import re
from collections.abc import Callable

ODD_STARTS = ("lúc ", "Lúc ")
BEFORE = re.compile(r"[^\]\n]{6,64}?(?:\]| [-–—](?= |$))")
_SPACE = "[ \u00a0\u202f\u200e\u200f]*+"
_Instead = str | Callable[[re.Match[str]], str]
_REWRITTEN: tuple[tuple[re.Pattern[str], _Instead], ...] = (
    # Canada: "15 h 05", "15 h 05 min 22 s"
    (
        re.compile(
            rf"(\d{{1,2}}){_SPACE}h{_SPACE}(\d{{2}})"
            rf"(?:{_SPACE}min(?:{_SPACE}(\d{{1,2}}){_SPACE}s)?)?(?!\w)"
        ),
        lambda found: ":".join(part.zfill(2) for part in found.groups() if part),
    ),
    # Korea and Japan: "2024년 3월 14일"
    (re.compile(r"(\d{4})년 ?(\d{1,2})월 ?(\d{1,2})일"), r"\1. \2. \3."),
    # The day of the week behind the date
    (re.compile(rf"(?<=\d){_SPACE}[(（][^\W\d]{{1,12}}\.?[)）]"), ""),
    # Words for "year", "o'clock" and the calendar
    (
        re.compile(rf"(?<=\d){_SPACE}(?:ч\.|น\.|Uhr|год[аи]?|BE|AH|AP|هـ|ه‍ـ|hod\.|val\.?)(?!\w)"),
        "",
    ),
    # Fractions of a second, as some tools keep them; and the zone
    (re.compile(r"(:\d{2}:\d{2})[.,]\d{1,6}(?!\d)"), r"\1"),
    (re.compile(rf"{_SPACE}\((?:UTC|GMT)[+-]?[\d:]{{0,5}}\)"), ""),
    (re.compile("^[Ll]úc "), ""),
)


def usual_head(line: str) -> str:
    """Rewrite a line's header without the words; the line as it is where there are none."""
    found = BEFORE.match(line)
    if found is None:
        return line
    head = found[0]
    for pattern, instead in _REWRITTEN:
        head = pattern.sub(instead, head, count=1)
    return head + line[found.end() :]
