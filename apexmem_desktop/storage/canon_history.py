"""Who stood for whom by what was known when: the derived table `entity_stood`.

A merge recorded today must not change what was known yesterday, so each state of the links that
ever was is kept as rows [since_ms, until_ms) of recorded time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlalchemy import delete, insert, or_, select

from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.tables import entities, entity_links, entity_stood
from apexmem_desktop.storage.vault import Connection

ALWAYS_MS = -(2**62)
NEVER_MS = 2**63 - 1

# canon.join: maps each id to the smallest id that pairs join it with.
Join = Callable[[Iterable[int], Sequence[tuple[int, int]]], dict[int, int]]
Row = tuple[int, int, int, int]  # entity, since_ms, until_ms, canonical


@dataclass(frozen=True, slots=True)
class _Link:
    id: int
    a: int
    b: int
    undoes_id: int | None
    recorded_at_ms: int


def append_alone(db: Connection, entity_id: int) -> None:
    """Let a new entity stand for itself, from always to for ever."""
    _insert(db, [(entity_id, ALWAYS_MS, NEVER_MS, entity_id)])


def refresh(db: Connection, ids: Iterable[int], join: Join) -> None:
    """Work out anew the rows of these and of all that were ever joined with them."""
    family, links = _family(db, ids)
    db.execute(delete(entity_stood).where(among(entity_stood.c.entity_id, family)))
    _insert(db, _rows(family, links, join))


def rebuild(db: Connection, join: Join) -> None:
    """Work the whole table out anew from the links."""
    db.execute(delete(entity_stood))
    _insert(db, _all_rows(db, join))


def is_right(db: Connection, join: Join) -> bool:
    """Tell whether the table says what the links say."""
    stored = {tuple(row) for row in db.execute(select(*_COLUMNS))}
    return stored == set(_all_rows(db, join))


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


def _all_rows(db: Connection, join: Join) -> list[Row]:
    """Work out the rows of every entity, family by family."""
    links = _find_links(db, None)
    ids = list(db.execute(select(entities.c.id)).scalars())
    ever = join(ids, [(link.a, link.b) for link in links])
    families: dict[int, set[int]] = {}
    for number, root in ever.items():
        families.setdefault(root, set()).add(number)
    own: dict[int, list[_Link]] = {}
    for link in links:
        own.setdefault(ever[link.a], []).append(link)
    return [
        row for root, family in families.items() for row in _rows(family, own.get(root, []), join)
    ]


def _family(db: Connection, ids: Iterable[int]) -> tuple[set[int], list[_Link]]:
    """Gather all that links ever joined with these, links that were taken back included."""
    family, found = set(ids), 0
    while found != len(family):
        found = len(family)
        links = _find_links(db, family)
        family |= {number for link in links for number in (link.a, link.b)}
    return family, links


def _find_links(db: Connection, among_ids: Iterable[int] | None) -> list[_Link]:
    table = entity_links.c
    wanted = select(table.id, table.a_id, table.b_id, table.undoes_id, table.recorded_at_ms).where(
        or_(table.kind == "same_as", table.undoes_id.is_not(None))
    )
    if among_ids is not None:
        ids = list(among_ids)
        wanted = wanted.where(or_(among(table.a_id, ids), among(table.b_id, ids)))
    return [_Link(*row) for row in db.execute(wanted)]


def _rows(family: Iterable[int], links: Sequence[_Link], join: Join) -> list[Row]:
    members = sorted(family)
    states = [(ALWAYS_MS, {number: number for number in members})]
    for at_ms in sorted({link.recorded_at_ms for link in links}):
        states.append((at_ms, join(members, list(_alive(links, at_ms)))))
    return [row for number in members for row in _spans(number, states)]


def _alive(links: Sequence[_Link], at_ms: int) -> Iterator[tuple[int, int]]:
    """List the pairs joined by what was recorded until an instant, without what it took back."""
    known = [link for link in links if link.recorded_at_ms <= at_ms]
    taken_back = {link.undoes_id for link in known}
    for link in known:
        if link.undoes_id is None and link.id not in taken_back:
            yield link.a, link.b


def _spans(number: int, states: Sequence[tuple[int, Mapping[int, int]]]) -> Iterator[Row]:
    """Cut recorded time where another came to stand for this entity."""
    starts = [
        (at_ms, state[number])
        for index, (at_ms, state) in enumerate(states)
        if index == 0 or states[index - 1][1][number] != state[number]
    ]
    for (since_ms, canonical), (until_ms, _) in pairwise([*starts, (NEVER_MS, 0)]):
        yield number, since_ms, until_ms, canonical
