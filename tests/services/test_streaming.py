"""An import of any size: in batches that nobody sees, in bounded memory, and once is enough."""

import dataclasses
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import CancelledError
from apexmem_desktop.domain.progress import CancelToken, Progress, ignore_progress
from apexmem_desktop.domain.reports import EraseScope, FileReport, ImportChoices
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.importers import aside, parts, registry, whatsapp_log
from apexmem_desktop.services import import_batches, importing
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import conversations, erasing, sources, tallies, turns, words

BERLIN = ImportChoices(zone="Europe/Berlin", date_order="dmy")
Written = Callable[[int], list[str]]
SAMPLES = Path(__file__).parents[1] / "importers" / "samples"


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "memory.apexmem", clock=lambda: 1_700_000_000_000) as workspace:
        yield workspace


@pytest.fixture
def batches_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pass turns on two at a time."""
    monkeypatch.setattr(import_batches, "TURNS_AT_ONCE", 2)
    monkeypatch.setattr(whatsapp_log, "_MESSAGES_AT_ONCE", 2)


def chat(messages: int) -> list[str]:
    return [
        f"{1 + at // 1440 % 28:02}/{1 + at // 40320 % 12:02}/{2015 + at // 483840}, "
        f"{at // 60 % 24:02}:{at % 60:02} - {'Ana' if at % 3 else 'Ben'}: message {at}"
        for at in range(0, messages * 7, 7)
    ]


def write(folder: Path, lines: list[str], name: str = "WhatsApp Chat with Ben.txt") -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def stored(ws: Workspace) -> list[Turn]:
    with ws.vault.read() as db:
        assert tallies.are_right(db)
        return [
            turn
            for one in conversations.find_conversations(db)
            for turn in turns.find_conversation_turns(db, one.id, limit=1000)
        ]


def line_chat(messages: int) -> list[str]:
    lines = ["[LINE] Chat history with Ben", ""]
    for at, line in enumerate(chat(messages)):
        if at % 200 == 0:
            lines.append(f"{2015 + at // 73000}/{1 + at // 5600 % 12:02}/{1 + at // 200 % 28:02}")
        clock, name, text = line[12:17], line[20:23], line[25:]
        lines.append(f"{clock}\t{name}\t{text}")
    return lines


def kakao_chat(messages: int) -> list[str]:
    lines = ["Ben 님과 카카오톡 대화", ""]
    for at, line in enumerate(chat(messages)):
        if at % 200 == 0:
            day = f"{2015 + at // 73000}년 {1 + at // 5600 % 12}월 {1 + at // 200 % 28}일"
            lines.append(f"--------------- {day} 목요일 ---------------")
        lines.append(f"[{line[20:23]}] [{line[12:17]}] {line[25:]}")
    return lines


def wechat_chat(messages: int) -> list[str]:
    lines = ["微信聊天记录", ""]
    for line in chat(messages):
        clock, day = line[12:17], f"{line[6:10]}-{line[3:5]}-{line[:2]}"
        lines += [f"{line[20:23]} {day} {clock}:00", line[25:], ""]
    return lines


def peak_bytes(folder: Path, messages: int, written: Written = chat) -> int:
    """Import a chat of so many messages and tell the most that Python held meanwhile."""
    path = write(folder, written(messages), f"{messages}.txt")
    with Workspace(folder / f"{messages}.apexmem") as ws:
        tracemalloc.start()
        try:
            assert importing.import_file(ws, path, BERLIN).turns_new == messages
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("written", [chat, line_chat, kakao_chat, wechat_chat])
def test_memory_does_not_grow_with_the_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.setattr(import_batches, "TURNS_AT_ONCE", 500)
    monkeypatch.setattr(whatsapp_log, "_MESSAGES_AT_ONCE", 500)
    monkeypatch.setattr(aside, "_IN_MEMORY_BYTES", 1 << 14)
    monkeypatch.setattr(parts, "_CHUNK_BYTES", 1 << 14)
    peak_bytes(tmp_path, 500, written)  # what is loaded once is no part of it

    few, many = peak_bytes(tmp_path, 3_000, written), peak_bytes(tmp_path, 12_000, written)

    # 9,000 turns more take over 4 MB wherever they are held.
    assert many - few < 1_000_000


@pytest.mark.usefixtures("batches_of_two")
def test_cancelled_between_batches_nothing_is_left(ws: Workspace, tmp_path: Path) -> None:
    cancel = CancelToken()
    seen = []

    def progress(report: Progress) -> None:
        if report.stage == "Storing":
            seen.append(report.done)
            if len(seen) == 2:
                cancel.cancel()

    with pytest.raises(CancelledError):
        importing.import_file(ws, write(tmp_path, chat(9)), BERLIN, progress, cancel)

    assert seen == [2, 4]
    assert stored(ws) == []
    with ws.vault.read() as db:
        assert sources.find_sources(db) == []
        assert conversations.find_conversations(db) == []


def test_a_cancel_is_heard_while_a_file_is_opened(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "_CHUNK_BYTES", 100)
    cancel = CancelToken()
    read = whatsapp_log.read_lines

    def cancel_then_read(part: parts.Part) -> Iterator[list[str]]:
        cancel.cancel()
        return read(part)

    monkeypatch.setattr(whatsapp_log, "read_lines", cancel_then_read)
    with pytest.raises(CancelledError):
        importing.import_file(ws, write(tmp_path, chat(9)), BERLIN, ignore_progress, cancel)


@pytest.mark.usefixtures("batches_of_two")
@pytest.mark.parametrize("before", range(4))
def test_equal_messages_on_both_sides_of_a_border_both_stay(
    ws: Workspace, tmp_path: Path, before: int
) -> None:
    same = ["05/04/2015, 08:30 - Ana: ok"] * 3
    path = write(tmp_path, [*chat(before), *same, "05/04/2015, 08:31 - Ben: ok"])

    assert importing.import_file(ws, path, BERLIN).turns_new == before + 4
    assert [turn.text for turn in stored(ws)][before:] == ["ok"] * 4


@pytest.mark.usefixtures("batches_of_two")
@pytest.mark.parametrize("known", [3, 4, 5, 9])
def test_a_longer_export_adds_what_is_new_over_any_border(
    ws: Workspace, tmp_path: Path, known: int
) -> None:
    lines = chat(7) + ["05/04/2015, 08:30 - Ana: ok"] * 2
    importing.import_file(ws, write(tmp_path, lines[:known]), BERLIN)
    # Another name, and an end that makes it another file: it is read, not known by its digest.
    longer = write(tmp_path, [*lines, " "], "later.txt")
    report = importing.import_file(ws, longer, BERLIN)

    assert (report.turns_new, report.turns_known) == (9 - known, known)
    assert [turn.position for turn in stored(ws)] == list(range(9))
    assert len({turn.conversation_id for turn in stored(ws)}) == 1


@pytest.mark.usefixtures("batches_of_two")
def test_a_chat_that_is_there_twice_in_a_file_counts_once(ws: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    one = (SAMPLES / "chatgpt_branches.in.json").read_text(encoding="utf-8").strip()
    single = one[1:-1] if one.startswith("[") else one
    path.write_text(f"[{single}, {single}]", encoding="utf-8")
    report = importing.import_file(ws, path, BERLIN)

    assert report.turns_new == len(stored(ws)) > 0
    assert report.turns_new == report.turns_known


def test_the_index_of_words_is_set_back_after_an_import(ws: Workspace, tmp_path: Path) -> None:
    importing.import_file(ws, write(tmp_path, chat(9)), BERLIN)
    with ws.vault.read() as db:
        config = "SELECT v FROM turn_words_config WHERE k = 'hashsize'"
        assert db.exec_driver_sql(config).scalar_one() == 1024 * 1024
        assert len(words.find_turns_by_words(db, "message", 20)) == 9


def told(report: FileReport) -> FileReport:
    """Leave out what tells a second import from a first."""
    return dataclasses.replace(report, turns_new=0, turns_known=0, source_id=None, problems=())


@pytest.mark.parametrize(
    "sample",
    ["whatsapp_de_group.in.txt", "chatgpt_branches.in.json", "sms_backup.in.xml"],
)
def test_a_known_file_is_not_read_again(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, sample: str
) -> None:
    path = SAMPLES / sample
    first = importing.import_file(ws, path, ImportChoices(zone="Europe/Berlin"))
    if first.problems:  # such a file is read again
        again = importing.import_file(ws, path, ImportChoices(zone="Europe/Berlin"))
    else:
        monkeypatch.setattr(registry, "read_export", None)
        again = importing.import_file(ws, path, ImportChoices(zone="Europe/Berlin"))
        preview = importing.preview_file(path, ImportChoices(zone="Europe/Berlin"), ws=ws)
        assert preview == again

    assert (again.turns_new, again.turns_known) == (0, first.turns_new)
    assert again.source_id is None
    assert told(again) == told(first)


def test_other_choices_have_a_known_file_read_again(ws: Workspace, tmp_path: Path) -> None:
    path = write(tmp_path, chat(9))
    importing.import_file(ws, path, BERLIN)
    tokyo = importing.import_file(ws, path, ImportChoices(zone="Asia/Tokyo"))

    assert tokyo.turns_new == 0
    assert any("Asia/Tokyo" in problem.what for problem in tokyo.problems)


def test_a_file_of_which_something_was_erased_is_read_again(ws: Workspace, tmp_path: Path) -> None:
    path = write(tmp_path, chat(9))
    first = importing.import_file(ws, path, BERLIN)
    assert first.source_id is not None
    scope = EraseScope("source", first.source_id)
    erasing.erase(ws.vault, scope, now_ms=ws.now_ms())

    assert importing.import_file(ws, path, BERLIN).turns_erased == 9
    back = importing.import_file(ws, path, dataclasses.replace(BERLIN, erased_too=True))
    assert back.turns_new == len(stored(ws)) == 9
