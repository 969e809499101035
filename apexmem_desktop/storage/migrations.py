"""Bring a vault to today's shape: numbered SQL files, all missing ones in one transaction.

A released step is never edited. Never `executescript`: it commits what is open before it begins.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import resources
from pathlib import Path

from apexmem_desktop.storage import driver
from apexmem_desktop.storage.copies import write_copy
from apexmem_desktop.storage.functions import add_comparing
from apexmem_desktop.storage.packs import add_packing

APPLICATION_ID = 0x4150454D  # "APEM", so that file(1) and we know our own files


def load_steps() -> tuple[str, ...]:
    """Read the SQL of every step, in order."""
    folder = resources.files("apexmem_desktop.storage") / "steps"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return tuple(file.read_text(encoding="utf-8") for file in files)


def split_statements(sql: str) -> Iterator[str]:
    """Cut a step into statements; SQLite itself says where a trigger's body ends."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if _has_words(statement):
        raise ValueError(f"a step ends in the middle of a statement: {statement[:80]!r}")


def _has_words(sql: str) -> bool:
    return any(line.split("--")[0].strip() for line in sql.splitlines())


def migrate(
    db: sqlite3.Connection, path: Path, steps: Sequence[str], *, keep_copy: bool = True
) -> int:
    """Run the steps that are missing, all or none; return how many ran.

    Args:
        db: An autocommit connection (isolation_level None) to the file at `path`.
        keep_copy: Copy an older file aside first.
    """
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    if found >= len(steps):
        return 0
    if found > 0 and keep_copy:
        write_copy(db, path.with_name(f"{path.name}.before-v{len(steps)}"))
    add_comparing(db)
    add_packing(db)
    # A step may put a table in the place of another. What points nowhere in the end is found below.
    db.execute("PRAGMA foreign_keys = OFF")
    try:
        _run_missing(db, steps)
    finally:
        db.execute("PRAGMA foreign_keys = ON")
    if found > 0:
        _close_gaps(db)
    return len(steps) - found


def _run_missing(db: sqlite3.Connection, steps: Sequence[str]) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have migrated while we waited for the lock.
        found = db.execute("PRAGMA user_version").fetchone()[0]
        for step in steps[found:]:
            for statement in split_statements(step):
                db.execute(statement)
        _finish(db, len(steps))
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _close_gaps(db: sqlite3.Connection) -> None:
    """Give the room that steps freed back to the disk; where there is none to do it in, later."""
    with suppress(*driver.errors()):
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _finish(db: sqlite3.Connection, version: int) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {version}")
    broken = db.execute("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise ValueError(f"a step left rows that point nowhere: {broken[:3]}")
