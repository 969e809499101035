"""Nothing that was said or made of it is ever changed or removed, whatever SQL asks for it."""

import pytest
from sqlalchemy.exc import IntegrityError

from apexmem_desktop.storage import drops, entities, facts, properties, rulings, runs, traces
from apexmem_desktop.storage.tables import metadata
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

# What may change: the queue, and what is derived.
CHANGING = {
    *("jobs", "erasures", "erased_turns"),  # what was erased may be brought back
    *("entity_canon", "entity_stood", "mentions", "turn_vectors", "fact_vectors"),
    *("importance", "summaries", "habits"),
    *("entity_uses", "chat_speakers", "stretches", "waiting", "job_counts"),
    *("facts_kept", "subjects_touched"),
}
FIXED = sorted(set(metadata.tables) - CHANGING)
REMOVABLE = {"traces"}  # the user takes a dialogue out of the list of what was asked
# The one column of a fixed table that may change: a session learns that it began earlier.
LEARNED_LATER = {("sessions", "started_at_ms")}
COLUMNS = [
    (table, column)
    for table in FIXED
    for column in metadata.tables[table].columns.keys()  # noqa: SIM118 - not a mapping
    if (table, column) not in LEARNED_LATER
]


@pytest.fixture
def filled(vault: Vault) -> Vault:
    with vault.write() as db:
        ana, ben = store_entity(db, "Ana"), store_entity(db, "Ben")
        first, second = store_fact(db, ana, "Rome"), store_fact(db, ana, "Oslo")
        facts.append_link(db, second, first, "contradicts", "rule", "", 0)
        store_event(db, 1, "Rome", held_when_said(START_MS), participants=((ben, "guest"),))
        db.exec_driver_sql(
            "INSERT INTO evidence (id, fact_id, turn_id, start_char, end_char)"
            " VALUES (1, 1, 2, 0, 4)"
        )
        entities.append_link(db, ana, ben, "not_same_as", "user", "", 0)
        rulings.append_ruling(db, kind="pin", fact_id=first, ruled_at_ms=0)
        properties.append_property_name(db, 1, "home")
        runs.append_run(
            db,
            purpose="extract",
            prompt_version=1,
            prompt_sha256="",
            schema_sha256="",
            model_sha256="",
            turn_ids=[1],
            output="",
            prompt_tokens=1,
            output_tokens=1,
            ms=1,
            started_at_ms=1,
        )
        drops.append_drop(db, turn_id=1, reason="no quote", candidate="", recorded_at_ms=1)
        said = [make_turn(f"so said {i}", at_ms=START_MS + i) for i in range(130)]
        store_chat(db, [*said, make_turn("oddly", key="no digest")])
        traces.append_trace(db, question="where?", answer_json="{}", asked_at_ms=1)
    return vault


@pytest.mark.parametrize("table", sorted(set(FIXED) - REMOVABLE))
def test_no_row_can_be_removed_or_replaced(filled: Vault, table: str) -> None:
    refuse(filled, table, f"DELETE FROM {table}")
    refuse(filled, table, f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")


@pytest.mark.parametrize("table", FIXED)
def test_no_column_can_be_changed(filled: Vault, table: str) -> None:
    for column in (column for name, column in COLUMNS if name == table):
        refuse(filled, table, f"UPDATE {table} SET {column} = {column}")


def refuse(filled: Vault, table: str, sql: str) -> None:
    """Hold that a statement fails as append-only, and that nothing of the table changed."""
    with filled.read() as db:
        before = db.exec_driver_sql(f"SELECT * FROM {table}").all()
    assert before
    with pytest.raises(IntegrityError, match="append-only"), filled.write() as db:
        db.exec_driver_sql(sql)
    with filled.read() as db:
        assert db.exec_driver_sql(f"SELECT * FROM {table}").all() == before


def test_drops_are_counted_by_reason(filled: Vault) -> None:
    with filled.read() as db:
        assert drops.count_drops(db) == {"no quote": 1}
