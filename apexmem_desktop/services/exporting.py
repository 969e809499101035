"""Export: the whole memory in forms that need no program of ours to be read."""

import shutil
from collections.abc import Callable
from pathlib import Path

from apexmem_desktop.domain.errors import DiskFullError, UserError
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.domain.reports import ExportReport
from apexmem_desktop.services.export_ics import write_ics
from apexmem_desktop.services.export_json import write_json
from apexmem_desktop.services.export_markdown import write_markdown
from apexmem_desktop.services.export_reading import MemoryReader
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage.faults import NO_ROOM

_FORMS: dict[str, Callable[[Path, MemoryReader], dict[str, int]]] = {
    "json": write_json,
    "markdown": write_markdown,
    "ics": write_ics,
}
FORMS = tuple(_FORMS)


def export(
    ws: Workspace,
    folder: Path,
    form: str,
    *,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> ExportReport:
    """Write the memory, as it is at this moment, into a new folder; all of it or nothing.

    Args:
        folder: Must not be there yet, or be empty.
        form: "json", "markdown" or "ics".

    Raises:
        DiskFullError: No room; nothing is left.
        UserError: The folder holds something, or cannot be written.
        CancelledError: The user cancelled; nothing is left.
    """
    folder = folder.absolute()
    unfinished = folder.with_name(folder.name + ".part")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UserError(
                f"{folder} is there already and holds something; it was left as it is.",
                hint="Name a folder that is new or empty.",
            )
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        try:
            with ws.vault.read() as db:
                memory = MemoryReader(db, ws.now_ms(), progress, cancel or CancelToken())
                counted = _FORMS[form](unfinished, memory)
            if folder.exists():
                folder.rmdir()
            unfinished.rename(folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFullError from error
        raise UserError(
            f"{error.filename or folder} cannot be written ({error.strerror}).",
            hint="Choose another place.",
        ) from error
    files = tuple(sorted(str(file) for file in folder.rglob("*") if file.is_file()))
    return ExportReport(str(folder), form, counted, files)
