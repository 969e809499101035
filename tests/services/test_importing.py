"""What an import promises: everything new and nothing twice, all of a file or none of it."""

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import CancelledError, DiskFullError, ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken, Progress, ignore_progress
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.importers import aside
from apexmem_desktop.services import importing
from apexmem_desktop.services.import_batches import Chat
from apexmem_desktop.services.import_spool import Spool
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import conversations, sources, turns

BERLIN = ImportChoices(zone="Europe/Berlin")
LINES = [
    "03/04/2024, 10:00 - Ana: good morning",
    "03/04/2024, 10:01 - Ben: morning! did you sleep",
    "03/04/2024, 10:02 - Ana: like a stone",
    "04/04/2024, 21:00 - Ben: I moved to Porto",
    "05/04/2024, 08:30 - Ana: ok",
    "05/04/2024, 08:30 - Ana: ok",
]


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "memory.apexmem", clock=lambda: 1_700_000_000_000) as workspace:
        yield workspace


def write_chat(folder: Path, lines: list[str], name: str = "WhatsApp Chat with Ben.txt") -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def stored(ws: Workspace) -> list[Turn]:
    with ws.vault.read() as db:
        return [
            turn
            for chat in conversations.find_conversations(db)
            for turn in turns.find_conversation_turns(db, chat.id, limit=1000)
        ]


def test_an_import_stores_every_turn(ws: Workspace, tmp_path: Path) -> None:
    report = importing.import_file(ws, write_chat(tmp_path, LINES), BERLIN)

    assert (report.turns_new, report.turns_known) == (6, 0)
    assert report.sessions == 3
    assert report.speakers == ("Ana", "Ben")
    assert report.zone == "Europe/Berlin"
    assert [turn.text for turn in stored(ws)][3:] == ["I moved to Porto", "ok", "ok"]
    with ws.vault.read() as db:
        (source,) = sources.find_sources(db)
    assert (source.id, source.turns_new, source.turns_known) == (report.source_id, 6, 0)


def test_the_report_counts_sessions_as_the_vault_cuts_them(ws: Workspace, tmp_path: Path) -> None:
    report = importing.import_file(ws, write_chat(tmp_path, LINES), BERLIN)
    assert report.sessions == len({turn.session_id for turn in stored(ws)})


def test_the_same_file_again_adds_nothing_at_all(ws: Workspace, tmp_path: Path) -> None:
    path = write_chat(tmp_path, LINES)
    importing.import_file(ws, path, BERLIN)
    report = importing.import_file(ws, path, BERLIN)

    assert (report.turns_new, report.turns_known, report.source_id) == (0, 6, None)
    assert len(stored(ws)) == 6
    with ws.vault.read() as db:
        assert len(sources.find_sources(db)) == 1


def test_a_longer_export_adds_only_what_is_new(ws: Workspace, tmp_path: Path) -> None:
    importing.import_file(ws, write_chat(tmp_path, LINES[:4]), BERLIN)
    report = importing.import_file(ws, write_chat(tmp_path, LINES, "later.txt"), BERLIN)

    assert (report.turns_new, report.turns_known) == (2, 4)
    assert [turn.position for turn in stored(ws)] == [0, 1, 2, 3, 4, 5]
    assert len({turn.conversation_id for turn in stored(ws)}) == 1


def test_a_longer_export_from_a_phone_without_seconds_adds_what_is_new(
    ws: Workspace, tmp_path: Path
) -> None:
    iphone = [
        "[03/04/2024, 10:00:41] Ana: good morning",
        "[03/04/2024, 10:01:07] Ben: morning! did you sleep",
        "[03/04/2024, 10:02:30] Ana: like a stone",
        "[04/04/2024, 21:00:59] Ben: I moved to Porto",
    ]
    importing.import_file(ws, write_chat(tmp_path, iphone), BERLIN)
    report = importing.import_file(ws, write_chat(tmp_path, LINES, "android.txt"), BERLIN)

    assert report.problems == ()
    assert (report.turns_new, report.turns_known) == (2, 4)


def test_another_zone_adds_nothing_and_says_so(ws: Workspace, tmp_path: Path) -> None:
    importing.import_file(ws, write_chat(tmp_path, LINES[:4]), BERLIN)
    before = stored(ws)
    tokyo = ImportChoices(zone="Asia/Tokyo")
    report = importing.import_file(ws, write_chat(tmp_path, LINES, "later.txt"), tokyo)

    assert report.turns_new == 0
    assert any("Asia/Tokyo" in problem.what for problem in report.problems)
    assert stored(ws) == before


def test_another_date_order_adds_nothing_and_says_so(ws: Workspace, tmp_path: Path) -> None:
    path = write_chat(tmp_path, LINES)
    importing.import_file(ws, path, ImportChoices(zone="Europe/Berlin", date_order="dmy"))
    before = stored(ws)
    american = ImportChoices(zone="Europe/Berlin", date_order="mdy")
    report = importing.import_file(ws, path, american)

    assert report.turns_new == 0
    assert any("--date-order" in problem.what for problem in report.problems)
    assert stored(ws) == before


def test_a_date_order_that_cannot_be_is_told(ws: Workspace, tmp_path: Path) -> None:
    path = write_chat(tmp_path, ["30/12/2024, 10:00 - Ana: hi", "31/12/2024, 10:00 - Ben: hello"])
    report = importing.preview_file(path, ImportChoices(zone="Europe/Berlin", date_order="mdy"))

    assert (report.date_order, report.turns_new) == ("dmy", 2)
    assert ["mdy" in problem.what for problem in report.problems] == [True]


def test_another_chat_with_the_same_greeting_is_another_chat(ws: Workspace, tmp_path: Path) -> None:
    importing.import_file(ws, write_chat(tmp_path, LINES), BERLIN)
    other = [
        LINES[0].replace("10:00", "11:00"),
        "06/04/2024, 12:00 - Cem: who is this?",
        "06/04/2024, 12:01 - Ana: Ana, from the choir",
        "06/04/2024, 12:02 - Cem: ah!",
    ]
    report = importing.import_file(ws, write_chat(tmp_path, other, "Cem.txt"), BERLIN)

    assert report.turns_new == 4
    assert report.problems == ()


@pytest.mark.parametrize("when", ["before reading", "while storing"])
def test_a_cancelled_import_leaves_nothing(ws: Workspace, tmp_path: Path, when: str) -> None:
    cancel = CancelToken()
    if when == "before reading":
        cancel.cancel()

    def progress(report: Progress) -> None:
        if report.stage == "Storing":
            cancel.cancel()

    path = write_chat(tmp_path, LINES)
    with pytest.raises(CancelledError):
        importing.import_file(ws, path, BERLIN, progress, cancel)
    assert stored(ws) == []


def test_a_failure_while_storing_leaves_nothing(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_turns = turns.append_first_turns

    def append_then_fail(*args: object, **kwargs: object) -> None:
        append_turns(*args, **kwargs)  # type: ignore[arg-type]
        raise OSError(errno.EIO, "the disk went away")

    monkeypatch.setattr(turns, "append_first_turns", append_then_fail)
    with pytest.raises(OSError, match="the disk went away"):
        importing.import_file(ws, write_chat(tmp_path, LINES), BERLIN)
    monkeypatch.undo()
    assert stored(ws) == []
    with ws.vault.read() as db:
        assert sources.find_sources(db) == []
        assert conversations.find_conversations(db) == []


def test_a_full_temporary_folder_is_told_as_a_full_disk(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(aside.Aside, "append", no_room)
    with pytest.raises(DiskFullError):
        importing.import_file(ws, write_chat(tmp_path, LINES), BERLIN)
    assert stored(ws) == []


def test_a_large_import_goes_by_way_of_a_file(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aside, "_IN_MEMORY_BYTES", 1)
    assert importing.import_file(ws, write_chat(tmp_path, LINES), BERLIN).turns_new == 6
    assert len(stored(ws)) == 6


def test_a_preview_stores_nothing_and_counts_what_is_known(ws: Workspace, tmp_path: Path) -> None:
    longer = write_chat(tmp_path, LINES, "later.txt")
    assert importing.preview_file(longer, BERLIN).turns_new == 6
    importing.import_file(ws, write_chat(tmp_path, LINES[:4]), BERLIN)
    report = importing.preview_file(longer, BERLIN, ignore_progress, None, ws)

    assert (report.turns_new, report.turns_known) == (2, 4)
    assert len(stored(ws)) == 4


@pytest.mark.parametrize("content", [b"", b"\x00\xff\x13" * 500, b"just some words\n", b"[]"])
def test_nothing_readable_is_an_error_not_an_empty_success(
    ws: Workspace, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "export.txt"
    path.write_bytes(content)
    with pytest.raises(ExportUnreadableError) as caught:
        importing.import_file(ws, path, ImportChoices())
    assert caught.value.hint
    assert stored(ws) == []


def test_reading_a_slow_file_holds_no_lock(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another write goes through in the middle of reading."""
    wrote = []
    begin = Spool.begin

    def write_meanwhile(spool: Spool, chat: Chat) -> None:
        with ws.vault.write():
            wrote.append(chat.title)
        begin(spool, chat)

    monkeypatch.setattr(Spool, "begin", write_meanwhile)
    assert importing.import_file(ws, write_chat(tmp_path, LINES), BERLIN).turns_new == 6
    assert wrote


def test_each_end_is_told_by_its_own_clock(ws: Workspace, tmp_path: Path) -> None:
    winter = "14/01/2024, 10:00 - Ana: brr"
    report = importing.import_file(ws, write_chat(tmp_path, [winter, *LINES]), BERLIN)
    assert (report.first_offset_minutes, report.offset_minutes) == (60, 120)
