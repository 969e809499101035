"""What relative time words mean, by plain rules: the judge of the dates that a build worked out.

Written apart from the program's own time words, and knowing fewer: what it does not know, it does
not judge.
"""

import re
from datetime import date, timedelta

from apexmem_desktop.bench.told_dates import Told

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_DAYS = {"today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
         "yesterday": -1, "last night": -1, "tomorrow": 1, "the day before yesterday": -2,
         "the day after tomorrow": 2}  # fmt: skip
_AGO = re.compile(r"(\d+|[a-z]+) (day|week|month|year)s? ago")
_LAST_NEXT = re.compile(rf"(last|next|this) (week|month|year|{'|'.join(_WEEKDAYS)})")
_SLACK_DAYS = {"day": 0, "week": 3, "month": 16, "year": 183}


def meaning(phrase: str, said_on: date) -> Told | None:
    """Return the days that a phrase may mean, said on a day; None for what is not judged."""
    plain = " ".join(phrase.lower().split()).removeprefix("on ").removeprefix("since ")
    if plain in _DAYS:
        on = said_on + timedelta(_DAYS[plain])
        return Told(on, on)
    if ago := _AGO.fullmatch(plain):
        return _ago(ago[1], ago[2], said_on)
    if found := _LAST_NEXT.fullmatch(plain):
        sign = {"last": -1, "this": 0, "next": 1}[found[1]]
        return _stepped(found[2], sign, said_on)
    return None


def agrees(first: date, last: date, phrase: str, said_on: date) -> bool | None:
    """Tell whether a stored span touches what its words mean; None when that is not judged."""
    meant = meaning(phrase, said_on)
    if meant is None:
        return None
    return first <= meant.last and last >= meant.first


def _ago(count: str, unit: str, said_on: date) -> Told | None:
    number = int(count) if count.isdigit() else _NUMBERS.get(count)
    if number is None:
        return None
    days = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}[unit]
    middle = said_on - timedelta(round(number * days))
    slack = timedelta(_SLACK_DAYS[unit])
    return Told(middle - slack, middle + slack)


def _stepped(unit: str, sign: int, said_on: date) -> Told | None:
    if unit in _WEEKDAYS:
        return _weekday(unit, sign, said_on) if sign else None
    if unit == "week":
        monday = said_on - timedelta(said_on.weekday()) + timedelta(7 * sign)
        return Told(monday, monday + timedelta(6))
    if unit == "month":
        months = said_on.year * 12 + said_on.month - 1 + sign
        first = date(months // 12, months % 12 + 1, 1)
        after = date((months + 1) // 12, (months + 1) % 12 + 1, 1)
        return Told(first, after - timedelta(1))
    year = said_on.year + sign
    return Told(date(year, 1, 1), date(year, 12, 31))


def _weekday(unit: str, sign: int, said_on: date) -> Told:
    """Step to the nearest such weekday; of one or two days off, the week beyond may be meant too.

    "Last Friday" said on a Saturday is yesterday to some and eight days ago to others.
    """
    days = (sign * (_WEEKDAYS.index(unit) - said_on.weekday()) - 1) % 7 + 1
    near = said_on + timedelta(sign * days)
    far = near + timedelta(7 * sign) if days <= 2 else near
    return Told(min(near, far), max(near, far))
