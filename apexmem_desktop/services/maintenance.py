"""Looking after the memory file: is it whole, and mending what can be worked out again."""

from apexmem_desktop.domain.reports import Check
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import integrity


def verify(ws: Workspace) -> tuple[Check, ...]:
    """Check the vault: the file, references, quotes, append-only triggers and indexes.

    The memory itself is only read; indexes that disagree with it are built anew. A check whose
    `ok` is False found something that only a backup can mend.
    """
    return integrity.check(ws.vault)
