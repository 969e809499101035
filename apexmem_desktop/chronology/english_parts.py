"""Parts of longer times in English: the end of May, the first week of July, Q3 2022."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from apexmem_desktop.chronology import english_dates as dates
from apexmem_desktop.chronology import english_relative as relative
from apexmem_desktop.chronology.clock import DAY, Clock, Stretch, joined, nth_weekday
from apexmem_desktop.chronology.durations import period
from apexmem_desktop.chronology.english_words import (
    EDGES,
    MONTHS,
    ORDINALS,
    PLACING_WORDS,
    SEASONS,
    WEEKDAYS,
)
from apexmem_desktop.chronology.nearest import nearest_year, year_before
from apexmem_desktop.chronology.parts import third
from apexmem_desktop.chronology.sentence import Reading, Sentence
from apexmem_desktop.domain.interval import Precision


def of_that_year(s: Sentence, i: int) -> Reading | None:
    """Read "May last year", "the summer of this year", "5 May last year", "last year in May"."""
    j = s.skip(i, "the")
    if s.word(j) in _YEAR_STEPS and s.word(j + 1) == "year":
        return _in_that_year(s, j)
    named = _named_in_year(s, j)
    if named is None:
        return None
    in_year, k = named
    k = s.skip(k, "of", "in")
    if s.word(k) not in _YEAR_STEPS or s.word(k + 1) != "year":
        return None
    return in_year(s.clock.today.year + _YEAR_STEPS[s.word(k)]), k + 2


def _in_that_year(s: Sentence, i: int) -> Reading | None:
    """Read "last year in May", "next year, on 3 March", "last year at Christmas"."""
    j = s.skip(i + 2, ",")
    if s.word(j) in _CONNECTORS:
        return _range_in_that_year(s, j, s.clock.today.year + _YEAR_STEPS[s.word(i)])
    if s.word(j) not in {"in", "on", "at", "around", "during"}:
        return None
    named = _named_in_year(s, s.skip(j + 1, "the"))
    if named is None or dates.year_number(s, s.skip(named[1], ",", "of", "in")):
        return None
    return named[0](s.clock.today.year + _YEAR_STEPS[s.word(i)]), named[1]


_CONNECTORS = {"from": ("to", "until", "till", "through"), "between": ("and",)}


def _range_in_that_year(s: Sentence, i: int, year: int) -> Reading | None:
    """Read "from March to May" behind "last year"."""
    first = _named_in_year(s, i + 1)
    if first is None or s.word(first[1]) not in _CONNECTORS[s.word(i)]:
        return None
    last = _named_in_year(s, first[1] + 1)
    return None if last is None else (joined(first[0](year), last[0](year)), last[1])


def season_before_last(s: Sentence, i: int) -> Reading | None:
    """Read "the summer before last"."""
    j = s.skip(i, "the")
    season = SEASONS.get(s.word(j))
    if season is None or not s.starts(j + 1, "before", "last"):
        return None
    last = year_before(s.clock, lambda year: s.clock.season(season, year))
    return s.clock.season(season, last.start.year - 1), j + 3


def _named_in_year(s: Sentence, i: int) -> tuple[Callable[[int], Stretch], int] | None:
    """Read a month, a day of one, a season or a feast, to be placed in a year."""
    season, feast = SEASONS.get(s.word(i)), dates.feast_name(s, i)
    if season is not None:
        return (lambda year: s.clock.season(season, year)), i + 1
    if feast is not None:
        return (lambda year: dates.feast_in(s.clock, feast[0], year)), feast[1]
    dated = dates.month_date(s, i)
    if dated is not None and dated[0].precision is Precision.DAY:
        day = dated[0].start.date()
        return (lambda year: s.clock.day(day.replace(year=year))), dated[1]
    month = MONTHS.get(s.word(i))
    return None if month is None else ((lambda year: s.clock.month(year, month)), i + 1)


_YEAR_STEPS = {"last": -1, "this": 0, "next": 1}


def edge(s: Sentence, i: int) -> Reading | None:
    """Read the early, middle or late third of a month, a year or a season."""
    j = s.skip(i, "the")
    part = EDGES.get(s.word(j))
    if part is None:
        return None
    named = s.word(j) in {"beginning", "start", "middle", "end"}
    k = s.skip(s.skip(j + 1, "-"), "of")
    if named and s.word(k - 1) != "of":
        return None
    current = _this_period(s, k) if named else None
    current = current or of_that_year(s, k)
    whole = current or relative.directed(s, k) or dates.month_date(s, k) or dates.season(s, k)
    whole = whole or dates.decade(s, s.skip(k, "the")) or dates.year(s, k)
    if whole is None or whole[0].end - whole[0].start < timedelta(days=2):
        return None
    return third(whole[0], part), whole[1]


def _this_period(s: Sentence, i: int) -> Reading | None:
    j = s.skip(i, "the")
    if s.word(j) in {"week", "month", "year", "decade"} and s.word(j + 1) not in {
        "before",
        "after",
    }:
        return period(s.clock, s.word(j), 0), j + 1
    return None


def nth_of(s: Sentence, i: int) -> Reading | None:
    """Read "the first week of May", "the last Friday in June", "the 1st of next month"."""
    j = s.skip(i, "the")
    token = s.at(j)
    if token.word == "last":
        nth = -1
    elif token.kind == "ordinal" or token.word in ORDINALS:
        nth = dates.day_number(s, j) or 0
        if nth == 0:
            return None
    else:
        return None
    noun = s.word(j + 1)
    k = j + 2
    if noun == "of":
        noun, k = "day", j + 1
        if token.kind == "word" and token.word != "first":
            return None
    if noun not in _NOUNS and noun not in WEEKDAYS:
        return None
    whole = _whole(s, k + 1) if s.word(k) in {"of", "in"} else None
    return None if whole is None else (_part_number(s.clock, whole[0], noun, nth), whole[1])


_NOUNS = {"day", "week", "weekend", "month", "half", "quarter"}


def _whole(s: Sentence, i: int) -> Reading | None:
    """Read a stretch that is long enough to have parts."""
    found = (
        of_that_year(s, i)
        or _this_period(s, i)
        or relative.directed(s, i)
        or dates.month_date(s, i)
        or dates.year(s, i)
        or dates.season(s, i)
    )
    long_enough = found is not None and found[0].end - found[0].start >= timedelta(days=7)
    return found if long_enough else None


def _part_number(clock: Clock, whole: Stretch, noun: str, nth: int) -> Stretch:
    first, last = whole.start.date(), (whole.end - DAY).date()
    found = _numbered(clock, first, last, noun, nth)
    if found.start >= whole.end or found.end <= whole.start:
        raise ValueError(f"there is no {noun} number {nth} in it")
    return replace(found, stated=whole.stated)


def _numbered(clock: Clock, first: date, last: date, noun: str, nth: int) -> Stretch:
    if noun == "day":
        return clock.day(first + timedelta(days=nth - 1) if nth > 0 else last)
    if noun == "week":
        start = first + timedelta(weeks=nth - 1) if nth > 0 else last - timedelta(days=6)
        return clock.days(start, 7, Precision.WEEK)
    if noun == "month":
        if nth < 0:
            return clock.month(last.year, last.month)
        return clock.month(first.year, first.month + nth - 1)
    if noun == "half":
        return _half(clock, first, last, nth)
    if noun == "quarter":
        month = last.month - 2 if nth < 0 else first.month + 3 * (nth - 1)
        return replace(clock.month(first.year, month, 3), precision=Precision.SEASON)
    weekday = 5 if noun == "weekend" else WEEKDAYS[noun]
    day = nth_weekday(first.year, first.month, weekday, nth)
    return clock.days(day, 2 if noun == "weekend" else 1)


def _half(clock: Clock, first: date, last: date, nth: int) -> Stretch:
    days = (last - first).days + 1
    if days >= 365:
        return replace(clock.month(first.year, 1 if nth == 1 else 7, 6), precision=Precision.SEASON)
    half = days // 2
    if nth == 1:
        return clock.days(first, half, Precision.SEASON)
    return clock.days(first + timedelta(days=half), days - half, Precision.SEASON)


def counted_of(s: Sentence, i: int) -> Reading | None:
    """Read "the last 3 days of May", "the first two weeks of July"."""
    j = s.skip(i, "the")
    if s.word(j) not in {"first", "last"}:
        return None
    counted = relative.amount_of_time(s, j + 1)
    if counted is None or counted[0] != counted[1] or counted[2] not in {"day", "week", "month"}:
        return None
    count, _, unit, k = counted
    whole = _whole(s, k + 1) if s.word(k) in {"of", "in"} else None
    if whole is None or count != int(count):
        return None
    stretch = _first_or_last(s.clock, whole[0], int(count), unit, last=s.word(j) == "last")
    if stretch.start < whole[0].start or stretch.end > whole[0].end:
        raise ValueError(f"there are no {count} of {unit} in it")
    return replace(stretch, stated=whole[0].stated), whole[1]


def _first_or_last(clock: Clock, whole: Stretch, count: int, unit: str, *, last: bool) -> Stretch:
    first, after = whole.start.date(), whole.end.date()
    if unit == "month":
        if last:
            return clock.month(after.year, after.month - count, count)
        return clock.month(first.year, first.month, count)
    days = count * (7 if unit == "week" else 1)
    precision = Precision.WEEK if unit == "week" else Precision.DAY
    return clock.days(after - timedelta(days=days) if last else first, days, precision)


def quarter(s: Sentence, i: int) -> Reading | None:
    """Read "Q3 2022", "in Q1"."""
    number = s.at(i + 1)
    if s.word(i) != "q" or number.word not in {"1", "2", "3", "4"} or number.start > s.at(i).end:
        return None
    first_month = 3 * int(number.word) - 2

    def in_year(year: int) -> Stretch:
        return replace(s.clock.month(year, first_month, 3), precision=Precision.SEASON)

    j = s.skip(i + 2, "of", ",")
    year = dates.year_number(s, j)
    if year is not None:
        return in_year(year).as_stated(), j + 1
    if s.word(i - 1) not in PLACING_WORDS:
        return None
    return nearest_year(s.clock, s.tense(i), in_year), i + 2


_MONTH_OF_YEAR = re.compile(r"(0?[1-9]|1[0-2])/((?:19|20)\d\d)")


def month_of_year(s: Sentence, i: int) -> Reading | None:
    """Read "since 06/2021"; a lone 3/2000 may be a share."""
    found = _MONTH_OF_YEAR.fullmatch(s.word(i))
    if found is None or not (s.alone or s.word(i - 1) in PLACING_WORDS):
        return None
    return s.clock.month(int(found.group(2)), int(found.group(1))).as_stated(), i + 1
