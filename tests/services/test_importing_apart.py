"""A large file is read by a child process, and stored while it is read: the same comes out."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import CancelledError, ExportUnreadableError, UserError
from apexmem_desktop.domain.progress import CancelToken, Progress, ignore_progress
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services import (
    import_batches,
    import_process,
    import_reading,
    importing,
)
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import conversations, integrity, sources, tallies, turns

UTC = ImportChoices(zone="UTC", date_order="dmy")


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "memory.apexmem", clock=lambda: 1_700_000_000_000) as workspace:
        yield workspace


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every file in a child, on a machine with two cores."""
    monkeypatch.setattr(import_reading, "WORTH_A_PROCESS_BYTES", 0)
    monkeypatch.setattr(import_reading.os, "cpu_count", lambda: 2)


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every file here, two turns at once, and store it meanwhile as if a child read it."""
    monkeypatch.setattr(importing, "is_read_apart", lambda _: True)
    monkeypatch.setattr(import_batches, "TURNS_AT_ONCE", 2)


def lines(first: int, last: int) -> str:
    return "".join(
        f"{1 + at // 1440:02}/03/2024, {at // 60 % 24:02}:{at % 60:02} - "
        f"{'Ana' if at % 3 else 'Ben'}: message {at}\n"
        for at in range(first, last)
    )


def write_chat(folder: Path, text: str, name: str = "WhatsApp Chat with Ben.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def write_zip(folder: Path) -> Path:
    """Write two chats of several batches and a ChatGPT file's worth of small ones, each a file."""
    path = folder / "chats.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("WhatsApp Chat with Ben.txt", lines(0, 7))
        archive.writestr("WhatsApp Chat with Cem.txt", lines(3000, 3001).replace("Ben", "Cem"))
        archive.writestr("WhatsApp Chat with Dora.txt", lines(5000, 5005))
    return path


def write_chatgpt(folder: Path, count: int, ids: tuple[int, ...] = ()) -> Path:
    def conversation(number: int) -> dict[str, object]:
        mapping = {
            f"m{at}": {
                "parent": f"m{at - 1}" if at else None,
                "message": {
                    "id": f"{number}-{at}", "author": {"role": "user"}, "create_time": 1.7e9 + at,
                    "content": {"parts": [f"words {number} {at}"]},
                },
            }
            for at in range(3)
        }  # fmt: skip
        name = f"c{number}"
        return {"id": name, "title": name, "current_node": "m2", "mapping": mapping}

    path = folder / "conversations.json"
    path.write_text(json.dumps([conversation(one) for one in ids or range(count)]))
    return path


def stored(ws: Workspace) -> list[tuple[str, list[Turn]]]:
    with ws.vault.read() as db:
        assert tallies.are_right(db)
        return [
            (one.title, turns.find_conversation_turns(db, one.id, limit=1000))
            for one in conversations.find_conversations(db)
        ]


@pytest.mark.parametrize("write", [write_zip, lambda folder: write_chatgpt(folder, 5)])
@pytest.mark.parametrize("how", ["apart", "ahead"])
def test_the_same_is_stored(
    tmp_path: Path, request: pytest.FixtureRequest, how: str, write: object
) -> None:
    path = write(tmp_path)  # type: ignore[operator]
    with Workspace(tmp_path / "here.apexmem", clock=lambda: 1_700_000_000_000) as ws:
        report, expected = importing.import_file(ws, path, UTC), stored(ws)
        with ws.vault.read() as db:
            rows = sources.find_sources(db)
    request.getfixturevalue(how)
    with Workspace(tmp_path / "apart.apexmem", clock=lambda: 1_700_000_000_000) as ws:
        assert importing.import_file(ws, path, UTC) == report
        assert stored(ws) == expected
        assert [one for one in integrity.check(ws.vault) if not one.ok] == []
        with ws.vault.read() as db:
            assert sources.find_sources(db) == rows
        assert importing.import_file(ws, path, UTC).turns_new == 0


@pytest.mark.usefixtures("ahead")
def test_a_wrong_guess_is_taken_back(ws: Workspace, tmp_path: Path) -> None:
    """The first turns are new, so all seem so; but the last are known."""
    importing.import_file(ws, write_chat(tmp_path, lines(20, 30), "late.txt"), UTC)
    report = importing.import_file(ws, write_chat(tmp_path, lines(0, 30)), UTC)
    assert (report.turns_new, report.turns_known) == (20, 10)
    ((_, found),) = stored(ws)
    assert [turn.text for turn in found] == [f"message {at}" for at in range(30)]


@pytest.mark.usefixtures("ahead")
def test_a_chat_that_is_twice_in_a_file_is_one(ws: Workspace, tmp_path: Path) -> None:
    report = importing.import_file(ws, write_chatgpt(tmp_path, 0, (1, 2, 1)), UTC)
    assert report.turns_new == 6
    assert sorted(title for title, _ in stored(ws)) == ["c1", "c2"]


@pytest.mark.usefixtures("ahead")
def test_a_later_export_of_many_chats_adds_what_is_new(ws: Workspace, tmp_path: Path) -> None:
    importing.import_file(ws, write_chatgpt(tmp_path, 3), UTC)
    report = importing.import_file(ws, write_chatgpt(tmp_path, 5), UTC)
    assert (report.turns_new, report.turns_known) == (6, 9)


@pytest.mark.parametrize("how", ["apart", "ahead"])
def test_a_longer_export_of_a_chat_adds_what_is_new(
    ws: Workspace, tmp_path: Path, request: pytest.FixtureRequest, how: str
) -> None:
    """What a child read is known again, with and without one."""
    request.getfixturevalue(how)
    importing.import_file(ws, write_chat(tmp_path, lines(0, 700)), UTC)
    longer = importing.import_file(ws, write_chat(tmp_path, lines(0, 900)), UTC)
    assert (longer.turns_new, longer.turns_known) == (200, 700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_reading, "WORTH_A_PROCESS_BYTES", 2**40)
        patch.setattr(importing, "is_read_apart", lambda _: False)
        last = importing.import_file(ws, write_chat(tmp_path, lines(100, 950)), UTC)
    assert (last.turns_new, last.turns_known) == (50, 800)


@pytest.mark.usefixtures("ahead")
def test_an_import_that_is_finished_last_still_refuses_changes(
    ws: Workspace, tmp_path: Path
) -> None:
    importing.import_file(ws, write_chat(tmp_path, lines(0, 5)), UTC)
    with pytest.raises(Exception, match="append-only"), ws.vault.write() as db:
        db.exec_driver_sql("UPDATE sources SET turns_new = 1")


@pytest.mark.usefixtures("ahead")
def test_cancelled_while_it_is_stored_nothing_is_left(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancel = CancelToken()
    append, seen = turns.append_turns, []

    def cancel_after_two(*given: object, **named: object) -> list[int]:
        seen.append(1)
        if len(seen) == 2:
            cancel.cancel()
        return append(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(turns, "append_turns", cancel_after_two)
    with pytest.raises(CancelledError):
        importing.import_file(ws, write_chat(tmp_path, lines(0, 30)), UTC, ignore_progress, cancel)
    assert len(seen) == 2
    assert stored(ws) == []
    with ws.vault.read() as db:
        assert sources.find_sources(db) == []


@pytest.mark.usefixtures("apart")
def test_what_the_child_cannot_read_is_told_as_here(ws: Workspace, tmp_path: Path) -> None:
    path = write_chat(tmp_path, "just some words\n")
    with pytest.raises(ExportUnreadableError) as caught:
        importing.import_file(ws, path, UTC)
    assert "not of a chat export that this program knows" in caught.value.message
    assert caught.value.hint


@pytest.mark.usefixtures("apart")
def test_a_child_that_dies_is_told_and_leaves_nothing(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_process, "_MODULE", "apexmem_desktop.no_such_module")
    with pytest.raises(UserError, match="stopped unexpectedly"):
        importing.import_file(ws, write_chat(tmp_path, lines(0, 5)), UTC)
    assert stored(ws) == []


@pytest.mark.usefixtures("apart")
def test_a_cancel_ends_the_child(ws: Workspace, tmp_path: Path) -> None:
    cancel = CancelToken()
    heard: list[Progress] = []

    def progress(report: Progress) -> None:
        heard.append(report)
        cancel.cancel()

    path = write_chat(tmp_path, lines(0, 20_000))
    with pytest.raises(CancelledError):
        importing.import_file(ws, path, UTC, progress, cancel)
    assert heard
    assert stored(ws) == []


@pytest.mark.usefixtures("apart")
def test_a_preview_reads_apart_too(ws: Workspace, tmp_path: Path) -> None:
    path = write_chat(tmp_path, lines(0, 9))
    assert importing.preview_file(path, UTC, ws=ws).turns_new == 9
    assert stored(ws) == []
