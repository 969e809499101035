"""Counts are kept as things come, vanish where things go, and readers never see the difference."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.storage import (
    conversations,
    entities,
    integrity,
    jobs,
    tallies,
    turns,
)
from apexmem_desktop.storage.graphsql import run_select
from apexmem_desktop.storage.vault import Connection, Vault
from tests.storage.builders import (
    DAY_MS,
    START_MS,
    count,
    make_turn,
    store_chat,
    store_entity,
    store_fact,
)

CHAT = [
    make_turn("one", speaker="Ana"),
    make_turn("two", speaker="Ben", at_ms=START_MS + DAY_MS),
    make_turn("three", speaker="Ana", at_ms=None),
]


@pytest.fixture
def filled(vault: Vault) -> Vault:
    with vault.write() as db:
        ana, ben, lumo = (store_entity(db, name) for name in ("Ana", "Ben", "Lumo"))
        ids = store_chat(db, CHAT)
        store_fact(db, ana, "Rome")
        store_fact(db, ana, "Lumo", property="works_at", value_entity_id=lumo)
        store_fact(db, ana, "Ana", property="called", value_entity_id=ana)
        for turn_id, who in zip(ids, (ana, ben, ana), strict=True):
            entities.append_mention(db, who, turn_id, "speaker")
        entities.append_mention(db, ana, ids[0], "mentioned")
        entities.append_mention(db, ben, ids[0], "mentioned")
    return vault


@contextmanager
def erasing(db: Connection, *tables: str) -> Iterator[None]:
    """Lift what refuses to remove rows, as an erase does."""
    lifted = [f"{table}_no_delete" for table in tables]
    kept = [
        db.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).scalar_one()
        for name in lifted
    ]
    for name in lifted:
        db.exec_driver_sql(f"DROP TRIGGER {name}")
    yield
    for sql in kept:
        db.exec_driver_sql(sql)


def seen(vault: Vault) -> tuple[list[Entity], object, object, dict[str, int], object]:
    """All that readers make of the counts."""
    by_sql = run_select(vault, "SELECT * FROM v_entities ORDER BY entity_id").rows
    with vault.read() as db:
        people = entities.find_entities(db)
        chats = conversations.find_conversations(db)
        return people, turns.find_speakers(db), chats, jobs.counts(db), by_sql


def test_counts_are_kept_as_things_come(filled: Vault) -> None:
    people, speakers, [_, chat], states, _ = seen(filled)  # type: ignore[misc]
    told = [(e.name, e.fact_count, e.mention_count, e.first_at_ms, e.last_at_ms) for e in people]
    assert told == [
        ("Ana", 3, 2, START_MS, START_MS),
        ("Ben", 0, 2, START_MS, START_MS + DAY_MS),
        ("Lumo", 1, 0, None, None),
    ]
    assert speakers == [("Ana", 5), ("Ben", 1)]
    assert (chat.title, chat.turns, chat.speakers) == ("proofs", 3, ("Ana",))
    assert states == {"pending": 6, "read": 0, "gated": 0, "failed": 0}
    with filled.read() as db:
        assert tallies.are_right(db)


def test_a_chat_that_goes_on_is_counted_on(filled: Vault) -> None:
    with filled.write() as db:
        store_chat(db, [*CHAT, make_turn("zero", speaker="Ben", at_ms=START_MS - DAY_MS)])
        store_chat(db, CHAT)
    with filled.read() as db:
        assert tallies.are_right(db)
        [chat] = [c for c in conversations.find_conversations(db) if c.title == "chat"]
    assert (chat.turns, chat.first_at_ms, chat.last_at_ms) == (
        4,
        START_MS - DAY_MS,
        START_MS + DAY_MS,
    )


def test_readers_count_anew_where_nothing_is_kept(filled: Vault) -> None:
    before = seen(filled)
    with filled.write() as db:
        db.exec_driver_sql("DELETE FROM entity_uses WHERE entity_id <> 2")
        db.exec_driver_sql("DELETE FROM chat_speakers WHERE conversation_id = 1")
    assert seen(filled) == before


def test_what_is_erased_leaves_no_count_behind(filled: Vault) -> None:
    with filled.write() as db, erasing(db, "turns", "turn_keys"):
        for table in ("mentions", "jobs", "turn_keys"):
            db.exec_driver_sql(f"DELETE FROM {table} WHERE turn_id = 2")
        db.exec_driver_sql("DELETE FROM turns WHERE id = 2")
    assert count(filled, "chat_speakers WHERE speaker = 'Ben'") == 0
    people, speakers, chats, states, _ = seen(filled)
    assert [(e.name, e.mention_count, e.last_at_ms) for e in people if e.name == "Ben"] == [
        ("Ben", 1, START_MS)
    ]
    assert speakers == [("Ana", 5)]
    assert states["pending"] == 5
    with filled.write() as db:
        store_chat(db, [CHAT[1]], external_id="another")
        tallies.rebuild(db)
    assert {c.title for c in chats} == {"chat", "proofs"}  # type: ignore[attr-defined]
    with filled.read() as db:
        assert tallies.are_right(db)


def test_a_chat_of_which_turns_were_erased_is_counted_whole_when_it_goes_on(filled: Vault) -> None:
    with filled.write() as db, erasing(db, "turns", "turn_keys"):
        for table in ("mentions", "jobs", "turn_keys"):
            db.exec_driver_sql(f"DELETE FROM {table} WHERE turn_id = 2")
        db.exec_driver_sql("DELETE FROM turns WHERE id = 2")
    with filled.write() as db:
        new = [make_turn("four", speaker="Cleo")]
        turns.append_turns(db, conversation_id=1, source_id=1, turns=new)
    with filled.read() as db:
        assert turns.find_speakers(db) == [("Ana", 5), ("Cleo", 1)]


def test_an_erased_entity_takes_its_counts_along(filled: Vault) -> None:
    with filled.write() as db, erasing(db, "entities", "entity_names"):
        for table in ("mentions", "entity_canon", "entity_stood", "entity_names"):
            db.exec_driver_sql(f"DELETE FROM {table} WHERE entity_id = 2")
        db.exec_driver_sql("DELETE FROM entities WHERE id = 2")
    assert count(filled, "entity_uses WHERE entity_id = 2") == 0
    with filled.read() as db:
        assert tallies.are_right(db)


def test_wrong_counts_are_mended(filled: Vault) -> None:
    with filled.write() as db:
        db.exec_driver_sql("UPDATE entity_uses SET mentions = 99")
        db.exec_driver_sql("DELETE FROM chat_speakers")
    [check] = [c for c in integrity.check(filled) if c.name == "kept counts"]
    assert check.ok
    assert "built anew" in check.detail
    with filled.read() as db:
        assert tallies.are_right(db)


def test_merged_entities_are_counted_together(filled: Vault) -> None:
    with filled.write() as db:
        entities.append_link(db, 1, 2, "same_as", "user", "", 0)
    with filled.read() as db:
        [both] = [e for e in entities.find_entities(db) if e.id == 1]
    assert (both.fact_count, both.mention_count) == (3, 3)
    [row] = run_select(filled, "SELECT facts, mentions FROM v_entities WHERE entity_id = 1").rows
    assert row == (3, 3)
