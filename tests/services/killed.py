"""Jobs that end badly: a server that forks a process a job, kills it, or leaves it no room.

Run as `python -m tests.services.killed CHAT`. Each line on stdin asks for one job, each on stdout
tells how it went. What the jobs need is loaded once, so one costs little more than its own work.
"""

import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from apexmem_desktop.domain.errors import DiskFullError
from apexmem_desktop.domain.reports import EraseScope, ImportChoices
from apexmem_desktop.services import building, importing, maintenance, rulings
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import jobs
from tests.storage.old_vaults import MADE_AT_MS, ScriptedWorkspace

FULL = 28  # status of a process that told that the disk is full
TURNS_A_BATCH = 6
RULINGS = 16  # as many as there are facts
CORRECTED_EVERY = 3
Tell = Callable[[str, int], None]


def import_chat(ws: Workspace, chat: Path, tell: Tell) -> None:
    """Import the chat; one transaction."""
    tell("turns", importing.import_file(ws, chat, ImportChoices(zone="UTC")).turns_new)


def build(ws: Workspace, _: Path, tell: Tell) -> None:
    """Read all turns, a few in each transaction."""
    building.TURNS_A_BATCH = TURNS_A_BATCH
    building.build(ws, on_changes=lambda _changes: tell("read", _count_read(ws)))


def rule(ws: Workspace, _: Path, tell: Tell) -> None:
    """Confirm, reject and correct facts as a user does, one after another."""
    for number in range(_count_rulings(ws), RULINGS):
        if number % CORRECTED_EVERY == 0:
            rulings.correct(ws, number + 1, f"corrected {number}")
        elif number % CORRECTED_EVERY == 1:
            rulings.confirm(ws, number + 1)
        else:
            rulings.reject(ws, number + 1)
        tell("ruled", number + 1)


def back_up(ws: Workspace, _: Path, tell: Tell) -> None:
    """Copy the memory beside itself."""
    target = ws.vault.path.with_name("copy.sqlite")
    tell("copied", maintenance.back_up(ws, target, over=True).bytes)


def erase(ws: Workspace, _: Path, tell: Tell) -> None:
    """Erase the chat."""
    tell("erased", maintenance.erase(ws, EraseScope("source", 1)).turns)


JOBS = {"import": import_chat, "build": build, "rule": rule, "backup": back_up, "erase": erase}


def _count_read(ws: Workspace) -> int:
    with ws.vault.read() as db:
        states = jobs.counts(db)
    return states["read"] + states["gated"]


def _count_rulings(ws: Workspace) -> int:
    with ws.vault.read() as db:
        # A correction also confirms the new fact, whose number is higher.
        sql = f"SELECT count(*) FROM rulings WHERE fact_id <= {RULINGS}"
        return int(db.exec_driver_sql(sql).scalar_one())


def _work(job: str, vault: Path, chat: Path, pipe: int) -> None:
    def tell(what: str, number: int) -> None:
        os.write(pipe, f"{what} {number}\n".encode())

    with ScriptedWorkspace(vault, settings=Settings(zone="UTC"), clock=lambda: MADE_AT_MS) as ws:
        JOBS[job](ws, chat, tell)


def run(
    job: str,
    vault: str,
    chat: str,
    *,
    kill_after_ms: float | None = None,
    largest_file: int | None = None,
) -> dict[str, object]:
    """Run a job in a process of its own.

    Args:
        kill_after_ms: Kill it when this time is up.
        largest_file: Let no file grow beyond so many bytes, as on a disk that is full then.
    """
    told, pipe = os.pipe()
    started_s = time.monotonic()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            if largest_file is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
            _work(job, Path(vault), Path(chat), pipe)
            status = 0
        except DiskFullError as error:
            status = FULL if error.hint else 1
        finally:
            os._exit(status)
    os.close(pipe)
    if kill_after_ms is not None and not _ended(pid, kill_after_ms):
        os.kill(pid, signal.SIGKILL)
    _, waited = os.waitpid(pid, 0)
    took_ms = 1000 * (time.monotonic() - started_s)
    with os.fdopen(told, encoding="utf-8") as lines:
        acknowledged = dict(line.split() for line in lines.read().splitlines())
    status = os.waitstatus_to_exitcode(waited)
    return {"status": status, "ms": took_ms, "told": {k: int(n) for k, n in acknowledged.items()}}


def _ended(pid: int, within_ms: float) -> bool:
    """Wait for the end of a process, or of its time."""
    handle = os.pidfd_open(pid)
    try:
        ready, _, _ = select.select([handle], [], [], within_ms / 1000)
    finally:
        os.close(handle)
    return bool(ready)


def _load(chat: Path) -> None:
    """Do each job once here, so that what is loaded at first use is there in every process."""
    with tempfile.TemporaryDirectory() as folder:
        for job in JOBS:
            _work(job, Path(folder) / "memory.sqlite", chat, os.open(os.devnull, os.O_WRONLY))


def main(chat: str) -> None:
    """Serve until stdin ends."""
    _load(Path(chat))
    for line in sys.stdin:
        sys.stdout.write(json.dumps(run(**json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
