"""Who stood for whom by what was known when: the derived table `entity_stood`.

A merge recorded today must not change what was known yesterday, so each state of the links that
ever was is kept as rows [since_ms, until_ms) of recorded time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from sqlalchemy import delete, insert, select

from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.same_links import SAME, Link, settle
from apexmem_desktop.storage.tables import entities, entity_stood
from apexmem_desktop.storage.vault import Connection

ALWAYS_MS = -(2**62)
NEVER_MS = 2**63 - 1

Row = tuple[int, int, int, int]  # entity, since_ms, until_ms, canonical


def append_alone(db: Connection, entity_id: int) -> None:
    """Let a new entity stand for itself, from always to for ever."""
    _insert(db, [(entity_id, ALWAYS_MS, NEVER_MS, entity_id)])


def refresh(db: Connection, family: Iterable[int], links: Sequence[Link]) -> None:
    """Work out anew the rows of a family: of all that links ever joined with one of them."""
    members = list(family)
    db.execute(delete(entity_stood).where(among(entity_stood.c.entity_id, members)))
    _insert(db, _rows(members, links))


def rebuild(db: Connection, links: Sequence[Link]) -> None:
    """Work the whole table out anew from the links."""
    db.execute(delete(entity_stood))
    _insert(db, _all_rows(db, links))


def is_right(db: Connection, links: Sequence[Link]) -> bool:
    """Tell whether the table says what the links say."""
    stored = {tuple(row) for row in db.execute(select(*_COLUMNS))}
    return stored == set(_all_rows(db, links))


_COLUMNS = (
    entity_stood.c.entity_id,
    entity_stood.c.since_ms,
    entity_stood.c.until_ms,
    entity_stood.c.canonical_id,
)


def _insert(db: Connection, rows: Sequence[Row]) -> None:
    names = [column.name for column in _COLUMNS]
    if rows:
        db.execute(insert(entity_stood), [dict(zip(names, row, strict=True)) for row in rows])


def _all_rows(db: Connection, links: Sequence[Link]) -> list[Row]:
    """Work out the rows of every entity, family by family."""
    ids = list(db.execute(select(entities.c.id)).scalars())
    families: dict[int, set[int]] = {}
    ever = _ever_joined(ids, links)
    for number, root in ever.items():
        families.setdefault(root, set()).add(number)
    own: dict[int, list[Link]] = {}
    for link in links:
        own.setdefault(ever[link.a], []).append(link)
    return [row for root, family in families.items() for row in _rows(family, own.get(root, []))]


def _ever_joined(ids: Iterable[int], links: Iterable[Link]) -> dict[int, int]:
    """Map each entity to one of its family, as if no link had been taken back or told apart."""
    root = {number: number for number in ids}

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = root[root[number]]
            number = root[number]
        return number

    for link in links:
        if link.kind == SAME:
            root[find(link.a)] = find(link.b)
    return {number: find(number) for number in root}


def _rows(family: Iterable[int], links: Sequence[Link]) -> list[Row]:
    members = sorted(family)
    states = [(ALWAYS_MS, {number: number for number in members})]
    for at_ms in sorted({link.recorded_at_ms for link in links}):
        known = [link for link in links if link.recorded_at_ms <= at_ms]
        states.append((at_ms, settle(members, known).canon))
    return [row for number in members for row in _spans(number, states)]


def _spans(number: int, states: Sequence[tuple[int, Mapping[int, int]]]) -> Iterator[Row]:
    """Cut recorded time where another came to stand for this entity."""
    starts = [
        (at_ms, state[number])
        for index, (at_ms, state) in enumerate(states)
        if index == 0 or states[index - 1][1][number] != state[number]
    ]
    for (since_ms, canonical), (until_ms, _) in pairwise([*starts, (NEVER_MS, 0)]):
        yield number, since_ms, until_ms, canonical
