"""A vault of every earlier version opens, keeps what it holds, and gets what today's has."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from apexmem_desktop.storage import integrity, vault
from apexmem_desktop.storage.migrations import load_steps
from apexmem_desktop.storage.vault import Vault, connect
from tests.storage.old_vaults import MADE_AT_MS, OLD_FILES, RELEASED, check_content, copy_of

SAVED = sorted(int(file.stem[1:]) for file in OLD_FILES.glob("v*.sqlite"))
TODAY = len(load_steps())


def shape(path: Path) -> list[tuple[str, str, str]]:
    """List what the schema holds, without its comments' and spaces' way of being written."""
    with closing(connect(path, "ro")) as db:
        rows = db.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master").fetchall()
    return sorted((kind, name, re.sub(r"\s+", " ", sql)) for kind, name, sql in rows)


def test_there_is_a_saved_vault_of_each_version() -> None:
    assert {*RELEASED, TODAY} <= set(SAVED), (
        "a new step needs its saved vault: python -m tests.storage.old_vaults"
    )
    assert max(SAVED) == TODAY, "a saved vault has more steps than there are"
    assert all((OLD_FILES / f"v{n}.sqlite").stat().st_size < 470_000 for n in SAVED)


@pytest.mark.parametrize("version", SAVED)
def test_a_saved_vault_is_what_its_name_says(version: int) -> None:
    with closing(connect(OLD_FILES / f"v{version}.sqlite", "ro")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (version,)


@pytest.mark.parametrize("version", SAVED)
def test_an_earlier_vault_opens_and_keeps_what_it_holds(version: int, tmp_path: Path) -> None:
    path = copy_of(version, tmp_path)
    before = path.read_bytes()
    with Vault.open(path) as opened:
        check_content(opened)
        assert [check for check in integrity.check(opened) if not check.ok] == []
    Vault.open(tmp_path / "new.sqlite").close()
    assert shape(path) == shape(tmp_path / "new.sqlite")
    kept = path.with_name(f"{path.name}.before-v{TODAY}")
    assert kept.exists() == (version < TODAY)
    if kept.exists():
        copy_of_kept = tmp_path / "kept.sqlite"
        copy_of_kept.write_bytes(kept.read_bytes())
        assert shape(copy_of_kept) == shape(OLD_FILES / path.name)
        assert len(kept.read_bytes()) == len(before)
        with Vault.open(copy_of_kept) as again:
            check_content(again)


@pytest.mark.parametrize("version", SAVED)
def test_each_trigger_of_today_guards_an_earlier_vault(version: int, tmp_path: Path) -> None:
    with Vault.open(copy_of(version, tmp_path)) as opened, opened.read() as db:
        names = db.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        assert set(names.scalars()) == integrity.expected_triggers()


@pytest.mark.parametrize("version", SAVED)
def test_a_step_that_fails_leaves_an_earlier_vault_as_it_was(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy_of(version, tmp_path)
    before = path.read_bytes()
    broken = (*load_steps(), "CREATE TABLE soon_gone(x);\nINSERT INTO nowhere VALUES (1);")
    with monkeypatch.context() as patched:
        patched.setattr(vault, "load_steps", lambda: broken)
        with pytest.raises(Exception, match="nowhere"):
            Vault.open(path)
    found = path.read_bytes()
    # Bytes 18 and 19 say that there is a log beside the file, 24 to 28 and 92 on count changes.
    assert [i for i in range(len(before)) if before[i] != found[i] and not 18 <= i < 100] == []
    assert len(found) == len(before)
    with Vault.open(path) as opened:
        check_content(opened)


def test_the_saved_vaults_were_made_on_one_invented_day() -> None:
    with closing(connect(OLD_FILES / f"v{TODAY}.sqlite", "ro")) as db:
        assert db.execute("SELECT DISTINCT imported_at_ms FROM sources").fetchall() == [
            (MADE_AT_MS,)
        ]
