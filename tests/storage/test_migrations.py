"""Migrations: all missing steps or none, the old file kept, and our tables equal the schema."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import inspect
from sqlalchemy.exc import IntegrityError

from apexmem_desktop.storage import canon, entities, integrity
from apexmem_desktop.storage.migrations import load_steps, migrate, split_statements
from apexmem_desktop.storage.tables import metadata
from apexmem_desktop.storage.vault import Vault


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(tmp_path / "v.sqlite", isolation_level=None)
    yield opened
    opened.close()


def tables(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_a_trigger_is_one_statement() -> None:
    sql = (
        "-- a note; with a semicolon\nCREATE TABLE a(x);\n"
        "CREATE TRIGGER t BEFORE DELETE ON a BEGIN\n SELECT 1; SELECT ';';\nEND;\n-- end\n"
    )
    assert len(list(split_statements(sql))) == 2


def test_half_a_statement_is_a_mistake_in_the_step() -> None:
    with pytest.raises(ValueError, match="middle"):
        list(split_statements("CREATE TABLE a(x)"))


def test_a_failing_step_leaves_nothing_of_any_step(db: sqlite3.Connection, tmp_path: Path) -> None:
    steps = ("CREATE TABLE a(x);", "CREATE TABLE b(x);\nINSERT INTO nowhere VALUES (1);")
    with pytest.raises(sqlite3.OperationalError):
        migrate(db, tmp_path / "v.sqlite", steps)
    assert tables(db) == set()
    assert db.execute("PRAGMA user_version").fetchone() == (0,)
    assert not db.in_transaction


def test_a_step_that_leaves_rows_pointing_nowhere_is_undone(
    db: sqlite3.Connection, tmp_path: Path
) -> None:
    steps = (
        "CREATE TABLE a(id INTEGER PRIMARY KEY);",
        "CREATE TABLE b(a_id REFERENCES a(id));\nINSERT INTO b VALUES (7);",
    )
    migrate(db, tmp_path / "v.sqlite", steps[:1])
    with pytest.raises(ValueError, match="point nowhere"):
        migrate(db, tmp_path / "v.sqlite", steps)
    assert tables(db) == {"a"}


def test_only_missing_steps_run_and_the_old_file_is_kept(
    db: sqlite3.Connection, tmp_path: Path
) -> None:
    steps = ("CREATE TABLE a(x);", "CREATE TABLE b(x);")
    assert migrate(db, tmp_path / "v.sqlite", steps[:1]) == 1
    db.execute("INSERT INTO a VALUES (5)")
    assert migrate(db, tmp_path / "v.sqlite", steps) == 1
    assert migrate(db, tmp_path / "v.sqlite", steps) == 0
    kept = sqlite3.connect(tmp_path / "v.sqlite.before-v2")
    assert tables(kept) == {"a"}
    assert kept.execute("SELECT x FROM a").fetchall() == [(5,)]
    kept.close()


def test_a_vault_of_step_one_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    old = sqlite3.connect(path, isolation_level=None)
    migrate(old, path, load_steps()[:1])
    old.execute("INSERT INTO conversations VALUES (1, 'test', '', 'chat', 0)")
    old.close()
    with Vault.open(path) as vault, vault.read() as db:
        assert db.exec_driver_sql("SELECT title FROM conversations").scalar() == "chat"
        assert db.exec_driver_sql("SELECT count(*) FROM v_facts").scalar() == 0


def test_names_and_values_of_an_older_vault_are_found_by_todays_rules(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    old = sqlite3.connect(path, isolation_level=None)
    migrate(old, path, load_steps()[:2])
    for statement in (
        "INSERT INTO entities VALUES (1, 'person', '+49 170 1234567', 1, 0, NULL)",
        "INSERT INTO entities VALUES (2, 'person', 'Ana', 0, 0, NULL)",
        "INSERT INTO entity_canon VALUES (1, 1), (2, 2)",
        "INSERT INTO entity_names VALUES (1, 1, '+49 170 1234567', '+49 170 1234567', NULL)",
        "INSERT INTO entity_names VALUES (2, 2, 'Ana', 'ana', NULL)",
        "INSERT INTO properties VALUES (1, 'age', 'integer', 1, 0)",
        "INSERT INTO facts (id, subject_id, property_id, value, value_type, value_normalised,"
        " polarity, modality, memory_type, from_precision, from_source, phrase, confidence,"
        " recorded_at_ms) VALUES (1, 2, 1, '3,000', 'integer', '3,000', 1, 'asserted', 'fact',"
        " 'unknown', 'message_time', '', 0.5, 0)",
    ):
        old.execute(statement)
    old.close()
    with Vault.open(path) as vault:
        with vault.read() as db:
            assert [e.id for e in entities.find_entities_named(db, "+491701234567")] == [1]
            found = {e.id: (e.role, e.is_speaker) for e in entities.find_entities(db)}
            assert found == {1: ("speaker", True), 2: ("mentioned", False)}
            assert db.exec_driver_sql("SELECT value_normalised FROM facts_told").scalar() == "3000"
        checks = {check.name: check.ok for check in integrity.check(vault)}
        assert (checks["names and values"], checks["append-only triggers"]) == (True, True)
    for table in ("entities", "entity_names", "facts"):
        with Vault.open(path) as vault, pytest.raises(IntegrityError), vault.write() as db:
            db.exec_driver_sql(f"UPDATE {table} SET id = id")


def test_step_four_works_out_who_stood_for_whom_as_the_program_does(tmp_path: Path) -> None:
    """Merges that a vault of before has, one taken back and one through a chain among them."""
    path = tmp_path / "old.sqlite"
    old = sqlite3.connect(path, isolation_level=None)
    migrate(old, path, load_steps()[:2])
    for number in range(1, 7):
        old.execute("INSERT INTO entities VALUES (?, 'person', 'A', 0, 0, NULL)", (number,))
        old.execute("INSERT INTO entity_canon VALUES (?, ?)", (number, min(number, 4)))
    links = [
        (1, 2, 3, "same_as", None, 10),
        (2, 1, 2, "same_as", None, 20),
        (3, 2, 3, "same_as", 1, 30),
        (4, 5, 4, "same_as", None, 40),
        (5, 4, 6, "not_same_as", None, 50),
        (6, 5, 2, "same_as", None, 20),
    ]
    for number, a, b, kind, undoes, at_ms in links:
        old.execute(
            "INSERT INTO entity_links VALUES (?, ?, ?, ?, 'user', '', ?, ?)",
            (number, a, b, kind, undoes, at_ms),
        )
    old.close()
    with Vault.open(path) as vault, vault.write() as db:
        found = db.exec_driver_sql("SELECT * FROM entity_stood").all()
        canon.rebuild(db)
        assert found == db.exec_driver_sql("SELECT * FROM entity_stood").all()
        known = {at: entities.same_ids(db, 2, known_at_ms=at) for at in (9, 10, 20, 30, 40)}
    assert known == {9: [2], 10: [2, 3], 20: [1, 2, 3, 5], 30: [1, 2, 5], 40: [1, 2, 4, 5]}


def test_tables_are_those_of_the_migrated_schema(vault: Vault) -> None:
    with vault.read() as db:
        found = inspect(db)
        names = {name for name in found.get_table_names() if "_words" not in name}
        assert names == set(metadata.tables)
        for name, table in metadata.tables.items():
            stored = [(c["name"], str(c["type"]), c["nullable"]) for c in found.get_columns(name)]
            wanted = []
            for column in table.columns:
                kind = {"FLOAT": "REAL"}.get(str(column.type), str(column.type))
                own_key = kind == "INTEGER" and len(table.primary_key) == 1 and column.primary_key
                wanted.append((column.name, kind, own_key or column.nullable))
            assert stored == wanted, name


def test_every_expected_trigger_is_there(vault: Vault) -> None:
    with vault.read() as db:
        names = db.exec_driver_sql("SELECT name FROM sqlite_master WHERE type='trigger'").scalars()
        assert set(names) == integrity.expected_triggers()
