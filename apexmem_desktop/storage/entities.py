"""People, places and things: their names, where they are spoken of, and which are the same."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Select, func, insert, select

from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.graph import Entity, EntityRole
from apexmem_desktop.domain.ontology import load_ontology
from apexmem_desktop.storage import canon, canon_history
from apexmem_desktop.storage.canon import canonical_ids, same_ids
from apexmem_desktop.storage.entity_links import append_link, find_links
from apexmem_desktop.storage.entity_uses import Uses, find_uses, ranked
from apexmem_desktop.storage.lists import among, as_list, later
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.rows import append_row, read_pairs
from apexmem_desktop.storage.tables import (
    MENTION_ROLES,
    entities,
    entity_canon,
    entity_names,
    mentions,
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


def newest_id(db: Connection) -> int:
    """Return the highest number of an entity; 0 where there is none. Later ones are higher."""
    return int(db.execute(select(func.coalesce(func.max(entities.c.id), 0))).scalar_one())


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
    values = [{"entity_id": e, "turn_id": t, "role": MENTION_ROLES[role]} for e, t, role in rows]
    if values:
        db.execute(insert(mentions).prefix_with("OR IGNORE"), values)


def find_entities_named(
    db: Connection, name: str, *, known_at_ms: int | None = None
) -> list[Entity]:
    """Find the entities called exactly so (case and marks do not count), each once.

    Args:
        known_at_ms: Merges recorded after this UTC instant have joined nobody; None for now.
    """
    wanted = _named(at_present=known_at_ms is None)
    given = {_NAME: normalise(name), _KNOWN: known_at_ms}
    return _read(db, list(dict.fromkeys(db.execute(wanted, given).scalars())), known_at_ms)


_NAME, _ENTITY, _CANONICAL, _KNOWN = "name", "entity_id", "canonical_ids", "known_at_ms"


@cache
def _named(*, at_present: bool) -> Select[Any]:
    stands = canon.standing(None if at_present else later(_KNOWN))
    return (
        select(stands.c.canonical_id)
        .join(entity_names, entity_names.c.entity_id == stands.c.entity_id)
        .where(entity_names.c.normalised == later(_NAME))
        .distinct()
    )


def find_ids_named(db: Connection, name: str) -> list[int]:
    """Find the numbers under which a name was stored, merged or not, oldest first."""
    return sorted(set(db.execute(_NUMBERS_NAMED, {_NAME: normalise(name)}).scalars()))


_NUMBERS_NAMED = select(entity_names.c.entity_id).where(entity_names.c.normalised == later(_NAME))


def own_id(db: Connection, entity_id: int, name: str) -> int:
    """Give the number that bears a name among those that are one: what a later split needs.

    Args:
        entity_id: Any number of the merged entity; it is given back where none bears the name.
    """
    bearers = set(find_ids_named(db, name)) & set(same_ids(db, entity_id))
    return min(bearers, default=entity_id)


def find_members(db: Connection, entity_id: int) -> list[tuple[int, str]]:
    """List the entities that are the same as this one with the name each was first seen by."""
    wanted = select(entities.c.id, entities.c.name).where(
        among(entities.c.id, same_ids(db, entity_id))
    )
    return [(number, name) for number, name in db.execute(wanted.order_by(entities.c.id))]


def find_members_named(db: Connection, entity_id: int) -> list[Entity]:
    """List the entities that are the same as this one, each with the names that it alone bears."""
    ids = same_ids(db, entity_id)
    names: dict[int, list[str]] = {number: [] for number in ids}
    told = select(entity_names.c.entity_id, entity_names.c.name).order_by(entity_names.c.id)
    for number, name in db.execute(told.where(among(entity_names.c.entity_id, ids))):
        names[number].append(name)
    wanted = select(entities.c.id, entities.c.name, entities.c.type).order_by(entities.c.id)
    found = db.execute(wanted.where(among(entities.c.id, ids)))
    return [Entity(number, name, type_, tuple(names[number])) for number, name, type_ in found]


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


_RANKED = ranked()


def _matching(part: str) -> Select[Any]:
    return (
        select(entity_canon.c.canonical_id)
        .join(entity_names, entity_names.c.entity_id == entity_canon.c.entity_id)
        .where(func.instr(entity_names.c.normalised, normalise(part)) > 0)
    )


def get_entity(
    db: Connection,
    id: int,  # noqa: A002
    *,
    known_at_ms: int | None = None,
) -> Entity:
    """Read an entity; one that was merged gives the one that stands for it.

    Args:
        known_at_ms: Merges recorded after this UTC instant have joined nobody; None for now.

    Raises:
        NotFoundError: No entity has this number.
    """
    wanted = _standing_for(at_present=known_at_ms is None)
    canonical_id = db.execute(wanted, {_ENTITY: id, _KNOWN: known_at_ms}).scalar()
    if canonical_id is None:
        raise NotFoundError(f"There is nobody and nothing with number {id} in this memory.")
    return _read(db, [canonical_id], known_at_ms)[0]


@cache
def _standing_for(*, at_present: bool) -> Select[Any]:
    stands = canon.standing(None if at_present else later(_KNOWN))
    return select(stands.c.canonical_id).where(stands.c.entity_id == later(_ENTITY))


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


def find_own_names(db: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Name these as each was first called, merged into another or not."""
    return read_pairs(db, select(entities.c.id, entities.c.name).where(among(entities.c.id, ids)))


def find_names_of_type(db: Connection, ids: Sequence[int], type: str) -> dict[int, str]:  # noqa: A002
    """Name those of these that are of a type, each by the one that stands for it."""
    rows = db.execute(
        select(entity_canon.c.entity_id, entities.c.name)
        .join(entities, entities.c.id == entity_canon.c.canonical_id)
        .where(among(entity_canon.c.entity_id, ids), entities.c.type == type)
    )
    return {row.entity_id: row.name for row in rows}


def _read(db: Connection, canonical: Sequence[int], known_at_ms: int | None = None) -> list[Entity]:
    """Read entities by canonical number, in the order given."""
    if not canonical:
        return []
    given = {_CANONICAL: as_list(canonical), _KNOWN: known_at_ms}
    of_those, wanted_names = _reading(at_present=known_at_ms is None)
    names: dict[int, dict[str, None]] = {}
    for canonical_id, name in db.execute(wanted_names, given):
        names.setdefault(canonical_id, {})[name] = None
    uses = find_uses(db, canonical, known_at_ms)
    found = {}
    for row in db.execute(of_those, given):
        used = uses.get(row.id, Uses())
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


@cache
def _reading(*, at_present: bool) -> tuple[Select[Any], Select[Any]]:
    """Build the queries for entities, and for all their names in the order of coming."""
    stands = canon.standing(None if at_present else later(_KNOWN))
    names = (
        select(stands.c.canonical_id, entity_names.c.name)
        .join(entity_names, entity_names.c.entity_id == stands.c.entity_id)
        .where(among(stands.c.canonical_id, later(_CANONICAL)))
        .order_by(entity_names.c.id)
    )
    return select(entities).where(among(entities.c.id, later(_CANONICAL))), names


def count_entities(db: Connection) -> int:
    """Count the entities, merged ones once."""
    return int(db.execute(select(func.count(entity_canon.c.canonical_id.distinct()))).scalar_one())
