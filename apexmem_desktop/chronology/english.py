"""The English grammar: finds every time expression of a text, longest first."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

from apexmem_desktop.chronology import english_dates as dates
from apexmem_desktop.chronology import english_hours as hours
from apexmem_desktop.chronology import english_parts as parts
from apexmem_desktop.chronology import english_relative as relative
from apexmem_desktop.chronology.clock import (
    DAY,
    Clock,
    Stretch,
    add_months,
    joined,
    monday_of,
)
from apexmem_desktop.chronology.durations import moved
from apexmem_desktop.chronology.english_words import (
    DAY_PARTS,
    DECADES,
    EDGES,
    MONTHS,
    OPENINGS,
    ROLE_WORDS,
    SEASONS,
    UNITS,
    WEEKDAYS,
)
from apexmem_desktop.chronology.nearest import month_with_day, weekday_after, weekday_before
from apexmem_desktop.chronology.sentence import Reading, Sentence
from apexmem_desktop.chronology.tense import Tense
from apexmem_desktop.domain.interval import Precision, TimeSpan

_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[a-z]+")
# One of these words, or a digit, stands in every expression; most turns have none.
_SIGN_WORDS = (
    "today tonight tonite yesterday yday tomorrow tomorow tommorow tommorrow tmrw tmr ago back "
    "last next past coming now noon midnight midday fortnight quarter christmas xmas easter "
    "halloween thanksgiving valentine valentines other clock"
)
_SIGNS = frozenset().union(
    WEEKDAYS, MONTHS, SEASONS, DECADES, DAY_PARTS, EDGES, UNITS, _SIGN_WORDS.split()
)


def may_hold_time(text: str) -> bool:
    """Tell, quickly, whether a text can hold an English expression of time at all."""
    return bool(_DIGIT.search(text)) or not _SIGNS.isdisjoint(_LETTERS.findall(text.lower()))


def find_english(text: str, clock: Clock) -> Iterator[TimeSpan]:
    """Yield the time expressions of an English text from left to right, without overlaps."""
    if not may_hold_time(text):
        return
    sentence = Sentence(text, clock)
    index = 0
    while index < len(sentence.tokens):
        reading = _read(sentence, index)
        if reading is None:
            index += 1
            continue
        stretch, after = reading
        start, end = sentence.at(index).start, sentence.at(after - 1).end
        yield clock.span(stretch, text[start:end], start)
        index = after


def parse_english(phrase: str, clock: Clock, *, tense: Tense | None = None) -> TimeSpan | None:
    """Read a text that is one time expression and nothing else.

    Args:
        tense: What the words around the phrase told of it, when they are not in the phrase.
    """
    sentence = Sentence(phrase, clock, alone=True, tense=tense)
    index = sentence.skip(0, "in", "on", "at", "during", "around", "about", "back", "over")
    for begin in dict.fromkeys((0, index)):
        reading = _read(sentence, begin)
        if reading is not None and reading[1] == len(sentence.tokens):
            start = sentence.at(begin).start
            return clock.span(reading[0], phrase[start:].rstrip(), start)
    return None


def _read(s: Sentence, i: int) -> Reading | None:
    """Read an expression here; words that make no date (30 February) are no expression."""
    token = s.at(i)
    if token.kind in {"word", "mark"} and token.word not in OPENINGS:
        return None
    try:
        return _with_role(s, i) or relative.lasting(s, i) or _ranged(s, i)
    except (ValueError, OverflowError, StopIteration):
        return None


_RANGES = {
    "between": {"and"},
    "from": {"to", "until", "till", "through", "thru", "-", "–"},
}


def _with_role(s: Sentence, i: int) -> Reading | None:
    """Read since / until / before / after / from … on, and between … and …."""
    word = s.word(i)
    if word in _RANGES:
        found = _range(s, i + 1, _RANGES[word])
        if found is not None:
            return found
    if word == "from":
        return _from_on(s, i + 1)
    j = i + 1
    role = ROLE_WORDS.get(word)
    if s.starts(i, "ever", "since") or s.starts(i, "up", "until") or s.starts(i, "up", "till"):
        role, j = ROLE_WORDS[s.word(i + 1)], i + 2
    elif s.starts(i, "up", "to"):
        role, j = "until", i + 2
    if role is None or (word == "by" and s.word(i - 1).endswith("ed")):  # "inspired by"
        return None
    j = s.skip(j, "in", "on", "from", "around", "about", "back", "at")
    found = _single(_in_role(s, j, role, word), j)
    if found is None:
        return None
    if word in {"until", "till", "til", "'til"} and _is_negated(s, i):
        role = "since"  # "I'm not moving until Friday": from Friday on
    return found[0].with_role(role), found[1]


def _from_on(s: Sentence, i: int) -> Reading | None:
    """Read the rest of "from Monday on", "from 2019 until now"."""
    start = _single(s, i)
    if start is None:
        return None
    after, then = s.word(start[1]), s.word(start[1] + 1)
    if after in {"on", "onwards", "onward"}:
        return start[0].with_role("since"), start[1] + 1
    if after in _RANGES["from"] and then in dates.NOW_WORDS:
        return start[0].with_role("since"), start[1] + 2
    return None


def _in_role(s: Sentence, i: int, role: str, word: str) -> Sentence:
    """Look where the role says: "since Sunday" is back, "until Sunday" ahead unless told."""
    if role == "since" and word in {"since", "ever"}:
        return s.in_tense(Tense.PAST)
    ahead = role == "until" and word != "before" and dates.weekday_name(s, i) is not None
    return s.in_tense(Tense.FUTURE) if ahead and s.tense(i) is Tense.UNKNOWN else s


_NEGATION = re.compile(r"\b(?:not|never|won't|nothing)\b|n't\b", re.IGNORECASE)


def _is_negated(s: Sentence, i: int) -> bool:
    before = re.split(r"[.!?;,\n]", s.text[: s.at(i).start])[-1]
    return bool(_NEGATION.search(before))


def _ranged(s: Sentence, i: int) -> Reading | None:
    """Read a range without "from" ("3-5 May", "2015–2019", "June to August"), else one time."""
    short = _days_of_month(s, i)
    if short is not None:
        return short
    first = _single(s, i)
    if first is None:
        return None
    j = first[1]
    up_to_now = s.word(j) in {"-", "–", "—"} and s.word(j + 1) in dates.NOW_WORDS
    if up_to_now and dates.year_number(s, j - 1):
        return first[0].with_role("since"), j + 2
    if s.word(j) in {"-", "–", "—", "to", "through", "until", "till"} and (
        dates.year_number(s, j - 1)
        or MONTHS.get(s.word(i))
        or MONTHS.get(s.word(j - 1))
        or s.at(i).kind == "date"
    ):
        found = _range(s, i, {s.word(j)})
        if found is not None:
            return found
    return first


def _days_of_month(s: Sentence, i: int) -> Reading | None:
    """Read "May 3-5" and "3-5 May"."""
    for month_at, first_at in ((i, i + 1), (i + 3, i)):
        one, two = dates.day_number(s, first_at), dates.day_number(s, first_at + 2)
        if one is None or two is None or not one < two:
            continue
        if s.word(first_at + 1) not in {"-", "–", "to", "through"}:
            continue
        if s.at(first_at).kind == "word" or s.word(month_at) not in MONTHS:
            continue
        end = max(month_at, first_at + 2) + 1
        year = dates.year_number(s, s.skip(end, ","))
        probe = f"{s.word(month_at)} {one}" + (f" {year}" if year else "")
        whole = dates.month_date(Sentence(probe, s.clock, alone=True, tense=s.tense(i)), 0)
        if whole is not None:
            start = whole[0].start.date()
            last = s.clock.day(start + timedelta(days=two - one))
            after = s.skip(end, ",") + 1 if year else end
            return joined(whole[0], replace(last, stated=whole[0].stated)), after
    return None


def _range(s: Sentence, i: int, connectors: set[str]) -> Reading | None:
    first = _single(s, i)
    if first is None or s.word(first[1]) not in connectors:
        return None
    last = _single(s, s.skip(first[1] + 1, "in", "on"))
    if last is None:
        return None
    begin, end = first[0], last[0]
    if end.stated and not begin.stated and begin.precision in {Precision.MONTH, Precision.DAY}:
        begin = _in_year_of(s.clock, begin, end)
    elif _leans_on_year(s, i, first[1], last[1]):
        begin = replace(_in_year_of(s.clock, begin, end), stated=False)
    numbered = s.at(s.skip(i, "the"))
    if numbered.kind == "ordinal" and begin.end - begin.start == end.end - end.start == DAY:
        begin = _numbered_before(s.clock, int(numbered.word[:-2]), end)
    weekday = dates.weekday_name(s, i)
    if weekday is not None and not begin.stated and end.start - begin.start >= 7 * DAY:
        begin = s.clock.day(
            weekday_before(end.start.date(), weekday)
        )  # "Monday to Friday next week"
    if end.end <= begin.start and not end.stated:
        end = _later(s.clock, begin, end)
    return joined(begin, end), last[1]


def _leans_on_year(s: Sentence, i: int, j: int, k: int) -> bool:
    """Tell whether the first of "March to May last year" has its year from behind the last."""
    if s.word(k - 1) != "year" or s.word(k - 2) not in {"last", "this", "next"}:
        return False
    return s.word(j - 1) != "year" and any(s.word(at) in MONTHS for at in range(i, j))


def _numbered_before(clock: Clock, day: int, end: Stretch) -> Stretch:
    """Find "the 3rd" of "from the 3rd to the 5th of May": the last one before the end."""
    last = end.start.date()
    first = last.replace(day=1)
    if day >= last.day:
        first = (first - DAY).replace(day=1)
    found = clock.day(first.replace(day=day))
    return found.as_stated() if end.stated else found


def _in_year_of(clock: Clock, begin: Stretch, end: Stretch) -> Stretch:
    """Give "May" in "May to July 2021" the year that stands behind July."""
    length = end.start.year - begin.start.year
    if (begin.start.month, begin.start.day) > (end.start.month, end.start.day):
        length -= 1
    start = begin.start.date()
    whole_month = begin.precision is Precision.MONTH
    moved = start.replace(year=start.year + length)
    found = clock.month(moved.year, moved.month) if whole_month else clock.day(moved)
    return found.as_stated()


def _later(clock: Clock, begin: Stretch, end: Stretch) -> Stretch:
    start = end.start.date()
    if end.precision is Precision.MONTH:
        return clock.month(start.year + 1, start.month)
    if end.precision is Precision.DAY and (begin.start - end.start).days < 7:
        return clock.day(start + timedelta(days=7))
    return end


def _single(s: Sentence, i: int) -> Reading | None:
    """Read one time, with the part of the day or the hour that stands beside it."""
    timed = hours.clock_first(s, i, _core) or hours.part_of(s, i, _core)
    if timed is not None:
        return timed
    found = _core(s, i)
    if found is None:
        return None
    return hours.with_part_of_day(s, found)


_READERS: tuple[Callable[[Sentence, int], Reading | None], ...] = (
    relative.day_word,
    relative.within_today,
    lambda s, i: _beside(s, i),
    lambda s, i: _week_of(s, i),
    lambda s, i: _day_in_coming(s, i),
    parts.edge,
    parts.nth_of,
    parts.counted_of,
    parts.of_that_year,
    parts.season_before_last,
    relative.this_time,
    relative.weekday_beside,
    relative.directed,
    relative.ago,
    relative.ahead,
    relative.unit_beside,
    dates.numeric_date,
    parts.quarter,
    parts.month_of_year,
    dates.feast,
    lambda s, i: _weekday_of_week(s, i),
    dates.weekday,
    dates.month_date,
    dates.season,
    dates.decade,
    dates.day_of_month,
    dates.year,
)


def _core(s: Sentence, i: int) -> Reading | None:
    for reader in _READERS:
        found = reader(s, i)
        if found is not None:
            return found
    return None


def _weekday_of_week(s: Sentence, i: int) -> Reading | None:
    """Read "Monday last week", "Friday of next week", "Friday week"."""
    weekday = dates.weekday_name(s, i)
    if weekday is None:
        return None
    j = s.skip(i + 1, "of", "in")
    if s.word(j) in {"last", "next", "this"} and s.word(j + 1) in {"week", "month"}:
        if s.word(j + 1) == "month":
            return None
        week = relative.directed(s, j)
        if week is not None:
            return s.clock.day(week[0].start.date() + timedelta(days=weekday)), week[1]
    if s.word(j) == "the" and s.word(j + 1) == "week" and s.word(j + 3) in {"last", "next"}:
        week = relative.unit_beside(s, j)  # "of the week after next"
        if week is not None:
            return s.clock.day(week[0].start.date() + timedelta(days=weekday)), week[1]
    if j == i + 1 and s.word(j) == "week":
        day = weekday_after(s.clock.today, weekday)
        return s.clock.day(day + timedelta(weeks=1)), j + 1
    return None


def _week_of(s: Sentence, i: int) -> Reading | None:
    """Read "the week of June 12", "the week of the 12th": the week with that day in it."""
    j = s.skip(i, "the")
    if not s.starts(j, "week", "of"):
        return None
    day = dates.numeric_date(s, j + 2) or dates.month_date(s, j + 2)
    if day is None and s.word(j + 2) == "the" and s.at(j + 3).kind == "ordinal":
        number = int(s.word(j + 3)[:-2])
        day = month_with_day(s.clock, s.tense(i), number), j + 4
    if day is None or day[0].end - day[0].start != DAY:
        return None
    monday = monday_of(day[0].start.date())
    week = s.clock.days(monday, 7, Precision.WEEK)
    return replace(week, stated=day[0].stated), day[1]


def _day_in_coming(s: Sentence, i: int) -> Reading | None:
    """Read "next week Tuesday", "next month on the 5th"."""
    whole = relative.directed(s, i)
    if whole is None or s.word(whole[1] - 1) not in {"week", "month"}:
        return None
    j = s.skip(whole[1], "on")
    first = whole[0].start.date()
    if whole[0].precision is Precision.WEEK:
        weekday = dates.weekday_name(s, j)
        if weekday is None:
            return None
        return s.clock.day(first + timedelta(days=weekday)), j + 1
    token = s.at(j + 1)
    if j == whole[1] or s.word(j) != "the" or token.kind != "ordinal":
        return None
    return s.clock.day(first.replace(day=int(token.word[:-2]))), j + 2


def _beside(s: Sentence, i: int) -> Reading | None:
    """Read what lies before or after another time: "two days before Christmas"."""
    j = s.skip(i, "the")
    unit = s.word(j)
    counted = None
    if unit in {"day", "night", "week", "weekend", "month", "year"} or unit in WEEKDAYS:
        low, k = 1.0, j + 1
    else:
        counted = relative.amount_of_time(s, i)
        if counted is None:
            return None
        low, _, unit, k = counted
    side = s.word(k)
    if side not in {"before", "after", "from", "on"} or (side in {"from", "on"} and not counted):
        return None
    base = _core(s, k + 1)
    if base is None or unit in {"hour", "minute", "second", "decade"}:
        return None
    if side in {"from", "on"}:
        return _counted_from(s, base, unit, low, k + 1)
    sign = -1 if side == "before" else 1
    return _shifted(s.clock, base[0], unit, sign * low, exact=counted is not None), base[1]


def _counted_from(s: Sentence, base: Reading, unit: str, steps: float, i: int) -> Reading | None:
    """Read "a week from Friday", "two weeks from tomorrow": counted to the day."""
    weekday = dates.weekday_name(s, i)
    first = base[0].start.date()
    if weekday is not None:
        first = weekday_after(s.clock.today, weekday)
    if base[0].end - base[0].start != DAY:
        return None
    if unit in {"month", "year"}:
        day = add_months(first, round(steps * (12 if unit == "year" else 1)))
        return s.clock.day(day), base[1]
    if unit not in {"day", "week"}:
        return None
    return s.clock.day(first + timedelta(days=int(steps * (7 if unit == "week" else 1)))), base[1]


def _shifted(clock: Clock, base: Stretch, unit: str, steps: float, *, exact: bool) -> Stretch:
    edge = base.start.date() if steps < 0 else (base.end - timedelta(seconds=1)).date()
    if unit in WEEKDAYS:
        weekday = WEEKDAYS[unit]
        return clock.day(
            weekday_before(edge, weekday) if steps < 0 else weekday_after(edge, weekday)
        )
    if unit == "night":
        return clock.hours(edge + timedelta(days=round(steps)), 18, 30)
    if unit == "weekend":
        saturday = weekday_before(edge, 5) if steps < 0 else weekday_after(edge, 5)
        if steps < 0 and (edge - saturday).days < 2:
            saturday -= timedelta(weeks=1)
        return clock.days(saturday, 2)
    there = clock.set_to(edge)
    if unit == "week" and not exact:  # "the week before Christmas" ends on Christmas Eve
        return clock.days(edge + timedelta(days=-7 if steps < 0 else 1), 7, Precision.WEEK)
    return moved(there, unit, steps)
