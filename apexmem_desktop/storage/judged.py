"""What is kept of each fact's judgement: the part that does not depend on when one asks.

The views judge; here their result is kept, so that a query over a whole memory reads rows instead
of ordering all facts anew. Triggers note whose kept rows are outdated (`subjects_touched`): of
these the views judge when asked, until `refresh` keeps them again.
"""

import sqlite3
from collections.abc import Collection
from typing import cast

from sqlalchemy import text

from apexmem_desktop.storage.functions import FOREVER_MS, add_known_at
from apexmem_desktop.storage.vault import Connection

_SUBJECTS_AT_ONCE = 500
_LANES = 524_288  # a lane's number begins with its subject's: see facts_said
_ROOTS = """
SELECT c.canonical_id FROM subjects_touched t JOIN entity_canon c ON c.entity_id = t.entity_id
"""


def refresh(db: Connection, most: int = _SUBJECTS_AT_ONCE) -> bool:
    """Keep anew what is outdated of so many subjects; tell whether some are left."""
    touched = list(db.exec_driver_sql("SELECT entity_id FROM subjects_touched").scalars())
    chosen, left = touched[:most], touched[most:]
    if chosen:
        db.exec_driver_sql("DELETE FROM subjects_touched")
        _touch(db, chosen)
        _forget(db, {*chosen, *db.exec_driver_sql(_ROOTS).scalars()})
        db.exec_driver_sql("INSERT INTO facts_kept SELECT * FROM facts_to_keep")
        db.exec_driver_sql("DELETE FROM subjects_touched")
        _touch(db, left)
    return bool(left)


def refresh_all(db: Connection) -> None:
    """Keep anew whatever is outdated."""
    while refresh(db):
        pass


def rebuild(db: Connection) -> None:
    """Judge everything anew."""
    db.exec_driver_sql("DELETE FROM facts_kept")
    db.exec_driver_sql("INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts")
    refresh_all(db)


def is_right(db: Connection) -> bool:
    """Tell whether what is kept, and is not noted as outdated, is what the facts give."""
    outdated = set(db.execute(text("SELECT entity_id FROM subjects_outdated")).scalars())
    kept = _up_to_date(db, "facts_kept", outdated)
    connection = cast("sqlite3.Connection", db.connection.driver_connection)
    # By "what was known until the end of time" everything is judged anew.
    add_known_at(connection, FOREVER_MS - 1)
    try:
        return kept == _up_to_date(db, "facts_to_keep", outdated)
    finally:
        add_known_at(connection, FOREVER_MS)


def _up_to_date(db: Connection, table: str, outdated: Collection[int]) -> set[tuple[object, ...]]:
    rows = db.exec_driver_sql(f"SELECT * FROM {table}")  # noqa: S608 - our own names
    return {tuple(row) for row in rows if row.lane // _LANES not in outdated}


def _touch(db: Connection, subjects: Collection[int]) -> None:
    if subjects:
        sql = "INSERT OR IGNORE INTO subjects_touched VALUES (?)"
        db.exec_driver_sql(sql, [(number,) for number in subjects])


def _forget(db: Connection, subjects: Collection[int]) -> None:
    lanes = [(number * _LANES, (number + 1) * _LANES) for number in subjects]
    db.exec_driver_sql("DELETE FROM facts_kept WHERE lane >= ? AND lane < ?", lanes)
