"""Finds the words of time in a text and tells what they mean by the speaker's own clock."""

from collections.abc import Iterable

from apexmem_desktop.chronology.chinese import find_chinese, parse_chinese
from apexmem_desktop.chronology.clock import Clock
from apexmem_desktop.chronology.english import find_english, parse_english
from apexmem_desktop.chronology.foreign import find_foreign
from apexmem_desktop.chronology.foreign_words import BOOKS
from apexmem_desktop.chronology.language import guess_language
from apexmem_desktop.chronology.locales import find_by_locale
from apexmem_desktop.chronology.zones import zone_called
from apexmem_desktop.domain.interval import TimeSpan


def find_time_spans(
    text: str, *, anchor_ms: int, offset_minutes: int, language: str = "", zone: str = ""
) -> list[TimeSpan]:
    """Find every time expression, resolved against the clock of the turn, never today's.

    Args:
        language: A code such as "de"; "" looks at the script, and tries several.
        zone: Name of the speaker's time zone, by which a day may last 23 or 25 hours and another
            season has another offset; "" where only the offset is known, which then holds always.

    Returns:
        The spans from left to right, the longest readings, none overlapping another.
    """
    clock = _clock(anchor_ms, offset_minutes, zone)
    code = language.lower().replace("_", "-").split("-")[0] or guess_language(text)
    english = find_english(text, clock)
    if code == "en":
        return list(english)
    if code == "zh":
        return _merged(list(find_chinese(text, clock)), english)
    by_locale = find_by_locale(text, clock, code)
    if code not in BOOKS:
        return _merged(list(by_locale), english)
    # Lone words are left to the phrasebook, which knows "guten Morgen" from "morgen".
    longer = (span for span in by_locale if set(" 0123456789") & set(span.phrase))
    return _merged(_merged(list(find_foreign(text, clock, code)), longer), english)


def _clock(anchor_ms: int, offset_minutes: int, zone: str) -> Clock:
    if zone:
        zone_called(zone)  # tells the user of a name that is none
    return Clock(anchor_ms, offset_minutes, zone)


def _merged(first: list[TimeSpan], more: Iterable[TimeSpan]) -> list[TimeSpan]:
    """Add the spans that overlap none of the first ones."""
    taken = [(span.phrase_start, span.phrase_start + len(span.phrase)) for span in first]
    added = [
        span
        for span in more
        if all(
            span.phrase_start + len(span.phrase) <= start or span.phrase_start >= end
            for start, end in taken
        )
    ]
    return sorted([*first, *added], key=lambda span: span.phrase_start)


def parse_time_phrase(
    phrase: str, *, anchor_ms: int, offset_minutes: int, language: str = "", zone: str = ""
) -> TimeSpan | None:
    """Read a text that is one time expression; None when it is not.

    Args:
        zone: As for `find_time_spans`.
    """
    clock = _clock(anchor_ms, offset_minutes, zone)
    code = language.lower().replace("_", "-").split("-")[0] or guess_language(phrase)
    trimmed = phrase.strip()
    if code == "zh":
        return parse_chinese(trimmed, clock) or parse_english(trimmed, clock)
    if code != "en":
        spans = find_time_spans(
            trimmed, anchor_ms=anchor_ms, offset_minutes=offset_minutes, language=code, zone=zone
        )
        if len(spans) == 1 and spans[0].phrase == trimmed:
            return spans[0]
    return parse_english(trimmed, clock)
