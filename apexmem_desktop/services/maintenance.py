"""Looking after the memory file: is it whole, backups, erasing, and who may use it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.domain.progress import (
    CancelToken,
    Progress,
    ProgressSink,
    ignore_progress,
)
from apexmem_desktop.domain.reports import (
    BackupSummary,
    Check,
    EraseReport,
    EraseScope,
    RestoreReport,
)
from apexmem_desktop.services import upkeep
from apexmem_desktop.services.workspace import Workspace, clock_ms
from apexmem_desktop.storage import backups, erasing, integrity, purging
from apexmem_desktop.storage.copies import PagesSink
from apexmem_desktop.storage.locking import WINDOW, FileLock

_PAGE_BYTES = 4096


def verify(ws: Workspace) -> tuple[Check, ...]:
    """Check the vault: the file, references, quotes, append-only triggers and indexes.

    The memory itself is only read; indexes that disagree with it are built anew. A check whose
    `ok` is False found something that only a backup can mend.
    """
    found = integrity.check(ws.vault)
    # What is too damaged to be read gives nothing to work anything out from.
    return (*found, upkeep.check(ws)) if found[0].ok else found


def back_up(
    ws: Workspace,
    target: Path,
    *,
    over: bool = False,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> BackupSummary:
    """Copy the memory to a file, also while it is written, and check the copy.

    Args:
        over: A file that is there already may be replaced.

    Raises:
        DiskFullError: No room; no half copy is left.
        VaultError: The file cannot be written or is there already, or the copy is not sound.
        CancelledError: The user cancelled; nothing is left.
    """
    sink = _pages_told("Backing up", progress, cancel or CancelToken())
    backups.back_up(ws.vault, target, replace=over, progress=sink)
    path = target.absolute()
    return BackupSummary(str(path), path.stat().st_size, ws.now_ms(), automatic=False)


def find_backups(vault_path: Path) -> tuple[BackupSummary, ...]:
    """List the copies of a memory file that can be restored, newest first."""
    return backups.find_backups(vault_path.absolute())


def restore(
    vault_path: Path,
    backup: Path,
    *,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
    passphrase: str = "",
    now_ms: int | None = None,
) -> RestoreReport:
    """Put a backup in the place of a memory file that no program has open.

    The old file, damaged or not, is kept beside it. What fails or is cancelled changes nothing.

    Args:
        passphrase: Opens the backup, and the memory from then on; "" when it is not encrypted.

    Raises:
        DiskFullError: No room.
        VaultError: The backup is missing, damaged or of a later version, or the memory is open.
        CancelledError: The user cancelled.
    """
    sink = _pages_told("Restoring", progress, cancel or CancelToken())
    return backups.restore(
        vault_path,
        backup,
        now_ms=clock_ms() if now_ms is None else now_ms,
        passphrase=passphrase,
        progress=sink,
    )


def preview_erasing(ws: Workspace, scope: EraseScope) -> EraseReport:
    """Count what an erasure would take; changes nothing.

    Raises:
        NotFoundError: There is no such entity or source.
    """
    return erasing.erase(ws.vault, scope, now_ms=ws.now_ms(), preview=True)


def erase(ws: Workspace, scope: EraseScope) -> EraseReport:
    """Erase for good: from every table, index, cache and copy that the program keeps.

    Only backups that the user made stay; the report names them.

    Raises:
        NotFoundError: There is no such entity or source.
        DiskFullError: No room; nothing was erased.
        VaultError: Another program has the memory open, or it is erased but its file could not be
            written anew; then the next opening finishes that.
    """
    with ws.vault.working(), ws.vault.alone():
        before = ws.vault.size_bytes()
        report = erasing.erase(ws.vault, scope, now_ms=ws.now_ms())
        purging.purge(ws.vault)
        freed = max(0, before - ws.vault.size_bytes())
    return replace(report, finished=True, bytes_freed=freed)


@contextmanager
def only_window(vault_path: Path) -> Iterator[None]:
    """Let a memory file have one window at a time; commands may be used beside it.

    Raises:
        VaultError: There is a window on it already.
    """
    lock = FileLock(vault_path.absolute(), WINDOW)
    if not lock.take():
        raise VaultError(
            f"The memory file {vault_path.name} has an open window already.",
            hint="Use that window, or close it first.",
        )
    try:
        yield
    finally:
        lock.release()


def _pages_told(stage: str, progress: ProgressSink, cancel: CancelToken) -> PagesSink:
    def tell(done: int, total: int) -> None:
        cancel.check()
        progress(Progress(stage, done * _PAGE_BYTES, total * _PAGE_BYTES, "bytes"))

    return tell
