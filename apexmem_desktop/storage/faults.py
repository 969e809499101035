"""What SQLite's errors mean to a user. Errors that are bugs of ours pass through unchanged."""

import errno
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from apexmem_desktop.domain.errors import DiskFullError, UserError, VaultError
from apexmem_desktop.storage import driver
from apexmem_desktop.storage.copies import restore_hint

# Errors of the file system that mean: no room (EFBIG: no room for a file of that size).
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_ROOM_NEEDED_BYTES = 1_000_000


@contextmanager
def told_to_user(path: Path) -> Iterator[None]:
    """Turn errors of the world (full disk, lock, damage) into errors a user understands."""
    try:
        yield
    except DBAPIError as error:
        meant = meaning(error.orig, path)
        if meant is None:
            raise
        raise meant from error
    except driver.errors() as error:
        meant = meaning(error, path)
        if meant is None:
            raise
        raise meant from error


def meaning(error: BaseException | None, path: Path) -> UserError | None:
    """Say what an SQLite error means to a user; None when it is a bug of ours."""
    if not isinstance(error, driver.errors()):
        return None
    code = driver.error_code(error)
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _no_room(path)):
        return DiskFullError()
    if code == sqlite3.SQLITE_CORRUPT:
        return VaultError(f"The memory file {path.name} is damaged.", hint=restore_hint(path))
    sentence, hint = _SENTENCES.get(code, ("", ""))
    return VaultError(sentence.format(name=path.name), hint=hint) if sentence else None


def _no_room(path: Path) -> bool:
    """Tell a full disk, which SQLite knows, and a used-up quota, which it calls a failing disk."""
    try:
        if shutil.disk_usage(path.parent).free < _ROOM_NEEDED_BYTES:
            return True
        with tempfile.TemporaryFile(dir=path.parent) as file:
            file.write(bytes(_ROOM_NEEDED_BYTES))
    except OSError as error:
        return error.errno in NO_ROOM
    return False


_LOCKED = (
    "The memory file {name} is in use by another program.",
    "Close the other window or wait until its work is done, then try again.",
)
_SENTENCES: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_NOTADB: (
        "{name} is not a memory file of this program.",
        "Choose another file, or another name for a new memory.",
    ),
    sqlite3.SQLITE_READONLY: (
        "The memory file {name} cannot be written.",
        "Allow writing to the file and its folder, or choose another place.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "The memory file {name} cannot be opened.",
        "Look whether its folder is there and may be written.",
    ),
    sqlite3.SQLITE_PERM: (
        "The memory file {name} may not be used by you.",
        "Allow reading and writing it, or choose another place.",
    ),
    sqlite3.SQLITE_IOERR: (
        "The disk failed while the memory file {name} was read or written.",
        "Look after the disk first; what was stored before this step is kept.",
    ),
}
