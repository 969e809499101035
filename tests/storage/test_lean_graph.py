"""A graph stays small however it came to be, and an old one keeps every word and time of it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.bench.speed_graph import fill_graph
from apexmem_desktop.domain.graph import MemoryType, Modality, NewEvent, NewFact, Quote, ValueType
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.progress import CancelToken, ignore_progress
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import events, facts, integrity, properties
from apexmem_desktop.storage.functions import add_functions
from apexmem_desktop.storage.migrations import load_steps, migrate
from apexmem_desktop.storage.vault import Connection, Vault, connect
from tests.storage.builders import DAY_MS, HOUR_MS, START_MS, make_turn, store_chat, store_entity

FACTS = 3_000
MOST_BYTES_A_FACT = 215
TEXTS = ("I moved to Porto 👋", "we met in İzmir", "no time was told")
SAID = (START_MS, START_MS + DAY_MS, None)
# Each of the ways to tell a bound: not at all, open at one side, of usual and of any length.
BOUNDS = (
    Bound(None, None, Precision.UNKNOWN, TimeSource.MESSAGE_TIME),
    Bound(None, START_MS, Precision.UNKNOWN, TimeSource.MESSAGE_TIME),
    Bound(START_MS, START_MS, Precision.INSTANT, TimeSource.MESSAGE_TIME),
    Bound(START_MS, START_MS + DAY_MS, Precision.DAY, TimeSource.STATED),
    Bound(START_MS - 7, None, Precision.DAY, TimeSource.STATED),
    Bound(START_MS - 7, START_MS - 8 + 23 * HOUR_MS, Precision.DAY, TimeSource.WORKED_OUT),
    Bound(START_MS - 7, START_MS + 12_345, Precision.DAY, TimeSource.WORKED_OUT),
    Bound(START_MS, START_MS + 3_000 * DAY_MS, Precision.YEAR, TimeSource.STATED),
    Bound(START_MS, START_MS - 5, Precision.DAY, TimeSource.STATED),
)
READ = {
    "facts": "SELECT id, subject_id, property_id, value, value_type, value_number,"
    " value_normalised, value_entity_id, polarity, modality, memory_type, from_earliest_ms,"
    " from_latest_ms, from_precision, from_source, to_earliest_ms, to_latest_ms, to_precision,"
    " to_source, phrase, confidence, holder_id, event_id, recorded_at_ms, run_id FROM {facts}"
    " ORDER BY id",
    "events": "SELECT id, type, summary, modality, start_earliest_ms, start_latest_ms,"
    " start_precision, start_source, end_earliest_ms, end_latest_ms, end_precision, end_source,"
    " phrase, place_id, recorded_at_ms, run_id FROM {events} ORDER BY id",
    "proof": "SELECT fact_id, turn_id, start_char, end_char, quote FROM {fact_quotes}"
    " ORDER BY fact_id, {place}",
    "event proof": "SELECT event_id, turn_id, start_char, end_char, quote FROM {event_quotes}"
    " ORDER BY event_id, {place}",
}
NEW = {
    "facts": "facts_told", "events": "events_told", "fact_quotes": "fact_quotes",
    "event_quotes": "event_quotes", "place": "place",
}  # fmt: skip
OLD = {
    "facts": "facts", "events": "events", "place": "id",
    "fact_quotes": "evidence WHERE fact_id NOT NULL",
    "event_quotes": "evidence WHERE event_id NOT NULL",
}  # fmt: skip


def everything(path: Path, names: dict[str, str]) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as db:
        add_functions(db)
        return {what: db.execute(sql.format(**names)).fetchall() for what, sql in READ.items()}


def _told(db: Connection) -> tuple[list[NewEvent], list[NewFact]]:
    """Store turns and people; give an event and a fact for each pair of bounds."""
    turn_ids = store_chat(
        db, [make_turn(text, at_ms=at) for text, at in zip(TEXTS, SAID, strict=True)]
    )
    ana, porto = store_entity(db, "Ana"), store_entity(db, "Porto", kind="place")
    known = properties.ensure_property(
        db, name="lives_in", value_type=ValueType.ENTITY, single_valued=True, recorded_at_ms=0
    )
    happened, told = [], []
    pairs = [(start, end) for start in BOUNDS for end in (None, *BOUNDS)]
    for number, (start, end) in enumerate(pairs):
        turn = number % len(TEXTS)
        words = TEXTS[turn][2 : 2 + number % 9 + 1]
        first = Quote(turn_ids[turn], 2, 2 + len(words), words)
        further = Quote(turn_ids[0], 11, 16, "Porto")
        validity = Validity(start, end, "then" if number % 4 == 0 else "")
        value, entity_id = (
            ("Porto", porto), ("porto", porto), ("Straße", None), ("3,000", None),
        )[number % 4]  # fmt: skip
        kind = (ValueType.ENTITY, ValueType.ENTITY, ValueType.STRING, ValueType.INTEGER)[number % 4]
        happened.append(
            NewEvent(
                ("statement", "trip")[number % 2], words if number % 3 else "something else",
                validity, (first, further) if number % 5 == 0 else (first,),
                place_id=porto if number % 7 == 0 else None,
            )
        )  # fmt: skip
        told.append(
            NewFact(
                ana, known.id, value, kind, validity,
                (first, further, first) if number % 6 == 0 else (first,),
                (0.9, 0.123456, 1.0)[number % 3],
                modality=(Modality.ASSERTED, Modality.PLANNED)[number % 2],
                memory_type=(MemoryType.FACT, MemoryType.GOAL)[number // 2 % 2],
                polarity=number % 5 != 0, holder_id=ana if number % 2 else None,
                event_id=number + 1 if number % 8 else None, value_entity_id=entity_id,
            )
        )  # fmt: skip
    return happened, told


@pytest.fixture
def filled(vault: Vault) -> Vault:
    with vault.write() as db:
        happened, told = _told(db)
        events.append_events(db, happened, recorded_at_ms=5)
        facts.append_facts(db, told, recorded_at_ms=6)
    return vault


def test_each_way_to_tell_a_time_comes_back_as_it_was(filled: Vault) -> None:
    pairs = [(start, end) for start in BOUNDS for end in (None, *BOUNDS)]
    with filled.read() as db:
        found = {one.id: one for one in facts.find_facts(db)}
        happened = {one.id: one for one in events.find_events(db)}
        conf = [found[number + 1].confidence for number in range(3)]
    assert [(found[n + 1].valid_from, found[n + 1].valid_to) for n in range(len(pairs))] == pairs
    assert [(happened[n + 1].start, happened[n + 1].end) for n in range(len(pairs))] == pairs
    assert conf == [0.9, 0.123456, 1.0]
    assert [found[n].value for n in (1, 2, 3, 4)] == ["Porto", "porto", "Straße", "3,000"]
    assert [one.quote for one in found[1].evidence] == ["m", "Porto", "m"]
    assert [check for check in integrity.check(filled) if not check.ok] == []


def _write_old(path: Path, new: dict[str, list[Any]], source: Path) -> None:
    """Write the same memory as version 7 did."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, path, load_steps()[:7])
        add_functions(db)
        db.execute("ATTACH ? AS other", (str(source),))
        for table in (
            "sources", "conversations", "sessions", "voices", "turns", "turn_keys", "stretches",
            "waiting", "chat_speakers", "entities", "entity_names", "entity_canon", "entity_stood",
            "properties", "property_names",
        ):  # fmt: skip
            db.execute(f"INSERT INTO {table} SELECT * FROM other.{table}")
        for table in ("events", "facts"):
            marks = ", ".join("?" * len(new[table][0]))
            db.executemany(f"INSERT INTO {table} VALUES ({marks})", new[table])
        proofs = [(f, None, *rest) for f, *rest in new["proof"]]
        proofs += [(None, e, *rest) for e, *rest in new["event proof"]]
        db.executemany(
            "INSERT INTO evidence (fact_id, event_id, turn_id, start_char, end_char, quote)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            proofs,
        )
        db.execute("INSERT INTO mentions VALUES (1, 1, 'speaker'), (1, 1, 'mentioned')")
        db.executemany(
            "INSERT INTO event_participants VALUES (?, ?, ?)",
            [(2, 1, "subject"), (3, 1, "subject"), (3, 2, "subject"), (4, 1, "guest")],
        )
        db.execute("INSERT INTO rulings VALUES (1, 'confirm', 3, NULL, '{}', '', NULL, 0)")
        db.execute("INSERT INTO fact_links VALUES (1, 2, 1, 'corroborates', 'rule', '', 0)")


def test_an_old_graph_is_brought_over_whole(filled: Vault, tmp_path: Path) -> None:
    """Step 8 makes of a vault of version 7 the very rows that the program itself writes."""
    filled.close()
    told = everything(filled.path, NEW)
    path = tmp_path / "old.sqlite"
    _write_old(path, told, filled.path)
    assert everything(path, OLD) == told
    with Vault.open(path) as opened:
        assert [
            check for check in integrity.check(opened) if not check.ok and "index" not in check.name
        ] == []
        with opened.read() as db:
            kept = db.exec_driver_sql("SELECT * FROM event_participants ORDER BY 1, 2").all()
            seen = db.exec_driver_sql("SELECT * FROM mentions ORDER BY role").all()
    assert everything(path, NEW) == told
    # The second event is no statement; of the third, the facts tell the first one.
    assert [tuple(row) for row in kept] == [(2, 1, "subject"), (3, 2, "subject"), (4, 1, "guest")]
    assert [tuple(row) for row in seen] == [(1, 1, 0), (1, 1, 1)]
    assert _rows(path) == _rows(filled.path)


def _rows(path: Path) -> list[Any]:
    """Read the bare rows, each with its kind in words: kinds may have other numbers."""
    found = []
    with closing(sqlite3.connect(path)) as db:
        for table, kinds in (("facts", "fact_kinds"), ("events", "event_kinds")):
            rows = db.execute(f"SELECT * FROM {table} ORDER BY id")
            place = [column[0] for column in rows.description].index("kind_id")
            shared = {number: rest for number, *rest in db.execute(f"SELECT * FROM {kinds}")}
            found.append([(row[:place], shared[row[place]], row[place + 1 :]) for row in rows])
        found.append(db.execute("SELECT * FROM evidence ORDER BY fact_id, event_id, id").fetchall())
    return [*found[:2], [row[1:] for row in found[2]]]


def test_a_fact_takes_little_beside_its_words(tmp_path: Path) -> None:
    """Each with its event, proof, mention and index entries; the people and pages apart."""
    sizes = []
    with Workspace(tmp_path / "memory.apexmem", settings=Settings(zone="UTC")) as ws:
        with ws.vault.write() as db:
            store_chat(
                db,
                [make_turn(f"words {i} about nothing much at all, as ever", at_ms=START_MS + i)
                 for i in range(2 * FACTS)],
            )  # fmt: skip
        sizes.append(_size(ws.vault.path))
        fill_graph(ws, round(FACTS / 0.3), ignore_progress, CancelToken())
        sizes.append(_size(ws.vault.path))
    assert (sizes[1] - sizes[0]) / FACTS <= MOST_BYTES_A_FACT


def _size(path: Path) -> int:
    with closing(connect(path, "ro")) as db:
        found = db.execute("SELECT sum(pgsize) FROM dbstat").fetchone()[0]
    return int(found)
