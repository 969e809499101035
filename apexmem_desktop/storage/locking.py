"""Who uses a memory file: locks of the operating system on small files beside it.

The system lets go of such a lock when its process ends, however it ends, so none is ever stale and
no process number has to be guessed. The files hold nothing and may be deleted while no program
runs. SQLite's own locks keep single transactions apart; these keep longer work apart.
"""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from apexmem_desktop.domain.errors import VaultError

OPEN, WORK, WINDOW = "open-lock", "work-lock", "window-lock"
_LOOKS_EVERY_S = 0.05
_TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}  # another has it; Windows says EACCES

if sys.platform == "win32":
    import msvcrt

    _SLOTS = 64  # Windows has no shared locks here: each user takes a byte, one alone takes all

    def _lock(handle: int, *, shared: bool) -> None:
        if not shared:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, _SLOTS)
            return
        for slot in range(_SLOTS):
            os.lseek(handle, slot, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if slot == _SLOTS - 1 or error.errno not in _TAKEN:
                    raise
            else:
                return
else:
    import fcntl

    def _lock(handle: int, *, shared: bool) -> None:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


class FileLock:
    """One lock on one file; two of them exclude each other even inside one process."""

    def __init__(self, vault_path: Path, purpose: str) -> None:
        self._path = vault_path.with_name(f"{vault_path.name}.{purpose}")
        self._handle: int | None = None

    def take(self, *, shared: bool = False, wait_s: float = 0.0) -> bool:
        """Take the lock, or change the way it is held; False when others kept it all that time.

        Where no lock can be (a folder that may not be written, a file system without locks), it
        counts as taken: nobody can write there either, or SQLite's own locks must do.
        """
        self.release()
        until_s = time.monotonic() + wait_s
        while True:
            taken = self._try(shared=shared)
            if taken or time.monotonic() >= until_s:
                return taken
            time.sleep(_LOOKS_EVERY_S)

    def release(self) -> None:
        """Let go; may be called twice."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _try(self, *, shared: bool) -> bool:
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return True
        try:
            _lock(handle, shared=shared)
        except OSError as error:
            os.close(handle)
            return error.errno not in _TAKEN
        self._handle = handle
        return True


@contextmanager
def working(path: Path, *, wait_s: float = 0.0) -> Iterator[None]:
    """Keep every other long work (building, erasing, bringing up to date) off this memory file.

    Raises:
        VaultError: Another is at work on it.
    """
    lock = FileLock(path, WORK)
    if not lock.take(wait_s=wait_s):
        raise VaultError(
            f"Another program is at work on the memory file {path.name} already.",
            hint="Wait until it is done or stop it there; reading and asking go on meanwhile.",
        )
    try:
        yield
    finally:
        lock.release()


@contextmanager
def closed_to_others(path: Path) -> Iterator[None]:
    """Keep every program from opening this memory file, as while it is exchanged.

    Raises:
        VaultError: A program has it open.
    """
    lock = FileLock(path, OPEN)
    if not lock.take():
        raise in_use(path)
    try:
        yield
    finally:
        lock.release()


def in_use(path: Path) -> VaultError:
    """Make the error for a memory file that another program has open."""
    return VaultError(
        f"The memory file {path.name} is open in another program.",
        hint="Close the other window or wait until the other command is done, then try again.",
    )
