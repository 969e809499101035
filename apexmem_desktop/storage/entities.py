"""People, places and things: their names, where they are spoken of, and which are the same."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, Subquery, func, insert, or_, select

from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.graph import Entity, EntityRole
from apexmem_desktop.domain.ontology import load_ontology
from apexmem_desktop.storage import canon_history
from apexmem_desktop.storage.canon import canonical_ids, same_ids
from apexmem_desktop.storage.entity_links import append_link, find_links
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.rows import append_row, read_pairs
from apexmem_desktop.storage.tables import (
    entities,
    entity_canon,
    entity_names,
    entity_uses,
    facts,
    mentions,
    turns,
    uses_kept,
)
from apexmem_desktop.storage.vault import Connection

__all__ = ["append_link", "canonical_ids", "find_links", "same_ids"]


def append_entity(
    db: Connection,
    *,
    name: str,
    type: str,  # noqa: A002
    is_speaker: bool,
    recorded_at_ms: int,
    run_id: int | None = None,
    turn_id: int | None = None,
    role: EntityRole | None = None,
) -> int:
    """Store a new entity with its first name and return its number.

    Args:
        turn_id: Where the name was seen; None when the user gave it.
        role: None for speaker or mentioned, as `is_speaker` says.

    Raises:
        ValueError: The ontology has no such type.
    """
    load_ontology().check_entity_type(type)
    own_role = role or (EntityRole.SPEAKER if is_speaker else EntityRole.MENTIONED)
    number = append_row(
        db,
        entities,
        name=name,
        type=type,
        is_speaker=int(is_speaker),
        recorded_at_ms=recorded_at_ms,
        run_id=run_id,
        role=str(own_role),
    )
    db.execute(insert(entity_canon).values(entity_id=number, canonical_id=number))
    canon_history.append_alone(db, number)
    append_name(db, number, name, turn_id)
    return number


def append_name(db: Connection, entity_id: int, name: str, turn_id: int | None) -> None:
    """Store one more form of an entity's name; a form that is known changes nothing."""
    db.execute(
        insert(entity_names)
        .prefix_with("OR IGNORE")
        .values(entity_id=entity_id, name=name, normalised=normalise(name), turn_id=turn_id)
    )


def append_mention(db: Connection, entity_id: int, turn_id: int, role: str) -> None:
    """Note that a turn is spoken by ("speaker") or speaks of ("mentioned") an entity."""
    append_mentions(db, [(entity_id, turn_id, role)])


def append_mentions(db: Connection, rows: Iterable[tuple[int, int, str]]) -> None:
    """Note many mentions (entity id, turn id, role) at once; known ones change nothing.

    Raises:
        ValueError: The ontology has no such role.
    """
    rows = list(rows)
    for role in {role for _, _, role in rows}:
        load_ontology().check_role(role)
    values = [{"entity_id": e, "turn_id": t, "role": role} for e, t, role in rows]
    if values:
        db.execute(insert(mentions).prefix_with("OR IGNORE"), values)


def find_entities_named(db: Connection, name: str) -> list[Entity]:
    """Find the entities called exactly so (case and marks do not count), each once."""
    ids = (
        select(entity_canon.c.canonical_id)
        .join(entity_names, entity_names.c.entity_id == entity_canon.c.entity_id)
        .where(entity_names.c.normalised == normalise(name))
    )
    return _read(db, list(dict.fromkeys(db.execute(ids.distinct()).scalars())))


def find_entities(
    db: Connection,
    *,
    type: str = "",  # noqa: A002
    limit: int = 200,
    matching: str = "",
) -> list[Entity]:
    """List entities, those with most facts and mentions first.

    Args:
        matching: Part of one of their names.
    """
    ids = select(_RANKED.c.canonical_id).join(entities, entities.c.id == _RANKED.c.canonical_id)
    if type:
        ids = ids.where(entities.c.type == type)
    if matching:
        ids = ids.where(_RANKED.c.canonical_id.in_(_matching(matching)))
    ids = (
        ids.group_by(_RANKED.c.canonical_id)
        .order_by(func.sum(_RANKED.c.uses).desc(), _RANKED.c.canonical_id)
        .limit(limit)
    )
    return _read(db, list(db.execute(ids).scalars()))


def _ranked() -> Subquery:
    """Count what speaks of each entity; what is not kept (storage.tallies) is counted here."""
    anew = (
        select(func.count())
        .where(or_(facts.c.subject_id == entities.c.id, facts.c.value_entity_id == entities.c.id))
        .scalar_subquery()
        + select(func.count()).where(mentions.c.entity_id == entities.c.id).scalar_subquery()
    )
    return (
        select(
            entity_canon.c.canonical_id,
            func.coalesce(entity_uses.c.facts + entity_uses.c.mentions, anew).label("uses"),
        )
        .join(entities, entities.c.id == entity_canon.c.entity_id)
        .outerjoin(entity_uses, entity_uses.c.entity_id == entity_canon.c.entity_id)
        .subquery()
    )


_RANKED = _ranked()


def _matching(part: str) -> Select[Any]:
    return (
        select(entity_canon.c.canonical_id)
        .join(entity_names, entity_names.c.entity_id == entity_canon.c.entity_id)
        .where(func.instr(entity_names.c.normalised, normalise(part)) > 0)
    )


def get_entity(db: Connection, id: int) -> Entity:  # noqa: A002
    """Read an entity; one that was merged gives the one that stands for it.

    Raises:
        NotFoundError: No entity has this number.
    """
    canonical_id = db.execute(
        select(entity_canon.c.canonical_id).where(entity_canon.c.entity_id == id)
    ).scalar()
    if canonical_id is None:
        raise NotFoundError(f"There is nobody and nothing with number {id} in this memory.")
    return _read(db, [canonical_id])[0]


def find_names(db: Connection) -> list[tuple[int, str]]:
    """List every name with the number of who bears it now, normalised."""
    rows = db.execute(
        select(entity_canon.c.canonical_id, entity_names.c.normalised).join(
            entity_names, entity_names.c.entity_id == entity_canon.c.entity_id
        )
    )
    return [(number, name) for number, name in rows]


def find_entities_by_ids(db: Connection, ids: Sequence[int]) -> list[Entity]:
    """Read the entities that stand for these, each once, in the order asked."""
    stands = read_pairs(
        db,
        select(entity_canon.c.entity_id, entity_canon.c.canonical_id).where(
            among(entity_canon.c.entity_id, ids)
        ),
    )
    return _read(db, list(dict.fromkeys(stands[number] for number in ids if number in stands)))


def _read(db: Connection, canonical: Sequence[int]) -> list[Entity]:
    """Read entities by canonical number, in the order given."""
    if not canonical:
        return []
    names = _names(db, canonical)
    uses = _find_uses(db, canonical)
    found = {}
    for row in db.execute(select(entities).where(among(entities.c.id, canonical))):
        used = uses.get(row.id, _UNUSED)
        found[row.id] = Entity(
            id=row.id,
            name=row.name,
            type=row.type,
            aliases=tuple(name for name in names.get(row.id, ()) if name != row.name),
            is_speaker=bool(row.is_speaker),
            role=EntityRole(row.role),
            fact_count=used.facts,
            mention_count=used.mentions,
            first_at_ms=used.first_at_ms,
            last_at_ms=used.last_at_ms,
        )
    return [found[number] for number in canonical if number in found]


@dataclass(frozen=True, slots=True)
class _Uses:
    facts: int
    mentions: int
    first_at_ms: int | None
    last_at_ms: int | None


_UNUSED = _Uses(0, 0, None, None)


def _find_uses(db: Connection, canonical: Sequence[int]) -> dict[int, _Uses]:
    """Read the counts kept of entities that no other is the same as; count those of the rest."""
    kept = select(uses_kept).where(uses_kept.c.is_alone, among(uses_kept.c.entity_id, canonical))
    found = {
        row.entity_id: _Uses(row.facts, row.mentions, row.first_at_ms, row.last_at_ms)
        for row in db.execute(kept)
    }
    rest = [number for number in canonical if number not in found]
    if not rest:
        return found
    fact_counts = _fact_counts(db, rest)
    seen = {row.canonical_id: row for row in db.execute(_seen(rest))}
    for number in rest:
        when = seen.get(number)
        found[number] = _Uses(
            facts=fact_counts.get(number, 0),
            mentions=when.mention_count if when else 0,
            first_at_ms=when.first_at_ms if when else None,
            last_at_ms=when.last_at_ms if when else None,
        )
    return found


def _names(db: Connection, canonical: Sequence[int]) -> dict[int, list[str]]:
    rows = db.execute(
        select(entity_canon.c.canonical_id, entity_names.c.name)
        .join(entity_names, entity_names.c.entity_id == entity_canon.c.entity_id)
        .where(among(entity_canon.c.canonical_id, canonical))
        .order_by(entity_names.c.id)
    )
    found: dict[int, list[str]] = {}
    for canonical_id, name in rows:
        if name not in (kept := found.setdefault(canonical_id, [])):
            kept.append(name)
    return found


def _fact_counts(db: Connection, canonical: Sequence[int]) -> dict[int, int]:
    """Count the facts about each entity, or with it as value; a fact that is both counts once."""
    ways = [
        select(entity_canon.c.canonical_id, facts.c.id)
        .join(facts, column == entity_canon.c.entity_id)
        .where(among(entity_canon.c.canonical_id, canonical))
        for column in (facts.c.subject_id, facts.c.value_entity_id)
    ]
    both = ways[0].union(ways[1]).subquery()
    counted = select(both.c.canonical_id, func.count()).group_by(both.c.canonical_id)
    return read_pairs(db, counted)


def _seen(canonical: Sequence[int]) -> Select[Any]:
    """Select how often and when each entity was spoken of or spoke."""
    return (
        select(
            entity_canon.c.canonical_id,
            func.count(mentions.c.turn_id.distinct()).label("mention_count"),
            func.min(turns.c.said_at_ms).label("first_at_ms"),
            func.max(turns.c.said_at_ms).label("last_at_ms"),
        )
        .join(mentions, mentions.c.entity_id == entity_canon.c.entity_id)
        .join(turns, turns.c.id == mentions.c.turn_id)
        .where(among(entity_canon.c.canonical_id, canonical))
        .group_by(entity_canon.c.canonical_id)
    )


def count_entities(db: Connection) -> int:
    """Count the entities, merged ones once."""
    return int(db.execute(select(func.count(entity_canon.c.canonical_id.distinct()))).scalar_one())
