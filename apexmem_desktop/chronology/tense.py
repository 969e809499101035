"""Does the sentence speak of what was or of what is to come? Read from simple cue words."""

import re
from enum import Enum


class Tense(Enum):
    """Where a date without a year, or a bare weekday, is to be looked for."""

    PAST = "past"
    FUTURE = "future"
    UNKNOWN = "unknown"


_SENTENCE_END = re.compile(r"[.!?;。！？；\n]+(?=\s|$)|[。！？；\n]+")

_ENGLISH = re.compile(
    r"""
    (?P<future>
        \b(?:will|shall|won't|gonna|wanna|let's|lets|tomorrow|upcoming|should|must|might|can|
           hope|hopes|hoping|plan|plans|planned|planning|scheduled|supposed|booked|expect|expecting|
           invite|invited\ to)\b
      | \w'll\b
      | \b(?:going|want|wants|need|needs|have|has|like|ready|due)\ to\b
      | \bcan't\ wait\b | \blooking\ forward\b | \bsee\ you\b | \bare\ you\ free\b
      | (?:\b(?:am|are|is)|'m|'re|'s)\ (?:not\ |also\ |just\ |all\ )?\w{2,}ing\b
    )
    | (?P<past>
        \b(?:was|were|wasn't|weren't|did|didn't|had|hadn't|been|went|saw|got|made|took|came|met|
           bought|left|found|told|said|gave|felt|began|won|lost|ran|sent|spent|ate|drank|drove|
           flew|fell|grew|heard|held|kept|knew|led|paid|put|read|rode|sang|sat|sold|spoke|stood|
           swam|taught|thought|threw|understood|woke|wore|wrote|built|broke|brought|caught|chose|
           became|slept|quit|hit|cut|set|hung|dug|drew|ended|died|tried|has|have|'ve)\b
      | 've\b
      | \b(?!(?:need|excited|interested|tired|married|indeed|speed|hundred|breed|sacred|wicked|
                naked|united|limited|related|supposed|feed|proceed|succeed|exceed|freed)\b)
        \w{2,}ed\b
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)

_CHINESE = re.compile(
    r"(?P<future>将|(?<![聚机开社晚宴议学])会(?![议员计])|(?<![重主需只不])要|打算|准备|计划|想去|即将|希望|"
    r"约好|等着|吧)|(?P<past>了|(?<![超经通])过(?![去年节来生])|曾|已经|刚|当时|的时候)"
)


def sentence_bounds(text: str, position: int) -> tuple[int, int]:
    """Find where the sentence around a position begins and ends."""
    begin, end = 0, len(text)
    for stop in _SENTENCE_END.finditer(text):
        if stop.end() <= position:
            begin = stop.end()
        elif stop.start() >= position:
            end = stop.start()
            break
    return begin, end


def tense_at(text: str, start: int, end: int, language: str = "en") -> Tense:
    """Read the tense around a phrase from the cue on the side where its verb stands.

    English puts the verb before the time more often than not, Chinese always after it; the other
    side is asked second.
    """
    begin, stop = sentence_bounds(text, start)
    if language == "zh":
        return _first(_CHINESE, text, end, stop) or _last(_CHINESE, text, begin, start) or _NONE
    return _last(_ENGLISH, text, begin, start) or _first(_ENGLISH, text, end, stop) or _NONE


_NONE = Tense.UNKNOWN


def _first(cues: re.Pattern[str], text: str, begin: int, end: int) -> Tense | None:
    cue = cues.search(text, begin, max(begin, end))
    return _tense(cue) if cue else None


def _last(cues: re.Pattern[str], text: str, begin: int, end: int) -> Tense | None:
    found = None
    for cue in cues.finditer(text, begin, end):
        found = cue
    return _tense(found) if found else None


def _tense(cue: re.Match[str]) -> Tense:
    return Tense.FUTURE if cue.group("future") else Tense.PAST
