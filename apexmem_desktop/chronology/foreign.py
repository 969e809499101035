"""Other languages: a phrasebook puts the words into English, the English grammar reads them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from apexmem_desktop.chronology.chinese_numbers import chinese_number
from apexmem_desktop.chronology.clock import Clock
from apexmem_desktop.chronology.english import parse_english
from apexmem_desktop.chronology.foreign_words import (
    BOOKS,
    DAY,
    LAST_DAY,
    LAST_YEAR,
    YEAR,
    Phrasebook,
)
from apexmem_desktop.chronology.sentence import hide
from apexmem_desktop.chronology.tense import Tense, sentence_bounds
from apexmem_desktop.domain.interval import TimeSpan

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKENDS = {"de": "wochenende", "fr": "week-?end", "es": r"fin\ de\ semana",
             "pt": r"fi(?:m|nal)\ de\ semana", "ja": "週末"}  # fmt: skip


_KNOWN_WORDS = 20_000


class _Rules:
    """The rules of one language, ready to search with."""

    def __init__(self, language: str, book: Phrasebook) -> None:
        self.book = book
        self.words = {
            "n": {r"\d{1,3}": "", **book.numbers},
            "u": book.units,
            "w": dict(zip(book.weekdays, _WEEKDAYS, strict=True)),
            "m": dict(zip(book.months, _MONTHS, strict=True)),
            "M": dict(zip(book.months, _MONTHS, strict=True)),
            "s": book.seasons,
            "p": book.parts,
            "f": book.feasts,
        }
        singular = {pattern: unit.rstrip("s") for pattern, unit in book.units.items()
                    if unit in {"weeks", "months", "years"}}  # fmt: skip
        self.words["x"] = {
            **singular, **self.words["w"], **self.words["m"], **book.seasons,
            _WEEKENDS[language]: "weekend",
        }  # fmt: skip
        edge = (r"(?<!\w)(?:", r")(?!\w)") if book.spaced else ("(?:", ")")
        self.rules = tuple(
            (re.compile(edge[0] + self._expanded(pattern) + edge[1], re.IGNORECASE), english)
            for pattern, english in book.rules
        )
        self.since, self.until = (
            re.compile(rf"(?<!\w)(?:{words})\ $", re.IGNORECASE) if words else None
            for words in (book.since, book.until)
        )
        self.hour = re.compile(book.hour + edge[1].removeprefix(")"), re.IGNORECASE)
        known = "|".join(
            word
            for words in (book.units, book.weekdays, book.months, book.seasons, book.parts,
                          book.feasts, book.lone.split())
            for word in words
        )  # fmt: skip
        self._sign = re.compile(rf"\d|(?<!\w)(?:{known})(?!\w)", re.IGNORECASE)
        self._signs: dict[str, bool] = {}
        self.past = re.compile(book.past, re.IGNORECASE)
        self.future = re.compile(book.future, re.IGNORECASE)

    def may_hold_time(self, text: str) -> bool:
        """Tell, quickly, whether a word of a text can be one of time at all."""
        return not self.book.spaced or any(map(self._is_sign, text.split()))

    def _is_sign(self, word: str) -> bool:
        """Remember the answer: people use few words, and the pattern is slow."""
        known = self._signs.get(word)
        if known is None:
            if len(self._signs) > _KNOWN_WORDS:
                self._signs.clear()
            known = self._signs[word] = self._sign.search(word) is not None
        return known

    def _expanded(self, pattern: str) -> str:
        for name, patterns in self.words.items():
            choices = "|".join(sorted(patterns, key=len, reverse=True))
            pattern = pattern.replace("{" + name + "}", f"(?P<{name}>{choices})")
        for name, digits in (("y", YEAR), ("z", LAST_YEAR), ("d", DAY), ("D", LAST_DAY)):
            pattern = pattern.replace("{" + name + "}", digits)
        return pattern

    def english(self, found: re.Match[str], template: str) -> str:
        """Put a matched phrase into English."""
        values = dict.fromkeys("nuwmspfxyzdDM", "")
        for name, raw in found.groupdict().items():
            if raw is not None:
                values[name] = self._translated(name, raw)
        return " ".join(template.format(**values).split())

    def part(self, raw: str | None) -> str:
        """Put the part of a day into English."""
        return "" if raw is None else self._translated("p", raw)

    def _translated(self, name: str, raw: str) -> str:
        for pattern, english in self.words.get(name, {}).items():
            if re.fullmatch(pattern, raw, re.IGNORECASE):
                return english or str(chinese_number(raw))
        return raw


@lru_cache(maxsize=8)
def _rules(language: str) -> _Rules:
    return _Rules(language, BOOKS[language])


def find_foreign(text: str, clock: Clock, language: str) -> Iterator[TimeSpan]:
    """Yield the time expressions of a language that has a phrasebook, left to right."""
    rules = _rules(language)
    shown = hide(text.replace("’", "'"))
    if not rules.may_hold_time(shown):
        return
    matches = [
        (found, template) for pattern, template in rules.rules for found in pattern.finditer(shown)
    ]
    matches.sort(key=lambda match: (match[0].start(), -match[0].end()))
    done = 0
    for found, template in matches:
        if found.start() < done:
            continue
        role, start, end = _role(rules, shown, found, language)
        tense = _tense_in_role(rules, shown, found, (role, start))
        english = rules.english(found, template)
        timed = _hour(rules, shown, found)
        span = None
        if timed is not None:
            span = parse_english(f"{english} at {timed[0]}", clock, tense=tense)
            end = end if span is None else timed[1]
        span = span or parse_english(english, clock, tense=tense)
        if span is None:
            continue
        done = end
        if span.role != "at":  # "seit zwei Jahren" is a duration already
            role = span.role
        if span.ends is not None:  # "desde 2015 hasta 2018" has both ends
            role = "at"
        yield replace(span, role=role, phrase=text[start:done], phrase_start=start)


def _hour(rules: _Rules, text: str, found: re.Match[str]) -> tuple[str, int] | None:
    """Read the hour that stands behind a day, as "15:30", and the offset after it."""
    told = rules.hour.match(text, found.end())
    if told is None:
        return None
    half = 30 if told.groupdict().get("half") else 0
    hour, minute = int(told.group("h")), int(told.group("q") or half)
    part = rules.part(told.group("p"))
    if hour < 12 and part in {"afternoon", "evening", "night"}:
        hour += 12
    return f"{hour}:{minute:02}", told.end()


def _tense_in_role(rules: _Rules, text: str, found: re.Match[str], role: tuple[str, int]) -> Tense:
    """Look back for what began, and ahead for the weekday by which something ends."""
    tense = _tense(rules, text, *found.span())
    back = rules.book.back
    if role[0] == "since" and back and text[role[1] :].lower().startswith(back):
        return Tense.PAST
    weekday = "w" in found.groupdict() and found.group("w")
    ahead = role[0] == "until" and weekday and tense is Tense.UNKNOWN
    return Tense.FUTURE if ahead else tense


_JAPANESE_ROLES = {"から": "since", "以来": "since", "まで": "until"}


def _role(rules: _Rules, text: str, found: re.Match[str], language: str) -> tuple[str, int, int]:
    """Read the part a phrase plays from the word beside it ("seit", "jusqu'à", "から").

    Returns:
        The role, and where the phrase begins and ends with that word in it.
    """
    start, end = found.span()
    if language == "ja":
        role = _JAPANESE_ROLES.get(text[end : end + 2], "at")
        return role, start, end if role == "at" else end + 2
    for words, pattern, role in (
        (rules.book.since, rules.since, "since"),
        (rules.book.until, rules.until, "until"),
    ):
        before = pattern.search(text, 0, start) if pattern else None
        if before:
            return role, before.start(), end
        if re.match(rf"(?:{words})\ ", found.group(), re.IGNORECASE):
            return role, start, end
    return "at", start, end


def _tense(rules: _Rules, text: str, start: int, end: int) -> Tense:
    begin, stop = sentence_bounds(text, start)
    around = text[begin:start] + " " + text[end : max(stop, end)]
    if rules.past.search(around):
        return Tense.PAST
    return Tense.FUTURE if rules.future.search(around) else Tense.UNKNOWN
