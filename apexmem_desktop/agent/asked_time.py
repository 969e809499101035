"""The date that an answer about "when" gives: worked out from the cited turns, never guessed."""

import re
from collections.abc import Sequence
from datetime import date

from apexmem_desktop.chronology import spell, words
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.interval import TimeSpan
from apexmem_desktop.domain.wall import WallClock
from apexmem_desktop.storage.names import normalise

_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")


def date_of_answer(answer: str, hits: Sequence[TurnHit], language: str) -> str:
    """Return the answer if its date is one of the turns' own, else the date that they tell.

    A turn without time words tells the day it was said, and the answer says that it is only that.
    """
    spans = [span for hit in hits for span in _spans(hit)]
    told = [spell.spell_told(span, language) for span in spans]
    for span, when in zip(spans, told, strict=True):
        if _DIGIT.search(answer) and _agrees(answer, when):
            return when if _says_no_more(answer, f"{when} {span.phrase}") else answer
    repeated = [
        when
        for span, when in zip(spans, told, strict=True)
        if normalise(span.phrase) in normalise(answer)
    ]
    if told:
        return (repeated or told)[0]
    if hits and hits[0].said_at_ms is not None:
        day = spell.spell_instant(hits[0].said_at_ms, hits[0].offset_minutes, language)
        return around(day, language)
    return answer


def around(day: str, language: str) -> str:
    """Say that something was about the day on which it was told, which its quote stands beside."""
    return f"{day}前后" if language == "zh" else f"around {day}"


def days_of_answer(answer: str, hits: Sequence[TurnHit]) -> tuple[date, date] | None:
    """Give the first and the last local day that an answer about "when" means.

    It is the time the turns tell that the answer agrees with, else the day on which the first was
    said; None for turns without a time.
    """
    spans = [span for hit in hits for span in _spans(hit)]
    for span in spans:
        if normalise(spell.spell_told(span)) in normalise(answer):
            return _days(span)
    agreeing = [span for span in spans if _agrees(answer, spell.spell_span(span))]
    if agreeing:
        return _days(agreeing[0])
    if not hits or hits[0].said_at_ms is None:
        return None
    day = WallClock(hits[0].offset_minutes).day(hits[0].said_at_ms)
    return day, day


def _days(span: TimeSpan) -> tuple[date, date]:
    clock = WallClock(span.offset_minutes, span.zone)
    return clock.day(span.start_ms), clock.day(span.end_ms - 1)


def dates_told(hits: Sequence[TurnHit], language: str) -> list[str]:
    """Spell every date that the turns tell."""
    return [spell.spell_told(span, language) for hit in hits for span in _spans(hit)]


def _spans(hit: TurnHit) -> list[TimeSpan]:
    if hit.said_at_ms is None:
        return []
    return words.find_time_spans(
        hit.text,
        anchor_ms=hit.said_at_ms,
        offset_minutes=hit.offset_minutes,
        zone=hit.zone,
    )


def _says_no_more(answer: str, date: str) -> bool:
    """Whether the answer is but the date and its own phrase: "last Friday 14 July 2023"."""
    known = {*_WORD.findall(normalise(date)), "on", "in", "the"}
    return all(word in known for word in _WORD.findall(normalise(answer)))


def _agrees(answer: str, told: str) -> bool:
    """Whether the numbers and words of the told date all stand in the answer."""
    said = normalise(answer)
    return all(word in said for word in _WORD.findall(normalise(told)) if word != "of")
