"""Two programs on one memory file: long work once at a time, and no lock outlives its program."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.services import building, maintenance
from apexmem_desktop.storage.locking import OPEN, WORK, FileLock, closed_to_others, working
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import count, make_turn, store_chat
from tests.storage.old_vaults import ScriptedWorkspace

ROOT = Path(__file__).resolve().parents[2]
_HOLD = (
    "import sys; from pathlib import Path; from apexmem_desktop.storage.locking import FileLock; "
    "lock = FileLock(Path(sys.argv[1]), sys.argv[2]); "
    "print(lock.take(shared=sys.argv[3] == 'shared'), flush=True); sys.stdin.read()"
)


@contextmanager
def other_program(
    path: Path, purpose: str, how: str = "alone"
) -> Iterator["subprocess.Popen[str]"]:
    """Run a program that holds a lock until it is killed."""
    command = [sys.executable, "-c", _HOLD, str(path), purpose, how]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == "True\n"
            yield program
        finally:
            program.kill()


def test_what_another_program_is_at_is_not_done_twice(tmp_path: Path) -> None:
    """Known fault 83."""
    path = tmp_path / "memory.sqlite"
    with ScriptedWorkspace(path) as ws:
        with ws.vault.write() as db:
            store_chat(db, [make_turn("I moved to Rome")])
        with other_program(path, WORK):
            with pytest.raises(VaultError, match="at work") as told:
                building.build(ws)
            assert "Wait" in told.value.hint
            assert count(ws.vault, "facts") == 0
            with ws.vault.write() as db:  # a message can still be imported
                store_chat(db, [make_turn("I moved to Bari")], external_id="x")
        assert building.build(ws).facts_new == 2


def test_a_program_that_was_killed_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with other_program(path, WORK) as program:
        assert not FileLock(path, WORK).take()
        program.kill()
        program.wait(30)
        with working(path):
            assert path.with_name("memory.sqlite.work-lock").exists()


def test_programs_read_side_by_side_but_none_is_alone_then(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with Vault.open(path, busy_timeout_ms=1) as vault:
        with other_program(path, OPEN, "shared") as program:
            with pytest.raises(VaultError, match="open in another program"), vault.alone():
                pytest.fail("alone beside another")
            with pytest.raises(VaultError, match="open in another"), closed_to_others(path):
                pytest.fail("exchanged under another's hands")
            program.kill()
            program.wait(30)
        with vault.alone(), pytest.raises(VaultError, match="open in another program"):
            Vault.open(path, busy_timeout_ms=1)
        Vault.open(path, busy_timeout_ms=1).close()
    with closed_to_others(path), pytest.raises(VaultError, match="open in another program"):
        Vault.open(path, busy_timeout_ms=1)


def test_after_being_refused_it_is_still_there_for_others_to_see(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with Vault.open(path) as vault, Vault.open(path):
        with pytest.raises(VaultError), vault.alone():
            pytest.fail("alone beside another")
        with pytest.raises(VaultError), closed_to_others(path):
            pytest.fail("nobody seemed to be there")


def test_a_failed_opening_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    path.write_bytes(b"no memory file")
    with pytest.raises(VaultError):
        Vault.open(path)
    path.unlink()
    with closed_to_others(path):
        pass


def test_where_no_lock_can_be_made_work_goes_on(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "no folder" / "memory.sqlite", WORK)
    assert lock.take()
    lock.release()


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    held, wanted = FileLock(path, WORK), FileLock(path, WORK)
    assert held.take()
    assert not wanted.take(wait_s=0.06)
    held.release()
    assert wanted.take(wait_s=30)
    wanted.release()


def test_a_memory_has_one_window(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    with maintenance.only_window(path):
        with pytest.raises(VaultError, match="window already"), maintenance.only_window(path):
            pytest.fail("two windows")
        Vault.open(path).close()
    with maintenance.only_window(path):
        pass
