"""One chat of a file may have a clock of its own; it is kept with the chat."""

import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from apexmem_desktop.domain.reports import EraseScope, FileReport, ImportChoices
from apexmem_desktop.services import browsing, import_reading, importing, maintenance
from apexmem_desktop.services.rulings import list_rulings
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import settled

BERLIN = ImportChoices(zone="Europe/Berlin")
BEN_IN_TOKYO = ImportChoices(zone="Europe/Berlin", chat_zones=(("ben ", "Asia/Tokyo"),))


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "memory.apexmem", settings=Settings(zone="UTC")) as workspace:
        yield workspace


def whatsapp(name: str, last: int = 14, hour: int = 10) -> str:
    days = range(13, last + 1)
    return "".join(
        f"{day}/3/24, {hour:02}:{n:02} - {speaker}: {words} of day {day}\n"
        for day in days
        for n, (speaker, words) in enumerate(((name, "hello"), ("Ida", "good morning")))
    )


def line(name: str, last: int = 14) -> str:
    head = f"[LINE] Chat history with {name}\nSaved on: 2024/03/20 10:00\n"
    return head + "".join(
        f"\n2024/03/{day}(Wed)\n10:00\t{name}\thello of day {day}\n10:01\tIda\tfine, day {day}\n"
        for day in range(13, last + 1)
    )


def kakaotalk(name: str, last: int = 14) -> str:
    return f"{name} 님과 카카오톡 대화\n저장한 날짜 : 2024-03-20 10:00:00\n\n" + "".join(
        f"--------------- 2024년 3월 {day}일 목요일 ---------------\n"
        f"[{name}] [오전 10:00] hello of day {day}\n[Ida] [오전 10:01] fine, day {day}\n"
        for day in range(13, last + 1)
    )


def diary(name: str, last: int = 14) -> str:
    return f"# {name}\n\n" + "".join(
        f"## 2024-03-{day} 10:00\n\nI walked in the woods on day {day}\n\n"
        for day in range(13, last + 1)
    )


def telegram(name: str, last: int = 14) -> str:
    said = [
        {"id": day, "type": "message", "date": f"2024-03-{day}T10:00:00", "from": name,
         "date_unixtime": f"{_ms(day) // 1000}", "from_id": "user1", "text": f"day {day}"}
        for day in range(13, last + 1)
    ]  # fmt: skip
    chats = [
        {"name": chat, "type": "personal_chat", "id": number, "messages": said}
        for number, chat in enumerate(("Ana", name), start=1)
    ]
    return json.dumps({"about": "", "chats": {"list": chats}})


def _ms(day: int, hour: int = 10) -> int:
    return int(datetime(2024, 3, day, hour, tzinfo=UTC).timestamp() * 1000)


def both(folder: Path, make: object = whatsapp, last: int = 14) -> Path:
    path = folder / "both.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for name in ("Ana", "Ben"):
            packed.writestr(f"WhatsApp Chat with {name}.txt", make(name, last))  # type: ignore[operator]
    return path


def alone(folder: Path, text: str) -> Path:
    path = folder / "WhatsApp Chat with Ben.txt"
    path.write_text(text, encoding="utf-8")
    return path


def first_hours(ws: Workspace) -> dict[str, tuple[int, int]]:
    """Map each chat's title to when its first turn was said: hour in UTC, offset in hours."""
    found = {}
    with ws.vault.read() as db:
        rows = db.exec_driver_sql(
            "SELECT c.title, min(t.said_at_ms), t.offset_minutes FROM turns_said t "
            "JOIN conversations c ON c.id = t.conversation_id GROUP BY c.id ORDER BY c.id"
        ).all()
    for title, at_ms, offset_minutes in rows:
        found[title] = (datetime.fromtimestamp(at_ms / 1000, UTC).hour, offset_minutes // 60)
    return found


def zones_of(report: FileReport) -> dict[str, str]:
    return {chat.title: chat.zone for chat in report.chats}


@pytest.mark.parametrize("apart", [False, True])
def test_one_chat_of_a_file_has_its_own_clock(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, apart: bool
) -> None:
    monkeypatch.setattr(import_reading, "WORTH_A_PROCESS_BYTES", 0 if apart else 1 << 40)
    path = both(tmp_path)
    expected = {"Ana": "Europe/Berlin", "Ben": "Asia/Tokyo"}
    assert zones_of(importing.preview_file(path, BEN_IN_TOKYO, ws=ws)) == expected
    report = importing.import_file(ws, path, BEN_IN_TOKYO)
    assert (zones_of(report), report.zone, report.turns_new) == (expected, "Europe/Berlin", 8)
    assert first_hours(ws) == {"Ana": (9, 1), "Ben": (1, 9)}
    assert list_rulings(ws) == ()
    again = importing.import_file(ws, path, BERLIN)
    assert (zones_of(again), again.turns_new, again.problems) == (expected, 0, ())


@pytest.mark.parametrize("choices", [BERLIN, ImportChoices()], ids=["said", "not said"])
@pytest.mark.parametrize("make", [whatsapp, line, kakaotalk, diary])
def test_a_later_export_of_the_chat_is_read_by_its_clock(
    ws: Workspace, tmp_path: Path, make: object, choices: ImportChoices
) -> None:
    path = alone(tmp_path, make("Ben"))  # type: ignore[operator]
    (chat,) = importing.preview_file(path, BERLIN).chats
    own = ImportChoices(zone="Europe/Berlin", chat_zones=((chat.title, "Asia/Tokyo"),))
    stored = importing.import_file(ws, path, own).turns_new
    path = alone(tmp_path, make("Ben", 16))  # type: ignore[operator]
    for report in (
        importing.preview_file(path, choices, ws=ws), importing.import_file(ws, path, choices)
    ):  # fmt: skip
        assert (report.turns_new, report.turns_known) == (stored, stored)
        assert (report.problems, [one.zone for one in report.chats]) == ((), ["Asia/Tokyo"])
    assert list(first_hours(ws).values()) == [(1, 9)]


def test_who_has_moved_and_exports_by_the_new_clock_is_read_by_that(
    ws: Workspace, tmp_path: Path
) -> None:
    importing.import_file(ws, both(tmp_path), BEN_IN_TOKYO)
    moved = alone(tmp_path, whatsapp("Ben", 16, hour=2))  # ten o'clock in Tokyo, seen from Berlin
    report = importing.import_file(ws, moved, BERLIN)
    assert (report.turns_new, report.turns_known, report.problems) == (4, 4, ())


@pytest.mark.parametrize("make", [whatsapp, line, kakaotalk, diary])
def test_without_a_word_the_clock_is_that_of_the_last_time(
    ws: Workspace, tmp_path: Path, make: object
) -> None:
    path = alone(tmp_path, make("Ben"))  # type: ignore[operator]
    stored = importing.import_file(ws, path, ImportChoices(zone="Asia/Tokyo")).turns_new
    path = alone(tmp_path, make("Ben", 16))  # type: ignore[operator]
    other = importing.import_file(ws, path, BERLIN)
    assert (other.turns_new, len(other.problems)) == (0, 1)
    report = importing.import_file(ws, path, ImportChoices())
    assert (report.turns_new, report.turns_known, report.problems) == (stored, stored, ())
    with ws.vault.read() as db:
        assert settled.find_chat_zones(db) == {}


def test_absolute_times_stay_and_only_their_clock_differs(ws: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(telegram("Ben"), encoding="utf-8")
    importing.import_file(ws, path, BEN_IN_TOKYO)
    assert first_hours(ws) == {"Ana": (10, 0), "Ben": (10, 9)}
    path.write_text(telegram("Ben", 16), encoding="utf-8")
    report = importing.import_file(ws, path, BERLIN)
    assert (report.turns_new, zones_of(report)["Ben"]) == (4, "Asia/Tokyo")
    with ws.vault.read() as db:
        sql = "SELECT DISTINCT conversation_id, offset_minutes FROM turns_said ORDER BY 1"
        assert [tuple(one) for one in db.exec_driver_sql(sql)] == [(1, 0), (2, 540)]


def test_another_clock_than_the_stored_one_is_told(ws: Workspace, tmp_path: Path) -> None:
    path = both(tmp_path)
    importing.import_file(ws, path, BEN_IN_TOKYO)
    other = ImportChoices(zone="Europe/Berlin", chat_zones=(("Ben", "Asia/Kolkata"),))
    report = importing.import_file(ws, path, other)
    assert report.turns_new == 0
    assert "Asia/Kolkata" in report.problems[0].what
    with ws.vault.read() as db:
        assert set(settled.find_chat_zones(db).values()) == {"Asia/Tokyo"}


def test_the_clock_is_forgotten_with_the_chat(ws: Workspace, tmp_path: Path) -> None:
    importing.import_file(ws, both(tmp_path), BEN_IN_TOKYO)
    maintenance.erase(ws, EraseScope("source", browsing.sources(ws)[0].id))
    with ws.vault.read() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM rulings").scalar() == 0
    report = importing.import_file(
        ws, alone(tmp_path, whatsapp("Ben")), ImportChoices(zone="Europe/Berlin", erased_too=True)
    )
    assert zones_of(report) == {"Ben": "Europe/Berlin"}
    assert first_hours(ws) == {"Ben": (9, 1)}
