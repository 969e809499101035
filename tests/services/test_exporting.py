"""Exports hold everything, at one moment, in forms that other programs read."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.domain.errors import CancelledError, DiskFullError, UserError
from apexmem_desktop.domain.graph import Modality
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.domain.wall import UTC_CLOCK
from apexmem_desktop.services import export_ics, exporting, importing
from apexmem_desktop.services.export_ics import folded
from apexmem_desktop.services.export_markdown import escaped
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.storage import entities, facts
from tests.storage.builders import DAY_MS, stated, store_event, store_fact
from tests.storage.old_vaults import CHAT, MADE_AT_MS, TEXTS, ScriptedWorkspace, fill

MAY_5_MS = 1_714_867_200_000  # 5 May 2024, 00:00 UTC


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[ScriptedWorkspace]:
    path = tmp_path / "memory.sqlite"
    fill(path)
    with ScriptedWorkspace(path, settings=Settings(zone="UTC"), clock=lambda: MADE_AT_MS) as opened:
        with opened.vault.write() as db:
            day = stated(MAY_5_MS, MAY_5_MS + DAY_MS - 1)
            (ben,) = entities.find_ids_named(db, "Ben Roth")
            (porto,) = entities.find_ids_named(db, "Porto")
            store_event(db, 2, "I moved", day, participants=((ben, "agent"),), place_id=porto)
            week = stated(MAY_5_MS, MAY_5_MS + 7 * DAY_MS - 1, Precision.WEEK)
            store_event(db, 3, "I moved to", week, modality=Modality.PLANNED)
            at = Bound(MAY_5_MS, MAY_5_MS, Precision.INSTANT, TimeSource.STATED)
            store_event(db, 4, "早上好", at)
            unknown = Bound(None, MAY_5_MS, Precision.UNKNOWN, TimeSource.MESSAGE_TIME)
            store_event(db, 1, "good", unknown)
            store_fact(db, ben, "Oslo; or, Bergen", modality=Modality.PLANNED, start=day)
        yield opened


def read(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return found


def test_json_holds_everything(ws: ScriptedWorkspace, tmp_path: Path) -> None:
    report = exporting.export(ws, tmp_path / "out", "json")
    folder = tmp_path / "out"
    said = read(folder, "turns")
    assert [turn["text"] for turn in said if turn["id"] <= len(TEXTS)] == TEXTS
    assert said[0]["said_at"].startswith("2024-04-03T10:00:00")
    with ws.vault.read() as db:
        stored = {fact.id: fact for fact in facts.find_facts(db)}
    exported = {fact["id"]: fact for fact in read(folder, "facts")}
    assert exported.keys() == stored.keys()
    for number, fact in exported.items():
        proof = stored[number].evidence[0]
        assert fact["evidence"][0]["quote"] == proof.quote
        assert fact["evidence"][0]["turn_id"] == proof.turn_id
        assert fact["status"] in ("current", "past", "planned", "contested", "rejected")
    porto = next(fact for fact in exported.values() if fact["value"] == "Porto")
    assert porto["valid_from"]["earliest"]
    assert {e["name"] for e in read(folder, "entities")} >= {"Ben Roth", "Ana Lima", "王芳"}
    assert [event["summary"] for event in read(folder, "events")][-4:] == [
        "I moved", "I moved to", "早上好", "good",
    ]  # fmt: skip
    assert read(folder, "sources")[0]["file"] == "WhatsApp Chat with Ben Roth.txt"
    assert report.counted["turns"] == len(said)
    assert {Path(file).name for file in report.files} == {f.name for f in folder.iterdir()}
    lines = (folder / "turns.json").read_text("utf-8").splitlines()
    assert len(lines) == len(said) + 2


def test_pages_do_not_show(
    ws: ScriptedWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporting.export(ws, tmp_path / "whole", "json")
    monkeypatch.setattr("apexmem_desktop.services.export_reading._PAGE", 2)
    exporting.export(ws, tmp_path / "pages", "json")
    for name in ("turns", "events", "facts"):
        assert read(tmp_path / "whole", name) == read(tmp_path / "pages", name)


def test_markdown_holds_everything(ws: ScriptedWorkspace, tmp_path: Path) -> None:
    report = exporting.export(ws, tmp_path / "out", "markdown")
    written = {file: Path(file).read_text("utf-8") for file in report.files}
    everything = "\n".join(written.values())
    for line in TEXTS:
        assert f"> {escaped(line)}\n" in everything
    person = (tmp_path / "out" / "entities" / "person.md").read_text("utf-8")
    assert "## Ben Roth" in person
    assert "* lives in: **Porto** (current" in person
    assert "“I moved to Porto last week” (Ben Roth, 2024-04-03, #2)" in person
    assert "* 2024-05-05: I moved (dinner, asserted, at Porto)" in everything
    assert "* 2024-05-05…2024-05-11: I moved to (dinner, planned)" in everything
    readme = (tmp_path / "out" / "README.md").read_text("utf-8")
    for link in ("entities/person.md", "events.md"):
        assert f"(<{link}>)" in readme
        assert (tmp_path / "out" / link).exists()
    assert report.counted["facts"] == sum(text.count("\n* ") for name, text in written.items()
                                          if "entities" in name)  # fmt: skip


def test_words_are_not_read_as_markdown(tmp_path: Path) -> None:
    assert escaped("# a *b* [c](d) <e> | `f`") == r"\# a \*b\* \[c\](d) \<e\> \| \`f\`"
    assert escaped("- one\n1. two\n  + three") == "\\- one\n\\1. two\n  \\+ three"


def test_a_calendar_of_what_has_a_date(ws: ScriptedWorkspace, tmp_path: Path) -> None:
    report = exporting.export(ws, tmp_path / "out", "ics")
    data = (tmp_path / "out" / "memory.ics").read_bytes()
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    assert b"\n" not in data.replace(b"\r\n", b"")
    text = data.decode().replace("\r\n ", "")
    entries = text.split("BEGIN:VEVENT")[1:]
    assert report.counted == {"entries": 4, "without_date": 1}
    assert len(entries) == 4
    assert "DTSTART;VALUE=DATE:20240505\r\nDTEND;VALUE=DATE:20240506" in entries[0]
    assert "LOCATION:Porto" in entries[0]
    assert "DESCRIPTION:Ben Roth\\nBen Roth: “I moved”" in entries[0]
    assert "DTEND;VALUE=DATE:20240512" in entries[1]
    assert "STATUS:TENTATIVE" in entries[1]
    assert "DTSTART:20240505T000000" in entries[2]
    assert "SUMMARY:Ben Roth: lives in Oslo\\; or\\, Bergen" in entries[3]
    assert text.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert text.endswith("END:VCALENDAR\r\n")


@pytest.mark.parametrize("line", ["x" * 200, "汉" * 60, "👋" * 40, "", "y" * 75])
def test_lines_are_folded_between_signs(line: str) -> None:
    parts = folded(line).removesuffix("\r\n").split("\r\n ")
    assert "".join(parts) == line
    assert all(len(part.encode()) <= 74 + (n == 0) for n, part in enumerate(parts))


def test_a_folder_that_holds_something_is_left_alone(ws: ScriptedWorkspace, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("x", encoding="utf-8")
    for folder in (tmp_path / "mine", tmp_path / "mine" / "letter.txt"):
        with pytest.raises(UserError, match="holds something"):
            exporting.export(ws, folder, "json")
    (tmp_path / "empty").mkdir()
    exporting.export(ws, tmp_path / "empty", "ics")
    assert (tmp_path / "empty" / "memory.ics").exists()
    with pytest.raises(UserError, match="cannot be written"):
        exporting.export(ws, tmp_path / "mine" / "letter.txt" / "deeper", "json")


def test_what_is_cut_off_leaves_nothing(
    ws: ScriptedWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = CancelToken()
    token.cancel()
    (tmp_path / "here").mkdir()
    with pytest.raises(CancelledError):
        exporting.export(ws, tmp_path / "here" / "out", "json", cancel=token)

    def no_room(*_: object) -> dict[str, int]:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(exporting._FORMS, "ics", no_room)
    with pytest.raises(DiskFullError):
        exporting.export(ws, tmp_path / "here" / "out", "ics")
    assert list((tmp_path / "here").iterdir()) == []


def test_an_export_shows_one_moment(ws: ScriptedWorkspace, tmp_path: Path) -> None:
    later = tmp_path / "WhatsApp Chat with Kim.txt"
    later.write_text(f"{CHAT}06/04/2024, 09:00 - Ben Roth: said later\n", encoding="utf-8")
    imported: list[int] = []

    def import_meanwhile(_: object) -> None:
        if not imported:
            imported.append(importing.import_file(ws, later, ImportChoices(zone="UTC")).turns_new)

    exporting.export(ws, tmp_path / "out", "markdown", progress=import_meanwhile)
    assert imported == [1]
    exporting.export(ws, tmp_path / "after", "json")
    assert len(read(tmp_path / "after", "turns")) == len(TEXTS) + 1 + 1
    assert "said later" not in "".join(
        file.read_text("utf-8") for file in (tmp_path / "out").rglob("*.md")
    )


def test_an_end_of_the_calendar_is_no_fault() -> None:
    far = Bound(2**60, None, Precision.DAY, TimeSource.STATED)
    assert export_ics._when(far, None, UTC_CLOCK) == []
