"""The memory goes to another folder whole or not at all; the old file stays until it is deleted."""

import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import CancelledError, NoRoomError, VaultError
from apexmem_desktop.domain.progress import CancelToken, ignore_progress
from apexmem_desktop.services import browsing, locations, maintenance, moving, samples
from apexmem_desktop.services.settings import load_settings
from apexmem_desktop.services.workspace import Workspace

_Usage = namedtuple("_Usage", "total used free")
WORDS = "four plain words here"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("APEXMEM_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def ws(home: Path) -> Workspace:
    home.mkdir()
    opened = Workspace(locations.default_vault_path())
    samples.import_samples(opened)
    opened.close()
    return opened


def _turns(path: Path, passphrase: str = "") -> int:
    with Workspace(path, passphrase=passphrase) as opened:
        return browsing.status(opened).turns


def _move(ws: Workspace, folder: Path, cancel: CancelToken | None = None) -> Workspace:
    return moving.move(ws, folder, ignore_progress, cancel or CancelToken())[0]


def test_the_memory_is_used_from_its_new_place_and_the_old_file_stays(
    ws: Workspace, tmp_path: Path
) -> None:
    old, turns = ws.vault.path, _turns(ws.vault.path)
    with _move(ws, tmp_path / "disk" / "here") as made:
        assert made.vault.path == tmp_path / "disk" / "here" / "memory.apexmem"
        assert browsing.status(made).turns == turns > 0
        assert moving.memory_path() == made.vault.path
        assert all(check.ok for check in maintenance.verify(made))
        copies = [one.path for one in maintenance.find_backups(made.vault.path)]
        assert copies == [str(old)]  # who erases is told of it
        assert moving.left_bytes(made.settings) == old.stat().st_size
        moving.remove_left(made)
        assert not old.exists()
        assert (moving.left_bytes(made.settings), load_settings().memory_left) == (0, "")
    assert _turns(moving.memory_path()) == turns


def test_back_to_the_usual_place_needs_no_setting(ws: Workspace, tmp_path: Path) -> None:
    usual = ws.vault.path
    made = _move(ws, tmp_path / "disk")
    moving.remove_left(made)
    made.close()
    with _move(made, usual.parent) as back:
        assert back.settings.memory_folder == ""
        assert moving.memory_path() == usual


def test_a_memory_that_is_named_each_time_goes_on_being_named(tmp_path: Path, home: Path) -> None:
    own = Workspace(tmp_path / "work.apexmem")
    own.close()
    with _move(own, tmp_path / "disk") as made:
        assert made.vault.path.name == "work.apexmem"
    assert load_settings().memory_folder == ""
    assert moving.memory_path() == locations.default_vault_path()


def test_an_encrypted_memory_stays_under_its_passphrase(tmp_path: Path, home: Path) -> None:
    own = Workspace(tmp_path / "m.apexmem", passphrase=WORDS)
    samples.import_samples(own)
    own.close()
    with _move(own, tmp_path / "disk") as made:
        assert browsing.status(made).encrypted
    assert _turns(made.vault.path, WORDS) > 0


def test_no_room_is_said_before_anything_is_written(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(10**9, 10**9 - 5000, 5000))
    with pytest.raises(NoRoomError, match=r"0 MB free, and \d+ MB are needed"):
        _move(ws, tmp_path / "disk")
    assert list((tmp_path / "disk").iterdir()) == []
    assert _turns(ws.vault.path) > 0


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_named(ws: Workspace, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(VaultError, match="may not write in the folder"):
        _move(ws, tmp_path / "locked")


def test_a_refused_folder_is_told_in_plain_words(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(VaultError, match="You may not write in the folder"):
        _move(ws, tmp_path / "disk")


def test_the_same_folder_and_one_with_such_a_file_are_refused(
    ws: Workspace, tmp_path: Path
) -> None:
    with pytest.raises(VaultError, match="in this folder already"):
        _move(ws, ws.vault.path.parent)
    taken = tmp_path / "memory.apexmem"
    taken.write_text("something of the user's")
    with pytest.raises(VaultError, match="is a file memory"):
        _move(ws, tmp_path)
    assert taken.read_text() == "something of the user's"


def test_a_memory_that_is_open_elsewhere_is_not_moved(ws: Workspace, tmp_path: Path) -> None:
    with Workspace(ws.vault.path), pytest.raises(VaultError, match="open in another program"):
        _move(ws, tmp_path / "disk")


def test_a_cancel_leaves_nothing_at_the_new_place(ws: Workspace, tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        _move(ws, tmp_path / "disk", token)
    assert list((tmp_path / "disk").iterdir()) == []
    assert moving.memory_path() == ws.vault.path


def test_a_settings_file_that_cannot_be_kept_takes_the_copy_back(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise VaultError("never kept")

    monkeypatch.setattr(moving, "save_settings", fail)
    with pytest.raises(VaultError, match="never kept"):
        _move(ws, tmp_path / "disk")
    assert not (tmp_path / "disk" / "memory.apexmem").exists()


def test_a_moved_memory_whose_disk_is_away_is_not_made_anew(ws: Workspace, tmp_path: Path) -> None:
    _move(ws, tmp_path / "disk").close()
    shutil.rmtree(tmp_path / "disk")
    with pytest.raises(VaultError, match="not there now"):
        moving.memory_path()


def test_the_memory_in_use_is_never_taken_for_the_old_one(ws: Workspace, tmp_path: Path) -> None:
    with _move(ws, tmp_path / "disk") as made:
        made.use_settings(type(made.settings)(memory_left=str(made.vault.path)))
        with pytest.raises(VaultError, match="memory that is open"):
            moving.remove_left(made)
        assert made.vault.path.exists()
