"""How facts and answers are put in words, in English and Chinese. Dates come from chronology."""

from collections.abc import Sequence

from apexmem_desktop.chronology import spell, words
from apexmem_desktop.domain.denied import denied_name
from apexmem_desktop.domain.graph import Fact, MemoryType, Modality
from apexmem_desktop.domain.interval import Bound, Precision
from apexmem_desktop.domain.wall import WallClock, clock_of

_SAYS = {
    "lives_in": "lives in", "works_at": "works at", "job_title": "works as",
    "comes_from": "comes from", "left_job": "left the job at", "studies": "studies",
    "partner": "has the partner", "sibling": "has the sibling",
    "child": "has the child", "parent": "has the parent", "friend": "has the friend",
    "boss": "has the boss", "flatmate": "shares a home with", "pet": "has the pet",
    "likes": "likes", "dislikes": "dislikes", "practises": "does", "owns": "owns",
    "bought": "bought", "sold": "sold", "visited": "went to",
    "attended": "took part in", "ran": "ran", "plans": "plans",
    "allergic_to": "is allergic to", "diet": "eats", "status": "is",
    "took_place_on": "takes place on", "birthday": "has the birthday",
    "age": "is aged", "health": "has the health problem", "speaks": "speaks",
}  # fmt: skip
_SAYS_ZH = {
    "lives_in": "住在", "works_at": "工作单位", "job_title": "职位", "pet": "宠物",
    "likes": "喜欢", "dislikes": "不喜欢", "practises": "经常", "studies": "学习",
    "plans": "计划", "status": "状态", "took_place_on": "日期", "owns": "拥有",
    "bought": "买了", "favourite_restaurant": "最喜欢的餐厅", "allergic_to": "过敏",
    "left_job": "离开的工作", "health": "健康", "comes_from": "来自",
}  # fmt: skip


def one_line(text: str) -> str:
    """Put words on one line: a line break in somebody's words must not look like one of ours."""
    return " ".join(text.split())


def fact_line(fact: Fact, language: str) -> str:
    """Say a fact in one line, with since when and until when it held."""
    denied = "" if fact.polarity else denied_name(fact.property, language)
    said = f"{fact.subject} {denied or says(fact, language)} {fact.value}"
    if not fact.polarity and not denied:
        said = f"{said}（{_no(language)}）" if language == "zh" else f"{said} ({_no(language)})"
    return said + dates_of(fact, language)


def says(fact: Fact, language: str) -> str:
    """Name a property as words between subject and value."""
    plain = fact.property.replace("_", " ")
    if language == "zh":
        return _SAYS_ZH.get(fact.property, plain)
    if plain.startswith("favourite "):
        return f"has the {plain}"
    return _SAYS.get(fact.property, plain)


def _no(language: str) -> str:
    return "不再" if language == "zh" else "not, or no longer"


def dates_of(fact: Fact, language: str) -> str:
    """Say from when and until when a fact held, as far as that is known."""
    clock = clock_of(fact.evidence)
    parts = []
    if fact.valid_from.precision is not Precision.UNKNOWN:
        when = began(fact, language)
        parts.append(_start_word(fact, language) + when)
    elif fact.valid_from.latest_ms is not None:
        latest_ms = fact.valid_from.latest_ms
        said = spell.spell_instant(latest_ms, clock.offset_at(latest_ms), language)
        parts.append(f"{said}说的" if language == "zh" else f"told {said}")
    if fact.effective_to is not None and fact.memory_type is not MemoryType.ACTION:
        parts.append(until(fact.effective_to, clock, language))
    joint = "，" if language == "zh" else ", "
    return joint + joint.join(parts) if parts else ""


def began(fact: Fact, language: str) -> str:
    """Say when a fact began, as it was told: "last week" is the week before the day it was said."""
    start, end = fact.valid_from.earliest_ms, fact.valid_from.latest_ms
    for one in fact.evidence if fact.phrase else ():
        if one.said_at_ms is None or end is None:
            continue
        for span in words.find_time_spans(
            fact.phrase,
            anchor_ms=one.said_at_ms,
            offset_minutes=one.offset_minutes,
            zone=one.zone,
        ):
            if (span.start_ms, span.end_ms) == (start, end + 1) and span.role != "for":
                return spell.spell_told(span, language)
    return spell.spell_bound(fact.valid_from, clock_of(fact.evidence), language)


def _start_word(fact: Fact, language: str) -> str:
    if fact.memory_type is MemoryType.ACTION:
        return "" if language == "zh" else "on or in "
    if fact.modality is Modality.PLANNED:
        return "计划" if language == "zh" else "planned for "
    return "从" if language == "zh" else "since "


def until(bound: Bound, clock: WallClock, language: str) -> str:
    """Say when something ended."""
    when = spell.spell_bound(bound, clock, language)
    return f"到{when}" if language == "zh" else f"until {when}"


def joined(values: Sequence[str], language: str) -> str:
    """Join values as a list in words."""
    if language == "zh":
        return "、".join(values)
    return ", ".join(values[:-1]) + (" and " if len(values) > 1 else "") + values[-1]
