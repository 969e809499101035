"""Events: what happened, when, where and with whom; appended with their proof."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, insert, select, union

from apexmem_desktop.domain.graph import Event, Modality, NewEvent
from apexmem_desktop.storage.bounds import bound_columns, find_bound, read_bound
from apexmem_desktop.storage.canon import same_as_any, standing
from apexmem_desktop.storage.evidence import append_evidence, check_quotes, find_evidence
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.tables import (
    entities,
    event_participants,
    events,
    evidence,
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
    check_quotes(db, [quote for event in new for quote in event.quotes])
    first = (db.execute(select(func.max(events.c.id))).scalar() or 0) + 1
    numbered = list(enumerate(new, start=first))
    db.execute(insert(events), [{"id": n, **_row(one, recorded_at_ms)} for n, one in numbered])
    append_evidence(db, [(None, n, quote) for n, one in numbered for quote in one.quotes])
    taking_part = [
        {"event_id": number, "entity_id": entity_id, "role": role}
        for number, event in numbered
        for entity_id, role in dict.fromkeys(event.participants)
    ]
    if taking_part:
        db.execute(insert(event_participants), taking_part)
    return [number for number, _ in numbered]


def _row(event: NewEvent, recorded_at_ms: int) -> dict[str, Any]:
    return {
        "type": event.type,
        "summary": event.summary,
        "modality": str(event.modality),
        **bound_columns("start", event.validity.start),
        **bound_columns("end", event.validity.end),
        "phrase": event.validity.phrase,
        "place_id": event.place_id,
        "recorded_at_ms": recorded_at_ms,
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
        entity_ids: Those that take part or are the place, through their same-as links.
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
        there = select(events.c.id).where(events.c.place_id.in_(same))
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
    proofs = find_evidence(db, evidence.c.event_id, found)
    taking_part = _participants(db, found, known_at_ms)
    return [
        _event(row, proofs.get(row.id, ()), taking_part.get(row.id, [])) for row in reversed(rows)
    ]


def newest_event_id(db: Connection) -> int:
    """Give the number of the event recorded last; 0 while there is none."""
    return int(db.execute(select(func.coalesce(func.max(events.c.id), 0))).scalar_one())


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
    stands = standing(known_at_ms)
    rows = db.execute(
        select(
            event_participants.c.event_id,
            stands.c.canonical_id,
            entities.c.name,
            event_participants.c.role,
        )
        .join(stands, stands.c.entity_id == event_participants.c.entity_id)
        .join(entities, entities.c.id == stands.c.canonical_id)
        .where(among(event_participants.c.event_id, ids))
        .order_by(event_participants.c.event_id, event_participants.c.entity_id)
    )
    found: dict[int, list[Participant]] = {}
    for event_id, entity_id, name, role in rows:
        found.setdefault(event_id, []).append((entity_id, name, role))
    return found


def _event(row: Any, proof: tuple[Any, ...], taking_part: Sequence[Participant]) -> Event:
    return Event(
        id=row.id,
        type=row.type,
        summary=row.summary,
        modality=Modality(row.modality),
        start=read_bound(row, "start"),
        end=find_bound(row, "end"),
        place=row.place or "",
        participants=tuple(dict.fromkeys(taking_part)),
        evidence=proof,
    )
