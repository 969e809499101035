"""The languages for which we have no phrasebook: dateparser's word lists, and dateparser itself.

dateparser reads almost anything as a date, works "yesterday" out as an instant, and turns a
two-digit year into 2118 (issues 34, 36, 37). So it is shown only phrases that are made of its own
words for time, it translates rather than reckons where it can, and years are checked afterwards.
"""

import importlib
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from apexmem_desktop.chronology.clock import Clock
from apexmem_desktop.chronology.english import parse_english
from apexmem_desktop.chronology.sentence import hide
from apexmem_desktop.domain.interval import TimeSpan

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
           "october", "november", "december")  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UNITS = {"year", "month", "week", "day", "hour", "minute"}
_SHORTEST_NAME = 3  # "mo", "so" and "di" are words of their own
_NEAR_YEARS = 120


@dataclass(frozen=True)
class _Words:
    """What a language calls times: a search pattern, and the English of fixed phrases."""

    pattern: re.Pattern[str]
    fixed: dict[str, str]
    counted: tuple[tuple[re.Pattern[str], str], ...]


def find_by_locale(text: str, clock: Clock, language: str) -> Iterator[TimeSpan]:
    """Yield what the word lists of a language recognise as time; nothing for an unknown code."""
    words = _words(language)
    if words is None:
        return
    for found in words.pattern.finditer(hide(text)):
        span = _resolved(found.group(), clock, language, words)
        if span is not None:
            yield replace(span, phrase=found.group(), phrase_start=found.start())


def _resolved(phrase: str, clock: Clock, language: str, words: _Words) -> TimeSpan | None:
    fixed = words.fixed.get(phrase.lower())
    if fixed is not None:
        return parse_english(fixed, clock)
    for pattern, english in words.counted:
        counted = pattern.fullmatch(phrase)
        if counted is not None:
            return parse_english(counted.expand(english), clock)
    return _by_dateparser(phrase, clock, language)


@lru_cache(maxsize=16)
def _words(language: str) -> _Words | None:
    if re.fullmatch(r"[a-z]{2,3}", language) is None:
        return None
    name = f"dateparser.data.date_translation_data.{language}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            info: dict[str, Any] = importlib.import_module(name).info
    except ModuleNotFoundError:
        return None
    spaced = language not in {"ja", "zh", "th", "lo", "km", "my"}
    fixed = _fixed(info)
    counted = tuple(_counted(info))
    names = {
        kind: sorted(
            {re.escape(word) for key in keys for word in info.get(key, ()) if len(word) >= least},
            key=len, reverse=True,
        )
        for kind, keys, least in (
            ("month", _MONTHS, _SHORTEST_NAME if spaced else 2),
            ("weekday", _WEEKDAYS, _SHORTEST_NAME + 1 if spaced else 2),
        )
    }  # fmt: skip
    month = "|".join(names["month"]) or "(?!)"
    weekday = "|".join(names["weekday"]) or "(?!)"
    relative = "|".join(re.escape(word) for word in sorted(fixed, key=len, reverse=True)) or "(?!)"
    numbers = "|".join(pattern.pattern for pattern, _ in counted) or "(?!)"
    numbers = re.sub(r"\((?!\?)", "(?:", numbers)
    dated = rf"\d{{1,2}}\.?\ (?:de\ )?(?:{month})(?:\ (?:de\ )?\d{{4}})?|(?:{month})\ \d{{4}}"
    whole = rf"{numbers}|{dated}|{relative}|{weekday}"
    edges = (r"(?<!\w)(?:", r")(?!\w)") if spaced else ("(?:", ")")
    return _Words(re.compile(edges[0] + whole + edges[1], re.IGNORECASE), fixed, counted)


def _fixed(info: dict[str, Any]) -> dict[str, str]:
    """Turn dateparser's "1 week ago" into our "last week", which is a week and no instant."""
    fixed = {}
    for english, phrases in info.get("relative-type", {}).items():
        count, unit, back = _taken_apart(english)
        if unit not in _UNITS - {"hour", "minute"}:
            continue
        for phrase in phrases:
            if len(phrase) >= 2:
                fixed[phrase.lower()] = _in_our_words(count, unit, back=back)
    return fixed


def _taken_apart(english: str) -> tuple[int, str, bool]:
    parts = english.split()
    back = parts[-1] == "ago"
    count, unit = parts[:2] if back else parts[1:3]
    return int(count), unit, back


def _in_our_words(count: int, unit: str, *, back: bool) -> str:
    if unit == "day":
        near = {0: "today", 1: "yesterday" if back else "tomorrow"}
        return near.get(count, f"{count} days ago" if back else f"in {count} days")
    if count == 0:
        return f"this {unit}"
    if count == 1:
        return f"{'last' if back else 'next'} {unit}"
    return f"{count} {unit}s ago" if back else f"in {count} {unit}s"


def _counted(info: dict[str, Any]) -> Iterator[tuple[re.Pattern[str], str]]:
    for english, patterns in info.get("relative-type-regex", {}).items():
        parts = english.replace("\\1", "1").split()
        unit = parts[1] if parts[-1] == "ago" else parts[2]
        if unit not in _UNITS:
            continue
        for pattern in patterns:
            if len(re.sub(r"\(.*?\)|[\\\s*+?]|\bs\b", "", pattern)) >= 2:
                yield re.compile(pattern, re.IGNORECASE), english.replace(unit, unit + "s")


def _by_dateparser(phrase: str, clock: Clock, language: str) -> TimeSpan | None:
    """Let dateparser read a month with day or year, or a weekday, and check what it says."""
    digits = re.findall(r"\d+", phrase)
    settings: dict[str, Any] = {
        "RELATIVE_BASE": clock.now.replace(tzinfo=None),
        "PREFER_DATES_FROM": "current_period",
        "STRICT_PARSING": False,
        "REQUIRE_PARTS": ["month"] if digits else [],
        "PARSERS": ["absolute-time"],
        "RETURN_AS_TIMEZONE_AWARE": False,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from dateparser import parse

        moment = parse(phrase, languages=[language], settings=settings)
    if moment is None or abs(moment.year - clock.today.year) > _NEAR_YEARS:
        return None
    year_stated = any(len(one) == 4 for one in digits)
    stretch = clock.day(moment.date())
    if digits and year_stated and len(digits) == 1:
        stretch = clock.month(moment.year, moment.month)
    if year_stated:
        stretch = stretch.as_stated()
    elif digits:
        english = f"{moment.day} {_MONTHS[moment.month - 1]}"
        return parse_english(english, clock)
    else:
        return parse_english(_WEEKDAYS[moment.weekday()], clock)
    return clock.span(stretch, phrase, 0)
