"""Hours in English: at 5 pm, half past six tonight, tomorrow from 9am to 5pm, Friday morning."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from apexmem_desktop.chronology.clock import DAY, Clock, Stretch
from apexmem_desktop.chronology.english_words import DAY_PARTS, SMALL_NUMBERS, TENS
from apexmem_desktop.chronology.sentence import Reading, Sentence
from apexmem_desktop.chronology.tense import Tense
from apexmem_desktop.domain.interval import Precision

Reader = Callable[[Sentence, int], Reading | None]
Hour = tuple[int, int, int]  # hour, minute, index of the token after
_AT = ("at", "@", "around", "about", "by")


def time_of_day(s: Sentence, i: int, *, beside: bool = False) -> Hour | None:
    """Read an hour and minute; a bare 3:15 needs "at" or a day beside it, for it may be a score."""
    j = s.skip(i, *_AT)
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
    hour_word = _small(s, j)
    if s.word(j + 1) == "o'clock" and hour_word is not None:
        return hour_word, 0, j + 2
    return _in_the_morning(s, i)


def _small(s: Sentence, i: int) -> int | None:
    """Read an hour of the clock, one to twelve."""
    word = s.word(i)
    hour = SMALL_NUMBERS.get(word, int(word) if word.isdecimal() and len(word) < 3 else 0)
    return hour if 1 <= hour <= 12 else None


def _in_the_morning(s: Sentence, i: int) -> Hour | None:
    """Read "8 in the morning", "half past six in the evening", "11 at night"."""
    bare = _bare_hour(s, i, at=False)
    if bare is None:
        return None
    hour, minute, j = bare
    if s.starts(j, "at", "night") and hour >= 6:
        return hour % 12 + 12, minute, j + 2
    part = s.word(j + 2)
    if not s.starts(j, "in", "the") or part not in {"morning", "afternoon", "evening"}:
        return None
    return hour % 12 + (0 if part == "morning" else 12), minute, j + 3


_MINUTES = {"five": 5, "ten": 10, "quarter": 15, "twenty": 20, "half": 30}


def _bare_hour(s: Sentence, i: int, *, at: bool = True) -> Hour | None:
    """Read "at 7" or "half past six", which leave open whether before or after noon.

    Args:
        at: A number needs a word such as "at" before it.
    """
    j = s.skip(i, *_AT)
    k = s.skip(j, "a")
    word = s.word(k)
    minute = _MINUTES.get(word, int(word) if word in {"5", "10", "20", "25"} else 0)
    side, hour = s.word(k + 1), _small(s, k + 2)
    if minute and side in {"past", "to"} and hour is not None:
        if side == "past":
            return hour, minute, k + 3
        return ((hour - 2) % 12 + 1, 60 - minute, k + 3) if minute < 30 else None
    hour = _small(s, j)
    if hour is None or (at and j == i) or s.word(j) in TENS:
        return None
    return hour, 0, j + 1


def clock_first(s: Sentence, i: int, core: Reader) -> Reading | None:
    """Read "5pm tomorrow", "at 17:30 on Friday", or an hour alone, of today by the tense."""
    hours = hour_range(s, i)
    if hours is not None:
        return _range_of_a_day(s, i, hours, core)
    hour = time_of_day(s, i)
    if hour is None:
        return _bare_first(s, i, core)
    day = _day_after(s, hour[2], core)
    if day is not None:
        explicit = s.at(hour[2] - 1).kind == "ampm"
        return at_time(day[0], hour[0], hour[1], explicit=explicit), day[1]
    moment = s.clock.midnight(s.clock.today) + timedelta(hours=hour[0], minutes=hour[1])
    tense = s.tense(i)
    if tense is Tense.FUTURE and moment < s.clock.now:
        moment += DAY
    if tense is Tense.PAST and moment > s.clock.now:
        moment -= DAY
    return s.clock.minute(moment), hour[2]


def _day_after(s: Sentence, i: int, core: Reader) -> Reading | None:
    """Read the day that stands behind an hour."""
    day = core(s, s.skip(s.skip(i, ","), "on", "of"))
    if day is None or day[0].end - day[0].start > DAY + DAY / 2:
        return None
    return _with_part(s, day)


def _bare_first(s: Sentence, i: int, core: Reader) -> Reading | None:
    """Read "at 7 tonight", "half past six this evening": the part of the day tells which 7."""
    bare = _bare_hour(s, i)
    day = _day_after(s, bare[2], core) if bare else None
    if bare is None or day is None or not _is_part(day[0]):
        return None
    return at_time(day[0], bare[0], bare[1]), day[1]


def _is_part(day: Stretch) -> bool:
    return day.precision is Precision.DAY and day.end - day.start < DAY


HourRange = tuple[timedelta, timedelta, int]


def hour_range(s: Sentence, i: int, *, beside: bool = False) -> HourRange | None:
    """Read "3pm to 5pm", "from 3 to 5pm", "between 9:00 and 17:00"; "9 to 5" is a kind of job.

    Returns:
        Both ends counted from midnight, and the index of the token after.
    """
    opened = s.word(i) in {"from", "between"}
    j = i + opened
    first = time_of_day(s, j, beside=opened or beside) or _bare_hour(s, j, at=False)
    if first is None or s.word(first[2]) not in {"-", "–", "to", "until", "till", "and"}:
        return None
    last = time_of_day(s, first[2] + 1, beside=opened or beside)
    if last is None or (s.word(first[2]) == "and" and s.word(i) != "between"):
        return None
    if s.at(last[2] - 1).kind == "time" and not (opened or beside):
        return None
    begin = timedelta(hours=first[0], minutes=first[1])
    end = timedelta(hours=last[0], minutes=last[1])
    if s.at(first[2] - 1).kind in {"number", "word"} and end - begin > DAY / 2:
        begin += DAY / 2  # "from 3 to 5pm"
    return begin, end if end > begin else end + DAY, last[2]


def _range_of_a_day(s: Sentence, i: int, hours: HourRange, core: Reader) -> Reading:
    begin, end, after = hours
    day = _day_after(s, after, core)
    if day is not None:
        midnight = day[0].start.replace(hour=0, minute=0)
        return Stretch(midnight + begin, midnight + end, Precision.INSTANT, day[0].stated), day[1]
    midnight = s.clock.midnight(s.clock.today)
    if s.tense(i) is Tense.FUTURE and midnight + end < s.clock.now:
        midnight += DAY
    if s.tense(i) is Tense.PAST and midnight + begin > s.clock.now:
        midnight -= DAY
    return Stretch(midnight + begin, midnight + end, Precision.INSTANT), after


def at_time(day: Stretch, hour: int, minute: int, *, explicit: bool = False) -> Stretch:
    """Place an hour in a day or a part of one: "tonight at 8:15" is in the evening.

    Args:
        explicit: "am" or "pm" was told.
    """
    midnight = day.start.replace(hour=0, minute=0)
    turns = [0] if explicit or hour >= 12 else [0, 12]
    if hour < 5:
        turns.append(24)  # "last night at 2am" is in the small hours
    moments = [midnight + timedelta(hours=hour + turn, minutes=minute) for turn in turns]
    # "tonight at 5:30" is before what we call night, and still after noon
    late = moments[1] if len(turns) > 1 and turns[1] == 12 and day.start.hour >= 12 else moments[0]
    start = next((one for one in moments if day.start <= one < day.end), late)
    return Stretch(start, start + timedelta(minutes=1), Precision.INSTANT, day.stated)


def part_of(s: Sentence, i: int, core: Reader) -> Reading | None:
    """Read "the morning of 5 May"."""
    j = s.skip(i, "the")
    if s.word(j) not in DAY_PARTS or s.word(j + 1) != "of":
        return None
    day = core(s, j + 2)
    if day is None or day[0].end - day[0].start != DAY:
        return None
    return _narrowed(s.clock, day[0], s.word(j)), day[1]


def _narrowed(clock: Clock, day: Stretch, part: str) -> Stretch:
    return replace(clock.hours(day.start.date(), *DAY_PARTS[part]), stated=day.stated)


def _with_part(s: Sentence, found: Reading) -> Reading:
    """Narrow a whole day by the part that stands behind it: "Friday morning"."""
    day, j = found
    k = s.skip(j, ",")
    if s.word(k) in {"in", "during"} and s.word(k + 1) == "the":
        k += 2
    else:
        k = s.skip(k, "at")
    if s.word(k) in DAY_PARTS and day.end - day.start == DAY and day.precision is Precision.DAY:
        return _narrowed(s.clock, day, s.word(k)), k + 1
    return found


def with_part_of_day(s: Sentence, found: Reading) -> Reading:
    """Narrow a day by the part of it, the hour or the hours that stand behind it."""
    day, j = found
    if day.end - day.start > DAY or day.precision is not Precision.DAY:
        return found
    found = _with_part(s, found)
    day, j = found
    after = s.skip(j, ",")
    # "ran it yesterday, 1:58" tells how fast; "yesterday, 10:45" tells when.
    beside = after == j or day.stated or s.word(after)[:2].isdigit()
    hours = hour_range(s, after, beside=beside)
    if hours is not None:
        midnight = day.start.replace(hour=0, minute=0)
        begin, end = midnight + hours[0], midnight + hours[1]
        return Stretch(begin, end, Precision.INSTANT, day.stated), hours[2]
    hour = time_of_day(s, after, beside=beside) or (_bare_hour(s, j) if _is_part(day) else None)
    if hour is None:
        return found
    explicit = s.at(hour[2] - 1).kind == "ampm"
    return at_time(day, hour[0], hour[1], explicit=explicit), hour[2]
