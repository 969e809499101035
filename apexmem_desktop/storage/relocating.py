"""The memory file at another place: a checked copy there, and the file that was left behind."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from apexmem_desktop.domain.errors import DiskFullError, NoRoomError, VaultError
from apexmem_desktop.storage.copies import (
    PagesSink,
    note_backup,
    read_noted,
    remove_database,
    write_copy,
)
from apexmem_desktop.storage.driver import Key
from apexmem_desktop.storage.faults import NO_ROOM, told_to_user
from apexmem_desktop.storage.locking import closed_to_others, working
from apexmem_desktop.storage.vault import connect
from apexmem_desktop.storage.vector_cache import remove_caches

_SPARE_BYTES = 1_000_000
_COUNTED = ("turns", "facts", "events", "entities", "evidence", "fact_links")


def copy_to(path: Path, key: Key | None, target: Path, progress: PagesSink) -> None:
    """Copy a closed memory file to a place where none is, and compare both.

    Raises:
        NoRoomError: The disk of the new place is too small; nothing was written.
        DiskFullError: It became full meanwhile; no half copy is left.
        VaultError: The place may not be written or has such a file, or a program has the memory
            open, or the copy is not what the memory is.
    """
    if target.exists():
        raise VaultError(
            f"There is a file {target.name} in {target.parent} already.",
            hint="Choose another folder; nothing was changed.",
        )
    with _folder_told(target.parent), closed_to_others(path), working(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        _check_room(path, target.parent)
        try:
            with told_to_user(target), closing(connect(path, "ro", key=key)) as db:
                write_copy(db, target, progress)
                before = _count(db)
            with told_to_user(target), closing(connect(target, "ro", key=key)) as copy:
                if _count(copy) != before:
                    raise VaultError(
                        "The copy does not hold what the memory holds; it was removed.",
                        hint="Try again, or choose a folder on another disk.",
                    )
        except BaseException:
            remove_database(target)
            raise
    for backup in read_noted(path):
        note_backup(target, backup)
    note_backup(target, path)  # so that who erases is told of it


def remove_left(path: Path) -> None:
    """Delete the memory file that was left behind, with what the program put beside it.

    Raises:
        VaultError: A program has it open, or it may not be deleted.
    """
    with _folder_told(path.parent), closed_to_others(path), working(path):
        remove_caches(path)
        remove_database(path)


def _check_room(path: Path, folder: Path) -> None:
    log = path.with_name(path.name + "-wal")
    needed = path.stat().st_size + (log.stat().st_size if log.exists() else 0) + _SPARE_BYTES
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise NoRoomError(str(folder), needed_bytes=needed, free_bytes=free)


def _count(db: sqlite3.Connection) -> list[int]:
    rows = (db.execute(f"SELECT count(*) FROM {table}") for table in _COUNTED)  # noqa: S608
    return [int(row.fetchone()[0]) for row in rows]


@contextmanager
def _folder_told(folder: Path) -> Iterator[None]:
    """Say in plain words why a folder cannot be used."""
    try:
        yield
    except PermissionError as error:
        raise VaultError(
            f"You may not write in the folder {folder}.",
            hint="Choose a folder of your own; nothing was changed.",
        ) from error
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFullError from error
        raise VaultError(
            f"The folder {folder} cannot be used: {os.strerror(error.errno or 0)}.",
            hint="Choose another folder; nothing was changed.",
        ) from error
