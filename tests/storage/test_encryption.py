"""A memory under a passphrase: nothing in clear on the disk, and plain words when it stays shut."""

import sqlite3
import sys
import unicodedata
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy.exc import DBAPIError
from sqlcipher3 import dbapi2

import apexmem_desktop.storage
from apexmem_desktop.domain.errors import (
    DiskFullError,
    PassphraseNeededError,
    VaultError,
    WrongPassphraseError,
)
from apexmem_desktop.storage import driver, integrity, migrations
from apexmem_desktop.storage.copies import write_copy
from apexmem_desktop.storage.graphsql import run_select
from apexmem_desktop.storage.migrations import load_steps, migrate
from apexmem_desktop.storage.vault import Vault, connect
from apexmem_desktop.storage.vectors import VectorIndex, append_turn_vectors
from apexmem_desktop.storage.words import find_turns_by_words
from tests.storage.builders import START_MS, count, make_turn, store_chat, store_entity, store_fact

WORDS = "the spare key hangs behind the mirror"
PASSPHRASE = "correct horse battery staple"
PLACE = "Reykjavik"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed encrypted memory with a fact and 600 turns, long enough for several pages."""
    path = tmp_path / "memory.apexmem"
    with Vault.open(path, passphrase=PASSPHRASE) as vault, vault.write() as db:
        said = [make_turn(f"{WORDS} {i}", at_ms=START_MS + i) for i in range(600)]
        numbers = store_chat(db, said)
        store_fact(db, store_entity(db, "Ana"), PLACE)
        append_turn_vectors(db, "made up", [(n, _vector(n)) for n in numbers])
    return path


def _vector(number: int) -> np.ndarray:
    return np.random.default_rng(number).normal(size=8).astype(np.float32)


def _open(path: Path, passphrase: str = PASSPHRASE) -> Vault:
    return Vault.open(path, create=False, passphrase=passphrase)


def _assert_nothing_in_clear(folder: Path) -> None:
    stored = [file for file in folder.rglob("*") if file.is_file()]
    assert stored
    vector = _vector(1) / np.linalg.norm(_vector(1))
    for file in stored:
        content = file.read_bytes()
        for words in ("spare key", "mirror", PLACE, "CREATE TABLE", "SQLite format", PASSPHRASE):
            for encoding in ("utf-8", "utf-16-le"):
                assert words.encode(encoding) not in content, (file.name, words)
        assert vector.astype("<f2").tobytes() not in content, file.name


def test_no_word_is_in_any_byte_of_any_file(path: Path, tmp_path: Path) -> None:
    _assert_nothing_in_clear(tmp_path)
    with _open(path) as vault:
        with vault.write() as db:
            store_chat(db, [make_turn(f"{WORDS} again")])
        assert run_select(vault, "SELECT text FROM v_turns ORDER BY text LIMIT 1").rows
        assert VectorIndex(vault, "made up").search(_vector(1), 1)
        assert {file.suffix for file in tmp_path.iterdir()} >= {".apexmem", ".apexmem-wal"}
        _assert_nothing_in_clear(tmp_path)  # the log beside it, too
    _assert_nothing_in_clear(tmp_path)


def test_the_same_words_in_a_memory_without_passphrase_are_found(tmp_path: Path) -> None:
    """Else the test above could not fail."""
    with Vault.open(tmp_path / "clear.apexmem") as vault, vault.write() as db:
        store_chat(db, [make_turn(WORDS)])
    with pytest.raises(AssertionError):
        _assert_nothing_in_clear(tmp_path)


def test_all_is_there_with_the_passphrase(path: Path) -> None:
    with _open(path) as vault:
        assert count(vault, "turns") == 601
        with vault.read() as db:
            assert len(find_turns_by_words(db, "mirrors", limit=9)) == 9
        assert run_select(vault, "SELECT value FROM v_facts").rows == ((PLACE,),)
        assert all(check.ok for check in integrity.check(vault))


@pytest.mark.parametrize(
    "passphrase",
    [
        "a",
        "it's",
        'say "x"',
        "x'00'",
        "; DROP TABLE turns",
        " two  spaces ",
        "密码 🔑",
        "\\",
        "p" * 999,
    ],
)
def test_any_passphrase_will_do(tmp_path: Path, passphrase: str) -> None:
    path = tmp_path / "v"
    with Vault.open(path, passphrase=passphrase) as vault, vault.write() as db:
        store_chat(db, [make_turn()])
    with _open(path, passphrase) as vault:
        assert count(vault, "turns") == 1
    with pytest.raises(WrongPassphraseError):
        _open(path, passphrase + " ")


def test_a_letter_typed_in_two_ways_is_one_letter(tmp_path: Path) -> None:
    """One keyboard gives é, another e and an accent."""
    Vault.open(tmp_path / "v", passphrase="caf\u00e9").close()
    _open(tmp_path / "v", unicodedata.normalize("NFD", "caf\u00e9")).close()


def test_sqlcipher_itself_opens_it(path: Path) -> None:
    """Who has the passphrase needs no program of ours."""
    with closing(dbapi2.connect(str(path))) as db:
        db.execute(f"PRAGMA key = '{PASSPHRASE}'")
        assert db.execute("SELECT count(*) FROM turns").fetchone() == (601,)


def test_two_memories_of_one_passphrase_have_two_keys() -> None:
    first, second = (driver.Key.for_new_file("x") for _ in range(2))
    assert first.raw != second.raw
    assert first.raw.hex() not in repr(first)
    assert first == driver.Key.derive("x", first.salt)


def test_without_a_passphrase_it_is_told(path: Path) -> None:
    with pytest.raises(PassphraseNeededError, match="is encrypted") as told:
        Vault.open(path)
    assert "--passphrase-file" in told.value.hint


def test_a_wrong_passphrase_is_told_in_plain_words(
    path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = path.read_bytes()
    with pytest.raises(WrongPassphraseError, match=r"does not open memory\.apexmem") as told:
        _open(path, PASSPHRASE.upper())
    assert "forgotten, nobody can open the file" in told.value.hint
    assert "import your exports" in told.value.hint
    assert PASSPHRASE.upper() not in str(told.value)
    assert path.read_bytes() == before
    assert capfd.readouterr().err == ""  # SQLCipher would tell it in words of its own


def test_a_memory_in_clear_takes_no_passphrase_and_needs_no_sqlcipher(tmp_path: Path) -> None:
    with Vault.open(tmp_path / "v") as vault, vault.write() as db:
        assert type(db.connection.driver_connection) is sqlite3.Connection
    with pytest.raises(VaultError, match="not encrypted"):
        Vault.open(tmp_path / "v", passphrase="x")


def test_where_sqlcipher_is_missing_it_is_told(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlcipher3", None)
    monkeypatch.delitem(sys.modules, "apexmem_desktop.storage.cipher")
    monkeypatch.delattr(apexmem_desktop.storage, "cipher")
    for tried in (path, tmp_path / "new"):
        with pytest.raises(VaultError, match="SQLCipher, which is not installed"):
            Vault.open(tried, passphrase=PASSPHRASE)
    assert not (tmp_path / "new").exists()


def test_every_connection_keeps_what_it_sorts_in_memory(path: Path) -> None:
    with _open(path) as vault:
        for lend in (vault.read, vault.write):
            with lend() as db:
                assert db.exec_driver_sql("PRAGMA temp_store").scalar() == 2
        with closing(connect(path, "ro", key=vault.key)) as own:
            assert own.execute("PRAGMA temp_store").fetchone() == (2,)


def test_vectors_have_no_file_beside_an_encrypted_memory(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apexmem_desktop.storage.vectors.BRUTE_FORCE_BELOW", 10)
    with _open(path) as vault:
        index = VectorIndex(vault, "made up")
        assert not index.refresh()
        number, likeness = index.search(_vector(7), 1)[0]
        assert (number, round(likeness, 2)) == (7, 1.0)
    left = [file.name for file in tmp_path.iterdir() if not file.name.endswith("-lock")]
    assert left == [path.name]


def test_a_copy_stays_encrypted_and_opens_by_the_same_passphrase(
    path: Path, tmp_path: Path
) -> None:
    """What a migration sets aside, and what a backup is made of."""
    with _open(path) as vault, closing(connect(path, "rw", key=vault.key)) as db:
        write_copy(db, tmp_path / "copy.apexmem")
    _assert_nothing_in_clear(tmp_path)
    with _open(tmp_path / "copy.apexmem") as copy:
        assert count(copy, "turns") == 601


def test_a_migration_sets_an_encrypted_copy_aside(tmp_path: Path) -> None:
    path = tmp_path / "old.apexmem"
    key = driver.Key.for_new_file(PASSPHRASE)
    with closing(connect(path, "rwc", key=key)) as db:
        migrate(db, path, load_steps()[:1])
    with _open(path) as vault:
        assert count(vault, "turns") == 0
    copies = [file for file in tmp_path.iterdir() if ".before-v" in file.name]
    assert len(copies) == 1
    assert driver.is_encrypted(copies[0])
    _assert_nothing_in_clear(tmp_path)
    assert migrations.APPLICATION_ID


def _flip(path: Path, page: int) -> None:
    data = bytearray(path.read_bytes())
    for at in range(page * 4096, page * 4096 + 64):
        data[at] ^= 0xFF
    path.write_bytes(bytes(data))


def test_damage_is_found_and_told(path: Path) -> None:
    _flip(path, 20)
    with _open(path) as vault:
        assert vault.read_only
        assert "damaged" in vault.damage
        with pytest.raises(VaultError, match="reading only"), vault.write():
            pytest.fail("a damaged vault must not be written")


def test_a_damaged_beginning_looks_like_a_wrong_passphrase_and_says_so(path: Path) -> None:
    _flip(path, 0)
    with pytest.raises(WrongPassphraseError) as told:
        _open(path)
    assert "damaged: restore a backup" in told.value.hint


def test_a_full_disk_is_told(path: Path) -> None:
    with _open(path) as vault:
        with vault.write() as db:
            pages = db.exec_driver_sql("PRAGMA page_count").scalar_one()
            db.exec_driver_sql(f"PRAGMA max_page_count = {pages + 9}")
        with pytest.raises(DiskFullError), vault.write() as db:
            store_chat(db, [make_turn(f"{i} " * 300, at_ms=i) for i in range(500)])
        assert count(vault, "turns") == 601


def test_a_lock_is_told(path: Path) -> None:
    with (
        Vault.open(path, passphrase=PASSPHRASE, busy_timeout_ms=1) as vault,
        closing(connect(path, "rw", key=vault.key)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(VaultError, match="in use by another program"), vault.write():
            pytest.fail("two writers at once")


def test_what_was_said_cannot_be_changed_there_either(path: Path) -> None:
    with (
        _open(path) as vault,
        pytest.raises(DBAPIError, match="append-only"),
        vault.write() as db,
    ):
        db.exec_driver_sql("DELETE FROM turns")


@pytest.mark.parametrize(
    ("content", "looks"),
    [
        (b"", False),
        (b"hello", False),
        (b"a" * 4096, False),
        (driver.MAGIC + bytes(4080), False),
        (bytes(range(256)) * 16, True),
        (bytes(range(256)) * 16 + b"x", False),
    ],
)
def test_what_looks_encrypted(tmp_path: Path, content: bytes, looks: bool) -> None:
    (tmp_path / "file").write_bytes(content)
    assert driver.is_encrypted(tmp_path / "file") is looks
    assert not driver.is_encrypted(tmp_path)
    assert not driver.is_encrypted(tmp_path / "none")
