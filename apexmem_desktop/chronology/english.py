"""The English grammar: finds every time expression of a text, longest first."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from apexmem_desktop.chronology import english_dates as dates
from apexmem_desktop.chronology import english_relative as relative
from apexmem_desktop.chronology.clock import (
    DAY,
    Clock,
    Stretch,
    joined,
    nth_weekday,
    to_ms,
)
from apexmem_desktop.chronology.durations import moved, period
from apexmem_desktop.chronology.english_words import (
    DAY_PARTS,
    EDGES,
    MONTHS,
    OPENINGS,
    ORDINALS,
    ROLE_WORDS,
    SEASONS,
    SMALL_NUMBERS,
    WEEKDAYS,
)
from apexmem_desktop.chronology.nearest import weekday_after, weekday_before
from apexmem_desktop.chronology.parts import third
from apexmem_desktop.chronology.sentence import Reading, Sentence
from apexmem_desktop.chronology.tense import Tense
from apexmem_desktop.domain.interval import Precision, TimeSpan

_MAY_HOLD_TIME = re.compile(
    r"\d|\b(?:today|tonight|tonite|yesterday|yday|tom+or+ow|tmrw|ago|back|last|next|past|coming|now|"
    r"mon|tues?|wed|thur?s?|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|fall|winter|week|weekend|"
    r"months?|years?|weeks|days|decades?|hours?|minutes|morning|afternoon|evening|night|noon|midnight|"
    r"christmas|xmas|easter|halloween|thanksgiving|valentine\w*|new year|the other day|\w+ties|"
    r"o'clock|half past|day)\b",
    re.IGNORECASE,
)


def find_english(text: str, clock: Clock) -> Iterator[TimeSpan]:
    """Yield the time expressions of an English text from left to right, without overlaps."""
    if not _MAY_HOLD_TIME.search(text):
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
        start = _single(s, i + 1)
        if start is not None and s.word(start[1]) in {"on", "onwards", "onward"}:
            return start[0].with_role("since"), start[1] + 1
        return None
    j = i + 1
    role = ROLE_WORDS.get(word)
    if s.starts(i, "ever", "since") or s.starts(i, "up", "until") or s.starts(i, "up", "till"):
        role, j = ROLE_WORDS[s.word(i + 1)], i + 2
    elif s.starts(i, "up", "to"):
        role, j = "until", i + 2
    if role is None or (word == "by" and s.word(i - 1).endswith("ed")):  # "inspired by"
        return None
    found = _single(s, s.skip(j, "in", "on", "from", "around", "about", "back", "at"))
    if found is None:
        return None
    if word in {"until", "till", "til", "'til"} and _is_negated(s, i):
        role = "since"  # "I'm not moving until Friday": from Friday on
    return found[0].with_role(role), found[1]


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
        whole = dates.month_date(Sentence(probe, s.clock, alone=True), 0)
        if whole is not None:
            start = whole[0].start.date()
            stretch = s.clock.days(start, two - one + 1)
            after = s.skip(end, ",") + 1 if year else end
            return replace(stretch, stated=whole[0].stated), after
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
    if end.end <= begin.start and not end.stated:
        end = _later(s.clock, begin, end)
    return joined(begin, end), last[1]


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
    timed = _clock_first(s, i) or _part_of(s, i)
    if timed is not None:
        return timed
    found = _core(s, i)
    if found is None:
        return None
    return _with_part_of_day(s, found)


_READERS: tuple[Callable[[Sentence, int], Reading | None], ...] = (
    relative.day_word,
    relative.within_today,
    lambda s, i: _beside(s, i),
    lambda s, i: _edge(s, i),
    lambda s, i: _nth_of(s, i),
    lambda s, i: _of_that_year(s, i),
    relative.directed,
    relative.ago,
    relative.ahead,
    relative.unit_beside,
    dates.numeric_date,
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


def _of_that_year(s: Sentence, i: int) -> Reading | None:
    """Read "May last year", "the summer of this year", "Christmas next year", "5 May last year"."""
    j = s.skip(i, "the")
    named = _named_in_year(s, j)
    if named is None:
        return None
    in_year, k = named
    k = s.skip(k, "of", "in")
    if s.word(k) not in _YEAR_STEPS or s.word(k + 1) != "year":
        return None
    return in_year(s.clock.today.year + _YEAR_STEPS[s.word(k)]), k + 2


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
    if j == i + 1 and s.word(j) == "week":
        day = weekday_after(s.clock.today, weekday)
        return s.clock.day(day + timedelta(weeks=1)), j + 1
    return None


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
    if unit not in {"day", "week"} or base[0].end - base[0].start != DAY:
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
    there = Clock(to_ms(clock.midnight(edge)), clock.offset_minutes)
    if unit == "week" and not exact:  # "the week before Christmas" ends on Christmas Eve
        return clock.days(edge + timedelta(days=-7 if steps < 0 else 1), 7, Precision.WEEK)
    return moved(there, unit, steps)


def _edge(s: Sentence, i: int) -> Reading | None:
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
    current = current or _of_that_year(s, k)
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


def _nth_of(s: Sentence, i: int) -> Reading | None:
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
    if noun not in {"day", "week", "weekend", "month", "half"} and noun not in WEEKDAYS:
        return None
    if s.word(k) not in {"of", "in"}:
        return None
    whole = (
        _of_that_year(s, k + 1)
        or _this_period(s, k + 1)
        or relative.directed(s, k + 1)
        or dates.month_date(s, k + 1)
    )
    whole = whole or dates.year(s, k + 1) or dates.season(s, k + 1)
    if whole is None or whole[0].end - whole[0].start < timedelta(days=7):
        return None
    return _part_number(s.clock, whole[0], noun, nth), whole[1]


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


def _time_of_day(s: Sentence, i: int, *, beside: bool = False) -> tuple[int, int, int] | None:
    """Read an hour and minute; a bare 3:15 needs "at" or a day beside it, for it may be a score."""
    j = s.skip(i, "at", "@", "around", "about", "by")
    token = s.at(j)
    if token.kind == "ampm":
        digits = [int(part) for part in re.findall(r"\d+", token.word)]
        hour, minute = digits[0], digits[1] if len(digits) > 1 else 0
        if not 1 <= hour <= 12 or minute > 59:
            return None
        return hour % 12 + 12 * ("p" in token.word), minute, j + 1
    if token.kind == "time":
        parts = [int(part) for part in token.word.split(":")]
        valid = parts[0] < 24 and parts[1] < 60
        return (parts[0], parts[1], j + 1) if valid and (beside or j > i) else None
    if token.word in {"noon", "midnight", "midday"} and (j > i or beside or s.alone):
        return (0 if token.word == "midnight" else 12), 0, j + 1
    hour_word = SMALL_NUMBERS.get(token.word, int(token.word) if token.word.isdigit() else 99)
    if s.word(j + 1) == "o'clock" and 1 <= hour_word <= 12:
        return hour_word, 0, j + 2
    return None


def _clock_first(s: Sentence, i: int) -> Reading | None:
    """Read "5pm tomorrow", "at 17:30 on Friday", or an hour alone, of today by the tense."""
    hour = _time_of_day(s, i)
    if hour is None:
        return None
    j = s.skip(hour[2], ",")
    j = s.skip(j, "on", "of")
    day = _core(s, j)
    if day is not None and day[0].end - day[0].start <= DAY + DAY / 2:
        return _at_time(day[0], hour[0], hour[1]), day[1]
    moment = s.clock.midnight(s.clock.today) + timedelta(hours=hour[0], minutes=hour[1])
    tense = s.tense(i)
    if tense is Tense.FUTURE and moment < s.clock.now:
        moment += DAY
    if tense is Tense.PAST and moment > s.clock.now:
        moment -= DAY
    return s.clock.minute(moment), hour[2]


def _at_time(day: Stretch, hour: int, minute: int) -> Stretch:
    midnight = day.start.replace(hour=0, minute=0)
    if day.start.hour >= 12 and hour < 12:  # "tonight at 8:15" is in the evening
        hour += 12
    start = midnight + timedelta(hours=hour, minutes=minute)
    return Stretch(start, start + timedelta(minutes=1), Precision.INSTANT, day.stated)


def _part_of(s: Sentence, i: int) -> Reading | None:
    """Read "the morning of 5 May"."""
    j = s.skip(i, "the")
    if s.word(j) not in DAY_PARTS or s.word(j + 1) not in {"of", "before", "after"}:
        return None
    if s.word(j + 1) != "of":
        return None
    day = _core(s, j + 2)
    if day is None or day[0].end - day[0].start != DAY:
        return None
    return _narrowed(s.clock, day[0], s.word(j)), day[1]


def _narrowed(clock: Clock, day: Stretch, part: str) -> Stretch:
    return replace(clock.hours(day.start.date(), *DAY_PARTS[part]), stated=day.stated)


def _with_part_of_day(s: Sentence, found: Reading) -> Reading:
    day, j = found
    if day.end - day.start > DAY or day.precision is not Precision.DAY:
        return found
    k = s.skip(j, ",")
    if s.word(k) in {"in", "during"} and s.word(k + 1) == "the":
        k += 2
    else:
        k = s.skip(k, "at")
    if s.word(k) in DAY_PARTS and day.end - day.start == DAY:
        found = _narrowed(s.clock, day, s.word(k)), k + 1
        j = k + 1
    after = s.skip(j, ",")
    # "ran it yesterday, 1:58" tells how fast; "yesterday, 10:45" tells when.
    beside = after == j or day.stated or s.word(after)[:2].isdigit()
    hour = _time_of_day(s, after, beside=beside)
    if hour is not None:
        return _at_time(found[0], hour[0], hour[1]), hour[2]
    return found
