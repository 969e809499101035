"""Read an import again: its file with another date order or zone, in the place of the first."""

from dataclasses import replace
from pathlib import Path

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.domain.reports import EraseScope, FileReport, ImportChoices
from apexmem_desktop.services.importing import import_file, preview_file
from apexmem_desktop.services.maintenance import erase
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import going_back, sources


def read_again(
    ws: Workspace,
    source_id: int,
    path: Path,
    choices: ImportChoices,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> FileReport:
    """Take out all that an import brought, and bring its file in with other choices.

    The file is read to its end before anything is taken out, so that a damaged or a wrong file
    changes nothing. What goes wrong after that (a full disk, a cancel, the end of the program)
    gives back the memory as it was.

    Raises:
        NotFoundError: There is no such import.
        ExportUnreadableError: The file is missing, damaged, or of no known format.
        UserError: The file is of another format than the import was.
        DiskFullError: No room, also for the copy that is kept meanwhile; nothing was changed.
        CancelledError: The token was cancelled; the memory is as it was.
    """
    token = cancel or CancelToken()
    seen = preview_file(path, choices, progress, token)
    with ws.vault.read() as db:
        was = [one for one in sources.find_sources(db) if one.id == source_id]
    if was and was[0].format != seen.format:
        raise UserError(
            f"{path.name} is of the format {seen.format}, and the import was {was[0].format}.",
            hint=f"Choose the file {was[0].file}.",
        )
    token.check()
    with going_back.all_or_nothing(ws.vault):
        erase(ws, EraseScope("source", source_id))
        return import_file(ws, path, replace(choices, erased_too=True), progress, token)
