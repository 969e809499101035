"""Questions that no turn answers by itself, and that the graph answers by one query.

"Which pets do my friends have?", "How many people moved in 2025?", "Who ran the most races?", "What
did she buy after she moved?": their answer lies in many turns at once. What such a question names
is looked up here, without a model: the properties it may be about, the values and times that must
stand in the query. A question with a word that nothing of this explains is left to the others.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from apexmem_desktop.agent.graph_events import FindEvent, around_events, nobody_finds
from apexmem_desktop.agent.graph_shapes import GraphQuestion, Shape, Sought
from apexmem_desktop.agent.graph_through import through_people
from apexmem_desktop.agent.graph_words import (
    column,
    days,
    everybody,
    first_person,
    is_now,
    my_friends,
    place_in_order,
    subject_of,
)
from apexmem_desktop.agent.question_parts import leave_out
from apexmem_desktop.agent.sought import find_sought
from apexmem_desktop.agent.whose import kin_property
from apexmem_desktop.domain.graph import Property
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.naming import Named, is_first_person
from apexmem_desktop.recall.question import Understood, content_words
from apexmem_desktop.storage.properties import find_properties
from apexmem_desktop.storage.vault import Connection

__all__ = ["GraphQuestion", "Shape", "Sought", "read_graph_question"]

_MOST = re.compile(r"\bmost\b(?! recent)|最多", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:fewest|least|(?:smallest|lowest) number)\b|最少", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:first|earliest)\b(?! (?:name|language))|最早|第一次|最先", re.IGNORECASE)
_LAST = re.compile(
    r"\b(?:last|latest|most recent(?:ly)?|newest)\b"
    r"(?! (?:name|week|month|year|night|spring|summer|autumn|fall|winter|weekend|\w+day)\b)"
    r"|最后一次|最近一次",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^(?P<main>.+?),?\s+(?P<how>after|before|since)\s+"
    r"(?P<event>(?-i:[Hh]e|[Ss]he|[Tt]hey|I|[Ww]e|[A-Z]\w+)\s.+?)\W*$",
    re.IGNORECASE,
)
# "The siblings of my friends", "people's bosses": whom it is about is found through another fact.
_THEIRS = re.compile(
    r"\b(?P<kin>\w+) of (?:my|our|the|people|everybody|everyone)\b"
    r"|\b(?:people|friends|everybody|everyone)['’]s? (?P<owned>\w+)",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\buse(?:d)? to\b|\bformer(?:ly)?\b|\bprevious(?:ly)?\b|\bin the past\b|\bno longer\b|\bonce\b"
    r"|\bany ?more\b|以前|曾经|原来|从前|不再",
    re.IGNORECASE,
)
_ONE_BEFORE = re.compile(r"\b(?:former(?:ly)?|previous(?:ly)?)\b", re.IGNORECASE)
_OF_OVER = "use used former formerly previous previously past once longer anymore follow".split()  # noqa: SIM905
_OF_ORDER = (
    *("second", "third", "fourth", "fifth", "penultimate", "next", "last", "first"),
    *("before", "after", "smallest", "fewest", "least"),
)
_EITHER = re.compile(
    r"^\W*(?:who|which of them)\b.*\b(?P<end>first|earlier|later|last)\b.*\bor\b|谁.*[先早晚后]",
    re.IGNORECASE,
)


def read_graph_question(
    db: Connection, read: Understood, find_event: FindEvent = nobody_finds
) -> GraphQuestion | None:
    """Tell what is asked of the graph; None for a question that is none to it.

    Args:
        find_event: Finds the fact that a phrase means.
    """
    if read.kind in (Kind.YES_NO, Kind.WHY, Kind.WHEN, Kind.HOW_LONG):
        return None
    known = find_properties(db)
    around = _around(db, read, known) or around_events(db, read, known, find_event)
    if around is not None:
        return around
    either = _either(db, read, known)
    if either is not None:
        return either
    text, whom, start = leave_out(read.question)
    if whom:
        return _without(db, read, text, (whom, start), known)
    return through_people(db, read, known) or _by_shape(db, read, known)


def _by_shape(
    db: Connection, read: Understood, known: Sequence[Property], *, of_all: bool = False
) -> GraphQuestion | None:
    text = read.question
    named = _named(read)
    if len(named) > 1:
        return None
    ranks = bool(_MOST.search(text) or _LEAST.search(text))
    if not named and not of_all and not everybody(text, ranks=ranks):
        own = first_person(read)
        if own is None or not _OVER.search(text):
            return None
        named = [own]
    shape = _shape(read, everybody=not named)
    return _of_shape(db, read, shape, named, known) if shape is not None else None


def _named(read: Understood) -> list[Named]:
    return [one for one in read.entities if one.speaker and not is_first_person(one.words)]


def _shape(read: Understood, *, everybody: bool) -> Shape | None:
    text = read.question
    if everybody and (_MOST.search(text) or _LEAST.search(text)):
        return Shape.MOST
    if _OVER.search(text) and read.kind is not Kind.HOW_MANY:
        return Shape.LIST
    if read.kind is not Kind.HOW_MANY and (
        _FIRST.search(text) or _LAST.search(text) or place_in_order(text) is not None
    ):
        return Shape.ORDER
    if not everybody:
        return None
    if _leads_through(text):
        return Shape.JOIN
    return Shape.COUNT if read.kind is Kind.HOW_MANY else Shape.LIST


def _of_shape(
    db: Connection,
    read: Understood,
    shape: Shape,
    named: Sequence[Named],
    known: Sequence[Property],
) -> GraphQuestion | None:
    text = read.question
    through = _leads_through(text) if shape is Shape.JOIN else ""
    kin = (through,) if through else ()
    is_over = shape is Shape.LIST and bool(_OVER.search(text)) and not read.spans
    ids = [number for one in named for number in one.entity_ids]
    empty = [*(_OF_OVER if is_over else ()), *(_OF_ORDER if shape in _RANKED else ())]
    sought = find_sought(
        db, text, read.words, named, known, apart=kin, subject_ids=ids, empty=empty
    )
    beside = Sought(kin) if kin else None
    if sought is None or (beside and not _are_known(beside.properties, known)):
        return None
    if len(read.spans) > 1:
        return None
    place = place_in_order(text) if shape is Shape.ORDER else None
    return GraphQuestion(
        shape,
        column(text),
        sought,
        counted=read.kind is Kind.HOW_MANY and shape is not Shape.MOST,
        subject=subject_of(db, named),
        without=my_friends(db, read),
        beside=beside,
        is_after=place.from_end if place is not None else _FIRST.search(text) is None,
        days=days(read),
        is_now=shape in (Shape.LIST, Shape.COUNT, Shape.JOIN) and not is_over and is_now(read),
        is_over=is_over,
        is_least=shape is Shape.MOST and _LEAST.search(text) is not None,
        place=place.number if place is not None else 0,
        is_nearest=is_over and bool(named) and _ONE_BEFORE.search(text) is not None,
    )


_RANKED = (Shape.ORDER, Shape.MOST)


def _leads_through(text: str) -> str:
    """Name the property through which those are found whom a question is about; "" for none."""
    theirs = _THEIRS.search(text)
    return kin_property(theirs["kin"] or theirs["owned"]) if theirs is not None else ""


def _are_known(names: Sequence[str], known: Sequence[Property]) -> bool:
    return {*names} <= {one.name for one in known}


def _around(db: Connection, read: Understood, known: Sequence[Property]) -> GraphQuestion | None:
    """Read a question around an event whose property and value it names."""
    parts = _AROUND.match(read.question) if not read.spans else None
    named = _named(read)
    if parts is None or len(named) > 1 or any(one.start > parts.end("main") for one in named):
        return None
    if not named and not everybody(read.question):
        return None
    main, event = parts["main"], parts["event"]
    sought = find_sought(db, main, content_words(main), named, known)
    beside = find_sought(db, event, content_words(event), named, known)
    # An event without a value of its own is any of its kind: which one, nobody can tell.
    if sought is None or beside is None or not beside.words:
        return None
    return GraphQuestion(
        Shape.AROUND,
        column(main),
        sought,
        counted=read.kind is Kind.HOW_MANY,
        subject=subject_of(db, named),
        beside=beside,
        is_after=parts["how"].casefold() != "before",
    )


def _either(db: Connection, read: Understood, known: Sequence[Property]) -> GraphQuestion | None:
    """Read "who moved first, Mira or Lena?": an order among those who are named."""
    found, named = _EITHER.search(read.question), _named(read)
    if found is None or len(named) < 2 or read.spans:
        return None
    sought = find_sought(
        db, read.question, read.words, named, known, empty=[*_OF_ORDER, "earlier", "later", "先"]
    )
    if sought is None:
        return None
    is_last = (found["end"] or "").casefold() in ("later", "last") or "晚" in read.question
    return GraphQuestion(
        Shape.ORDER,
        "subject",
        sought,
        subjects=tuple(dict.fromkeys(subject_of(db, [one]) for one in named)),
        is_after=is_last,
    )


def _without(
    db: Connection,
    read: Understood,
    text: str,
    whom: tuple[str, int],
    known: Sequence[Property],
) -> GraphQuestion | None:
    """Read "who else has a pet, besides Mira?": the question to everybody, without her."""
    start, end = whom[1], whom[1] + len(whom[0])
    left_out = [one for one in read.entities if start <= one.start < end]
    inside = [one for one in read.entities if not start <= one.start < end]
    if not left_out:
        return None
    kept = tuple(span for span in read.spans if text[span.phrase_start].strip())
    rest = replace(
        read,
        question=text,
        entities=tuple(inside),
        spans=kept,
        words=content_words(text, inside, kept),
    )
    asked = _by_shape(db, rest, known, of_all=True)
    return replace(asked, without=subject_of(db, left_out[:1])) if asked is not None else None
