"""How fast an export is imported, and again; in a process of its own, beside the bare limits.

As a program, `python -m apexmem_desktop.bench.speed_import VAULT EXPORT`, it is that process.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apexmem_desktop.bench import speed_limits
from apexmem_desktop.bench.children import run_child, tell, tell_progress
from apexmem_desktop.bench.figures import Figure, rate, took
from apexmem_desktop.bench.vaults import ZONE
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.domain.reports import FileReport, ImportChoices

_REGEX, _ROWS, _WORDS = "a regular expression over the file", "sqlite3 executemany", "FTS5 rebuild"
_UNIT = "messages/s"
_MODULE = "apexmem_desktop.bench.speed_import"


@dataclass(frozen=True, slots=True)
class Measured:
    """What importing a file took in its process.

    Attributes:
        processor_s: Of it and of the child that read the file.
        peak_bytes: Most memory that it and the child held; None where the system does not say.
    """

    seconds: float
    processor_s: float
    peak_bytes: int | None
    turns_new: int


def measure_import(
    vault: Path,
    export: Path,
    messages: int,
    *,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> list[Figure]:
    """Import an export into a new vault, then again, then do bare what an import cannot avoid."""
    first = import_apart(vault, export, progress=progress, cancel=cancel)
    again = import_apart(vault, export, progress=progress, cancel=cancel)
    regex = speed_limits.take_regex(export)
    rows, words = speed_limits.take_sqlite(vault, progress, cancel or CancelToken())
    whole = regex + rows + words
    name = f"import of {messages:,} messages"
    together = f"{_REGEX}, {_ROWS} and {_WORDS} one after the other"
    limits = [
        (limit, bare.seconds)
        for limit, bare in ((_REGEX, regex), (_ROWS, rows), (_WORDS, words), (together, whole))
    ]
    figures = [
        *rate(name, first.turns_new, _UNIT, first.seconds, *limits),
        *rate(f"{name}, by processor time", first.turns_new, _UNIT, first.processor_s,
              (together, whole.processor_s)),
        *rate(f"{name}, again", messages, _UNIT, again.seconds, ("the first time", first.seconds)),
    ]  # fmt: skip
    if again.turns_new:
        raise RuntimeError(f"the same file gave {again.turns_new} new turns")
    for told, measured in ((name, first), (f"{name}, again", again)):
        if measured.peak_bytes is not None:
            figures.append(memory(f"peak memory, {told}", measured.peak_bytes, export))
    return figures


def import_apart(
    vault: Path,
    export: Path,
    *,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> Measured:
    """Import a file in a process of its own; what it reports is measured there."""
    command = ("-m", _MODULE, str(vault), str(export))
    found, _ = run_child(command, progress=progress, cancel=cancel)
    return Measured(**found)


def memory(name: str, peak_bytes: int, export: Path) -> Figure:
    """Hold a process's peak of memory against the size of the file."""
    size = export.stat().st_size
    return Figure(name, peak_bytes / 1e6, "MB", "the file", peak_bytes / size, size / 1e6)


def _import(vault: Path, export: Path) -> dict[str, Any]:
    from apexmem_desktop.services import importing, measuring
    from apexmem_desktop.services.settings import Settings
    from apexmem_desktop.services.workspace import Workspace

    choices = ImportChoices(zone=ZONE, date_order="dmy")
    reports: list[FileReport] = []
    with Workspace(vault, settings=Settings(zone=ZONE)) as ws:
        taken = took(
            lambda: reports.append(importing.import_file(ws, export, choices, tell_progress))
        )
    own_peak_bytes = measuring.peak_bytes()
    # A large file is read by a child: both work at once, and both count.
    both = None if own_peak_bytes is None else own_peak_bytes + measuring.children_peak_bytes()
    return {
        "seconds": taken.seconds,
        "processor_s": taken.processor_s + measuring.children_s(),
        "peak_bytes": both,
        "turns_new": reports[0].turns_new,
    }


if __name__ == "__main__":
    tell(_import(Path(sys.argv[1]), Path(sys.argv[2])))
