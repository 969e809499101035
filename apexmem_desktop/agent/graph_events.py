"""Questions to the graph around events that are named by other words than the graph's own."""

from collections.abc import Callable, Sequence

from apexmem_desktop.agent.graph_shapes import GraphQuestion, Shape
from apexmem_desktop.agent.graph_words import column, everybody, subject_of
from apexmem_desktop.agent.question_parts import read_around
from apexmem_desktop.agent.sought import find_sought
from apexmem_desktop.domain.graph import Fact, Property
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.naming import Named, is_first_person
from apexmem_desktop.recall.question import Understood, content_words
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Connection

FindEvent = Callable[[str, Sequence[int]], Fact | None]
"""Finds the fact that a phrase tells of, among those of some people first."""
_NEARNESS = ("right", "just", "directly", "immediately", "next", "shortly", "first", "last")


def nobody_finds(_: str, __: Sequence[int]) -> Fact | None:
    """Find no event."""
    return None


def around_events(
    db: Connection, read: Understood, known: Sequence[Property], find_event: FindEvent
) -> GraphQuestion | None:
    """Read a question about what lies after or before events; None where one is not found."""
    parts = read_around(read.question) if not read.spans else None
    if parts is None:
        return None
    people = [one for one in read.entities if one.speaker]
    asked = [one for one in people if parts.main[one.start : one.end] == one.words]
    asked = [one for one in asked if not is_first_person(one.words)] or asked
    if not asked and not everybody(parts.main) and column(parts.main) == "value":
        asked = people[:1]  # "搬到杭州之前在哪里工作": whose move it is, theirs is the work
    if len(asked) > 1 or (not asked and column(parts.main) == "value"):
        return None
    return _around(db, read, parts.main, asked, known, find_event)


def _around(
    db: Connection,
    read: Understood,
    main: str,
    asked: Sequence[Named],
    known: Sequence[Property],
    find_event: FindEvent,
) -> GraphQuestion | None:
    parts = read_around(read.question)
    ids = [number for one in asked for number in one.entity_ids]
    sought = find_sought(
        db, main, content_words(main, asked), asked, known, subject_ids=ids, empty=_NEARNESS
    )
    if sought is None or parts is None:
        return None
    single = {one.name for one in known if one.single_valued}
    is_state = bool(asked) and {*sought.properties} <= single
    events: list[tuple[int, str]] = []
    is_nearest = parts.is_nearest
    for phrase, start, is_after in parts.events:
        inside = [one for one in read.entities if start <= one.start < start + len(phrase)]
        own = [number for one in inside if one.speaker for number in one.entity_ids]
        fact = find_event(phrase, own or ids)
        if fact is None:
            return None
        # "After Rome" leaves Rome out, but "after his promotion" the role came with it.
        is_value = _is_named(fact, phrase) and fact.property in sought.properties
        is_nearest = is_nearest or (is_state and is_value)
        events.append((fact.id, _sign(is_after=is_after, from_its_day=is_state and not is_value)))
    return GraphQuestion(
        Shape.AROUND,
        column(main),
        sought,
        counted=read.kind is Kind.HOW_MANY,
        subject=subject_of(db, asked),
        events=tuple(events),
        is_after=parts.events[0][2],
        is_nearest=is_nearest,
        is_state=is_state,
    )


def _is_named(fact: Fact, phrase: str) -> bool:
    return normalise(fact.value) in normalise(phrase)


def _sign(*, is_after: bool, from_its_day: bool) -> str:
    if not is_after:
        return "<"
    return ">=" if from_its_day else ">"
