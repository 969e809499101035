"""Nothing that was said or made of it is ever changed or removed, whatever SQL asks for it."""

import pytest
from sqlalchemy.exc import IntegrityError

from apexmem_desktop.storage import drops, entities, facts, properties, rulings, runs
from apexmem_desktop.storage.tables import metadata
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import START_MS, held_when_said, store_entity, store_event, store_fact

# What may change: the queue, what is derived, and what only arranges or logs.
CHANGING = {
    *("jobs", "conversations", "sessions", "drops", "traces"),
    *("entity_canon", "mentions", "turn_vectors", "fact_vectors", "entity_uses", "chat_speakers"),
}
FIXED = sorted(set(metadata.tables) - CHANGING)


@pytest.fixture
def filled(vault: Vault) -> Vault:
    with vault.write() as db:
        ana, ben = store_entity(db, "Ana"), store_entity(db, "Ben")
        first, second = store_fact(db, ana, "Rome"), store_fact(db, ana, "Oslo")
        facts.append_link(db, second, first, "contradicts", "rule", "", 0)
        store_event(db, 1, "Rome", held_when_said(START_MS), participants=((ben, "guest"),))
        entities.append_link(db, ana, ben, "not_same_as", "user", "", 0)
        rulings.append_ruling(db, kind="pin", fact_id=first, ruled_at_ms=0)
        properties.append_property_name(db, 1, "home")
        runs.append_run(
            db,
            purpose="extract",
            prompt_version=1,
            prompt_sha256="",
            model_sha256="",
            turn_ids=[1],
            output="",
            prompt_tokens=1,
            output_tokens=1,
            ms=1,
            started_at_ms=1,
        )
        drops.append_drop(db, turn_id=1, reason="no quote", candidate="", recorded_at_ms=1)
    return vault


@pytest.mark.parametrize("table", FIXED)
def test_no_row_can_be_changed_removed_or_replaced(filled: Vault, table: str) -> None:
    column = metadata.tables[table].columns.keys()[-1]
    attempts = (
        f"UPDATE {table} SET {column} = {column}",
        f"DELETE FROM {table}",
        f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
    )
    with filled.read() as db:
        before = db.exec_driver_sql(f"SELECT * FROM {table}").all()
    assert before
    for sql in attempts:
        with pytest.raises(IntegrityError, match="append-only"), filled.write() as db:
            db.exec_driver_sql(sql)
    with filled.read() as db:
        assert db.exec_driver_sql(f"SELECT * FROM {table}").all() == before


def test_drops_are_counted_by_reason(filled: Vault) -> None:
    with filled.read() as db:
        assert drops.count_drops(db) == {"no quote": 1}
