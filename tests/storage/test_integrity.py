"""The integrity check finds what is wrong, mends what is derived, and leaves the rest alone."""

from pathlib import Path

import pytest

from apexmem_desktop.services.maintenance import verify
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, integrity, traces, words
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import (
    START_MS,
    held_when_said,
    make_turn,
    store_chat,
    store_entity,
    store_event,
    store_fact,
)


@pytest.fixture
def filled(vault: Vault) -> Vault:
    with vault.write() as db:
        ana, anna = store_entity(db, "Ana"), store_entity(db, "Anna")
        entities.append_link(db, ana, anna, "same_as", "user", "", 0)
        store_fact(db, ana, "Rome")
        store_fact(db, anna, "Wrocław 👋")
        store_event(db, 1, "Rome", held_when_said(START_MS))
        store_chat(db, [make_turn("a long message 👋 about trains")])
    return vault


def failed(vault: Vault) -> list[str]:
    return [check.name for check in integrity.check(vault) if not check.ok]


def spoil(vault: Vault, *statements: str) -> None:
    with vault.write() as db:
        for statement in statements:
            db.exec_driver_sql(statement)


def test_a_sound_vault_passes_every_check(filled: Vault) -> None:
    checks = integrity.check(filled)
    assert len(checks) == 12
    assert all(check.ok for check in checks)
    assert not any("anew" in check.detail for check in checks)


def test_lost_triggers_are_named(filled: Vault) -> None:
    spoil(filled, "DROP TRIGGER facts_no_update")
    checks = {check.name: check for check in integrity.check(filled)}
    assert "facts_no_update" in checks["append-only triggers"].detail
    assert failed(filled) == ["append-only triggers"]


@pytest.mark.parametrize(
    ("table", "change"),
    [
        *(("facts", one) for one in ("start_char = -1", "end_char = 99", "turn_id = NULL")),
        ("facts", "start_char = 90, end_char = 95"),
        *(("events", one) for one in ("start_char = -1", "end_char = 99")),
        *(("evidence", one) for one in ("quote = 'Oslo'", "start_char = -1", "end_char = 99")),
    ],
)
def test_a_quote_that_differs_from_the_turn_is_found(
    filled: Vault, table: str, change: str
) -> None:
    with filled.write() as db:
        db.exec_driver_sql(
            "INSERT INTO evidence (fact_id, turn_id, start_char, end_char) VALUES (2, 1, 0, 2)"
        )
    assert failed(filled) == []
    with filled.read() as db:
        guard = db.exec_driver_sql(
            f"SELECT sql FROM sqlite_master WHERE name = '{table}_no_update'"
        ).scalar_one()
    spoil(
        filled,
        f"DROP TRIGGER {table}_no_update",
        f"UPDATE {table} SET {change} WHERE id = 1",
        guard,
    )
    assert failed(filled) == ["evidence quotes"]


def test_a_name_that_would_not_be_found_is_told(filled: Vault) -> None:
    spoil(
        filled,
        "INSERT INTO entity_names (entity_id, name, normalised) VALUES (1, 'ÄNN', 'Änn')",
    )
    assert failed(filled) == ["names and values"]


def test_lost_indexes_are_built_anew(filled: Vault) -> None:
    spoil(
        filled,
        "INSERT INTO turn_words (turn_words) VALUES ('delete-all')",
        "INSERT INTO fact_words (rowid, text) VALUES (77, 'of no fact')",
        "DELETE FROM entity_canon",
    )
    with filled.read() as db:
        assert words.find_turns_by_words(db, "trains", 5) == []
    mended = [check.name for check in integrity.check(filled) if "anew" in check.detail]
    assert mended == ["same-as table", "message words index", "fact words index"]
    with filled.read() as db:
        assert [number for number, _ in words.find_turns_by_words(db, "trains", 5)] == [3]
        assert words.find_facts_by_words(db, "Wrocław", 5)[0][0] == 2
        assert entities.canonical_ids(db) == {1: 1, 2: 1}
    assert all("anew" not in check.detail for check in integrity.check(filled))


def test_the_service_checks_the_vault_of_its_workspace(tmp_path: Path) -> None:
    with Workspace(tmp_path / "memory.sqlite") as ws:
        assert all(check.ok for check in verify(ws))


def test_traces_are_kept_and_found(vault: Vault) -> None:
    with vault.write() as db:
        first = traces.append_trace(db, question="who?", answer_json="{}", asked_at_ms=1)
        traces.append_trace(db, question="when?", answer_json="{}", asked_at_ms=2)
        assert traces.get_trace(db).question == "when?"
        assert traces.get_trace(db, first).question == "who?"
