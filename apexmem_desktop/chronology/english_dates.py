"""Dates that stand by themselves in English: 9 June 2023, March, 2019, the 90s, Christmas."""

import re
from datetime import date, timedelta

from apexmem_desktop.chronology.clock import Clock, Stretch
from apexmem_desktop.chronology.english_words import (
    DAY_PARTS,
    DECADES,
    DOUBTFUL_MONTHS,
    DOUBTFUL_WEEKDAYS,
    EDGES,
    FEASTS,
    MONTHS,
    ORDINALS,
    PLACING_WORDS,
    REPEATING_WORDS,
    SEASONS,
    UNITS,
    WEEKDAYS,
)
from apexmem_desktop.chronology.nearest import month_with_day, nearest_year, weekday_bare
from apexmem_desktop.chronology.sentence import Reading, Sentence

_DEICTIC = {"this", "last", "next", "past", "coming", "previous", "early", "mid", "late"}
_HAPPENING = {"was", "is", "were", "has", "had", "will", "feels", "felt"}
# "the 5th floor" is no date; what may follow a date is a mark, the end, or one of these.
_AFTER_ORDINAL = {
    "", "and", "or", "at", "in", "to", "for", "but", "if", "with", "so", "because", "from",
    "until", "till", "when", "since", "we", "i", "he", "she", "they", "you", "it", "then", "too",
    "as", "this", "that", "my", "our", "of", "was", "is", "around", "after", "before",
}  # fmt: skip
_ALSO_OF_NUMBERS = {"about", "around", "over", "at", "for", "to", "through"}
_NOT_YEARS = {
    "people", "steps", "dollars", "euros", "pounds", "bucks", "calories", "words", "miles", "km",
    "kilometers", "kilometres", "meters", "metres", "m", "ft", "feet", "kg", "lbs", "hours", "days",
    "weeks", "months", "years", "pieces", "points", "users", "items", "followers", "students",
    "units", "mb", "gb", "kcal", "ml", "sqft", "members", "guests", "books", "copies", "times",
    "votes", "pages", "lines", "rpm", "watts", "w", "hz", "mah", "nits", "or", "of", "/",
}  # fmt: skip


def numeric_date(s: Sentence, i: int) -> Reading | None:
    """Read 2023-06-09, 2023/6/9 or 9/6/2023; a two-digit year is refused (issue 37)."""
    if s.at(i).kind != "date":
        return None
    a, b, c = (int(part) for part in re.split(r"[-/.]", s.word(i)))
    if a > 31:
        year, month, day = a, b, c
    else:
        year, month, day = (c, a, b) if b > 12 else (c, b, a)
    j = i + 1
    if re.fullmatch(r"t\d+", s.word(j)) or s.word(j) == "t":
        j += 1
    return s.clock.day(date(year, month, day)).as_stated(), j


def year_number(s: Sentence, i: int) -> int | None:
    """Read four digits as a year, if they can be one."""
    token = s.at(i)
    if token.kind == "shortyear":  # the mark says that it is a year: "May '23"
        return int(token.word[1:]) + (2000 if int(token.word[1:]) < 50 else 1900)
    if token.kind == "number" and len(token.word) == 4 and token.word.isdigit():
        year = int(token.word)
        return year if 1900 <= year <= 2100 else None
    return None


def day_number(s: Sentence, i: int) -> int | None:
    """Read 1..31 as digits or with an ending ("5", "5th", "fifth")."""
    token = s.at(i)
    number = 0
    if token.kind == "ordinal":
        number = int(token.word[:-2])
    elif token.kind == "number" and token.word.isdigit() and len(token.word) <= 2:
        number = int(token.word)
    elif token.word in ORDINALS:
        number = ORDINALS[token.word]
    return number if 1 <= number <= 31 else None


def year(s: Sentence, i: int) -> Reading | None:
    """Read a year that a word before or after it makes one: "in 2019", "2019 was hard"."""
    number = year_number(s, i)
    if number is None or (s.word(i + 1) in _NOT_YEARS and s.word(i - 1) != "in"):
        return None
    before = s.word(i - 1)
    placed = before in PLACING_WORDS | _DEICTIC | {"year"}
    if before == "of":
        placed = s.word(i - 2) in {*EDGES, *UNITS, "half", "quarter"}
    counted = s.word(i + 1) in {"to", "-", "–", "and"} and s.at(i + 2).kind == "number"
    if counted and year_number(s, i + 2) is None:  # "from 2000 to 3000 steps"
        return None
    if before in _ALSO_OF_NUMBERS and s.at(i + 1).kind == "word":
        placed = s.word(i + 1) in _AFTER_ORDINAL  # "around 2000 friends" is none
    if before in {"-", "–", "and"}:
        placed = year_number(s, i - 2) is not None or s.word(i - 2) in _DEICTIC
    happening = i == 0 and s.word(i + 1) in _HAPPENING
    if not (placed or happening or s.alone or _bare_range(s, i)):
        return None
    return s.clock.year(number).as_stated(), i + 1


NOW_WORDS = {"now", "present"}  # what a range runs up to that has not ended
_DASHES = {"-", "–", "—"}


def _bare_range(s: Sentence, i: int) -> bool:
    following = year_number(s, i + 2)
    number = year_number(s, i)
    dash = s.word(i + 1) in _DASHES | {"to"}
    to_now = s.word(i + 1) in _DASHES and s.word(i + 2) in NOW_WORDS
    later = following is not None and number is not None and number < following
    return to_now or (dash and later)


def decade(s: Sentence, i: int) -> Reading | None:
    """Read "the 1990s", "the 90s", "the nineties"."""
    i = s.skip(i, "the")
    token = s.at(i)
    if s.word(i - 1) not in {"the", *_DEICTIC, "-"}:
        return None
    if token.kind == "decade":
        first = int(re.sub(r"\D", "", token.word))
        if first < 100:
            first += 1900 if first >= 30 else 2000
    elif token.word in DECADES:
        first = 1900 + DECADES[token.word] if DECADES[token.word] > 20 else 1920
    else:
        return None
    if first % 10 or not 1700 <= first <= 2090:
        return None
    years = 100 if first % 100 == 0 and first < 2000 else 10  # "the 1900s" are a century
    return s.clock.year(first, years).as_stated(), i + 1


def month_name(s: Sentence, i: int) -> int | None:
    """Read a month's name where it cannot be a verb or a person."""
    token = s.at(i)
    month = MONTHS.get(token.word)
    if month is None:
        return None
    before, after = s.word(i - 1), i + 1
    dated = (
        (day_number(s, after) is not None and s.at(after).kind != "word")
        or (day_number(s, i - 1) is not None and s.at(i - 1).kind != "word")
        or (before == "of" and day_number(s, i - 2) is not None)
        or (s.word(after) == "." and s.at(after + 1).kind in {"number", "ordinal"}
            and day_number(s, after + 1) is not None)
        or (s.word(after) == "the" and s.at(after + 1).kind == "ordinal")
        or year_number(s, s.skip(after, ",", "of", ".")) is not None
        or (s.word(after) in {"to", "-", "–", "through"} and s.word(after + 1) in MONTHS)
    )  # fmt: skip
    if dated or s.alone:
        return month
    placed = before in {*PLACING_WORDS, *_DEICTIC, "of", "and", "-", "–"} - {"about", "at"}
    placed = placed or (before == "or" and s.word(i - 2) in MONTHS)
    if token.word in DOUBTFUL_MONTHS:
        sure = before in {"in", "last", "next", "since", "until", "till", "late", "early", "mid"}
        long_name = len(token.word) > 3
        return month if placed and (token.capital or (sure and long_name)) else None
    return month if placed or (token.capital and before != "to") else None


def month_date(s: Sentence, i: int) -> Reading | None:
    """Read a month with or without day and year, in either order."""
    return _day_first(s, i) or _month_first(s, i)


def _day_first(s: Sentence, i: int) -> Reading | None:
    j = s.skip(i, "the")
    day = day_number(s, j)
    if day is None:
        return None
    j = s.skip(j + 1, "of")
    month = month_name(s, j)
    if month is None or (s.at(i).kind == "word" and s.word(j - 1) != "of"):
        return None
    return _with_year(s, i, s.skip(j + 1, "."), month, day)


def _month_first(s: Sentence, i: int) -> Reading | None:
    month = month_name(s, i)
    if month is None:
        return None
    j = i + 1
    if s.word(j) == "." and len(s.word(i)) <= 4 and s.at(j + 1).kind in {"number", "ordinal"}:
        j += 1
    k = s.skip(j, "the")
    day = day_number(s, k)
    written = s.at(k).kind != "word" or k > j
    if day is not None and written and s.word(k + 1) not in _NOT_YEARS - {"or", "of"}:
        return _with_year(s, i, k + 1, month, day)
    return _with_year(s, i, j, month, 0)


def _with_year(s: Sentence, i: int, j: int, month: int, day: int) -> Reading:
    def in_year(year: int) -> Stretch:
        return s.clock.day(date(year, month, day)) if day else s.clock.month(year, month)

    k = s.skip(j, ",", "of", "in") if day or s.word(j) != "in" else j
    number = year_number(s, k)
    if number is not None and s.word(k + 1) not in _NOT_YEARS - {"of", "or"}:
        return in_year(number).as_stated(), k + 1
    return nearest_year(s.clock, s.tense(i), in_year), j


def day_of_month(s: Sentence, i: int) -> Reading | None:
    """Read "the 5th" after a word such as "on"; "the 5th floor" is none."""
    j = s.skip(i, "the")
    token = s.at(j)
    if token.kind != "ordinal" or j == i or s.word(i - 1) not in PLACING_WORDS:
        return None
    follower = s.at(j + 1)
    if follower.kind in {"word", "number"} and follower.word not in _AFTER_ORDINAL - {"of"}:
        return None
    return month_with_day(s.clock, s.tense(i), int(token.word[:-2])), j + 1


def season(s: Sentence, i: int) -> Reading | None:
    """Read "in the summer", "summer 2022", "the fall of 2019"; a lone "summer" is none."""
    j = s.skip(i, "the")
    name = SEASONS.get(s.word(j))
    if name is None:
        return None
    number = year_number(s, s.skip(j + 1, "of", ","))
    if number is not None:
        return s.clock.season(name, number).as_stated(), s.skip(j + 1, "of", ",") + 1
    before = s.word(i - 1)
    if s.word(j + 1) in {"of", "in", "break", "camp", "job", "school", "-"} or (
        before not in {"in", "during", "over", "since", "until", "till", "before", "after",
                       "early", "mid", "late", "of", "-", "throughout"}
    ):  # fmt: skip
        return None
    if s.word(j) == "fall" and j == i and before not in {"in", "since", "until"}:
        return None
    return nearest_year(s.clock, s.tense(i), lambda year: s.clock.season(name, year)), j + 1


def feast_name(s: Sentence, i: int) -> tuple[tuple[str, ...], int] | None:
    """Read the name of a feast, the longest that fits."""
    for size in (3, 2, 1):
        name = tuple(s.word(i + step) for step in range(size))
        if name in FEASTS:
            return name, i + size
    if s.word(i) == "st" and s.word(i + 1) == ".":
        return feast_name(s, i + 2) if s.word(i + 2) != "patrick's" else (
            ("st", "patrick's", "day"), i + 4,
        )  # fmt: skip
    return None


def feast_in(clock: Clock, name: tuple[str, ...], year: int) -> Stretch:
    """Span a feast in a year."""
    first, days = FEASTS[name]
    return clock.days(first(year), days)


def feast(s: Sentence, i: int) -> Reading | None:
    """Read a feast that a word before it places in time ("at Christmas"), or its year."""
    found = feast_name(s, i)
    if found is None:
        return None
    name, j = found
    number = year_number(s, s.skip(j, "of", ",", "in"))
    if number is not None:
        return feast_in(s.clock, name, number), s.skip(j, "of", ",", "in") + 1
    placed = s.word(i - 1) in PLACING_WORDS - {"about", "this", "last", "next"}
    if not (placed or s.alone) or (name == ("new", "year") and s.word(j) in {"resolution"}):
        return None
    return nearest_year(s.clock, s.tense(i), lambda year: feast_in(s.clock, name, year)), j


def weekday_name(s: Sentence, i: int) -> int | None:
    """Read a weekday where it is one day, not a habit ("every Friday") nor another word ("sat")."""
    token = s.at(i)
    weekday = WEEKDAYS.get(token.word)
    if weekday is None or s.word(i - 1) in REPEATING_WORDS or s.word(i + 1) in _NO_DAY:
        return None
    if token.word in DOUBTFUL_WEEKDAYS and not s.alone:
        before = s.word(i - 1)
        deictic = before in {"last", "next", "coming"} or (before == "this" and token.capital)
        dated = day_number(s, s.skip(i + 1, ",", ".")) is not None and token.capital
        placed = before in {"on", "until", "till", "since", "by"} and (
            token.capital or token.word not in {"sat", "sun"}
        )
        parted = token.capital and s.word(i + 1) in DAY_PARTS
        return weekday if deictic or dated or placed or parted else None
    return weekday


_NO_DAY = {"school", "blues"}  # "Sunday school"


def weekday(s: Sentence, i: int) -> Reading | None:
    """Read "Friday", "Friday, 5 May", "Friday the 13th"; a date beside it decides."""
    number = weekday_name(s, i)
    if number is None:
        return None
    j = s.skip(i + 1, ".") if len(s.word(i)) <= 4 and s.at(i + 2).kind != "" else i + 1
    dated = numeric_date(s, s.skip(j, ",")) or month_date(s, s.skip(j, ","))
    if dated is not None and dated[0].end - dated[0].start == timedelta(days=1):
        return _on_that_weekday(s.clock, dated[0], number), dated[1]
    if s.at(s.skip(j, "the")).kind == "ordinal":
        return _weekday_the(s, s.skip(j, "the"), number)
    return s.clock.day(weekday_bare(s.clock.today, number, s.tense(i))), i + 1


def _on_that_weekday(clock: Clock, dated: Stretch, weekday: int) -> Stretch:
    """Choose the year of "Sat 10 June" by the weekday, where a year near by has it so."""
    day = dated.start.date()
    if dated.stated or (day.month, day.day) == (2, 29):
        return dated
    years = range(clock.today.year - 5, clock.today.year + 6)
    fitting = [one for year in years if (one := day.replace(year=year)).weekday() == weekday]
    return clock.day(min(fitting, key=lambda one: abs((one - clock.today).days), default=day))


def _weekday_the(s: Sentence, j: int, weekday: int) -> Reading:
    day = int(s.word(j)[:-2])
    today = s.clock.today
    months = [s.clock.months_from_now(step).start.date() for step in range(-12, 13)]
    days = [first + timedelta(days=day - 1) for first in months]
    fitting = [one for one in days if one.weekday() == weekday and one.day == day]
    if not fitting:
        raise ValueError("that weekday never falls on that day within a year")
    return s.clock.day(min(fitting, key=lambda one: abs((one - today).days))), j + 1
