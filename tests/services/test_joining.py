"""Exports of one chat become one chat, whichever phone, language and stretch they are of."""

import sqlite3
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.reports import FileReport, ImportChoices
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services import import_batches, importing
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import conversations, turns

CHOICES = ImportChoices(zone="UTC", date_order="dmy")
START = datetime(2024, 3, 14, 9, 0, tzinfo=UTC)
Message = tuple[int, int, str]  # minute, who (0 or 1), words
LENIENT = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
OURS, THEIRS = ("Ana Prado", "Ben"), ("Anita", "Benjamin Roth")


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "memory.apexmem", clock=lambda: 1_700_000_000_000) as workspace:
        yield workspace


def android(messages: Sequence[Message], names: tuple[str, str]) -> str:
    """As a German Android phone writes it."""
    lines = ["14.03.24, 08:59 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt."]
    for minute, who, text in messages:
        at = START + timedelta(minutes=minute)
        words = text or "<Medien ausgeschlossen>"
        lines.append(f"{at:%d.%m.%y, %H:%M} - {names[who]}: {words}")
    return "\n".join(lines) + "\n"


def iphone(messages: Sequence[Message], names: tuple[str, str]) -> str:
    """As an American iPhone writes it, with seconds."""
    lines = [
        "[14/03/2024, 8:59:01 AM] Ben: \u200eMessages and calls are end-to-end encrypted. No one "
        "outside of this chat, not even WhatsApp, can read or listen to them."
    ]
    for number, (minute, who, text) in enumerate(messages):
        at = START + timedelta(minutes=minute, seconds=number % 60)
        words = text or "\u200eimage omitted"
        lines.append(f"[{at:%d/%m/%Y}, {at:%I:%M:%S}\u202f{at:%p}] {names[who]}: {words}")
    return "\r\n".join(lines) + "\r\n"


def database(path: Path, messages: Sequence[Message]) -> Path:
    """As `msgstore.db` holds it."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "CREATE TABLE jid(_id INTEGER PRIMARY KEY, raw_string TEXT);"
            "CREATE TABLE chat(_id INTEGER PRIMARY KEY, jid_row_id INTEGER, subject TEXT);"
            "CREATE TABLE message(_id INTEGER PRIMARY KEY, chat_row_id, from_me, key_id, timestamp,"
            " message_type, text_data, sender_jid_row_id);"
            "INSERT INTO jid VALUES(1, '491710000001@s.whatsapp.net');"
            "INSERT INTO chat VALUES(1, 1, NULL);"
        )
        for number, (minute, who, text) in enumerate(messages):
            at_ms = int((START + timedelta(minutes=minute)).timestamp() * 1000) + number % 60 * 1000
            row = (number, 1, 1 - who, f"K{number}", at_ms, 0 if text else 1, text or None, 0)
            db.execute("INSERT INTO message VALUES(?,?,?,?,?,?,?,?)", row)
        db.commit()
    return path


def bring(ws: Workspace, folder: Path, text: str, name: str = "chat.txt") -> FileReport:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return importing.import_file(ws, path, CHOICES)


def stored(ws: Workspace) -> list[list[Turn]]:
    """Read the spoken turns of each chat."""
    with ws.vault.read() as db:
        return [
            [t for t in turns.find_conversation_turns(db, chat.id, limit=1000) if t.speaker]
            for chat in conversations.find_conversations(db)
        ]


def words_of(messages: Sequence[Message]) -> list[tuple[int, str]]:
    return sorted((minute, text) for minute, _, text in messages)


def stored_words(ws: Workspace) -> list[tuple[int, str]]:
    (chat,) = stored(ws)
    start_ms = int(START.timestamp() * 1000)
    return sorted((((turn.said_at_ms or 0) - start_ms) // 60_000, turn.text) for turn in chat)


@st.composite
def chats(draw: st.DrawFn) -> list[Message]:
    """Make a chat of two in which equal words come again, in the same minute too."""
    steps = draw(st.lists(st.integers(0, 3), min_size=6, max_size=18))
    minute, messages = 0, []
    for number, step in enumerate(steps):
        minute += step
        text = draw(st.sampled_from(["ok", "ok", "", f"words number {number}"]))
        messages.append((minute, draw(st.integers(0, 1)), text))
    # The first minutes hold enough that is unmistakable.
    said = [(n - 20, n % 2, f"something {n} that nobody says twice") for n in range(5)]
    return said + messages


@LENIENT
@given(messages=chats(), data=st.data())
def test_two_phones_two_languages_other_names(
    tmp_path: Path, messages: list[Message], data: st.DataObject
) -> None:
    end = data.draw(st.integers(5, len(messages)))
    # A phone does not stop in the middle of a minute of which the other has more of the same.
    mine = [m for m in messages if m[0] <= messages[end - 1][0]]
    writers = data.draw(st.permutations([android, iphone]))
    with Workspace(tmp_path / "m.apexmem", clock=lambda: 1) as ws:
        bring(ws, tmp_path, writers[0](mine, OURS))
        later = bring(ws, tmp_path, writers[1](messages, THEIRS), "other.txt")
        assert stored_words(ws) == words_of(messages)
        assert later.turns_read == later.turns_new + later.turns_known
        for writer, names in ((writers[0], OURS), (writers[1], THEIRS)):
            assert bring(ws, tmp_path, writer(messages, names), "again.txt").turns_new == 0
    (tmp_path / "m.apexmem").unlink()


@LENIENT
@given(messages=chats(), data=st.data())
def test_any_two_stretches_that_overlap(
    tmp_path: Path, messages: list[Message], data: st.DataObject
) -> None:
    minutes = sorted({minute for minute, _, _ in messages})
    start = data.draw(st.integers(0, min(3, len(minutes) - 1)))
    stop = data.draw(st.integers(min(start + 5, len(minutes)), len(minutes)))
    first = [m for m in messages if m[0] < minutes[stop - 1]]
    second = [m for m in messages if m[0] >= minutes[start]]
    for order in ((first, second), (second, first)):
        with Workspace(tmp_path / "m.apexmem", clock=lambda: 1) as ws:
            for number, part in enumerate(order):
                bring(ws, tmp_path, android(part, OURS), f"part {number}.txt")
            assert stored_words(ws) == words_of(messages)
        (tmp_path / "m.apexmem").unlink()


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("writers", [(android, android), (android, iphone), (iphone, android)])
def test_a_chat_that_was_short_when_it_came_first(
    ws: Workspace, tmp_path: Path, count: int, writers: tuple[object, object]
) -> None:
    chat = [(n, n % 2, f"words {n}") for n in range(6)]
    bring(ws, tmp_path, writers[0](chat[:count], OURS))  # type: ignore[operator]
    later = bring(ws, tmp_path, writers[1](chat, OURS), "later.txt")  # type: ignore[operator]
    assert stored_words(ws) == words_of(chat)
    assert later.turns_new == 6 - count


def test_one_greeting_to_two_friends_is_two_chats(ws: Workspace, tmp_path: Path) -> None:
    wish = (0, 0, "Happy new year to all of you!")
    bring(ws, tmp_path, android([wish], ("Me", "Ana")), "WhatsApp Chat mit Ana.txt")
    both = [wish, (1, 1, "You too!"), (2, 0, "How are you?")]
    bring(ws, tmp_path, android(both, ("Me", "Ben")), "WhatsApp Chat mit Ben.txt")
    assert sorted(len(chat) for chat in stored(ws)) == [1, 3]


@pytest.mark.parametrize("text_first", [True, False])
def test_the_text_and_the_phone_database_are_one_chat(
    ws: Workspace, tmp_path: Path, text_first: bool
) -> None:
    chat = [(n, n % 2, f"words {n}" if n % 4 else "") for n in range(10)]
    text = android(chat[:8], ("Me", "Ana"))
    if text_first:
        bring(ws, tmp_path, text)
    importing.import_file(ws, database(tmp_path / "msgstore.db", chat), CHOICES)
    bring(ws, tmp_path, text)
    again = importing.import_file(ws, database(tmp_path / "msgstore.db", chat), CHOICES)
    assert (again.turns_new, again.turns_known) == (0, 10)
    assert stored_words(ws) == words_of(chat)


def test_the_same_words_to_two_people_in_the_database_are_two_chats(
    ws: Workspace, tmp_path: Path
) -> None:
    chat = [(n, 0, f"sent to both {n}") for n in range(4)]
    path = database(tmp_path / "msgstore.db", chat)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "INSERT INTO jid VALUES(2, '491710000002@s.whatsapp.net');"
            "INSERT INTO chat VALUES(2, 2, NULL);"
            "INSERT INTO message SELECT _id + 100, 2, from_me, 'L' || key_id, timestamp,"
            " message_type, text_data, sender_jid_row_id FROM message;"
        )
        db.commit()
    importing.import_file(ws, path, CHOICES)
    assert [len(chat) for chat in stored(ws)] == [4, 4]
    assert importing.import_file(ws, path, CHOICES).turns_new == 0


def test_who_is_called_otherwise_is_told(ws: Workspace, tmp_path: Path) -> None:
    chat = [(n, n % 2, f"words {n}") for n in range(6)]
    bring(ws, tmp_path, android(chat, OURS))
    report = bring(ws, tmp_path, iphone([*chat, (9, 0, "more")], THEIRS), "other.txt")
    assert report.turns_new == 1
    assert any("Anita" in told and "Ana Prado" in told for told in report.people)


@LENIENT
@given(messages=chats(), data=st.data())
def test_removing_one_of_two_overlapping_imports_leaves_what_the_other_brought(
    tmp_path: Path, messages: list[Message], data: st.DataObject
) -> None:
    from apexmem_desktop.domain.reports import EraseScope
    from apexmem_desktop.services import maintenance

    cut = data.draw(st.integers(5, len(messages)))
    first = [m for m in messages if m[0] <= messages[cut - 1][0]]
    names = data.draw(st.sampled_from([OURS, THEIRS]))
    with Workspace(tmp_path / "m.apexmem", clock=lambda: 1) as ws:
        one = bring(ws, tmp_path, android(first, OURS), "one.txt")
        before = stored(ws)
        two = bring(ws, tmp_path, iphone(messages, names), "two.txt")
        if two.source_id is not None:
            maintenance.erase(ws, EraseScope("source", two.source_id))
        assert stored(ws) == before
        assert one.source_id is not None
        maintenance.erase(ws, EraseScope("source", one.source_id))
        assert stored(ws) == []
        with ws.vault.read() as db:
            assert db.exec_driver_sql("SELECT count(*) FROM entities").scalar() == 0
    (tmp_path / "m.apexmem").unlink()


@pytest.mark.parametrize("at_once", [1, 2, 3, 7])
def test_equal_words_are_told_apart_over_the_border_of_batches(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(import_batches, "TURNS_AT_ONCE", at_once)
    said = [(n - 9, n % 2, f"something {n} that nobody says twice") for n in range(6)]
    mine = [*said, *((5, 0, "ok") for _ in range(3)), (6, 1, "bye")]
    theirs = [*said, *((5, 0, "ok") for _ in range(5)), (6, 1, "bye")]
    bring(ws, tmp_path, android(mine, OURS))
    later = bring(ws, tmp_path, iphone(theirs, THEIRS), "other.txt")
    assert stored_words(ws) == words_of(theirs)
    notice = 1
    assert (later.turns_new, later.turns_known) == (2, 10 + notice)


@pytest.mark.parametrize("at_once", [2, 100])
def test_a_chat_twice_in_a_file_is_answered_for_once(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(import_batches, "TURNS_AT_ONCE", at_once)
    chat = [(n, n % 2, f"words {n}") for n in range(6)]
    bring(ws, tmp_path, android(chat, OURS))
    twice = tmp_path / "twice.zip"
    with zipfile.ZipFile(twice, "w") as packed:
        packed.writestr("one.txt", iphone([*chat, (8, 0, "more")], THEIRS))
        packed.writestr("two.txt", iphone([*chat, (8, 0, "more"), (9, 1, "still")], THEIRS))
    report = importing.import_file(ws, twice, CHOICES)
    assert stored_words(ws) == words_of([*chat, (8, 0, "more"), (9, 1, "still")])
    assert report.turns_new == 2
