"""Put a memory that holds nothing yet under a passphrase: it is made anew, encrypted."""

from contextlib import suppress

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import counts

_SIDE_FILES = ("-wal", "-shm")


def protect_new(ws: Workspace, passphrase: str) -> Workspace:
    """Give an empty memory a passphrase; the workspace given is closed, a new one takes its place.

    Raises:
        VaultError: It holds something already, or encryption is not installed; it stays as it was.
    """
    path = ws.vault.path
    with ws.vault.read() as db:
        held = counts.count_all(db)
    if any(held.values()):
        raise VaultError(
            f"{path.name} holds something already.",
            hint="A passphrase is given to a new memory: name one with --vault and import again.",
        )
    ws.close()
    aside = path.with_name(path.name + ".unprotected")
    path.replace(aside)
    for side in _SIDE_FILES:
        path.with_name(path.name + side).unlink(missing_ok=True)
    try:
        made = Workspace(
            path,
            models_dir=ws.models_dir,
            settings=ws.settings,
            clock=ws.now_ms,
            passphrase=passphrase,
        )
    except BaseException:
        aside.replace(path)
        raise
    with suppress(OSError):
        aside.unlink()
    return made
