"""Appending one row, and reading pairs."""

from typing import Any

from sqlalchemy import Select, Table, insert

from apexmem_desktop.storage.vault import Connection


def append_row(db: Connection, table: Table, **values: Any) -> int:
    """Insert one row and return the number it got."""
    key = db.execute(insert(table).values(values)).inserted_primary_key
    if key is None:
        raise TypeError(f"rows of {table.name} have no number")
    return int(key[0])


def read_pairs(db: Connection, wanted: Select[Any]) -> dict[Any, Any]:
    """Run a query of two columns and map the first to the second; later rows win."""
    return {row[0]: row[1] for row in db.execute(wanted)}
