"""What a test kills: imports or builds in a process of its own, and tells how far it is.

Run as `python -m tests.live.worker import|build VAULT [FILE]`. A line on stdout is one report of
progress; before each of a build's, "model PID" names the process of its language model.
"""

import sys
from pathlib import Path

from apexmem_desktop.domain.progress import CancelToken, Progress
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import building, importing, samples
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace

TURNS_A_BATCH = 8


def main(job: str, vault: str, *files: str) -> None:
    """Do the job."""
    with Workspace(Path(vault), settings=Settings(zone=samples.ZONE)) as ws:
        if job == "import":
            choices = ImportChoices(zone=samples.ZONE)
            importing.import_file(ws, Path(files[0]), choices, _wait_while_storing, CancelToken())
        else:
            building.TURNS_A_BATCH = TURNS_A_BATCH
            building.build(ws, progress=lambda progress: _tell_of_building(ws, progress))


def _tell_of_building(ws: Workspace, progress: Progress) -> None:
    # The first turns may be read by pattern alone, before there is a model to kill.
    if progress.stage == "Reading conversations" and ws.language().pid is not None:
        _write(f"model {ws.language().pid}")
        _write(f"{progress.stage} {progress.done}")


def _wait_while_storing(progress: Progress) -> None:
    """Stop for good with the turns written and the transaction open."""
    if progress.stage == "Storing":
        _write(f"{progress.stage} {progress.done}")
        sys.stdin.readline()


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
