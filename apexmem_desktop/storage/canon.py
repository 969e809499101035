"""Who stands for whom: derived tables kept in step with the links.

`entity_canon` says it for now; `entity_stood` for whoever asks what was known at an earlier time.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import FromClause, Select, delete, insert, select

from apexmem_desktop.storage import canon_history
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.tables import entities, entity_canon, entity_links, entity_stood
from apexmem_desktop.storage.vault import Connection


def canonical_ids(db: Connection) -> dict[int, int]:
    """Map every entity to the one that stands for it: the oldest among those that are the same."""
    return read_pairs(db, select(entity_canon.c.entity_id, entity_canon.c.canonical_id))


def standing(known_at_ms: int | None = None) -> FromClause:
    """Give the rows (entity_id, canonical_id) that count for what was known at an instant.

    Args:
        known_at_ms: UTC; a merge recorded later had joined nobody yet. None for now.
    """
    if known_at_ms is None:
        return entity_canon.alias()
    stood = entity_stood
    return (
        select(stood.c.entity_id, stood.c.canonical_id)
        .where(stood.c.since_ms <= known_at_ms, stood.c.until_ms > known_at_ms)
        .subquery()
    )


def same_as_any(ids: Iterable[int], known_at_ms: int | None = None) -> Select[Any]:
    """Make a query for all entities that are the same as one of these, themselves included."""
    mine, others = standing(known_at_ms), standing(known_at_ms)
    theirs = select(mine.c.canonical_id).where(among(mine.c.entity_id, ids))
    return select(others.c.entity_id).where(others.c.canonical_id.in_(theirs))


def same_ids(
    db: Connection,
    id: int,  # noqa: A002
    known_at_ms: int | None = None,
) -> list[int]:
    """List the entities that are the same as this one, itself included, oldest first."""
    return sorted(db.execute(same_as_any([id], known_at_ms)).scalars())


def find_pairs(db: Connection, kind: str, among_ids: Iterable[int] | None) -> list[tuple[int, int]]:
    """List the pairs that links of a kind join now; links that were taken back do not count."""
    later = entity_links.alias()
    taken_back = select(later.c.id).where(later.c.undoes_id == entity_links.c.id).exists()
    wanted = select(entity_links.c.a_id, entity_links.c.b_id).where(
        entity_links.c.kind == kind, entity_links.c.undoes_id.is_(None), ~taken_back
    )
    if among_ids is not None:
        wanted = wanted.where(among(entity_links.c.a_id, among_ids))
    return [(a, b) for a, b in db.execute(wanted)]


def join(ids: Iterable[int], pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Map each id to the smallest id it is joined with, over any number of pairs."""
    root = {number: number for number in ids}

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = root[root[number]]
            number = root[number]
        return number

    for a, b in pairs:
        low, high = sorted((find(a), find(b)))
        root[high] = low
    return {number: find(number) for number in root}


def refresh(db: Connection, ids: Iterable[int]) -> None:
    """Work out anew who stands for these entities and for all that were joined with them."""
    ids = list(ids)
    touched = set(db.execute(same_as_any(ids)).scalars())
    _store(db, join(touched, find_pairs(db, "same_as", touched)))
    canon_history.refresh(db, ids, join)


def is_right(db: Connection) -> bool:
    """Tell whether both tables say what the links say."""
    return _work_out(db) == canonical_ids(db) and canon_history.is_right(db, join)


def rebuild(db: Connection) -> None:
    """Work both tables out anew from the links."""
    db.execute(delete(entity_canon))
    _store(db, _work_out(db))
    canon_history.rebuild(db, join)


def _work_out(db: Connection) -> dict[int, int]:
    return join(db.execute(select(entities.c.id)).scalars(), find_pairs(db, "same_as", None))


def _store(db: Connection, canon: dict[int, int]) -> None:
    rows = [{"entity_id": number, "canonical_id": root} for number, root in canon.items()]
    if rows:
        db.execute(insert(entity_canon).prefix_with("OR REPLACE"), rows)
