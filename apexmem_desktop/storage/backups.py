"""Backups of a memory file: made while others write, checked, and brought back without a gap."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from apexmem_desktop.domain.errors import (
    DiskFullError,
    UserError,
    VaultError,
    VaultTooNewError,
)
from apexmem_desktop.domain.reports import RestoreReport
from apexmem_desktop.storage.copies import (
    PagesSink,
    find_backups,
    note_backup,
    remove_database,
    why_unsound,
    write_copy,
)
from apexmem_desktop.storage.driver import errors, is_encrypted, is_plain
from apexmem_desktop.storage.faults import NO_ROOM, told_to_user
from apexmem_desktop.storage.locking import closed_to_others, in_use, working
from apexmem_desktop.storage.migrations import APPLICATION_ID, load_steps, migrate
from apexmem_desktop.storage.vault import Vault, connect, find_key
from apexmem_desktop.storage.vector_cache import remove_caches

__all__ = ["back_up", "find_backups", "restore"]


def _no_pages(_done: int, _total: int) -> None:
    """Show nothing."""


def back_up(
    vault: Vault, target: Path, *, replace: bool = False, progress: PagesSink = _no_pages
) -> None:
    """Write a copy of the memory that shows one moment, also while others write.

    Args:
        replace: A file that is there already may be replaced.

    Raises:
        DiskFullError: No room; no half copy is left.
        VaultError: The target cannot be written or is there already, or the copy is not sound.
    """
    target = target.absolute()
    if target.exists() and (not replace or _same(target, vault.path) or target.is_dir()):
        raise VaultError(
            f"{target.name} is there already; it was left as it is.",
            hint="Choose another name for the backup."
            if _same(target, vault.path) or target.is_dir()
            else "Choose another name, or say --replace.",
        )
    with _files_told(target), told_to_user(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with closing(connect(vault.path, "ro", key=vault.key)) as db:
            write_copy(db, target, progress)
    note_backup(vault.path, target)


def restore(
    vault_path: Path,
    backup: Path,
    *,
    now_ms: int,
    passphrase: str = "",
    progress: PagesSink = _no_pages,
) -> RestoreReport:
    """Put a backup in the memory file's place; the file as it was is kept aside.

    The backup is copied, checked and brought up to date under another name first; until the last
    step, which is one renaming, the old memory stays what it was.

    Args:
        passphrase: Opens the backup, and the memory from then on; "" when it is not encrypted.

    Raises:
        PassphraseNeededError: The backup is encrypted, and no passphrase was given.
        WrongPassphraseError: The passphrase does not open the backup.
        DiskFullError: No room; nothing was changed.
        VaultTooNewError: A later version of the program wrote the backup.
        VaultError: It is missing, damaged or no memory file, or a program has the memory open.
    """
    vault_path, backup = vault_path.absolute(), backup.absolute()
    if not backup.is_file():
        raise VaultError(f"There is no file {backup}.", hint="See: apexmem restore")
    if _same(backup, vault_path):
        raise VaultError(
            f"{backup.name} is the memory file itself.", hint="Name one of its backups."
        )
    fresh = vault_path.with_name(vault_path.name + ".restoring")
    with _files_told(vault_path):
        vault_path.parent.mkdir(parents=True, exist_ok=True)
        with closed_to_others(vault_path), working(vault_path):
            try:
                turns, facts = _prepare(backup, fresh, passphrase, progress)
                kept = _keep_aside(vault_path, passphrase, now_ms)
                remove_caches(vault_path)
                fresh.replace(vault_path)
            finally:
                remove_database(fresh)
    return RestoreReport(str(backup), str(kept or ""), turns, facts)


def _prepare(backup: Path, fresh: Path, passphrase: str, progress: PagesSink) -> tuple[int, int]:
    """Make a checked copy of today's version; return how many turns and facts it holds."""
    if not is_plain(backup) and not is_encrypted(backup):
        raise VaultError(f"{backup.name} is not a memory file of this program.", hint=_OTHER)
    key = find_key(backup, passphrase, is_new=False)
    with told_to_user(backup), closing(connect(backup, "ro", key=key)) as db:
        _refuse_foreign(db, backup)
        remove_database(fresh)
        write_copy(db, fresh, progress)
    with told_to_user(fresh), closing(connect(fresh, "rw", key=key)) as db:
        migrate(db, fresh, load_steps(), keep_copy=False)
        wrong = why_unsound(db)
        if wrong:
            raise VaultError(f"The backup {backup.name} is damaged ({wrong}).", hint=_OTHER)
        counted: tuple[int, int] = db.execute(
            "SELECT (SELECT count(*) FROM turns), (SELECT count(*) FROM facts)"
        ).fetchone()
        return counted


_OTHER = "Nothing was changed. Choose another backup."


def _refuse_foreign(db: sqlite3.Connection, backup: Path) -> None:
    """Refuse what is damaged, no memory file, or of a later version."""
    wrong = why_unsound(db)
    if wrong:
        raise VaultError(f"The backup {backup.name} is damaged ({wrong}).", hint=_OTHER)
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID or not version:
        raise VaultError(f"{backup.name} is not a memory file of this program.", hint=_OTHER)
    if version > len(load_steps()):
        raise VaultTooNewError(version, len(load_steps()))


def _keep_aside(vault_path: Path, passphrase: str, now_ms: int) -> Path | None:
    """Give the old memory a second name, its log with it; None when there is no old one.

    The log must be away before another file gets the old name: SQLite would play it into that.
    """
    if not vault_path.exists():
        return None
    with suppress(*errors(), UserError):  # damaged, or under another passphrase: as it is
        key = find_key(vault_path, passphrase, is_new=False)
        with closing(connect(vault_path, "rw", key=key)) as db:
            db.execute("PRAGMA journal_mode = DELETE")  # one file, with all of the log in it
    aside = _free_name(vault_path, now_ms)
    try:
        os.link(vault_path, aside)
    except OSError:  # a file system without second names: for a moment there is no memory file
        vault_path.rename(aside)
    log = vault_path.with_name(vault_path.name + "-wal")
    if log.exists():
        log.rename(aside.with_name(aside.name + "-wal"))
    vault_path.with_name(vault_path.name + "-shm").unlink(missing_ok=True)
    return aside


def _free_name(vault_path: Path, now_ms: int) -> Path:
    stamp = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y%m%d-%H%M%S")
    name, number = f"{vault_path.name}.before-restore-{stamp}", 1
    while (free := vault_path.with_name(name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return free


def _same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


@contextmanager
def _files_told(path: Path) -> Iterator[None]:
    """Turn errors of the file system into errors a user understands."""
    try:
        yield
    except PermissionError as error:
        if os.name == "nt":  # Windows refuses to rename what is open
            raise in_use(path) from error
        raise VaultError(
            f"{error.filename or path} may not be written.", hint="Choose another place."
        ) from error
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFullError from error
        raise VaultError(
            f"{error.filename or path} cannot be written ({error.strerror}).",
            hint="Choose another place.",
        ) from error
