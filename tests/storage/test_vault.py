"""Opening the vault: what a user is told when it cannot be, and what never gets lost."""

import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from apexmem_desktop.domain.errors import DiskFullError, VaultError, VaultTooNewError
from apexmem_desktop.storage import integrity, turns
from apexmem_desktop.storage.faults import meaning
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import START_MS, count, make_turn, store_chat, tried


def fill(path: Path, number: int = 2_000) -> None:
    with Vault.open(path) as vault, vault.write() as db:
        store_chat(db, [make_turn(f"words {i}", at_ms=START_MS + i) for i in range(number)])


def test_a_new_vault_is_made_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "memory.sqlite"
    with Vault.open(path) as vault:
        assert not vault.read_only
        assert count(vault, "turns") == 0
    assert path.exists()


def test_what_was_written_is_there_after_reopening(tmp_path: Path) -> None:
    fill(tmp_path / "v.sqlite", 3)
    with Vault.open(tmp_path / "v.sqlite", create=False) as vault:
        assert count(vault, "turns") == 3


def test_a_missing_vault_is_told(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="no memory file"):
        Vault.open(tmp_path / "none.sqlite", create=False)


@pytest.mark.parametrize("content", [b"hello, I am no database", b"PK\x03\x04" + b"\0" * 5000])
def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(VaultError, match="not a memory file"):
        Vault.open(path)
    assert path.read_bytes() == content


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="folder"):
        Vault.open(tmp_path)


def test_a_place_that_cannot_be_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(VaultError, match="cannot be opened"):
        Vault.open(tmp_path / "file" / "memory.sqlite")


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE songs(name)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(VaultError, match="another program"):
        Vault.open(path)
    assert path.read_bytes() == before


def test_a_vault_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    fill(path, 1)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 999")
    db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    before = path.read_bytes()
    with pytest.raises(VaultTooNewError, match="999"):
        Vault.open(path)
    assert path.read_bytes() == before


def test_a_damaged_vault_opens_for_reading_and_says_so(tmp_path: Path) -> None:
    """Known fault 81."""
    path = tmp_path / "v.sqlite"
    fill(path)
    flip(path, of_pages=slice(46, 50))
    with Vault.open(path) as vault:
        assert vault.read_only
        assert "damaged" in vault.damage
        with pytest.raises(VaultError, match="reading only") as told, vault.write():
            pytest.fail("a damaged vault must not be written")
        assert "restore a backup" in told.value.hint
        assert not all(check.ok for check in integrity.check(vault))


def flip(path: Path, of_pages: slice) -> None:
    data = bytearray(path.read_bytes())
    for at in range(of_pages.start * 4096, of_pages.stop * 4096):
        data[at] ^= 0xFF
    path.write_bytes(bytes(data))


def test_a_vault_whose_heart_is_gone_is_told_plainly(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    fill(path)
    data = bytearray(path.read_bytes())
    data[100:4096] = b"\xff" * 3996  # the schema's own page, behind the file's header
    path.write_bytes(bytes(data))
    with pytest.raises(VaultError, match="damaged"):
        Vault.open(path)


def test_a_truncated_vault_is_told(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    fill(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(VaultError, match="damaged"):
        Vault.open(path)


def test_a_failed_write_leaves_nothing(vault: Vault) -> None:
    with tried(vault) as db:
        store_chat(db, [make_turn()])
    assert count(vault, "turns") == count(vault, "sources") == count(vault, "jobs") == 0


def test_a_full_disk_is_told_and_leaves_nothing(vault: Vault) -> None:
    with vault.write() as db:
        pages = db.exec_driver_sql("PRAGMA page_count").scalar_one()
        db.exec_driver_sql(f"PRAGMA max_page_count = {pages + 20}")
    with pytest.raises(DiskFullError), vault.write() as db:
        store_chat(db, [make_turn(f"{i} " * 300, at_ms=START_MS + i) for i in range(500)])
    assert count(vault, "turns") == 0
    with vault.write() as db:
        db.exec_driver_sql("PRAGMA max_page_count = 100000")
        store_chat(db, [make_turn()])
    assert count(vault, "turns") == 1


def test_a_failing_disk_without_room_is_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    assert isinstance(meaning(error, tmp_path / "v"), VaultError)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9, 9, 0))
    assert isinstance(meaning(error, tmp_path / "v"), DiskFullError)


def test_a_bug_of_ours_is_not_dressed_up_as_the_users(vault: Vault) -> None:
    with pytest.raises(OperationalError), vault.read() as db:
        db.exec_driver_sql("SELECT nothing FROM nowhere")


def test_a_vault_locked_by_another_program_is_told(tmp_path: Path) -> None:
    """Known fault 83."""
    path = tmp_path / "v.sqlite"
    with Vault.open(path, busy_timeout_ms=1) as vault:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(VaultError, match="in use by another program"), vault.write():
            pytest.fail("two writers at once")
        other.execute("ROLLBACK")
        other.close()
        with vault.write() as db:
            store_chat(db, [make_turn()])
        assert count(vault, "turns") == 1


def test_reading_goes_on_while_another_thread_writes(vault: Vault) -> None:
    """Known fault 83: a chat with the memory while an import runs."""
    writing, seen = threading.Event(), threading.Event()
    errors: list[BaseException] = []

    def write() -> None:
        try:
            with vault.write() as db:
                store_chat(db, [make_turn()])
                writing.set()
                assert seen.wait(30)
        except BaseException as error:  # noqa: BLE001 - told in the test's own thread
            errors.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    assert writing.wait(30)
    assert count(vault, "turns") == 0
    seen.set()
    thread.join(30)
    assert errors == []
    assert count(vault, "turns") == 1


def test_writers_of_one_process_wait_for_each_other(vault: Vault) -> None:
    def write(first: int) -> None:
        for i in range(first, first + 5):
            with vault.write() as db:
                store_chat(db, [make_turn(f"{i}")], external_id=f"{i}")

    threads = [threading.Thread(target=write, args=(10 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert count(vault, "turns") == 20


def test_a_write_inside_a_write_is_refused_rather_than_waiting_for_ever(vault: Vault) -> None:
    with vault.write(), pytest.raises(RuntimeError), vault.write():
        pytest.fail("nested")


def test_a_reader_cannot_write(vault: Vault) -> None:
    with pytest.raises(VaultError), vault.read() as db:
        store_chat(db, [make_turn()])


def test_a_reader_sees_one_state(vault: Vault) -> None:
    with vault.read() as db:
        assert turns.find_speakers(db) == []
        with vault.write() as other:
            store_chat(other, [make_turn()])
        assert turns.find_speakers(db) == []
    assert count(vault, "turns") == 1


def test_settings_of_every_connection(vault: Vault) -> None:
    wanted = {"foreign_keys": 1, "mmap_size": 0, "synchronous": 1, "recursive_triggers": 1}
    for lend in (vault.read, vault.write):
        with lend() as db:
            found = {name: db.exec_driver_sql(f"PRAGMA {name}").scalar() for name in wanted}
            assert found == wanted
            assert db.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
