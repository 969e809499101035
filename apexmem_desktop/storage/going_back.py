"""A state of the memory that can be gone back to, for a step that takes out and brings in again.

The state is a whole copy beside the memory file. It is there only while the step runs: where it is
found at an opening, the step was cut off, and the memory goes back.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from apexmem_desktop.storage.copies import remove_database, write_copy
from apexmem_desktop.storage.faults import told_to_user
from apexmem_desktop.storage.vault import Vault, connect
from apexmem_desktop.storage.vector_cache import remove_caches

_END = ".to-go-back-to"


@contextmanager
def all_or_nothing(vault: Vault) -> Iterator[None]:
    """Keep what is done inside, or nothing of it, over several transactions.

    Whoever writes meanwhile is undone too, so nobody else may.

    Raises:
        DiskFullError: No room for the copy; nothing was begun.
        VaultError: The copy is not sound; nothing was begun.
    """
    kept = _kept(vault.path)
    with told_to_user(vault.path), closing(connect(vault.path, "ro", key=vault.key)) as db:
        remove_database(kept)
        write_copy(db, kept)
    try:
        yield
    except BaseException:
        _go_back(vault)
        raise
    remove_database(kept)


def finish(vault: Vault) -> None:
    """Go back where a step was cut off."""
    if not vault.read_only and _kept(vault.path).exists():
        with vault.working(), vault.alone():
            _go_back(vault)


def _go_back(vault: Vault) -> None:
    """Write the kept state over the memory, in one transaction; readers see it from then on."""
    kept = _kept(vault.path)
    with (
        told_to_user(vault.path),
        closing(connect(kept, "ro", key=vault.key)) as before,
        closing(connect(vault.path, "rw", key=vault.key)) as db,
    ):
        before.backup(db)
        db.execute("PRAGMA journal_mode = WAL")
    remove_caches(vault.path)
    remove_database(kept)


def _kept(path: Path) -> Path:
    return path.with_name(path.name + _END)
