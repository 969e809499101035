"""Put a memory under a passphrase, under another one, or in clear again."""

from contextlib import suppress

from apexmem_desktop.domain.errors import UserError, VaultError
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import counts, rekeying
from apexmem_desktop.storage.driver import Key

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
        made = _again(ws, passphrase)
    except BaseException:
        aside.replace(path)
        raise
    with suppress(OSError):
        aside.unlink()
    return made


def change_passphrase(ws: Workspace, passphrase: str) -> Workspace:
    """Write the memory anew under a passphrase, "" for in clear; the workspace given is closed.

    The new file is checked before it takes the place of the old one, which is removed only when
    the memory has been opened by the new passphrase. Copies that the user made stay as they are.

    Returns:
        The workspace that takes the place of the one given; also after an error it is open again,
        as `ProtectingFailedError.reopened`.

    Raises:
        ProtectingFailedError: It could not be done; the memory is as it was.
    """
    path, before = ws.vault.path, ws.passphrase
    old = ws.vault.key
    ws.close()
    try:
        rekeying.exchange(path, old, Key.for_new_file(passphrase) if passphrase else None)
        try:
            made = _again(ws, passphrase)
        except BaseException:
            rekeying.undo(path)
            raise
    except UserError as error:
        raise ProtectingFailedError(error, _again(ws, before)) from error
    rekeying.finish(path)
    return made


class ProtectingFailedError(UserError):
    """The passphrase could not be changed.

    Attributes:
        reopened: The memory as it was.
    """

    def __init__(self, error: UserError, reopened: Workspace) -> None:
        super().__init__(error.message, hint=error.hint)
        self.reopened = reopened


def _again(ws: Workspace, passphrase: str) -> Workspace:
    return Workspace(
        ws.vault.path,
        models_dir=ws.models_dir,
        settings=ws.settings,
        clock=ws.now_ms,
        passphrase=passphrase,
    )
