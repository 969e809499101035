"""Questions of time that the user asks of a memory: what held, since when, how long, how often.

Each takes both times: the time in the world that is asked about, and what was known at a time.
"""

from collections.abc import Iterable, Sequence

from apexmem_desktop.chronology import allen, uncertain
from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.graph import Entity, Event, Fact, FactStatus
from apexmem_desktop.domain.held import Around, Certainty, Count, Held, HeldAt, Length, Related
from apexmem_desktop.domain.interval import Bound, UncertainSpan, Validity
from apexmem_desktop.domain.reports import Difference
from apexmem_desktop.domain.values import normalised_text, value_key
from apexmem_desktop.recall import history, spans
from apexmem_desktop.recall.history import Change
from apexmem_desktop.recall.lookup import judged_facts
from apexmem_desktop.services.browsing import find_alike
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import events
from apexmem_desktop.storage.names import normalise

_EVERY_EVENT = 100_000
_SHOWN = 5


def held_on(
    ws: Workspace,
    name: str,
    *,
    at_ms: int,
    property: str = "",  # noqa: A002
    known_at_ms: int | None = None,
) -> tuple[HeldAt, ...]:
    """Tell what held of an entity at a UTC instant, and whether that is certain or only possible.

    Args:
        property: Only this property; "" for all.
        known_at_ms: Use only what had been recorded by this UTC instant.
    """
    return tuple(spans.held_at(_facts(ws, name, property, known_at_ms)[1], at_ms))


def certainties(facts: Sequence[Fact], *, at_ms: int) -> dict[int, Certainty]:
    """Tell of each judged fact, by its number, whether it held at a UTC instant."""
    return {fact.id: spans.certainty_of(fact, at_ms) for fact in facts}


def changes_of(
    ws: Workspace,
    name: str,
    *,
    property: str = "",  # noqa: A002
    known_at_ms: int | None = None,
) -> tuple[Change, ...]:
    """Tell when what held of an entity changed, from what to what, oldest first.

    Args:
        property: Only this property; "" for all.
        known_at_ms: Use only what had been recorded by this UTC instant.
    """
    return tuple(history.changes(_facts(ws, name, property, known_at_ms)[1]))


def direction_of(change: Change) -> int | None:
    """Tell whether a value became more (1) or less (-1); None where that cannot be said."""
    return history.direction(change)


def differences(ws: Workspace, name: str, *, from_ms: int, to_ms: int) -> tuple[Difference, ...]:
    """Tell what changed, began or happened in [from_ms, to_ms), UTC, or may have, in order."""
    _, facts = _facts(ws, name, "", None)
    found = [_difference(one) for one in history.changes(facts)]
    told = {fact.id for one in found for fact in (one.before, one.after) if fact is not None}
    standing = (FactStatus.CURRENT, FactStatus.PAST, FactStatus.CONTESTED)
    found += [
        Difference(fact.property, None, fact, fact.valid_from)
        for fact in facts
        if fact.id not in told and fact.status in standing and fact.polarity
        if fact.valid_from.earliest_ms is not None  # else only known by when, not that it began
    ]
    inside = [one for one in found if _may_lie_in(one.when, from_ms, to_ms)]
    return tuple(sorted(inside, key=lambda one: (one.when.latest_ms or 0, one.property_name)))


def _difference(one: Change) -> Difference:
    """What began and ended at once happened: nothing held before it."""
    if one.after is None and one.before is not None and one.before.valid_from == one.when:
        return Difference(one.property, None, one.before, one.when)
    return Difference(one.property, one.before, one.after, one.when)


def _may_lie_in(when: Bound, from_ms: int, to_ms: int) -> bool:
    """Tell whether an instant somewhere in a bound may lie in a stretch.

    What nobody said the beginning of counts for the day by which it was said: else it would have
    changed on every day before.
    """
    known = [ms for ms in (when.earliest_ms, when.latest_ms) if ms is not None]
    return bool(known) and min(known) < to_ms and max(known) >= from_ms


def held_around(
    ws: Workspace,
    name: str,
    event_id: int,
    *,
    property: str = "",  # noqa: A002
    known_at_ms: int | None = None,
) -> Around:
    """Tell what held of an entity before an event and what after it.

    Raises:
        NotFoundError: No event has this number, or it was not known yet.
    """
    happened = _event(ws, event_id, known_at_ms)
    _, facts = _facts(ws, name, property, known_at_ms)
    end = happened.start if happened.end is None else happened.end
    when = happened.start
    around = spans.held_around(facts, when)
    return around if end == when else Around(around.before, spans.held_around(facts, end).after)


def how_long(
    ws: Workspace,
    name: str,
    property: str,  # noqa: A002
    *,
    value: str = "",
    as_of_ms: int | None = None,
    known_at_ms: int | None = None,
) -> tuple[tuple[Held, Length], ...]:
    """Tell how long each value of a property held, each stretch by itself, oldest first.

    Args:
        value: Only this value; "" for all.
        as_of_ms: What has not ended is measured up to this UTC instant; None for now.
    """
    _, facts = _facts(ws, name, property, known_at_ms)
    until_ms = as_of_ms if as_of_ms is not None else ws.now_ms()
    return tuple(
        (held, spans.length_of(held, until_ms=until_ms))
        for held in spans.held_spans(facts)
        if not value.strip() or _is_value(held.facts[0], value)
    )


def how_many(
    ws: Workspace,
    name: str,
    property: str,  # noqa: A002
    *,
    value: str = "",
    from_ms: int | None = None,
    to_ms: int | None = None,
    known_at_ms: int | None = None,
) -> Count:
    """Count how often something was done or began in [from_ms, to_ms), UTC.

    Args:
        value: Only this value ("how often in Rome"); "" for all ("how many books").
    """
    _, facts = _facts(ws, name, property, known_at_ms)
    counted = [f for f in facts if not value.strip() or _is_value(f, value)]
    return spans.count_in(counted, from_ms, to_ms)


def _is_value(fact: Fact, value: str) -> bool:
    """Whether a fact says a value, as values of its type are compared: 3,000 is 3000."""
    return normalised_text(value, fact.value_type) == value_key(fact)


def events_in(
    ws: Workspace,
    name: str,
    *,
    type: str = "",  # noqa: A002
    from_ms: int | None = None,
    to_ms: int | None = None,
    known_at_ms: int | None = None,
) -> tuple[Event, ...]:
    """List what an entity took part in during [from_ms, to_ms), UTC, oldest first; no plans.

    Args:
        type: Only events of this type; "" for all.
    """
    _, numbers = find_alike(ws, name, known_at_ms=known_at_ms)
    with ws.vault.read() as db:
        found = events.find_events(
            db,
            entity_ids=numbers,
            from_ms=from_ms,
            to_ms=to_ms,
            types=[type] if type else None,
            known_at_ms=known_at_ms,
            limit=_EVERY_EVENT,
        )
    return tuple(e for e in found if e.modality.value == "asserted" and e.type != "statement")


def find_event_of(ws: Workspace, name: str, event: str, *, known_at_ms: int | None = None) -> Event:
    """Find one thing that an entity took part in, by its number, its type or words of it.

    Raises:
        NotFoundError: There is none such, or several; the hint lists them.
    """
    wanted = event.strip()
    if wanted.isdecimal():
        return _event(ws, int(wanted), known_at_ms)
    every = events_in(ws, name, known_at_ms=known_at_ms)
    word = normalise(wanted)
    named = [e for e in every if normalise(e.type) == word or word in normalise(e.summary)]
    if len(named) == 1:
        return named[0]
    shown = "; ".join(f"{e.id} ({e.type}: {e.summary})" for e in (named or every)[:_SHOWN])
    raise NotFoundError(
        f'{len(named) or "No"} events of {name} are told by "{wanted}".',
        hint=f"Give the number of one: {shown}." if shown else "No events are known.",
    )


def relations_of(
    ws: Workspace, name: str, first: str, second: str, *, known_at_ms: int | None = None
) -> Related:
    """Tell how two things that an entity took part in can lie in time: Allen's relations.

    Args:
        first, second: Each by its number, its type or words of it.

    Raises:
        NotFoundError: One of them is not told, or not told from others.
    """
    one, two = (find_event_of(ws, name, e, known_at_ms=known_at_ms) for e in (first, second))
    return Related(one, two, tuple(str(relation) for relation in _relations(one, two)))


def _relations(one: Event, two: Event) -> Iterable[allen.Relation]:
    if one.id == two.id:  # however vague its time is, it is its own
        return (allen.Relation.EQUALS,)
    a, b = _span_of(one), _span_of(two)
    return allen.Relation if a is None or b is None else allen.possible_relations(a, b)


def _span_of(event: Event) -> UncertainSpan | None:
    """Give where an event lies; None where nothing tells, or it would end before it began."""
    try:
        return uncertain.of_happening(Validity(event.start, event.end))
    except ValueError:
        return None


def _facts(
    ws: Workspace, name: str, wanted: str, known_at_ms: int | None
) -> tuple[Entity, Sequence[Fact]]:
    """Read the judged facts of an entity; bounds do not depend on the instant judged for."""
    entity, numbers = find_alike(ws, name, known_at_ms=known_at_ms)
    with ws.vault.read() as db:
        judged = [
            fact
            for number in numbers
            for fact in judged_facts(db, number, as_of_ms=ws.now_ms(), known_at_ms=known_at_ms)
        ]
    return entity, [f for f in judged if not wanted or f.property == wanted]


def _event(ws: Workspace, event_id: int, known_at_ms: int | None) -> Event:
    with ws.vault.read() as db:
        for found in events.find_events(db, ids=[event_id], known_at_ms=known_at_ms):
            return found
    raise NotFoundError(f"There is no event with number {event_id} in this memory.")
