"""The date that an answer about "when" gives: worked out from the cited turns, never guessed."""

import re
from collections.abc import Sequence

from apexmem_desktop.chronology import spell, words
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.interval import TimeSpan
from apexmem_desktop.storage.names import normalise

_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")


def date_of_answer(answer: str, hits: Sequence[TurnHit], language: str) -> str:
    """Return the answer if its date is one of the turns' own, else the date that they tell.

    A turn without time words tells the day it was said, and the answer says that it is only that.
    """
    spans = [span for hit in hits for span in _spans(hit)]
    told = [spell.spell_told(span, language) for span in spans]
    for span, date in zip(spans, told, strict=True):
        if _DIGIT.search(answer) and _agrees(answer, date):
            return date if _says_no_more(answer, f"{date} {span.phrase}") else answer
    repeated = [
        date
        for span, date in zip(spans, told, strict=True)
        if normalise(span.phrase) in normalise(answer)
    ]
    if told:
        return (repeated or told)[0]
    if hits and hits[0].said_at_ms is not None:
        day = spell.spell_instant(hits[0].said_at_ms, hits[0].offset_minutes, language)
        return f"{day}前后（说话当天）" if language == "zh" else f"around {day}, when it was told"
    return answer


def span_of_answer(answer: str, hits: Sequence[TurnHit]) -> tuple[int, int, int] | None:
    """Give the instants that an answer about "when" means, as [start_ms, end_ms) and the offset.

    It is the time the turns tell that the answer agrees with, else the day on which the first was
    said; None for turns without a time.
    """
    spans = [span for hit in hits for span in _spans(hit)]
    for span in spans:
        if normalise(spell.spell_told(span)) in normalise(answer):
            return span.start_ms, span.end_ms, span.offset_minutes
    agreeing = [span for span in spans if _agrees(answer, spell.spell_span(span))]
    if agreeing:
        return agreeing[0].start_ms, agreeing[0].end_ms, agreeing[0].offset_minutes
    if not hits or hits[0].said_at_ms is None:
        return None
    return hits[0].said_at_ms, hits[0].said_at_ms + 1, hits[0].offset_minutes


def dates_told(hits: Sequence[TurnHit], language: str) -> list[str]:
    """Spell every date that the turns tell."""
    return [spell.spell_told(span, language) for hit in hits for span in _spans(hit)]


def _spans(hit: TurnHit) -> list[TimeSpan]:
    if hit.said_at_ms is None:
        return []
    return words.find_time_spans(
        hit.text, anchor_ms=hit.said_at_ms, offset_minutes=hit.offset_minutes
    )


def _says_no_more(answer: str, date: str) -> bool:
    """Whether the answer is but the date and its own phrase: "last Friday 14 July 2023"."""
    known = {*_WORD.findall(normalise(date)), "on", "in", "the"}
    return all(word in known for word in _WORD.findall(normalise(answer)))


def _agrees(answer: str, told: str) -> bool:
    """Whether the numbers and words of the told date all stand in the answer."""
    said = normalise(answer)
    return all(word in said for word in _WORD.findall(normalise(told)) if word != "of")
