"""Many facts and events at once are stored as one after another would be, or none of them."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from apexmem_desktop.domain.graph import NewEvent, NewFact, Quote, ValueType
from apexmem_desktop.domain.interval import Validity
from apexmem_desktop.storage import events, facts, properties
from apexmem_desktop.storage.vault import Connection, Vault
from tests.storage.builders import count, held_when_said, make_turn, store_chat, store_entity

TOWNS = ("Rome", "Oslo", "Bonn")


def _prepare(db: Connection) -> list[NewFact]:
    """Store three turns and their speaker; give a fact and its proof from each."""
    ids = store_chat(db, [make_turn(f"{town} is nice") for town in TOWNS])
    ana = store_entity(db, "Ana")
    known = properties.ensure_property(
        db, name="likes", value_type=ValueType.STRING, single_valued=False, recorded_at_ms=0
    )
    return [
        NewFact(
            ana, known.id, town, ValueType.STRING, Validity(held_when_said(number)),
            (Quote(turn_id, 0, 4, town), Quote(turn_id, 5, 7, "is")), 0.5,
        )
        for number, (turn_id, town) in enumerate(zip(ids, TOWNS, strict=True))
    ]  # fmt: skip


def _happened(new: list[NewFact]) -> list[NewEvent]:
    return [
        NewEvent(
            "trip", one.value, one.validity, one.quotes, participants=((one.subject_id, "who"),)
        )
        for one in new
    ]


def _everything(vault: Vault) -> dict[str, list[Any]]:
    tables = ("facts_told", "events_told", "fact_quotes", "event_quotes", "event_participants")
    with vault.read() as db:
        found = {
            name: [tuple(row) for row in db.execute(text(f"SELECT * FROM {name}"))]
            for name in tables
        }
        found["words"] = facts.find_fact_words(db)
    return found


def test_many_at_once_are_stored_as_one_by_one(vault: Vault, tmp_path: Any) -> None:
    with vault.write() as db:
        new = _prepare(db)
        for event in _happened(new):
            events.append_event(db, event, recorded_at_ms=7)
        for fact in new:
            facts.append_fact(db, fact, recorded_at_ms=7)
    with Vault.open(tmp_path / "other.apexmem") as other:
        with other.write() as db:
            new = _prepare(db)
            assert events.append_events(db, _happened(new), recorded_at_ms=7) == [1, 2, 3]
            assert facts.append_facts(db, new[:2], recorded_at_ms=7) == [1, 2]
            assert facts.append_facts(db, new[2:], recorded_at_ms=7) == [3]
            assert facts.append_facts(db, [], recorded_at_ms=7) == []
            assert events.append_events(db, [], recorded_at_ms=7) == []
        assert _everything(other) == _everything(vault)


@pytest.mark.parametrize("quotes", [(), (Quote(2, 0, 4, "Rome"),)])
def test_one_without_its_proof_keeps_all_out(vault: Vault, quotes: tuple[Quote, ...]) -> None:
    with vault.write() as db:
        new = _prepare(db)
    new[1] = replace(new[1], quotes=quotes)
    with pytest.raises(ValueError, match=r"turn|words"), vault.write() as db:
        facts.append_facts(db, new, recorded_at_ms=0)
    with pytest.raises(ValueError, match=r"turn|words"), vault.write() as db:
        events.append_events(db, _happened(new), recorded_at_ms=0)
    for table in ("facts", "events", "evidence", "fact_quotes", "fact_words"):
        assert count(vault, table) == 0
