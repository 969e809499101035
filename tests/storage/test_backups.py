"""Backups: one moment while others write, checked, and never a half one; and the way back."""

import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import (
    CancelledError,
    DiskFullError,
    VaultError,
    VaultTooNewError,
)
from apexmem_desktop.domain.progress import CancelToken, Progress
from apexmem_desktop.services import maintenance
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import backups, copies, integrity
from apexmem_desktop.storage.copies import find_own_copies
from apexmem_desktop.storage.vault import Vault, connect
from tests.storage.builders import START_MS, count, make_turn, store_chat
from tests.storage.old_vaults import check_content, copy_of
from tests.storage.test_vault import fill, flip

NOW_MS = 1_718_186_400_000  # 12 June 2024, 10:00 UTC


def turns_in(path: Path) -> int:
    with closing(connect(path, "ro")) as db:
        return int(db.execute("SELECT count(*) FROM turns").fetchone()[0])


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if "lock" not in file.name)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    fill(folder / "memory.sqlite", 50)
    return folder / "memory.sqlite"


def test_a_backup_is_one_sound_file_that_is_known_afterwards(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere" / "copy.apexmem"
    seen: list[Progress] = []
    with Workspace(path, clock=lambda: NOW_MS) as ws:
        made = maintenance.back_up(ws, target, progress=seen.append)
    assert files(target.parent) == ["copy.apexmem"]
    assert made.bytes == target.stat().st_size
    assert seen[-1].done == seen[-1].total == made.bytes
    assert turns_in(target) == 50
    assert files(target.parent) == ["copy.apexmem"]
    (known,) = maintenance.find_backups(path)
    assert (known.path, known.automatic) == (str(target), False)
    with Vault.open(target) as vault:
        assert [check for check in integrity.check(vault) if not check.ok] == []


def test_a_backup_shows_one_moment_while_another_writes(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "_PAGES_AT_ONCE", 5)
    wrote: list[int] = []
    with Vault.open(path) as vault:

        def write_more(_done: int, _total: int) -> None:
            new = [make_turn(f"later {len(wrote)} {i}") for i in range(20)]
            with vault.write() as db:
                store_chat(db, new, external_id=f"{len(wrote)}")
            wrote.append(20)

        def write(done: int, total: int) -> None:
            thread = threading.Thread(target=write_more, args=(done, total))
            thread.start()
            thread.join(60)

        backups.back_up(vault, tmp_path / "copy", progress=write)
        assert count(vault, "turns") == 50 + sum(wrote)
    assert len(wrote) > 5
    assert turns_in(tmp_path / "copy") == 50


def test_what_is_there_already_is_left_alone(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "diary.txt"
    target.write_text("mine", encoding="utf-8")
    with Vault.open(path) as vault:
        with pytest.raises(VaultError, match="there already") as told:
            backups.back_up(vault, target)
        assert "--replace" in told.value.hint
        assert target.read_text(encoding="utf-8") == "mine"
        backups.back_up(vault, target, replace=True)
        assert turns_in(target) == 50
        for itself in (path, tmp_path):
            with pytest.raises(VaultError, match="there already"):
                backups.back_up(vault, itself, replace=True)
    assert turns_in(path) == 50


def test_a_backup_that_is_cancelled_leaves_nothing(path: Path, tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    (tmp_path / "out").mkdir()
    with Workspace(path) as ws, pytest.raises(CancelledError):
        maintenance.back_up(ws, tmp_path / "out" / "copy", cancel=token)
    assert files(tmp_path / "out") == []
    assert maintenance.find_backups(path) == ()


def test_a_folder_that_cannot_be_made_is_told(path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with Vault.open(path) as vault, pytest.raises(VaultError, match="cannot be written"):
        backups.back_up(vault, tmp_path / "file" / "copy")


def test_damage_is_not_copied_in_silence(path: Path, tmp_path: Path) -> None:
    fill(path.with_name("big.sqlite"))
    flip(path.with_name("big.sqlite"), of_pages=slice(46, 50))
    with (
        Vault.open(path.with_name("big.sqlite")) as vault,
        pytest.raises(VaultError, match="not sound"),
    ):
        backups.back_up(vault, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_backup_comes_back_and_what_was_there_is_kept(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    with Vault.open(path) as vault:
        backups.back_up(vault, target)
        with vault.write() as db:
            store_chat(db, [make_turn("later")], external_id="x")
    report = maintenance.restore(path, target, now_ms=NOW_MS)
    assert (report.turns, report.facts) == (50, 0)
    kept = path.with_name("memory.sqlite.before-restore-20240612-100000")
    assert report.kept_aside == str(kept)
    assert turns_in(kept) == 51
    assert files(path.parent) == [
        "memory.sqlite",
        "memory.sqlite.backups.json",
        "memory.sqlite.before-restore-20240612-100000",
    ]  # fmt: skip
    with Vault.open(path) as vault:
        assert count(vault, "turns") == 50
        assert not vault.read_only
    assert {b.path: b.automatic for b in maintenance.find_backups(path)} == {
        str(target): False, str(kept): True,
    }  # fmt: skip
    again = maintenance.restore(path, kept, now_ms=NOW_MS)
    assert again.turns == 51
    assert again.kept_aside == f"{kept}-2"


def test_a_log_of_the_old_memory_is_not_played_into_the_new_one(path: Path, tmp_path: Path) -> None:
    """As a killed program leaves it: the newest turns stand only in the log."""
    target = tmp_path / "copy"
    with Vault.open(path) as vault:
        backups.back_up(vault, target)
        with vault.write() as db:
            store_chat(db, [make_turn(f"later {i}") for i in range(30)], external_id="x")
        left = tmp_path / "left" / path.name
        left.parent.mkdir()
        for end in ("", "-wal", "-shm"):
            shutil.copyfile(f"{path}{end}", f"{left}{end}")
    report = maintenance.restore(left, target, now_ms=NOW_MS)
    assert turns_in(left) == 50
    assert turns_in(Path(report.kept_aside)) == 80


def test_a_lost_memory_comes_back(path: Path, tmp_path: Path) -> None:
    report = maintenance.restore(tmp_path / "new" / "memory.sqlite", path, now_ms=NOW_MS)
    assert (report.turns, report.kept_aside) == (50, "")
    assert turns_in(tmp_path / "new" / "memory.sqlite") == 50


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(path: Path, tmp_path: Path) -> None:
    maintenance.restore(path, copy_of(1, tmp_path), now_ms=NOW_MS)
    with Vault.open(path) as vault:
        check_content(vault)
    assert len(find_own_copies(path)) == 1  # only the memory as it was


def test_what_cannot_be_restored_changes_nothing(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    damaged, other, later = tmp_path / "damaged", tmp_path / "other", tmp_path / "later"
    fill(damaged)
    flip(damaged, of_pages=slice(46, 50))
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE songs(name)")
    shutil.copyfile(path, later)
    with closing(sqlite3.connect(later)) as db:
        db.execute("PRAGMA user_version = 999")
    (tmp_path / "text").write_text("hello, I am a text" * 500, encoding="utf-8")
    for backup, said in (
        (damaged, "damaged"),
        (other, "not a memory file"),
        (tmp_path / "text", "not a memory file"),
        (tmp_path / "none", "no file"),
        (path, "itself"),
        (tmp_path, "no file"),
    ):  # fmt: skip
        with pytest.raises(VaultError, match=said):
            maintenance.restore(path, backup)
    with pytest.raises(VaultTooNewError, match="999"):
        maintenance.restore(path, later)
    assert path.read_bytes() == before
    assert files(path.parent) == ["memory.sqlite"]


def test_a_memory_that_is_open_is_not_exchanged(path: Path, tmp_path: Path) -> None:
    with Vault.open(path) as vault:
        backups.back_up(vault, tmp_path / "copy")
        with pytest.raises(VaultError, match="open in another program"):
            maintenance.restore(path, tmp_path / "copy")
    maintenance.restore(path, tmp_path / "copy")


def test_a_restore_without_room_changes_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = tmp_path / "copy"
    with Vault.open(path) as vault:
        backups.back_up(vault, backup)
    before = path.read_bytes()

    def no_room(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "write_copy", no_room)
    with pytest.raises(DiskFullError):
        maintenance.restore(path, backup)
    assert path.read_bytes() == before


def test_a_damaged_memory_says_which_backups_there_are(path: Path, tmp_path: Path) -> None:
    """Known fault 81."""
    with Vault.open(path) as vault:
        with vault.write() as db:
            store_chat(db, [make_turn(f"{i}", at_ms=START_MS + i) for i in range(2000)])
        backups.back_up(vault, tmp_path / "my copy.apexmem")
    flip(path, of_pages=slice(46, 50))
    with Vault.open(path) as vault:
        assert vault.read_only
        assert str(tmp_path / "my copy.apexmem") in vault.damage
        assert "apexmem restore" in vault.damage
    report = maintenance.restore(path, tmp_path / "my copy.apexmem")
    assert Path(report.kept_aside).exists()
    with Vault.open(path) as vault:
        assert not vault.read_only
        assert count(vault, "turns") == 2050


def test_a_memory_whose_heart_is_gone_can_be_restored_too(path: Path, tmp_path: Path) -> None:
    with Vault.open(path) as vault:
        backups.back_up(vault, tmp_path / "copy")
    data = bytearray(path.read_bytes())
    data[100:4096] = b"\xff" * 3996
    path.write_bytes(bytes(data))
    with pytest.raises(VaultError, match="damaged") as told:
        Vault.open(path)
    assert str(tmp_path / "copy") in told.value.hint
    maintenance.restore(path, tmp_path / "copy")
    assert turns_in(path) == 50


@pytest.mark.parametrize("note", ["", "{", "[1, null]", '{"a": 1}'])
def test_a_spoiled_note_of_backups_is_no_harm(path: Path, note: str, tmp_path: Path) -> None:
    path.with_name("memory.sqlite.backups.json").write_text(note, encoding="utf-8")
    assert maintenance.find_backups(path) == ()
    with Vault.open(path) as vault:
        backups.back_up(vault, tmp_path / "copy")
    assert len(maintenance.find_backups(path)) == 1


def test_an_encrypted_memory_is_backed_up_and_restored_under_its_passphrase(
    tmp_path: Path,
) -> None:
    pytest.importorskip("sqlcipher3")
    path, backup = tmp_path / "memory.sqlite", tmp_path / "copy"
    with Vault.open(path, passphrase="open sesame") as vault:
        with vault.write() as db:
            store_chat(db, [make_turn("words of the secret kind")])
        backups.back_up(vault, backup)
        with vault.write() as db:
            store_chat(db, [make_turn("later")], external_id="x")
    assert b"secret" not in backup.read_bytes()
    for wrong in ("", "open barley"):
        with pytest.raises(VaultError):
            maintenance.restore(path, backup, passphrase=wrong)
    report = maintenance.restore(path, backup, passphrase="open sesame", now_ms=NOW_MS)
    assert report.turns == 1
    for file, number in ((path, 1), (Path(report.kept_aside), 2)):
        with Vault.open(file, passphrase="open sesame") as vault:
            assert count(vault, "turns") == number
