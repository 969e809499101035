"""When something happened: of the dated facts the one that was told in the question's own words.

A property's name tells which facts a question may be about. But the same thing is told by many
verbs ("took the kids to the museum", "went to the museum"), so here the words decide: how many of
the question's stand in a fact's property, value and quote.
"""

import re
from collections.abc import Iterable, Sequence

from apexmem_desktop.agent import timing
from apexmem_desktop.agent.asked_time import around
from apexmem_desktop.agent.proposal import Proposal
from apexmem_desktop.agent.wording import began
from apexmem_desktop.chronology import spell
from apexmem_desktop.domain.graph import Fact, FactStatus, MemoryType, Modality
from apexmem_desktop.domain.wall import clock_of
from apexmem_desktop.recall.holding import order_ms
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.vocabulary import STOPWORDS, same_stem, synonyms

MOST = 2
# Of the question's words so many must be told by a fact and its quote, and one by the fact itself.
LEAST_SHARE = 0.5
_WORDS = re.compile(r"[^\W_]+")
_AHEAD = re.compile(r"\b(?:will|plan\w*|going to|is|are)\b", re.IGNORECASE)
# Words that only ask for the time, or that any deed may be told with.
_ASKING = re.compile(
    r"date|days?|months?|years?|time|weeks?|weekends?|happen(?:ed)?|go|went|going|get|got|gotten|take|"
    r"took|make|made|start|started|new|together|summer|winter|spring|autumn|fall|event|"
    r"january|february|march|april|may|june|july|august|september|october|november|december"
)


def when_told(read: Understood, facts: Sequence[Fact]) -> list[Proposal]:
    """Propose the dates of the facts that fit the question's words best, English only.

    Args:
        facts: Judged facts of whom the question is about.
    """
    words = _asked(read)
    if not words or read.language != "en" or timing.AGAIN.search(read.question):
        return []
    scored = [
        (score, fact) for fact in facts if _may_be(fact, read) and (score := _score(fact, words))
    ]
    scored.sort(key=lambda one: (-one[0][0], -one[0][1], order_ms(one[1])))
    proposals = [proposal for _, fact in scored if (proposal := _proposal(fact, read))]
    return list({one.answer: one for one in reversed(proposals[:MOST])}.values())[::-1]


def _asked(read: Understood) -> list[str]:
    """Give the question's words but for names, the words that ask, and months."""
    named = {word.casefold() for one in read.entities for word in _WORDS.findall(one.words)}
    asked = (word.casefold() for word in _WORDS.findall(read.question))
    return [
        word
        for word in dict.fromkeys(asked)
        if len(word) > 1 and word not in named | STOPWORDS and not _ASKING.fullmatch(word)
    ]


def _may_be(fact: Fact, read: Understood) -> bool:
    if not fact.polarity or fact.status is FactStatus.REJECTED or not fact.evidence:
        return False
    if read.spans and timing.is_dated(fact) and not timing.begins_in(fact, read):
        return False
    planned = fact.modality is Modality.PLANNED
    return fact.modality is Modality.ASSERTED or (planned and bool(_AHEAD.search(read.question)))


def _score(fact: Fact, words: Sequence[str]) -> tuple[float, float] | None:
    """Give how much of a question a fact tells, with its quote and alone; None for too little."""
    own = _told(words, (*fact.property.split("_"), *_WORDS.findall(fact.value)))
    quoted = _told(words, _WORDS.findall(" ".join(one.quote for one in fact.evidence)))
    share = len(own | quoted) / len(words)
    return (share, len(own) / len(words)) if own and share >= LEAST_SHARE else None


def _told(words: Sequence[str], told: Iterable[str]) -> set[str]:
    said = [word.casefold() for word in told]
    return {word for word in words if any(_is_form(word, one) for one in said)}


def _is_form(word: str, said: str) -> bool:
    return same_stem(word, said) or any(same_stem(other, said) for other in synonyms(word))


def _proposal(fact: Fact, read: Understood) -> Proposal | None:
    offset = clock_of(fact.evidence).offset_minutes
    if timing.is_dated(fact):
        told = began(fact, read.language)
        return Proposal(told, (fact,), "when it was told to have happened")
    said_at_ms = fact.evidence[0].said_at_ms
    if fact.memory_type is not MemoryType.ACTION or said_at_ms is None:
        return None
    day = spell.spell_instant(said_at_ms, offset, read.language)
    return Proposal(around(day, read.language), (fact,), "the day it was told as just done")
