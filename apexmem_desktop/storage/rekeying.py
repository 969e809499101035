"""The same memory under another passphrase, under one for the first time, or in clear again.

It is written into a new file, looked through and only then named as the memory. The old file is
kept aside until whoever asked for it has seen that the new one opens, and can be put back.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.storage import driver
from apexmem_desktop.storage.copies import find_own_copies, remove_database, why_unsound
from apexmem_desktop.storage.driver import Key
from apexmem_desktop.storage.faults import told_to_user
from apexmem_desktop.storage.locking import closed_to_others
from apexmem_desktop.storage.vault import connect
from apexmem_desktop.storage.vector_cache import remove_caches

_FRESH, _OLD = ".under-new-key.part", ".under-old-key"
_KEPT_NUMBERS = ("application_id", "user_version")
_COUNTED = ("turns", "facts", "entities", "events", "rulings", "sources")


def exchange(path: Path, old: Key | None, new: Key | None) -> None:
    """Put the memory, closed by everybody, under another key; `undo` or `finish` must follow.

    Raises:
        DiskFullError: No room; nothing was changed.
        VaultError: SQLCipher is not installed, a program has the memory open, or the new file is
            not the same as the old; nothing was changed.
    """
    fresh = path.with_name(path.name + _FRESH)
    with closed_to_others(path):
        remove_database(fresh)
        try:
            with told_to_user(path):
                _write(path, old, fresh, new)
                _compare(path, old, fresh, new)
            remove_caches(path)
            path.replace(_aside(path))
            fresh.replace(path)
        finally:
            remove_database(fresh)


def undo(path: Path) -> None:
    """Put the file under the old key back."""
    if _aside(path).exists():
        remove_database(path)
        _aside(path).replace(path)


def finish(path: Path) -> None:
    """Remove the file under the old key, and the program's own copies in clear of one that is not.

    Copies that the user made stay.
    """
    remove_database(_aside(path))
    if not driver.is_plain(path):
        for copy in find_own_copies(path):
            if driver.is_plain(copy):
                remove_database(copy)


def mend(path: Path) -> None:
    """Put the old file back where an exchange was cut off between its two renamings."""
    if not path.exists():
        undo(path)


def _aside(path: Path) -> Path:
    return path.with_name(path.name + _OLD)


def _write(path: Path, old: Key | None, fresh: Path, new: Key | None) -> None:
    with closing(driver.open_for_export(path, old)) as db:
        # The log goes into the file, since the file alone is put aside.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        driver.attach(db, fresh, "fresh", new)
        db.execute("SELECT sqlcipher_export('fresh')")
        for name in _KEPT_NUMBERS:
            number: int = db.execute(f"PRAGMA main.{name}").fetchone()[0]
            db.execute(f"PRAGMA fresh.{name} = {number}")
        db.execute("DETACH DATABASE fresh")


def _compare(path: Path, old: Key | None, fresh: Path, new: Key | None) -> None:
    with (
        closing(connect(path, "ro", key=old)) as before,
        closing(connect(fresh, "ro", key=new)) as after,
    ):
        wrong = why_unsound(after)
        if wrong or _summary(before) != _summary(after):
            raise VaultError(
                f"The new file of {path.name} is not the same as the old ({wrong or 'counts'}).",
                hint="Nothing was changed. Run verify: the memory may be damaged.",
            )


def _summary(db: sqlite3.Connection) -> list[object]:
    """What must be the same in both: what the tables are, and how much is in them."""
    schema = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    counts = [db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in _COUNTED]  # noqa: S608
    numbers = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in _KEPT_NUMBERS]
    return [schema, counts, numbers]
