"""What an import promises holds for each format: once, again, longer, and in any overlap."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apexmem_desktop.domain.reports import FileReport, ImportChoices
from apexmem_desktop.services import importing
from apexmem_desktop.services.workspace import Workspace

SAMPLES = sorted((Path(__file__).parents[1] / "importers" / "samples").glob("*.in.*"))
BERLIN = ImportChoices(zone="Europe/Berlin")
# Each is some messages of one chat, written as its format writes them.
Message = tuple[int, str]


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "memory.apexmem", clock=lambda: 1_700_000_000_000) as workspace:
        yield workspace


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_sample_imported_again_adds_nothing(ws: Workspace, sample: Path) -> None:
    first = importing.import_file(ws, sample, BERLIN)
    again = importing.import_file(ws, sample, BERLIN)
    assert first.turns_new > 0
    assert (again.turns_new, again.turns_known) == (0, first.turns_new + first.turns_known)


def test_the_page_of_activities_adds_nothing_to_its_json(ws: Workspace) -> None:
    by_name = {path.name: path for path in SAMPLES}
    importing.import_file(ws, by_name["gemini_activity.in.json"], BERLIN)
    assert importing.import_file(ws, by_name["gemini_page.in.html"], BERLIN).turns_new == 0


def imessage(path: Path, messages: list[Message]) -> None:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE handle(ROWID INTEGER PRIMARY KEY, id TEXT)")
        db.execute("INSERT INTO handle VALUES(1, '+491')")
        db.execute("CREATE TABLE chat(ROWID INTEGER PRIMARY KEY, chat_identifier TEXT)")
        db.execute("INSERT INTO chat VALUES(1, '+491')")
        db.execute("CREATE TABLE chat_message_join(chat_id INTEGER, message_id INTEGER)")
        db.execute(
            "CREATE TABLE message(ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT,"
            " handle_id INTEGER, date INTEGER, is_from_me INTEGER)"
        )
        for number, (minute, text) in enumerate(messages):
            row = (number, f"g{number}", text, 1, 700_000_000 + minute * 60, number % 2)
            db.execute("INSERT INTO message VALUES(?,?,?,?,?,?)", row)
            db.execute("INSERT INTO chat_message_join VALUES(1, ?)", (number,))
        db.commit()


def sms(path: Path, messages: list[Message]) -> None:
    lines = "".join(
        f'<sms address="+49100000001" date="{1_700_000_000_000 + minute * 60_000}" type="1"'
        f' body="{text}"/>'
        for minute, text in messages
    )
    path.write_text(f"<smses>{lines}</smses>", encoding="utf-8")


def mail(path: Path, messages: list[Message]) -> None:
    mails = (
        f"From a@x Wed May 01 08:00:00 2024\nMessage-ID: <{number}@x>\nReferences: <0@x>\n"
        f"Date: Wed, 1 May 2024 08:{minute:02d}:00 +0200\nFrom: a@x\nTo: b@x\n\n{text}\n\n"
        for number, (minute, text) in enumerate(messages)
    )
    path.write_text("".join(mails), encoding="utf-8")


def wechat(path: Path, messages: list[Message]) -> None:
    heads = (f"2024-05-01 08:{minute:02d}:00 阿梅(wxid_a)\n{text}\n" for minute, text in messages)
    path.write_text("微信聊天记录\n" + "".join(heads), encoding="utf-8")


def diary(path: Path, messages: list[Message]) -> None:
    first = "# 2024-01-01\nthe first entry\n# 2024-01-02\nthe second entry\n"
    entries = (f"# 2024-05-01 08:{minute:02d}\n{text}\n" for minute, text in messages)
    path.write_text(first + "".join(entries), encoding="utf-8")


def read(ws: Workspace, path: Path) -> FileReport:
    return importing.import_file(ws, path, BERLIN)


@pytest.mark.parametrize("write", [imessage, sms, mail, wechat, diary])
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    steps=st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(["yes", "no", "ok"])), min_size=6, max_size=12
    ),
    # A text that names no chat is known by the messages it shares with one: some must be there.
    cut=st.integers(5, 11),
)
def test_any_longer_export_adds_only_what_is_new(
    tmp_path: Path, write: object, steps: list[Message], cut: int
) -> None:
    messages: list[Message] = []
    for step, text in steps:
        messages.append((messages[-1][0] + step if messages else 0, text))
    memory = tmp_path / "longer.apexmem"
    for left in tmp_path.glob("longer.apexmem*"):
        left.unlink()
    path = tmp_path / "export"
    assert callable(write)
    with Workspace(memory, clock=lambda: 1_700_000_000_000) as ws:
        write(path, messages[:cut])
        first = read(ws, path)
        write(path, messages)
        second = read(ws, path)
        assert second.turns_known == first.turns_new
        assert read(ws, path).turns_new == 0
