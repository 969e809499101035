"""Whole copies of a memory file: writing one, and knowing which there are.

The copies that the program makes by itself stand beside the memory file and begin with its name.
Where the user's own backups are is noted in a small file there too, since a damaged memory could
not tell it.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.domain.reports import BackupSummary
from apexmem_desktop.storage import driver

_PAGES_AT_ONCE = 2_000
BY_PLAN = ".by-itself."  # in the names of backups that were made by plan
_NOT_COPIES = (".part", "-wal", "-shm", "-journal")
_SHOWN = 3

PagesSink = Callable[[int, int], None]  # pages done, pages in all


def write_copy(
    db: sqlite3.Connection, target: Path, progress: PagesSink = lambda _done, _total: None
) -> None:
    """Copy the whole database, what still stands in the log included; checked, then named.

    The copy is one file without a log beside it. It shows one moment, also while others write.

    Args:
        db: An autocommit connection with no transaction open.

    Raises:
        VaultError: The copy is not sound, as when the original is not.
    """
    unfinished = target.with_name(target.name + ".part")
    unfinished.unlink(missing_ok=True)
    try:
        db.execute("BEGIN")
        try:
            # The first read fixes the moment; else each write of another would start us again.
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            _copy(db, unfinished, progress)
        finally:
            db.execute("ROLLBACK")
        unfinished.replace(target)
    finally:
        remove_database(unfinished)


def _copy(db: sqlite3.Connection, target: Path, progress: PagesSink) -> None:
    copy = driver.open_like(db, target)  # under the same key, where there is one
    try:
        db.backup(
            copy,
            pages=_PAGES_AT_ONCE,
            progress=lambda _status, left, total: progress(total - left, total),
        )
        copy.execute("PRAGMA journal_mode = DELETE")
        wrong = why_unsound(copy)
    finally:
        copy.close()
    if wrong:
        raise VaultError(
            f"The copy {target.name.removesuffix('.part')} is not sound ({wrong}); it was removed.",
            hint="Run verify: the memory file itself may be damaged, or the disk.",
        )


def why_unsound(db: sqlite3.Connection) -> str:
    """Read every page and index; say what is wrong, "" when nothing is."""
    try:
        found: str = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except driver.errors() as error:
        found = str(error)
    return "" if found == "ok" else found


def remove_database(path: Path) -> None:
    """Delete a database file and what SQLite put beside it."""
    for name in (path.name, *(path.name + end for end in ("-wal", "-shm", "-journal"))):
        path.with_name(name).unlink(missing_ok=True)


def find_own_copies(vault_path: Path) -> list[Path]:
    """List the copies that the program made by itself: before a migration or restore, by plan."""
    by_plan = [path for path in read_noted(vault_path) if is_by_plan(path) and path.exists()]
    if not vault_path.parent.is_dir():
        return by_plan
    start = f"{vault_path.name}.before-"
    beside = sorted(
        file
        for file in vault_path.parent.iterdir()
        if file.name.startswith(start) and not file.name.endswith(_NOT_COPIES)
    )
    return [*beside, *by_plan]


def is_by_plan(backup: Path) -> bool:
    """Tell a backup that the plan made, and may remove, from one that the user made."""
    return BY_PLAN in backup.name


def find_backups(vault_path: Path) -> tuple[BackupSummary, ...]:
    """List all copies that are there and can be restored, newest first."""
    found = dict.fromkeys(find_own_copies(vault_path), True)
    found = dict.fromkeys(read_noted(vault_path), False) | found
    summaries = (_summaries(path, automatic) for path, automatic in found.items())
    return tuple(
        sorted(
            (summary for one in summaries for summary in one),
            key=lambda summary: (-summary.made_at_ms, summary.path),
        )
    )


def _summaries(path: Path, automatic: bool) -> Iterator[BackupSummary]:
    """Look at one copy; nothing when it is gone, or its disk is not here."""
    try:
        seen = path.stat()
    except OSError:
        return
    yield BackupSummary(str(path), seen.st_size, seen.st_mtime_ns // 1_000_000, automatic)


def note_backup(vault_path: Path, backup: Path) -> None:
    """Remember where a backup was put; that it cannot be noted is no failure of the backup."""
    paths = [str(path) for path in read_noted(vault_path)]
    if str(backup) in paths:
        return
    note = _note_path(vault_path)
    aside = note.with_name(note.name + ".part")
    try:
        aside.write_text(json.dumps([*paths, str(backup)], ensure_ascii=False), encoding="utf-8")
        aside.replace(note)
    except OSError:
        aside.unlink(missing_ok=True)


def read_noted(vault_path: Path) -> list[Path]:
    """List where backups were put, by the user or by plan, oldest first; some may be gone."""
    try:
        paths = json.loads(_note_path(vault_path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return (
        [Path(path) for path in paths if isinstance(path, str)] if isinstance(paths, list) else []
    )


def _note_path(vault_path: Path) -> Path:
    return vault_path.with_name(vault_path.name + ".backups.json")


def restore_hint(vault_path: Path) -> str:
    """Say what to do about a damaged memory file, and which backups there are."""
    found = find_backups(vault_path)
    if not found:
        return "If you have a copy of it, restore a backup: apexmem restore FILE"
    names = ", ".join(backup.path for backup in found[:_SHOWN])
    return f"You can restore a backup: apexmem restore FILE, with one of these: {names}"
