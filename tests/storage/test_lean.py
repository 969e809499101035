"""A vault stays small beside the words in it, however it was filled, and an old one becomes so."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path

from apexmem_desktop.bench.speed_chat import chat_text
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.services import importing
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import integrity, jobs, stretches, turns
from apexmem_desktop.storage.migrations import load_steps, migrate
from apexmem_desktop.storage.vault import Vault, connect
from tests.storage.builders import DAY_MS, HOUR_MS, START_MS, count, make_turn, store_chat

MESSAGES = 20_000
EMPTY_BYTES = 420_000  # a vault with nothing in it: a page for each table and index
LEAST_WORDS = 20


def size_and_text(path: Path) -> tuple[int, int]:
    with closing(connect(path, "ro")) as db:
        pages, free, page_bytes = (
            db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        text = db.execute("SELECT sum(length(CAST(text AS BLOB))) FROM turns_said").fetchone()[0]
    return (pages - free) * page_bytes, text


def test_a_chat_of_short_messages_takes_twice_its_text(tmp_path: Path) -> None:
    """Sizes are the same on every machine: the messages are, and SQLite's pages are."""
    export = tmp_path / "WhatsApp Chat with Size.txt"
    export.write_text(chat_text(MESSAGES), encoding="utf-8")
    path = tmp_path / "memory.apexmem"
    with Workspace(path, settings=Settings(zone="UTC"), models_dir=tmp_path / "none") as ws:
        importing.import_file(ws, export, ImportChoices(zone="UTC"))
    size, text = size_and_text(path)
    assert size - EMPTY_BYTES <= 2 * text


def test_longer_messages_take_less(vault: Vault) -> None:
    words = chat_text(2_000).split()
    said = [" ".join(words[i : i + LEAST_WORDS]) for i in range(0, len(words), LEAST_WORDS)]
    with vault.write() as db:
        store_chat(
            db, [make_turn(f"{i} {text}", at_ms=START_MS + i) for i, text in enumerate(said)]
        )
    vault.close()
    size, text = size_and_text(vault.path)
    assert text / len(said) > 100
    assert size - EMPTY_BYTES <= 2 * text


def test_no_index_is_covered_by_another(vault: Vault) -> None:
    with vault.read() as db:
        rows = db.exec_driver_sql(
            "SELECT t.name, l.name, group_concat(coalesce(i.name, i.cid), ',') AS columns "
            "FROM pragma_table_list t, pragma_index_list(t.name) l, pragma_index_info(l.name) i "
            "WHERE t.schema = 'main' AND NOT l.partial GROUP BY t.name, l.name"
        ).all()
    assert len(rows) > 10
    for (table, one, of_one), (other_table, other, of_other) in combinations(rows, 2):
        if table == other_table:
            a, b = f"{of_one},", f"{of_other},"
            covered = a.startswith(b) or b.startswith(a)
            assert not covered, f"{one} and {other} of {table}"


def _old_vault(path: Path, said: Sequence[ImportedTurn]) -> None:
    """Write a vault of version 6 with some turns, as that version did."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, path, load_steps()[:6])
        db.execute("BEGIN")
        db.execute(
            "INSERT INTO sources VALUES (1, 'test', 'c.txt', '', 'UTC', '', 1, 0, 9, 0, '[]')"
        )
        db.execute("INSERT INTO conversations VALUES (1, 'test', '', 'chat', 0)")
        for i, turn in enumerate(said):
            session = 1 + i // 300
            if i % 300 == 0:
                row = (session, 1, 1, turn.said_at_ms)
                db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", row)
            db.execute(
                f"INSERT INTO turns VALUES ({', '.join('?' * 16)})",
                (i + 1, session, 1, 1, i, turn.speaker, turn.role, turn.kind, turn.text,
                 turn.said_at_ms, turn.said_at_ms or 0, turn.offset_minutes, turn.external_id,
                 i if turn.reply_to else None, '["a.jpg"]' if turn.attachments else "[]",
                 turn.key),
            )  # fmt: skip
            state = "pending" if turn.role is Role.PERSON else "gated"
            reason = "" if state == "pending" else f"role {turn.role}"
            job = (i + 1, "read" if i == 5 else state, 1, int(i == 5), reason, 0)
            db.execute("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?)", job)
            db.execute("INSERT INTO turn_words (rowid, text) VALUES (?, ?)", (i + 1, turn.text))
        db.execute(
            "INSERT INTO chat_speakers SELECT conversation_id, speaker, count(*), "
            "min(said_at_ms), max(said_at_ms) FROM turns GROUP BY 1, 2"
        )
        db.execute("COMMIT")


def _said() -> list[ImportedTurn]:
    return [
        make_turn(
            f"message {i} about nothing much",
            at_ms=START_MS + i // 300 * DAY_MS + i % 300 * 1000,
            speaker="Ana" if i % 2 else "Ben",
            role=Role.ASSISTANT if i % 7 == 0 else Role.PERSON,
            kind=TurnKind.MEDIA if i % 5 == 0 else TurnKind.MESSAGE,
            offset_minutes=60 if i > 400 else 120,
            external_id=f"id{i}" if i % 3 == 0 else "",
            reply_to="x" if i % 11 == 1 else "",
            attachments=("a.jpg",) if i % 5 == 0 else (),
            **({"key": "no digest"} if i == 9 else {}),
        )
        for i in range(1_500)
    ]


def test_an_old_vault_shrinks_and_keeps_every_turn(tmp_path: Path) -> None:
    path, said = tmp_path / "memory.apexmem", _said()
    _old_vault(path, said)
    before = path.stat().st_size
    with Vault.open(path) as vault:
        with vault.read() as db:
            found = turns.find_conversation_turns(db, 1, limit=9_999)
            assert jobs.counts(db) == {"pending": 1284, "read": 1, "gated": 215, "failed": 0}
            assert turns.find_external_ids(db) == {
                i + 1: turn.external_id for i, turn in enumerate(said)
            }
        for i, (turn, new) in enumerate(zip(found, said, strict=True)):
            assert (turn.id, turn.position, turn.session_id) == (i + 1, i, 1 + i // 300)
            assert (turn.speaker, turn.role, turn.kind) == (new.speaker, new.role, new.kind)
            assert (turn.text, turn.said_at_ms) == (new.text, new.said_at_ms)
            assert turn.offset_minutes == new.offset_minutes
            assert turn.reply_to_id == (i if new.reply_to else None)
            assert turn.attachments == new.attachments
        with vault.write() as db:
            assert store_chat(db, said) == []
        assert count(vault, "jobs") == 1
        assert [check for check in integrity.check(vault) if not check.ok] == []
    assert path.stat().st_size - EMPTY_BYTES < 0.4 * (before - EMPTY_BYTES)


def test_turns_that_arrive_in_any_order_are_found_where_they_belong(vault: Vault) -> None:
    """What no export does: each turn is a stretch of its own, some at the same time."""
    at = [START_MS + (i * 37 % 101) // 2 * HOUR_MS for i in range(101)]
    new = [make_turn(f"{i}", at_ms=ms) for i, ms in enumerate(at)]
    with vault.write() as db:
        for some in (new[40:], new[:20], new[20:40]):
            store_chat(db, some, external_id="c")
    expected = [*range(40, 101), *range(20), *range(20, 40)]
    expected.sort(key=lambda i: at[i])
    with vault.read() as db:
        assert stretches.count_misplaced(db) == 0
        page, seen = turns.find_conversation_turns(db, 1, limit=7), []
        while page:
            seen += page
            after = page[-1].position
            page = turns.find_conversation_turns(db, 1, limit=7, after_position=after)
        assert [turn.text for turn in seen] == [str(i) for i in expected]
        around = turns.find_turns_around(db, seen[50].id, 3, 4)
        assert around == seen[47:55]
        between = turns.find_turns_between(db, at[50], at[50] + HOUR_MS, limit=99)
        assert between == [turn for turn in seen if turn.said_at_ms == at[50]]
    with vault.write() as db:
        db.exec_driver_sql("UPDATE stretches SET last_id = last_id + 1")
        assert stretches.count_misplaced(db) > 0
    assert all(check.ok for check in integrity.check(vault))
    with vault.read() as db:
        assert turns.find_conversation_turns(db, 1, limit=999) == seen


def test_a_job_comes_and_goes_with_what_happens_to_a_turn(vault: Vault) -> None:
    with vault.write() as db:
        store_chat(db, [make_turn(f"{i}", at_ms=START_MS + i) for i in range(4)])
        assert count_jobs(db) == 0
        jobs.raise_priority(db, [1], 2)
        jobs.set_state(db, [2], "gated", "nothing", now_ms=1)
        jobs.set_state(db, [3], "failed", "cut off", now_ms=1)
        assert jobs.counts(db) == {"pending": 2, "read": 0, "gated": 1, "failed": 1}
        jobs.set_state(db, [1, 3], "read", now_ms=2)
        jobs.set_state(db, [2], "pending", now_ms=2)
        assert jobs.counts(db) == {"pending": 2, "read": 2, "gated": 0, "failed": 0}
        assert jobs.find_jobs(db, limit=9) == [2, 4]
        assert count_jobs(db) == 3


def count_jobs(db: object) -> int:
    return int(db.exec_driver_sql("SELECT count(*) FROM jobs").scalar_one())  # type: ignore[attr-defined]
