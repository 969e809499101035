"""Open the memory that the options name."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from apexmem_desktop.cli.passphrase import find_passphrase
from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.services import moving
from apexmem_desktop.services.workspace import Workspace


def vault_path(options: argparse.Namespace) -> Path:
    """Return the memory file that is meant.

    Raises:
        VaultError: The user moved it to a folder that is not there now.
    """
    return options.vault.expanduser() if options.vault else moving.memory_path()


def check_there(path: Path) -> None:
    """See that there is a memory file.

    Raises:
        VaultError: There is none.
    """
    if not path.exists():
        raise VaultError(
            f"There is no memory at {path}.",
            hint="Import a chat first: apexmem import FILE",
        )


@contextmanager
def open_workspace(options: argparse.Namespace, *, create: bool = False) -> Iterator[Workspace]:
    """Open the memory.

    Args:
        create: Make it when it is not there; else that is an error, so that a mistyped path
            does not look like an empty memory.

    Raises:
        VaultError: It is not there, or cannot be opened; its passphrase is missing or wrong.
    """
    path = vault_path(options)
    if not create:
        check_there(path)
    with Workspace(path, passphrase=find_passphrase(options, path)) as ws:
        yield ws
