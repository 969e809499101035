"""Who stands for whom: derived tables kept in step with the links.

`entity_canon` says it for now; `entity_stood` for whoever asks what was known at an earlier time.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from sqlalchemy import FromClause, Select, delete, insert, or_, select

from apexmem_desktop.storage import canon_history
from apexmem_desktop.storage.lists import Later, Values, among, as_list, later
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.same_links import SAME, Link, Settled, settle
from apexmem_desktop.storage.tables import entities, entity_canon, entity_links, entity_stood
from apexmem_desktop.storage.vault import Connection


def canonical_ids(db: Connection) -> dict[int, int]:
    """Map every entity to the one that stands for it: the oldest among those that are the same."""
    return read_pairs(db, select(entity_canon.c.entity_id, entity_canon.c.canonical_id))


def standing(known_at_ms: int | Later | None = None) -> FromClause:
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


def same_as_any(ids: Values, known_at_ms: int | Later | None = None) -> Select[Any]:
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
    given = {_IDS: as_list([id]), _KNOWN: known_at_ms}
    return sorted(db.execute(_same(at_present=known_at_ms is None), given).scalars())


_IDS, _KNOWN = "ids", "known_at_ms"


@cache
def _same(*, at_present: bool) -> Select[Any]:
    return same_as_any(later(_IDS), None if at_present else later(_KNOWN))


def read_links(db: Connection, ids: Iterable[int] | None = None) -> list[Link]:
    """Read every link row that names one of these entities, oldest first; None for all rows."""
    table = entity_links.c
    wanted = select(
        *(table.id, table.a_id, table.b_id, table.kind, table.by, table.reason),
        *(table.undoes_id, table.recorded_at_ms),
    )
    if ids is not None:
        ids = list(ids)
        wanted = wanted.where(or_(among(table.a_id, ids), among(table.b_id, ids)))
    return [Link(*row) for row in db.execute(wanted.order_by(table.id))]


def find_family(db: Connection, ids: Iterable[int]) -> tuple[set[int], list[Link]]:
    """Gather all that links ever joined with these, and every link row that names one of them."""
    front = set(ids)
    family = set(front)
    links: dict[int, Link] = {}
    while front:
        new = read_links(db, front)
        links |= {link.id: link for link in new}
        ends = {number for link in new if link.kind == SAME for number in (link.a, link.b)}
        front = ends - family
        family |= front
    return family, sorted(links.values(), key=lambda link: link.id)


def settle_around(db: Connection, ids: Iterable[int]) -> Settled:
    """Work out what the stored links come to for these entities and all they may be one with."""
    return settle(*find_family(db, ids))


def refresh(db: Connection, ids: Iterable[int]) -> Settled:
    """Work out anew who stands for these entities and for all that were ever joined with them."""
    family, links = find_family(db, ids)
    settled = settle(family, links)
    _store(db, settled.canon)
    canon_history.refresh(db, family, links)
    return settled


def is_right(db: Connection) -> bool:
    """Tell whether both tables say what the links say."""
    return _work_out(db) == canonical_ids(db) and canon_history.is_right(db, read_links(db))


def rebuild(db: Connection) -> None:
    """Work both tables out anew from the links."""
    db.execute(delete(entity_canon))
    _store(db, _work_out(db))
    canon_history.rebuild(db, read_links(db))


def _work_out(db: Connection) -> dict[int, int]:
    return settle(db.execute(select(entities.c.id)).scalars(), read_links(db)).canon


def _store(db: Connection, canon: dict[int, int]) -> None:
    rows = [{"entity_id": number, "canonical_id": root} for number, root in canon.items()]
    if rows:
        db.execute(insert(entity_canon).prefix_with("OR REPLACE"), rows)
