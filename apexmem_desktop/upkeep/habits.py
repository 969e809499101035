"""Habits: said outright ("every Tuesday"), or possible, where the same came at even distances."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median

from apexmem_desktop.domain.derived import Habit
from apexmem_desktop.domain.graph import Fact, Modality
from apexmem_desktop.domain.interval import Precision
from apexmem_desktop.domain.values import normalised_text
from apexmem_desktop.domain.wall import clock_of

LEAST_DAYS = 4  # on fewer days, even distances are chance
UNEVEN = 0.25  # a distance may be off by this share of the middle one, or by a day
_DAY_MS = 86_400_000
_DAYS_OF = {"day": 1.0, "morning": 1.0, "evening": 1.0, "night": 1.0, "week": 7.0, "month": 30.44,
            "year": 365.25, "天": 1.0, "日": 1.0, "早上": 1.0, "晚上": 1.0, "周": 7.0, "星期": 7.0,
            "个月": 30.44, "月": 30.44, "年": 365.25}  # fmt: skip
_WEEKLY = 7.0
_STATED = re.compile(
    r"\bevery (?:single )?(?P<unit>(?:mon|tues|wednes|thurs|fri|satur|sun)day|day|morning|evening|"
    r"night|week|month|year)\b"
    r"|每(?P<chinese>个?(?:周|星期|礼拜)[一二三四五六日天]?|天|日|早上|晚上|个月|月|年)",
    re.IGNORECASE,
)


def find_habits(facts: Sequence[Fact], refused: Mapping[int, str]) -> tuple[Habit, ...]:
    """Find the habits of one entity in its facts, whether they hold now or not.

    Args:
        refused: Facts that the user does not want, by number.
    """
    told: dict[tuple[int, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.polarity and fact.modality is Modality.ASSERTED and fact.id not in refused:
            told[fact.property_id, normalised_text(fact.value, fact.value_type)].append(fact)
    return tuple(_habits(told))


def _habits(told: Mapping[tuple[int, str], list[Fact]]) -> Iterator[Habit]:
    for (property_id, value), facts in sorted(told.items()):
        found = _stated(property_id, value, facts) or _possible(property_id, value, facts)
        if found is not None:
            yield found


def _stated(property_id: int, value: str, facts: Sequence[Fact]) -> Habit | None:
    said = [(fact, proof, _STATED.search(proof.quote)) for fact in facts for proof in fact.evidence]
    telling = [(fact, proof, match) for fact, proof, match in said if match is not None]
    times = sorted(proof.said_at_ms or 0 for _, proof, _ in telling)
    if not telling:
        return None
    first, _, match = telling[0]
    ids = tuple(sorted({fact.id for fact, _, _ in telling}))
    return Habit(
        entity_id=first.subject_id, property_id=property_id, value_normalised=value,
        times=len({ms // _DAY_MS for ms in times}), every_days=_days_between(match),
        first_ms=times[0], last_ms=times[-1], fact_ids=ids, stated=True,
        text=f"{_words(first)}, {match.group()} as said ({_numbers(ids)})",
    )  # fmt: skip


def _days_between(match: re.Match[str]) -> float:
    unit = (match["unit"] or "").lower()
    if unit:
        return _DAYS_OF.get(unit, _WEEKLY)
    return _DAYS_OF.get(match["chinese"], _WEEKLY)


def _possible(property_id: int, value: str, facts: Sequence[Fact]) -> Habit | None:
    days = {day: fact for fact in facts if (day := _day_of(fact)) is not None}
    if len(days) < LEAST_DAYS:
        return None
    ordered = sorted(days)
    gaps = [later - earlier for earlier, later in pairwise(ordered)]
    middle = float(median(gaps))
    if any(abs(gap - middle) > max(1.0, UNEVEN * middle) for gap in gaps):
        return None
    ids = tuple(sorted(fact.id for fact in days.values()))
    first, last = days[ordered[0]], days[ordered[-1]]
    return Habit(
        entity_id=first.subject_id, property_id=property_id, value_normalised=value,
        times=len(days), every_days=middle,
        first_ms=first.valid_from.earliest_ms or 0, last_ms=last.valid_from.earliest_ms or 0,
        fact_ids=ids, stated=False,
        text=f"{_words(first)}, possibly about every {middle:g} days ({_numbers(ids)})",
    )  # fmt: skip


def _day_of(fact: Fact) -> int | None:
    """Give the local day on which it was, counted from 1970; None where it is not known."""
    start = fact.valid_from
    if start.earliest_ms is None or start.precision not in (Precision.DAY, Precision.INSTANT):
        return None
    return clock_of(fact.evidence).of_bound(start).local_ms(start.earliest_ms) // _DAY_MS


def _words(fact: Fact) -> str:
    return f"{fact.property.replace('_', ' ')}: {fact.value}"


def _numbers(ids: Sequence[int]) -> str:
    return f"{'fact' if len(ids) == 1 else 'facts'} {', '.join(map(str, ids))}"
