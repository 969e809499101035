"""After an erasure: no byte of what went stays in any file that the program keeps.

SQLite leaves removed rows in free pages, in the log and in the pages of its indexes until others
are written over them. So the whole file is written anew, the log emptied, and the caches and the
program's own copies removed. Cut off in between, it is finished at the next opening.
"""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from apexmem_desktop.domain.errors import DiskFullError, UserError, VaultError
from apexmem_desktop.storage.copies import find_own_copies, remove_database
from apexmem_desktop.storage.faults import told_to_user
from apexmem_desktop.storage.tombstones import is_unfinished
from apexmem_desktop.storage.vault import Vault, connect
from apexmem_desktop.storage.vector_cache import remove_caches

_LEFTOVERS = (".part", ".restoring", ".restoring-wal", ".restoring-shm", ".restoring-journal")


def purge(vault: Vault) -> None:
    """Write the file anew without what was erased, and remove every file made from the old one.

    Raises:
        VaultError: There is no room to write the file anew, or something still reads the old one;
            what was erased is gone from the memory, but not from the disk yet.
    """
    _remove_files(vault.path)
    try:
        with told_to_user(vault.path), closing(connect(vault.path, "rw", key=vault.key)) as db:
            _forget_samples(db)
            db.execute("VACUUM")
            _empty_log(db)
            db.execute("UPDATE erasures SET finished = 1 WHERE finished = 0")
            _empty_log(db)
    except DiskFullError as error:
        raise VaultError(
            "It is erased from the memory, but there was no room to write its file anew, so bytes "
            "of it are still on the disk.",
            hint="Free as much space as the memory takes and open it again: that finishes it.",
        ) from error


def finish(vault: Vault) -> None:
    """Finish an erasure that was cut off; where it cannot be now, the next opening tries again."""
    if vault.read_only:
        return
    with vault.read() as db:
        unfinished = is_unfinished(db)
    if unfinished:
        with suppress(UserError), vault.working(), vault.alone():
            purge(vault)


def _remove_files(vault_path: Path) -> None:
    remove_caches(vault_path)
    for copy in find_own_copies(vault_path):
        remove_database(copy)
    for file in list(vault_path.parent.iterdir()):
        if file.name.startswith(f"{vault_path.name}.") and file.name.endswith(_LEFTOVERS):
            file.unlink(missing_ok=True)


def _forget_samples(db: sqlite3.Connection) -> None:
    """Remove the values that the planner's statistics sampled, where this SQLite keeps such."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat4'").fetchone():
        db.execute("DELETE FROM sqlite_stat4")


def _empty_log(db: sqlite3.Connection) -> None:
    busy: int = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        raise VaultError(
            "It is erased from the memory, but something still reads the old file, so bytes of it "
            "are still on the disk.",
            hint="Close the memory and open it again: that finishes it.",
        )
