"""Questions about two events: which was first, and how long lay between them.

No turn tells that, and a small model guesses. So the question is taken apart, each event is dated
by a question of its own, and the rest is reckoned on the calendar.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from apexmem_desktop.agent.asked_time import days_of_answer
from apexmem_desktop.agent.verifying import Proved
from apexmem_desktop.domain.answers import TurnHit

_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"
_FIRST = re.compile(
    r"^\W*(?P<asks>(?:which|what|who)\b.*?)\bfirst\b(?P<rest>(?:\s+(?:in|on|at|during|this|last)\b[^,:]*)?)[,:]\s*"
    r"(?P<a>.+?),?\s+or\s+(?P<b>.+?)\W*$",
    re.IGNORECASE,
)
_FIRST_ZH = re.compile(r"^(?P<who>.*?)先(?P<a>.+?)还是先?(?P<b>.+?)[的吗呢？?]*$")
_APART = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bhow many {_UNIT}\b[^,]*?\bbetween (?P<a>.+?) and (?P<b>(?:the (?:day|time)|when)\b.+)",
        rf"\bhow many {_UNIT}\b[^,]*?\bbetween (?P<a>.+?) and (?P<b>.+)",
        rf"\bhow many {_UNIT} (?:had |have |has )?(?:passed )?since (?P<a>.+?) when (?P<b>.+)",
        rf"\bhow many {_UNIT} (?:before|after) (?P<a>.+?) (?:did|was|were) (?P<b>.+)",
    )
)
_APART_ZH = re.compile(
    r"^(?:从)?(?P<a>.+?)(?:和|到|与|跟)(?P<b>.+?)(?:之间)?(?:隔了|相隔|过了|相差|间隔)了?"
    r"(?:多少|几)个?(?P<unit>天|周|星期|月|年)"
)
_AGO = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bhow many {_UNIT} ago (?P<a>(?:did|was|were) .+)",
        rf"\bhow many {_UNIT} (?:have |has |had )?passed since (?P<a>.+)",
    )
)
_LEADING = re.compile(r"^(?:the (?:day|time|moment) (?:that |when |on which )?|when |last )", re.I)
# "Which device did I set up" asks for a device: its names follow.
_KIND_ASKED = re.compile(
    r"^(?:which|what)\s+(?:\w+\s+)??(?=did\b|do\b|was\b|were\b)", re.IGNORECASE
)
# "the purchase of the mixer" is asked for otherwise than "I bought the mixer".
_THING = re.compile(r"^(?:the|my|our|his|her|their|a|an)\b", re.IGNORECASE)
_DAYS = {"day": 1, "week": 7}
_ZH_UNITS = {"天": "day", "周": "week", "星期": "week", "月": "month", "年": "year"}
_ZH_SAID = {"day": "天", "week": "周", "month": "个月", "year": "年"}


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What is to be reckoned.

    Attributes:
        questions: One for the date of each event.
        choices: Of a question which was first: what each is called.
        unit: Of a question how long: "day", "week", "month" or "year".
    """

    questions: tuple[str, ...]
    choices: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Dated:
    """When an event was: local days, first and last that it may have been, with its proof."""

    first_on: date
    last_on: date
    hits: tuple[TurnHit, ...]


def read_reckoning(question: str) -> Reckoning | None:
    """Take a question about two events apart; None for any other question."""
    return _first(question) or _apart(question) or _ago(question)


def reckon(
    what: Reckoning,
    find_date: Callable[[str], Dated | None],
    *,
    today: date,
    language: str,
) -> Proved | None:
    """Date the events and reckon; None where one of them is not told, or their dates overlap."""
    dated: list[Dated] = []
    for question in what.questions:
        found = find_date(question)
        if found is None:
            return None
        dated.append(found)
    hits = tuple({hit.turn_id: hit for one in dated for hit in one.hits}.values())
    if what.choices:
        first = _earlier(dated)
        return None if first is None else Proved(what.choices[first], hits)
    start, end = dated[0], dated[1] if len(dated) > 1 else Dated(today, today, ())
    return Proved(_spelled(start, end, what.unit, language), hits)


def compare(events: Sequence[Dated], what: Reckoning, language: str) -> str:
    """Reckon with two dated events; "" where their days overlap and it is asked which was first."""
    if not what.choices:
        return _spelled(events[0], events[1], what.unit, language)
    first = _earlier(list(events))
    return "" if first is None else what.choices[first]


def dated(proved: Proved) -> Dated | None:
    """Give the local days of an answer to "when"; None for turns without a time."""
    found = days_of_answer(proved.answer, proved.hits)
    return None if found is None else Dated(*found, proved.hits)


def _first(question: str) -> Reckoning | None:
    found = _FIRST.match(question)
    if found is None:
        chinese = _FIRST_ZH.match(question)
        if chinese is None:
            return None
        choices = (chinese["a"], chinese["b"])
        asked = tuple(f"{chinese['who']}什么时候{choice}？" for choice in choices)
        return Reckoning(asked, choices)
    choices = (found["a"].strip(" '\""), found["b"].strip(" '\""))
    asks = re.sub(
        r"^(?:which|what)\s+(?:\w+\s+)??(?=did\b|do\b|was\b|were\b)", "", found["asks"], flags=re.I
    )
    if found["asks"].casefold().startswith("who"):
        said = re.sub(r"^who\s+", "", found["asks"], flags=re.I).strip()
        asked = tuple(f"When was it that {c} {said}{found['rest']}?" for c in choices)
    elif asks == found["asks"]:
        asked = tuple(_when(choice) for choice in choices)
    else:
        asked = tuple(f"When {asks.strip()} {c}{found['rest']}?" for c in choices)
    return Reckoning(asked, choices)


def _apart(question: str) -> Reckoning | None:
    for pattern in _APART:
        found = pattern.search(question)
        if found is not None:
            return Reckoning((_when(found["a"]), _when(found["b"])), unit=_unit(found))
    chinese = _APART_ZH.match(question)
    if chinese is None:
        return None
    asked = tuple(f"什么时候{chinese[side]}？" for side in "ab")
    return Reckoning(asked, unit=_ZH_UNITS[chinese["unit"]])


def _ago(question: str) -> Reckoning | None:
    for place, pattern in enumerate(_AGO):
        found = pattern.search(question)
        if found is not None:
            asked = f"When {found['a']}" if place == 0 else _when(found["a"])
            return Reckoning(
                (asked.rstrip("? .") + "?",), unit=found["unit"].casefold().rstrip("s")
            )
    return None


def _unit(found: re.Match[str]) -> str:
    return found["unit"].casefold().rstrip("s")


def _when(event: str) -> str:
    """Ask for the date of an event: a thing, a clause, or the deed of a "did I"."""
    bare = _LEADING.sub("", event.strip(" ?.,"))
    if _THING.match(bare) and not re.search(r"\b(?:I|we|he|she|they)\b", bare):
        return f"When was {bare}?"
    return f"When was it that {bare}?"


def _earlier(dated: list[Dated]) -> int | None:
    """Tell which of two was first; None where their days overlap."""
    if dated[0].last_on < dated[1].first_on:
        return 0
    return 1 if dated[1].last_on < dated[0].first_on else None


def _spelled(start: Dated, end: Dated, unit: str, language: str) -> str:
    """Say how long lay between, "about" where the days are not known."""
    if start.first_on > end.first_on:
        start, end = end, start
    exact = start.first_on == start.last_on and end.first_on == end.last_on
    number = _number(_middle(start), _middle(end), unit)
    if language == "zh":
        return f"{'' if exact else '大约'}{number}{_ZH_SAID[unit]}"
    return f"{'' if exact else 'about '}{number} {unit}{'' if number == 1 else 's'}"


def _number(start: date, end: date, unit: str) -> int:
    if unit in _DAYS:
        return round((end - start).days / _DAYS[unit])
    months = (end.year - start.year) * 12 + end.month - start.month
    months -= end.day < start.day - 3  # told as "a month ago" a few days short of it
    return months if unit == "month" else round(months / 12)


def _middle(one: Dated) -> date:
    return one.first_on + (one.last_on - one.first_on) / 2
