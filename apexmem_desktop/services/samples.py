"""The sample exports that come with the program, imported as a person would who knows them."""

from pathlib import Path

from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.domain.reports import FileReport, ImportChoices
from apexmem_desktop.services import importing
from apexmem_desktop.services.workspace import Workspace

_EXPORT_SUFFIXES = (".txt", ".zip", ".json")
# An exported chat does not tell the zone of the clock it was written by.
_ZONES = {"Elbtal": "Europe/Berlin", "李雪": "Asia/Shanghai"}
ZONE = "Europe/London"


def sample_files() -> tuple[Path, ...]:
    """Return the sample exports."""
    folder = resources_dir() / "samples"
    return tuple(sorted(path for path in folder.iterdir() if path.suffix in _EXPORT_SUFFIXES))


def import_samples(
    ws: Workspace, progress: ProgressSink = ignore_progress, cancel: CancelToken | None = None
) -> tuple[FileReport, ...]:
    """Import every sample export into a memory."""
    reports = []
    for path in sample_files():
        zone = next((zone for part, zone in _ZONES.items() if part in path.name), ZONE)
        choices = ImportChoices(zone=zone)
        reports.append(importing.import_file(ws, path, choices, progress, cancel))
    return tuple(reports)
