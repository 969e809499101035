"""Appending one row, and reading pairs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Select, Table, insert

from apexmem_desktop.storage.vault import Connection


def append_row(db: Connection, table: Table, **values: Any) -> int:
    """Insert one row and return the number it got."""
    key = db.execute(insert(table).values(values)).inserted_primary_key
    if key is None:
        raise TypeError(f"rows of {table.name} have no number")
    return int(key[0])


def append_rows(db: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert many rows that have the same columns; SQLAlchemy's own way looks at every value."""
    if not rows:
        return
    columns, marks = ", ".join(rows[0]), ", ".join("?" * len(rows[0]))
    sql = f"INSERT INTO {table.name} ({columns}) VALUES ({marks})"  # noqa: S608 - our own names
    db.exec_driver_sql(sql, [tuple(row.values()) for row in rows])


def append_tuples(
    db: Connection, table: Table, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    """Insert any number of rows by the driver alone, each taken only when it is written."""
    marks = ", ".join("?" * len(columns))
    sql = f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - ours
    insert_tuples(db, sql, rows)


def insert_tuples(db: Connection, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Run an INSERT for each of any number of rows by the driver alone."""
    _driver(db).executemany(sql, rows)


def read_column(db: Connection, sql: str, values: Sequence[Any]) -> Iterator[Any]:
    """Run a query of one column by the driver alone: for rows by the hundred thousand."""
    return (value for (value,) in _driver(db).execute(sql, tuple(values)))


def _driver(db: Connection) -> Any:
    driver = db.connection.driver_connection
    if driver is None:
        raise TypeError("the connection is closed")
    return driver


def read_pairs(
    db: Connection, wanted: Select[Any], given: Mapping[str, Any] | None = None
) -> dict[Any, Any]:
    """Run a query of two columns and map the first to the second; later rows win."""
    return {row[0]: row[1] for row in db.execute(wanted, given)}
