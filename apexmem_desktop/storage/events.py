"""Events: what happened, when, where and with whom; appended with their proof."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import CompoundSelect, Select, and_, func, insert, literal, select, union

from apexmem_desktop.domain.graph import Event, Modality, NewEvent
from apexmem_desktop.storage.bounds import find_bound, lean_bound, read_bound
from apexmem_desktop.storage.canon import same_as_any, standing
from apexmem_desktop.storage.evidence import (
    Proven,
    append_further,
    check_quotes,
    find_evidence,
)
from apexmem_desktop.storage.kinds import Kinds
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.tables import (
    entities,
    event_kinds,
    event_participants,
    event_rows,
    events,
    evidence,
    fact_rows,
)
from apexmem_desktop.storage.vault import Connection

Participant = tuple[int, str, str]


def append_event(db: Connection, event: NewEvent, *, recorded_at_ms: int) -> int:
    """Store an event with its participants and proof, and return its number.

    Raises:
        ValueError: It has no quote, or a quote is not what the turn says at its offsets.
    """
    return append_events(db, [event], recorded_at_ms=recorded_at_ms)[0]


def append_events(db: Connection, new: Sequence[NewEvent], *, recorded_at_ms: int) -> list[int]:
    """Store many events as `append_event` does one, and return their numbers in the same order.

    Raises:
        ValueError: One has no quote, or a quote that its turn does not say; none was stored.
    """
    if not new:
        return []
    if not all(event.quotes for event in new):
        raise ValueError("nothing is stored without the words that prove it")
    proven = check_quotes(db, [quote for event in new for quote in event.quotes])
    first = (db.execute(select(func.max(event_rows.c.id))).scalar() or 0) + 1
    numbered = list(enumerate(new, start=first))
    kinds = Kinds(db, event_kinds)
    rows = [
        {"id": number, **_row(one, proven, kinds), "recorded_at_ms": recorded_at_ms}
        for number, one in numbered
    ]
    db.execute(insert(event_rows), rows)
    append_further(db, [(None, n, quote) for n, one in numbered for quote in one.quotes[1:]])
    people = [
        {"event_id": number, "entity_id": entity_id, "role": role}
        for number, event in numbered
        for entity_id, role in dict.fromkeys(event.participants)
    ]
    if people:
        db.execute(insert(event_participants), people)
    return [number for number, _ in numbered]


def append_participant(db: Connection, event_id: int, entity_id: int, role: str) -> None:
    """Note that another takes part in an event that was just appended; known ones stay as is."""
    row = {"event_id": event_id, "entity_id": entity_id, "role": role}
    db.execute(insert(event_participants).prefix_with("OR IGNORE"), row)


def _row(event: NewEvent, proven: Proven, kinds: Kinds) -> dict[str, Any]:
    said_ms = proven.told_ms(event.quotes)
    start = lean_bound("start", event.validity.start, said_ms)
    begun_ms = said_ms if start.anchor_ms is None else start.anchor_ms
    end = lean_bound("end", event.validity.end, begun_ms)
    return {
        "kind_id": kinds.of(
            type=event.type, modality=str(event.modality), **start.shared, **end.shared
        ),
        "summary": None if event.summary == event.quotes[0].text else event.summary,
        **start.own,
        **end.own,
        "phrase": event.validity.phrase or None,
        "place_id": event.place_id,
        **proven.row(event.quotes),
        "run_id": event.run_id,
    }


def find_events(
    db: Connection,
    *,
    entity_ids: Sequence[int] | None = None,
    ids: Sequence[int] | None = None,
    from_ms: int | None = None,
    to_ms: int | None = None,
    types: Sequence[str] | None = None,
    known_at_ms: int | None = None,
    limit: int = 500,
) -> list[Event]:
    """Find events in order of time; where there are more than `limit`, the newest.

    Args:
        entity_ids: Those that take part or are the place, through their same-as links. An event
            that only carries facts is found by these, not here.
        from_ms: Leave out events that were over before this instant, UTC.
        to_ms: Leave out events that began at or after this instant, UTC.
        known_at_ms: Leave out events and merges recorded after this instant.
    """
    wanted = _select_events(known_at_ms)
    if entity_ids is not None:
        same = same_as_any(entity_ids, known_at_ms)
        with_them = select(event_participants.c.event_id).where(
            event_participants.c.entity_id.in_(same)
        )
        # One list of numbers: said with OR, it would be looked for in every event there is.
        there = select(event_rows.c.id).where(event_rows.c.place_id.in_(same))
        wanted = wanted.where(events.c.id.in_(union(with_them, there)))
    if ids is not None:
        wanted = wanted.where(among(events.c.id, ids))
    if from_ms is not None:
        wanted = wanted.where(from_ms <= _OVER_MS)
    if to_ms is not None:
        wanted = wanted.where(to_ms > _BEGUN_MS)
    if types is not None:
        wanted = wanted.where(among(events.c.type, types))
    if known_at_ms is not None:
        wanted = wanted.where(events.c.recorded_at_ms <= known_at_ms)
    rows = db.execute(wanted.order_by(_BEGUN_MS.desc(), events.c.id.desc()).limit(limit)).all()
    found = [row.id for row in rows]
    proofs = find_evidence(db, event_rows, evidence.c.event_id, found)
    people = _participants(db, found, known_at_ms)
    return [_event(row, proofs.get(row.id, ()), people.get(row.id, [])) for row in reversed(rows)]


def newest_event_id(db: Connection) -> int:
    """Give the number of the event recorded last; 0 while there is none."""
    return int(db.execute(select(func.coalesce(func.max(event_rows.c.id), 0))).scalar_one())


_BEGUN_MS = func.coalesce(events.c.start_earliest_ms, events.c.start_latest_ms)
# An event nobody said the end of is over when its start is: a dinner "in June" is not still on.
_OVER_MS = func.coalesce(
    events.c.end_latest_ms,
    events.c.end_earliest_ms,
    events.c.start_latest_ms,
    events.c.start_earliest_ms,
)


def _select_events(known_at_ms: int | None) -> Select[Any]:
    place, stands = entities.alias(), standing(known_at_ms)
    return (
        select(events, place.c.name.label("place"))
        .outerjoin(stands, stands.c.entity_id == events.c.place_id)
        .outerjoin(place, place.c.id == stands.c.canonical_id)
    )


def _participants(
    db: Connection, ids: Sequence[int], known_at_ms: int | None
) -> dict[int, list[Participant]]:
    stands, people = standing(known_at_ms), _taking_part(ids).subquery()
    rows = db.execute(
        select(people.c.event_id, stands.c.canonical_id, entities.c.name, people.c.role)
        .join(stands, stands.c.entity_id == people.c.entity_id)
        .join(entities, entities.c.id == stands.c.canonical_id)
        .order_by(people.c.event_id, people.c.entity_id, people.c.role)
    )
    found: dict[int, list[Participant]] = {}
    for event_id, entity_id, name, role in rows:
        found.setdefault(event_id, []).append((entity_id, name, role))
    return found


def _taking_part(ids: Sequence[int]) -> CompoundSelect[Any]:
    """Select who takes part: as stored, and in a statement as the facts tell that it carries."""
    stored = select(*event_participants.c).where(among(event_participants.c.event_id, ids))
    carried = [
        select(event_rows.c.id, person, literal(role))
        .join(event_kinds, event_kinds.c.id == event_rows.c.kind_id)
        .join(
            fact_rows,
            and_(
                # By the turn: facts have no index of their events.
                fact_rows.c.turn_id == event_rows.c.turn_id,
                fact_rows.c.event_id == event_rows.c.id,
            ),
        )
        .where(among(event_rows.c.id, ids), event_kinds.c.type == "statement")
        .where(person.is_not(None))
        for person, role in (
            (fact_rows.c.subject_id, "subject"),
            (fact_rows.c.holder_id, "speaker"),
        )
    ]
    return union(stored, *carried)


def _event(row: Any, proof: tuple[Any, ...], people: Sequence[Participant]) -> Event:
    return Event(
        id=row.id,
        type=row.type,
        summary=row.summary,
        modality=Modality(row.modality),
        start=read_bound(row, "start"),
        end=find_bound(row, "end"),
        place=row.place or "",
        participants=tuple(dict.fromkeys(people)),
        evidence=proof,
    )
