"""Take the memory to another folder: copy, compare, switch.

The old file stays where it is until the user deletes it.
"""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.services import locations
from apexmem_desktop.services.settings import Settings, load_settings, save_settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import relocating

_PAGE_BYTES = 4096


def memory_path(settings: Settings | None = None) -> Path:
    """Return the memory file that is used when none is named.

    Raises:
        VaultError: The user moved it to a folder that is not there now.
    """
    kept = settings if settings is not None else load_settings()
    usual = locations.default_vault_path()
    if not kept.memory_folder:
        return usual
    path = Path(kept.memory_folder) / usual.name
    if not path.exists():  # an empty memory made there would look like a loss of everything
        raise VaultError(
            f"The memory was moved to {path}, and it is not there now.",
            hint="Plug in the disk it is on, or name the file with --vault.",
        )
    return path


def move(
    ws: Workspace, folder: Path, progress: ProgressSink, cancel: CancelToken
) -> tuple[Workspace, Settings]:
    """Put a checked copy of the memory into a folder and go on with that.

    The workspace given must be closed already, and nothing else may use the memory. The file at the
    old place is not touched; `remove_left` deletes it.

    Returns:
        The memory at its new place, and the settings that name it.

    Raises:
        NoRoomError, DiskFullError: No room there.
        VaultError: It is the same folder, or it may not be written, or has such a file.
        CancelledError: The user cancelled; nothing is left at the new place.
    """
    path = ws.vault.path.absolute()
    target = folder.expanduser().absolute() / path.name
    if target.parent == path.parent:
        raise VaultError("The memory is in this folder already.", hint="Choose another folder.")

    def tell(done: int, total: int) -> None:
        cancel.check()
        progress(Progress("Copying", done * _PAGE_BYTES, total * _PAGE_BYTES, "bytes"))

    relocating.copy_to(path, ws.vault.key, target, tell)
    settings = replace(ws.settings, memory_left=str(path))
    if path == _usual_path(ws.settings):  # who names a file each time goes on naming it
        usual = locations.default_vault_path().absolute()
        settings = replace(settings, memory_folder="" if target == usual else str(target.parent))
    with ExitStack() as undo:
        undo.callback(relocating.remove_left, target)
        made = Workspace(
            target,
            models_dir=ws.models_dir,
            settings=settings,
            clock=ws.now_ms,
            passphrase=ws.passphrase,
        )
        undo.callback(made.close)
        save_settings(settings)
        undo.pop_all()
    return made, settings


def left_bytes(settings: Settings) -> int:
    """How large the file is that a move left behind; 0 where there is none."""
    if not settings.memory_left:
        return 0
    try:
        return Path(settings.memory_left).stat().st_size
    except OSError:
        return 0


def remove_left(ws: Workspace) -> Settings:
    """Delete the file that a move left behind.

    Raises:
        VaultError: A program has it open, it may not be deleted, or it is the memory in use.
    """
    left = Path(ws.settings.memory_left)
    if ws.settings.memory_left:
        if left.absolute() == ws.vault.path.absolute():
            raise VaultError("This is the memory that is open.", hint="It was left as it is.")
        relocating.remove_left(left)
    settings = replace(ws.settings, memory_left="")
    save_settings(settings)
    ws.use_settings(settings)
    return settings


def _usual_path(settings: Settings) -> Path:
    usual = locations.default_vault_path().absolute()
    return Path(settings.memory_folder) / usual.name if settings.memory_folder else usual
