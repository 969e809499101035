"""English words that mean a time only from where the speaker stands: last week, two days ago."""

import re
from datetime import date, timedelta

from apexmem_desktop.chronology.clock import Stretch, add_months
from apexmem_desktop.chronology.durations import SECONDS, away, moved, period, unit_precision
from apexmem_desktop.chronology.english_dates import feast_in, feast_name, month_name
from apexmem_desktop.chronology.english_words import (
    DAY_PARTS,
    SEASONS,
    SMALL_NUMBERS,
    TENS,
    UNITS,
    WEEKDAYS,
)
from apexmem_desktop.chronology.nearest import (
    weekday_after,
    weekday_before,
    weekday_next,
    weekday_this,
    year_after,
    year_before,
    year_this,
)
from apexmem_desktop.chronology.sentence import Reading, Sentence
from apexmem_desktop.chronology.tense import Tense
from apexmem_desktop.domain.interval import Precision

_DAY_WORDS = {"today": 0, "yesterday": -1, "yday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1,
              "tomorow": 1, "tommorow": 1, "tommorrow": 1}  # fmt: skip
_DIRECTIONS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1,
               "coming": 1, "upcoming": 1}  # fmt: skip
_HALF = {"half": 0.5, "quarter": 0.25}

Quantity = tuple[float, float, int]  # at least, at most, index of the token after


def day_word(s: Sentence, i: int) -> Reading | None:
    """Read today, yesterday, tomorrow, tonight, last night, the day before yesterday."""
    today = s.clock.today
    for words, days in (
        (("day", "before", "yesterday"), -2),
        (("day", "after", "tomorrow"), 2),
    ):
        j = s.skip(i, "the")
        if s.starts(j, *words):
            return s.clock.day(today + timedelta(days=days)), j + 3
    word = s.word(i)
    if word in _DAY_WORDS:
        return s.clock.day(today + timedelta(days=_DAY_WORDS[word])), i + 1
    if word in {"tonight", "tonite"}:
        return s.clock.hours(today, 18, 30), i + 1
    if word == "last" and s.word(i + 1) in {"night", "evening"}:
        return s.clock.hours(today - timedelta(days=1), *DAY_PARTS[s.word(i + 1)]), i + 2
    if word == "this" and s.word(i + 1) in DAY_PARTS:
        return s.clock.hours(today, *DAY_PARTS[s.word(i + 1)]), i + 2
    if s.starts(s.skip(i, "the"), "night", "before", "last"):
        return s.clock.hours(today - timedelta(days=2), *DAY_PARTS["night"]), s.skip(i, "the") + 3
    return _the_other(s, i)


def _the_other(s: Sentence, i: int) -> Reading | None:
    """Read "the other day", of the last week, and "the other week", of the last three."""
    if not s.starts(i, "the", "other"):
        return None
    days = {"day": 7, "week": 21, **dict.fromkeys(DAY_PARTS, 7)}.get(s.word(i + 2))
    if days is None:
        return None
    return s.clock.days(s.clock.today - timedelta(days=days), days, Precision.WEEK), i + 3


def this_time(s: Sentence, i: int) -> Reading | None:
    """Read "this time last year", "this time tomorrow", "this day last year"."""
    if s.starts(i, "this", "day"):
        return _this_day(s, i + 2)
    if not s.starts(i, "this", "time"):
        return None
    today, word = s.clock.today, s.word(i + 2)
    if word in {"yesterday", "tomorrow"}:
        return s.clock.day(today + timedelta(days=_DAY_WORDS[word])), i + 3
    steps, unit = {"last": -1, "next": 1}.get(word), s.word(i + 3)
    if steps is None or unit not in {"week", "month", "year"}:
        return None
    if unit == "week":
        return s.clock.day(today + timedelta(weeks=steps)), i + 4
    if unit == "month":
        return s.clock.week_around(add_months(today, steps)), i + 4
    return s.clock.month(today.year + steps, today.month), i + 4


def _this_day(s: Sentence, i: int) -> Reading | None:
    """Read what makes "this day last year" and "this day two years ago" another day."""
    steps, counted = {"last": -1, "next": 1}.get(s.word(i)), amount_of_time(s, i)
    if steps is not None and s.word(i + 1) in {"month", "year"}:
        unit, j = s.word(i + 1), i + 2
    elif counted is not None and counted[0] == counted[1] and s.word(counted[3]) == "ago":
        steps, unit, j = -round(counted[0]), counted[2], counted[3] + 1
    else:
        return None
    if unit not in {"month", "year"}:
        return None
    return s.clock.day(add_months(s.clock.today, steps * (12 if unit == "year" else 1))), j


def weekday_beside(s: Sentence, i: int) -> Reading | None:
    """Read "the Tuesday before last", "the Tuesday after next"."""
    j = s.skip(i, "the")
    weekday = WEEKDAYS.get(s.word(j))
    if weekday is None:
        return None
    today, week = s.clock.today, timedelta(weeks=1)
    if s.starts(j + 1, "before", "last"):
        return s.clock.day(weekday_before(today, weekday) - week), j + 3
    if s.starts(j + 1, "after", "next"):
        return s.clock.day(weekday_next(today, weekday) + week), j + 3
    return None


def within_today(s: Sentence, i: int) -> Reading | None:
    """Read "earlier this week", "later this year", "later today": up to, or from, today."""
    if s.word(i) not in {"earlier", "later"} or s.word(i + 1) not in {"this", "today"}:
        return None
    if s.starts(i + 1, "today"):
        return s.clock.day(s.clock.today), i + 2
    whole = directed(s, i + 1)
    if whole is None:
        return None
    stretch, j = whole
    now = s.clock.midnight(s.clock.today) + timedelta(days=s.word(i) == "earlier")
    if s.word(i) == "earlier":
        return Stretch(stretch.start, min(now, stretch.end), stretch.precision), j
    return Stretch(max(now, stretch.start), stretch.end, stretch.precision), j


def directed(s: Sentence, i: int) -> Reading | None:
    """Read last / this / next with a week, month, year, weekday, month's name, season or feast."""
    j = s.skip(i, "the")
    the = j > i
    if s.word(j) in {"this", "these"} and s.word(j + 1) in {"past", "last", "coming", "next"}:
        j += 1
        the = False
    word = s.word(j)
    direction = _DIRECTIONS.get(word)
    if direction is None or (word == "past" and not the and s.word(j - 1) != "this"):
        return None
    window = _window(s, i, j, direction, the=the)
    if window is not None:
        return window
    return (
        _directed_unit(s, i, j + 1, direction)
        or _directed_weekday(s, j, direction)
        or _directed_in_year(s, j + 1, direction)
    )


def _window(s: Sentence, i: int, j: int, direction: int, *, the: bool) -> Reading | None:
    """Read "the last two weeks", "the past month", "next few days": stretches that touch now."""
    if direction == 0:
        return None
    amount = quantity(s, j + 1)
    unit = UNITS.get(s.word(amount[2])) if amount else None
    if amount is None or unit is None or unit == "weekend":
        unit = UNITS.get(s.word(j + 1))
        reaching = s.word(i - 1) in {"in", "for", "over", "during", "within", "throughout"}
        reaching = (the and reaching) or s.starts(j - 1, "this", "past")
        if not reaching or unit is None or s.word(j + 1).endswith("s"):
            return None
        if unit == "weekend":
            return None
        amount = (1, 1, j + 1)
    far = away(s.clock, unit, direction * amount[1])
    if unit in SECONDS:
        begin, end = sorted((s.clock.now, far))
    else:
        begin = s.clock.midnight(min(s.clock.now, far).date())
        end = s.clock.midnight(max(s.clock.now, far).date()) + timedelta(days=1)
    return Stretch(begin, end, unit_precision(unit)), amount[2] + 1


def _directed_unit(s: Sentence, i: int, j: int, direction: int) -> Reading | None:
    unit = s.word(j)
    if unit not in {"week", "weekend", "month", "year", "decade", "fortnight", "quarter"}:
        return None
    k = j + 1
    if unit == "quarter" and s.word(k) in {"of", "to", "past"}:  # of a game, or of an hour
        return None
    if direction == -1 and s.starts(k, "before", "last"):
        direction, k = -2, k + 2
    elif direction == 1 and s.starts(k, "after", "next"):
        direction, k = 2, k + 2
    if unit == "weekend":
        return _weekend(s, i, direction), k
    return period(s.clock, unit, direction), k


def _weekend(s: Sentence, i: int, direction: int) -> Stretch:
    if direction == 0:
        past = s.tense(i) is Tense.PAST and s.clock.today.weekday() < 5
        return s.clock.weekend(-1 if past else 0)
    return s.clock.weekend(direction)


def unit_beside(s: Sentence, i: int) -> Reading | None:
    """Read "the week before last", "the month after next", "over the weekend"."""
    j = s.skip(i, "the")
    unit = s.word(j)
    if unit in {"week", "weekend", "month", "year"} and j > i:
        if s.starts(j + 1, "before", "last"):
            return period(s.clock, unit, -2), j + 3
        if s.starts(j + 1, "after", "next"):
            return period(s.clock, unit, 2), j + 3
    if unit != "weekend" or s.word(j + 1) in {"before", "after", "of"}:
        return None
    if s.word(i - 1) in {"over", "on", "at", "for", "during", "until", "by", "before", "after",
                         "since"}:  # fmt: skip
        weekday, tense = s.clock.today.weekday(), s.tense(i)
        # On a Monday "anything fun over the weekend?" looks back, on a Thursday ahead.
        past = tense is Tense.PAST or (tense is Tense.UNKNOWN and weekday < 3)
        return s.clock.weekend(-1 if past and weekday < 5 else 0), j + 1
    return None


def _directed_weekday(s: Sentence, j: int, direction: int) -> Reading | None:
    weekday = WEEKDAYS.get(s.word(j + 1))
    if weekday is None or (s.word(j + 1) in {"sun", "sat"} and direction == 0
                           and not s.at(j + 1).capital):  # fmt: skip
        return None
    today = s.clock.today
    if direction < 0:
        return s.clock.day(weekday_before(today, weekday)), j + 2
    if direction == 0:
        return s.clock.day(weekday_this(today, weekday, s.tense(j))), j + 2
    found = weekday_next(today, weekday) if s.word(j) == "next" else weekday_after(today, weekday)
    return s.clock.day(found), j + 2


def _directed_in_year(s: Sentence, j: int, direction: int) -> Reading | None:
    choose = {-1: year_before, 0: year_this, 1: year_after}[direction]
    month = month_name(s, j)
    if month is not None:
        return choose(s.clock, lambda year: s.clock.month(year, month)), j + 1
    season = SEASONS.get(s.word(j))
    if season is not None:
        return choose(s.clock, lambda year: s.clock.season(season, year)), j + 1
    feast = feast_name(s, j)
    if feast is not None and feast[0] != ("new", "year"):
        return choose(s.clock, lambda year: feast_in(s.clock, feast[0], year)), feast[1]
    return None


def quantity(s: Sentence, i: int) -> Quantity | None:
    """Read how many: "two", "a couple of", "2-3", "a few", "one and a half", "half a"."""
    i = s.skip(i, "about", "around", "almost", "nearly", "over", "roughly", "exactly", "only",
               "like", "maybe", "just")  # fmt: skip
    if s.starts(i, "more", "than"):
        i += 2
    vague = _vague(s, i)
    if vague is not None:
        return vague
    low = _number(s, i)
    if low is None:
        return None
    number, j = low
    if s.word(j) in {"or", "to", "-", "–"} and (high := _number(s, j + 1)) is not None:
        return (number, high[0], high[1]) if high[0] > number else None
    if s.starts(j, "and", "a", "half"):
        return number + 0.5, number + 0.5, j + 3
    return number, number, j


def _vague(s: Sentence, i: int) -> Quantity | None:
    if s.word(i) in _HALF and s.word(s.skip(i + 1, "of")) in {"a", "an"}:
        return _HALF[s.word(i)], _HALF[s.word(i)], s.skip(i + 1, "of") + 1
    j = s.skip(i, "a", "the")
    if s.word(j) == "couple":
        return 2, 3, s.skip(j + 1, "of")
    if s.word(j) == "few":
        return 2, 5, s.skip(j + 1, "of")
    if s.word(j) in {"several"}:
        return 3, 8, j + 1
    if s.word(j) == "dozen":
        return 12, 12, j + 1
    return None


def _number(s: Sentence, i: int) -> tuple[float, int] | None:
    token = s.at(i)
    if token.kind == "number" and re.fullmatch(r"\d{1,4}(?:\.\d)?", token.word):
        return float(token.word), i + 1
    if token.word in {"a", "an"}:
        return (1.0, i + 1) if s.word(i + 1) in UNITS else None
    if token.word in TENS:
        j = s.skip(i + 1, "-")
        small = SMALL_NUMBERS.get(s.word(j), 10)
        return (TENS[token.word] + small, j + 1) if small < 10 else (TENS[token.word], i + 1)
    if token.word in SMALL_NUMBERS:
        return float(SMALL_NUMBERS[token.word]), i + 1
    return None


def amount_of_time(s: Sentence, i: int) -> tuple[float, float, str, int] | None:
    """Read a quantity with its unit: (at least, at most, unit, index after)."""
    amount = quantity(s, i)
    if amount is None:
        return None
    low, high, j = amount
    unit = UNITS.get(s.word(j))
    if unit is None or (low < 1 and unit in {"day", "weekend"}):
        return None
    factor = 2 if s.word(j).startswith("fortnight") else 1
    j += 1
    if s.starts(j, "and", "a", "half"):
        return low + 0.5, high + 0.5, unit, j + 3
    if s.starts(j, "or", "so"):
        j += 2
    elif s.word(j) == "or" and low == high and (more := _number(s, j + 1)) and more[0] > low:
        high, j = more  # "a week or two"
    return low * factor, high * factor, unit, j


def ago(s: Sentence, i: int) -> Reading | None:
    """Read "two weeks ago", "a few years back", "three Fridays ago"."""
    counted = amount_of_time(s, i)
    if counted is None:
        return _named_ago(s, i)
    low, high, unit, j = counted
    if s.word(j) not in {"ago", "back", "prior"} or s.starts(j, "back", "to"):
        return None
    base = _ago_from(s, j + 1)
    if base is not None and s.word(j) == "ago" and low == high and unit not in SECONDS:
        return s.clock.day(away(s.clock.set_to(base[0]), unit, -low).date()), base[1]
    return moved(s.clock, unit, -low, -high), j + 1


def _ago_from(s: Sentence, i: int) -> tuple[date, int] | None:
    """Read the day that "a week ago today", "two weeks ago Monday" count from."""
    word = s.word(i)
    if word in {"today", "tomorrow", "yesterday"}:
        return s.clock.today + timedelta(days=_DAY_WORDS[word]), i + 1
    if word in WEEKDAYS and len(word) > 4:
        return weekday_before(s.clock.today, WEEKDAYS[word]), i + 1
    return None


def _named_ago(s: Sentence, i: int) -> Reading | None:
    amount = quantity(s, i)
    if amount is None or s.word(amount[2] + 1) != "ago" or amount[0] != amount[1]:
        return None
    count, j = int(amount[0]), amount[2]
    name = s.word(j).removesuffix("s")
    if name in WEEKDAYS:
        last = weekday_before(s.clock.today, WEEKDAYS[name])
        return s.clock.day(last - timedelta(weeks=count - 1)), j + 2
    if name in SEASONS:
        last_one = year_before(s.clock, lambda year: s.clock.season(SEASONS[name], year))
        year = last_one.start.year - (count - 1)
        return s.clock.season(SEASONS[name], year), j + 2
    return None


def ahead(s: Sentence, i: int) -> Reading | None:
    """Read "in two weeks", "three days from now"; what was read in two days is none."""
    opened = s.word(i) in {"in", "within"}
    counted = amount_of_time(s, i + opened)
    if counted is None:
        return None
    low, high, unit, j = counted
    if s.word(j) == "from" and s.word(j + 1) in {"now", "today"}:
        return moved(s.clock, unit, low, high), j + 2
    if not opened or (s.tense(i) is Tense.PAST and s.word(j) != "time"):
        return None
    if s.word(j) in {"of", "and"} or (s.word(i + 1) in {"one"} and s.word(j - 1) == "day"):
        return None
    k = s.skip(s.skip(j, "'"), "time")
    if s.word(k) in {"walk", "drive", "ride"}:
        return None
    if s.word(i) == "within":
        far = moved(s.clock, unit, high)
        return Stretch(min(s.clock.now, far.start), far.end, far.precision), k
    return moved(s.clock, unit, low, high), k


def lasting(s: Sentence, i: int) -> Reading | None:
    """Read a duration up to now: "for three years" (not of what is over), "four years now"."""
    opened = s.word(i) == "for"
    j = i + opened
    if opened and s.word(j) in {"the", "these"} and s.word(j + 1) in {"past", "last"}:
        j += 2
    sure = j > i + 1
    counted = amount_of_time(s, j)
    if counted is None:
        return None
    _, high, unit, k = counted
    still = s.word(k) == "now"
    if not (still or sure or (opened and _goes_on(s, i))) or s.word(k) in {"old", "ago", "from"}:
        return None
    if unit in {"second", "minute"}:
        return None
    begin = away(s.clock, unit, -high)
    return Stretch(begin, s.clock.now, unit_precision(unit), role="for"), k + still


_OVER = re.compile(
    r"\b(?:was|were|did|didn't|went|lived|stayed|worked|will|'ll|going to|gonna|visiting|leaving|"
    r"can|could|would|should|let's|away|planning|plan|want|need|had|took|spent|off|try)\b",
    re.IGNORECASE,
)
_STILL = re.compile(
    r"\b(?:have|has|haven't|hasn't)\b|'ve\b|'s been\b|\bbeen\b|\bnot\b", re.IGNORECASE
)


def _goes_on(s: Sentence, i: int) -> bool:
    """Tell whether "for two years" reaches to now: "have lived" does, "lived" does not."""
    before = re.split(r"[.!?;\n]", s.text[: s.at(i).start])[-1]
    return bool(_STILL.search(before)) or not _OVER.search(before)
