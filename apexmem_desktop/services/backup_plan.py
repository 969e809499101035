"""Backups that are made by themselves: when one is due, where it goes, which old ones go away."""

from datetime import UTC, datetime
from pathlib import Path

from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.domain.reports import BackupSummary
from apexmem_desktop.services import maintenance
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage.copies import BY_PLAN

_DAY_MS = 86_400_000


def is_due(ws: Workspace, settings: Settings) -> bool:
    """Tell whether the plan asks for a backup now."""
    if not settings.backup_folder or settings.backup_every_days <= 0:
        return False
    made = [path.stat().st_mtime_ns // 1_000_000 for path in _planned(ws, settings)]
    return not made or ws.now_ms() - max(made) >= settings.backup_every_days * _DAY_MS


def make(
    ws: Workspace,
    settings: Settings,
    *,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> BackupSummary:
    """Make the backup of the plan, and remove those that are too many.

    Raises:
        DiskFullError: No room; no half copy is left.
        VaultError: The folder cannot be written, or the copy is not sound.
        CancelledError: The user cancelled.
    """
    when = datetime.fromtimestamp(ws.now_ms() / 1000, UTC)
    name = f"{ws.vault.path.stem}{BY_PLAN}{when:%Y-%m-%d-%H%M%S}{ws.vault.path.suffix}"
    target = Path(settings.backup_folder).expanduser() / name
    made = maintenance.back_up(ws, target, over=True, progress=progress, cancel=cancel)
    for old in _planned(ws, settings)[max(1, settings.backups_kept) :]:
        old.unlink(missing_ok=True)
    return made


def _planned(ws: Workspace, settings: Settings) -> list[Path]:
    """List the plan's own backups of this memory, newest first: their names hold the time."""
    path = ws.vault.path
    folder = Path(settings.backup_folder).expanduser()
    if not folder.is_dir():
        return []
    begins = f"{path.stem}{BY_PLAN}"
    found = [one for one in folder.iterdir() if one.name.startswith(begins)]
    return sorted((one for one in found if one.suffix == path.suffix), reverse=True)
