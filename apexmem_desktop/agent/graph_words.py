"""What the words of a question to the graph tell: whom it asks for, when, in what order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.domain.wall import WallClock
from apexmem_desktop.recall.naming import Named, is_first_person
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.storage.facts import find_facts
from apexmem_desktop.storage.vault import Connection

_EVERYBODY = re.compile(
    r"\b(?:people|persons|everyone|everybody|anyone|anybody|friends|contacts|who (?:of|among)"
    r"|which of (?:us|them))\b|哪些人|哪几个人|多少人|几个人|大家|朋友们|我认识的人",
    re.IGNORECASE,
)
_WHOM = re.compile(
    r"^\W*(?:and |so |but )?(?:who\b|which (?:of|people|friends|persons)\b"
    r"|how many (?:of|people|persons|friends)\b)|谁|哪些人|哪几个人|多少人|几个人",
    re.IGNORECASE,
)
_ANYBODY = re.compile(r"\bwho\b.*\b(?:else|used to|no longer)\b|还有谁|谁.*不再", re.IGNORECASE)
_MY_FRIENDS = re.compile(r"\b(?:my|our)\s+(?:\w+\s+)?friends\b|我的?朋友", re.IGNORECASE)
_PRESENT = re.compile(r"\b(?:is|are|does|do|has|have|lives?|works?|an?)\b", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:did|was|were|had|ever|been|have \w+(?:ed|n|ft)|has \w+(?:ed|n|ft))\b|[过了]",
    re.IGNORECASE,
)
_OPEN = ("0001-01-01", "9999-12-31")
_I = re.compile(r"\b(?:do|did|have|was|am|had) I\b|\bI (?:used|once|no longer|formerly)\b|^我")
_PLACES = {
    "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4,
    "二": 1, "两": 1, "三": 2, "四": 3, "五": 4,
}  # fmt: skip
_PLACE = re.compile(
    r"\b(?P<en>second|third|fourth|fifth|2nd|3rd|4th|5th)\b(?! (?:half|quarter|language|name|last))"
    r"|第(?P<zh>[二两三四五])[次个场]",
    re.IGNORECASE,
)
_FROM_END = re.compile(
    r"\b(?:before last|last but one|second[- ]to[- ]last|second last|next to last|penultimate)\b"
    r"|倒数第二",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in an order: how many lie before it, from the start or from the end."""

    number: int
    from_end: bool = False


def everybody(text: str, *, ranks: bool = False) -> bool:
    """Tell whether a question is to everybody.

    Args:
        ranks: Whether it asks for the most or the least: "who" is then everybody.
    """
    return bool(_EVERYBODY.search(text) or _ANYBODY.search(text) or (ranks and _WHOM.search(text)))


def column(text: str) -> str:
    """Name what is asked for: "subject" for people, else "value"."""
    return "subject" if _WHOM.search(text) else "value"


def subject_of(db: Connection, named: Sequence[Named]) -> str:
    """Name whose facts they are, as the graph does."""
    ids = [number for one in named for number in one.entity_ids]
    facts = find_facts(db, subject_ids=ids, limit=1) if ids else []
    return facts[0].subject if facts else "".join(one.name for one in named)


def first_person(read: Understood) -> Named | None:
    """Give who asks, where the question is about them."""
    if not _I.search(read.question):
        return None
    own = (one for one in read.entities if one.speaker and is_first_person(one.words))
    return next(own, None)


def my_friends(db: Connection, read: Understood) -> str:
    """Name who asks about "my friends"; "" where nobody knows, or others are asked about too."""
    if not _MY_FRIENDS.search(read.question):
        return ""
    own = [one for one in read.entities if one.speaker and is_first_person(one.words)]
    return subject_of(db, own[:1])


def days(read: Understood) -> tuple[str, str] | None:
    """Give the first day of the one time that is asked about, and the first after it."""
    if not read.spans:
        return None
    span = read.spans[0]
    first, after = (
        WallClock(span.offset_minutes, span.zone).day(at_ms).isoformat()
        for at_ms in (span.start_ms, span.end_ms)
    )
    return _OPEN[0] if span.role == "until" else first, _OPEN[1] if span.role == "since" else after


def is_now(read: Understood) -> bool:
    """Tell whether only what holds is asked for."""
    if read.spans:
        return False
    text = read.question
    return read.asks_now or (bool(_PRESENT.search(text)) and not _PAST.search(text))


def place_in_order(text: str) -> Place | None:
    """Tell which place in an order is asked for, other than the first and the last."""
    if _FROM_END.search(text):
        return Place(1, from_end=True)
    found = _PLACE.search(text)
    return Place(_PLACES[(found["en"] or found["zh"]).casefold()]) if found is not None else None
