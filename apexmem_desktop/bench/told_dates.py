"""Reads the date that an answer tells, to judge it against the gold.

Written apart from the program's own time words on purpose: one reader's mistake must not hide the
other's. It knows what LoCoMo's gold answers write, and what answers in English write.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11)}
_NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "2": 2, "3": 3, "4": 4}
# The gold's "week" is loose: "last week" said on a Friday is a calendar week or seven days back.
_LONGEST_WEEK_DAYS = 10

_MONTH = r"(?P<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)",
        r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)\b",
        rf"\b{_DAY}(?: of)? {_MONTH},? {_YEAR}\b",
        rf"\b{_MONTH} {_DAY},? {_YEAR}\b",
        rf"\b(?P<season>spring|summer|autumn|fall)(?: of)? {_YEAR}\b",
        rf"\b{_MONTH},? {_YEAR}\b",
        rf"\b{_DAY}(?: of)? {_MONTH}\b",
        rf"\b{_MONTH} {_DAY}\b",
        rf"\b{_YEAR}\b",
    )
)
_UNIT = r"(?P<unit>weekend|week|day|month|year|" + "|".join(_WEEKDAYS) + r")s?"
_RELATIVE = re.compile(
    rf"(?:(?P<count>a|one|two|three|four|[234]|first|last) )?{_UNIT}"
    r" (?P<way>before|after|of|prior to|following|ending|starting|beginning)(?: on)?(?: the)? $"
)
_BETWEEN = re.compile(r" ?(?:to|and|until|through|till|-|–|—) ?")


@dataclass(frozen=True, slots=True)
class Told:
    """A span of days, both ends included.

    Attributes:
        loose: Whether it was told as a week or a weekend, whose edges nobody means exactly.
        any_year: Whether no year was told; then only month and day count.
    """

    first: date
    last: date
    loose: bool = False
    any_year: bool = False

    @property
    def days(self) -> int:
        """How many days it spans."""
        return (self.last - self.first).days + 1


def read_told(text: str) -> Told | None:
    """Read the first date, with the "week before" in front of it; two joined by "to" are a span."""
    clean = _cleaned(text)
    found = _find(clean, 0)
    if found is None:
        return None
    first, start, end = found
    related = _related(first, clean[:start])
    if related is not None:
        return related
    joint = _BETWEEN.match(clean, end)
    second = _find(clean, joint.end()) if joint else None
    if joint and second is not None and second[1] == joint.end() and second[0].last > first.first:
        return Told(first.first, second[0].last, any_year=second[0].any_year)
    return first


def is_right(gold: str, answer: str) -> bool | None:
    """Tell whether an answer's date lies within the gold's; None when the gold is no date.

    A week or weekend of the gold is met by any span of at most ten days that touches it.
    """
    wanted = read_told(gold)
    if wanted is None:
        return None
    told = read_told(answer)
    if told is None:
        return False
    if wanted.any_year or told.any_year:
        told = _in_year(told, wanted.first.year)
        wanted = _in_year(wanted, wanted.first.year)
    if wanted.loose:
        touches = told.first <= wanted.last and told.last >= wanted.first
        return touches and told.days <= _LONGEST_WEEK_DAYS
    return wanted.first <= told.first and told.last <= wanted.last


def _cleaned(text: str) -> str:
    """Lower case, without odd marks; "21Janury, 2022." becomes "21 janury, 2022"."""
    plain = re.sub(r"[`'\"()\[\]]", "", text.lower())
    plain = re.sub(r"(?<=\d)(?!(?:st|nd|rd|th)\b)(?=[a-z])", " ", plain)
    return re.sub(r"\s+", " ", re.sub(r"(?<=[a-z])\.(?=\d)", " ", plain))


def _find(text: str, at: int) -> tuple[Told, int, int] | None:
    """Find the leftmost date from there on; of several that begin alike, the fullest."""
    best: tuple[Told, int, int] | None = None
    for pattern in _DATES:
        match = pattern.search(text, at)
        if match is None or (best is not None and match.start() >= best[1]):
            continue
        told = _span(match.groupdict())
        if told is not None:
            best = (told, match.start(), match.end())
    return best


def _span(parts: dict[str, str | None]) -> Told | None:
    year, month, day = parts.get("year"), parts.get("month"), parts.get("day")
    if season := parts.get("season"):
        begin, end = _SEASONS[season]
        return Told(date(int(year or 0), begin, 1), _month_end(int(year or 0), end))
    if month is None:
        return Told(date(int(year or 0), 1, 1), date(int(year or 0), 12, 31))
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
    # A leap year, so that 29 February is a day.
    in_year = int(year) if year else 2024
    if not 1 <= number <= 12:
        return None
    if day is None:
        return Told(date(in_year, number, 1), _month_end(in_year, number))
    if not 1 <= int(day) <= monthrange(in_year, number)[1]:
        return None
    on = date(in_year, number, int(day))
    return Told(on, on, any_year=year is None)


def _month_end(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _related(told: Told, before: str) -> Told | None:
    """Read "the week before " in front of a date; None when nothing of the kind stands there."""
    match = _RELATIVE.search(before)
    if match is None:
        return None
    unit, way, count = match["unit"], match["way"], match["count"] or ""
    if way in ("ending", "starting", "beginning"):
        ends = way == "ending"
        days = timedelta(6)
        return (
            Told(told.last - days, told.last, loose=True)
            if ends
            else Told(told.first, told.first + days, loose=True)
        )
    steps = _NUMBERS.get(count, 1)
    if way == "of":
        return _within(told, unit, count)
    sign = -1 if way in ("before", "prior to") else 1
    return _stepped(told.first if sign < 0 else told.last, unit, sign, steps)


def _stepped(day: date, unit: str, sign: int, steps: int) -> Told | None:
    if unit in _WEEKDAYS:
        back = (sign * (_WEEKDAYS.index(unit) - day.weekday()) - 1) % 7 + 1
        on = day + sign * timedelta(back + 7 * (steps - 1))
        return Told(on, on)
    if unit == "day":
        on = day + sign * timedelta(steps)
        return Told(on, on)
    if unit == "week":
        if steps > 1:
            middle = day + sign * timedelta(7 * steps)
            return Told(middle - timedelta(3), middle + timedelta(3), loose=True)
        near, far = day + sign * timedelta(1), day + sign * timedelta(7)
        return Told(min(near, far), max(near, far), loose=True)
    if unit == "weekend":
        wanted = 6 if sign < 0 else 5  # back to a Sunday, on to a Saturday
        near = day + sign * timedelta((sign * (wanted - day.weekday()) - 1) % 7 + 1)
        near += sign * timedelta(7 * (steps - 1))
        other = near + sign * timedelta(1)
        return Told(min(near, other), max(near, other), loose=True)
    return None


def _within(told: Told, unit: str, count: str) -> Told | None:
    """Read "the week of 23 August", "the first weekend of August"."""
    if unit == "weekend" and told.days > 1:
        first = told.first + timedelta((5 - told.first.weekday()) % 7)
        if count == "last":
            first = told.last - timedelta((told.last.weekday() - 5) % 7)
        else:
            first += timedelta(7 * (_NUMBERS.get(count, 1) - 1))
        return Told(first, first + timedelta(1), loose=True)
    if unit == "weekend":
        monday = told.first - timedelta(told.first.weekday())
        # Said of a Monday or Tuesday it is the one just gone.
        saturday = monday - timedelta(2) if told.first.weekday() < 2 else monday + timedelta(5)
        return Told(saturday, saturday + timedelta(1), loose=True)
    if unit == "week" and told.days == 1:
        monday = told.first - timedelta(told.first.weekday())
        return Told(monday, monday + timedelta(6), loose=True)
    return None


def _in_year(told: Told, year: int) -> Told:
    try:
        return Told(told.first.replace(year=year), told.last.replace(year=year), told.loose)
    except ValueError:  # 29 February
        return told
