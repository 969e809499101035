"""What many facts or events share and is kept once: types, modality, how their times are told."""

from functools import cache
from typing import Any

from sqlalchemy import Select, Table, insert, select

from apexmem_desktop.storage.lists import later
from apexmem_desktop.storage.vault import Connection


class Kinds:
    """Finds or makes the kinds of the rows that one call appends."""

    def __init__(self, db: Connection, table: Table) -> None:
        self._db = db
        self._table = table
        self._known: dict[tuple[Any, ...], int] = {}

    def of(self, **shared: Any) -> int:
        """Give the number of the kind with exactly these columns."""
        key = tuple(shared.values())
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self._find(shared) or self._append(shared)
        return number

    def _find(self, shared: dict[str, Any]) -> int | None:
        found: int | None = self._db.execute(_alike(self._table, tuple(shared)), shared).scalar()
        return found

    def _append(self, shared: dict[str, Any]) -> int:
        key = self._db.execute(insert(self._table).values(shared)).inserted_primary_key
        if key is None:
            raise TypeError(f"rows of {self._table.name} have no number")
        return int(key[0])


@cache
def _alike(table: Table, names: tuple[str, ...]) -> Select[Any]:
    wanted = select(table.c.id)
    for name in names:  # IS finds a NULL too, and by the index
        wanted = wanted.where(table.c[name].is_not_distinct_from(later(name)))
    return wanted.limit(1)
