"""Bringing a chat in: preview, the user's choice, storing, and what can go wrong."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.reports import (
    YEAR_ASKED,
    Changes,
    FileReport,
    ImportChoices,
    ImportProblem,
    ReadChat,
)
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.drop_zone import dropped_files
from apexmem_desktop.ui.import_dialog import ImportDialog
from tests.ui.fake_memory import FakeMemory, HeldRunner

FILES = (Path("Coast group.zip"), Path("Second.txt"))


@pytest.fixture
def dialog(qtbot: QtBot, desk: Desk) -> ImportDialog:
    made = ImportDialog(desk, FILES[:1])
    qtbot.addWidget(made)
    made.show()
    return made


def texts(widget: QWidget) -> str:
    QApplication.processEvents()  # new widgets are shown by an event
    shown = [one.text() for one in widget.findChildren(QLabel) if one.isVisibleTo(widget)]
    return "\n".join(shown)


def test_the_preview_tells_what_is_inside(dialog: ImportDialog, memory: FakeMemory) -> None:
    words = texts(dialog)
    assert "Coast group.zip" in words
    assert "WhatsApp" in words
    assert "Ben Okafor, Mia, Nora Lind" in words
    assert "1 Jul 2022 – 4 Dec 2022" in words
    assert "340 messages can be brought in." in words
    assert "line 14: not the start of a message" in words
    assert memory.imported == []


def test_a_guess_is_marked_and_can_be_settled(dialog: ImportDialog, memory: FakeMemory) -> None:
    assert dialog.preview.guess.isVisible()
    dialog.preview.order.setCurrentIndex(2)
    dialog.preview.order.activated.emit(2)
    assert memory.previews[-1].date_order == "mdy"
    assert not dialog.preview.guess.isVisible()
    dialog.store.click()
    assert memory.imported[0][1].date_order == "mdy"


def test_what_the_file_settles_is_no_guess(qtbot: QtBot, desk: Desk, memory: FakeMemory) -> None:
    memory.order_certain = True
    dialog = ImportDialog(desk, FILES[:1])
    qtbot.addWidget(dialog)
    assert dialog.preview.guess.isHidden()
    assert dialog.preview.order.currentText() == "day, month, year, as the file shows"


def test_a_year_that_no_date_names_is_asked(
    qtbot: QtBot, desk: Desk, memory: FakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = memory.preview
    asked = ImportProblem("Coast group.zip", f"{YEAR_ASKED}; 2022 was taken")

    def preview(path: Path, choices: ImportChoices, *rest: Any) -> FileReport:
        report = usual(path, choices, *rest)
        return replace(report, problems=() if choices.year else (asked,))

    monkeypatch.setattr(memory, "preview", preview)
    dialog = ImportDialog(desk, FILES[:1])
    qtbot.addWidget(dialog)
    dialog.show()
    year = dialog.preview.year
    assert year.isVisible()
    qtbot.keyClicks(year, "2015")
    year.editingFinished.emit()
    assert memory.previews[-1].year == 2015
    assert year.isVisible()
    dialog.preview.forget()
    assert dialog.preview.choices().year == 0


def test_a_year_that_all_dates_name_is_not_asked(dialog: ImportDialog) -> None:
    assert not dialog.preview.year.isVisible()


def test_the_zone_can_be_chosen(dialog: ImportDialog, memory: FakeMemory) -> None:
    index = dialog.preview.zone.findText("Asia/Shanghai")
    dialog.preview.zone.setCurrentIndex(index)
    dialog.preview.zone.activated.emit(index)
    assert memory.previews[-1].zone == "Asia/Shanghai"


def test_a_chat_among_others_can_have_a_zone_of_its_own(
    dialog: ImportDialog, memory: FakeMemory
) -> None:
    picker = dialog.preview.chat_zones
    assert not picker.isVisible()
    chats = (ReadChat("", "Ana", "Europe/Oslo"), ReadChat("7", "Ben", "Asia/Tokyo"))
    memory.previewed = {"chats": chats, "zone": "Europe/Oslo"}
    dialog.preview.changed.emit(dialog.preview.choices())
    assert picker.isVisible()
    assert "Ben: Asia/Tokyo" in texts(picker)
    assert "Ana: Europe/Oslo" not in texts(picker)
    picker.chat.setCurrentIndex(1)
    picker.chat.activated.emit(1)
    assert picker.zone.currentText() == "Asia/Tokyo"
    picker.zone.setCurrentIndex(picker.zone.findText("Asia/Seoul"))
    picker.zone.activated.emit(picker.zone.currentIndex())
    assert memory.previews[-1].chat_zones == (("7", "Asia/Seoul"),)
    assert memory.previews[-1].zone == "Europe/Oslo"
    picker.zone.setCurrentText("Nowhere")
    picker.zone.activated.emit(0)
    dialog.store.click()
    assert memory.imported[0][1].chat_zones == (("7", "Asia/Seoul"),)


def test_the_zone_of_a_file_with_one_chat_is_that_of_the_chat(
    dialog: ImportDialog, memory: FakeMemory
) -> None:
    memory.previewed = {"chats": (ReadChat("", "Ana", "Asia/Tokyo"),), "zone": "Europe/Oslo"}
    dialog.preview.changed.emit(dialog.preview.choices())
    assert dialog.preview.zone.currentText() == "Asia/Tokyo"
    assert memory.previews[-1].chat_zones == ()
    index = dialog.preview.zone.findText("Asia/Shanghai")
    dialog.preview.zone.setCurrentIndex(index)
    dialog.preview.zone.activated.emit(index)
    assert memory.previews[-1].chat_zones == (("Ana", "Asia/Shanghai"),)
    assert not dialog.preview.chat_zones.isVisible()
    dialog.preview.forget()
    assert dialog.preview.choices().chat_zones == ()


def test_who_you_is_is_asked_only_where_the_export_does_not_tell(
    dialog: ImportDialog, memory: FakeMemory
) -> None:
    assert not dialog.preview.owner.isVisible()
    memory.previewed = {"owner_asked": True, "speakers": ("You", "Ben Okafor", "Mia")}
    dialog.preview.changed.emit(dialog.preview.choices())
    owner = dialog.preview.owner
    assert owner.isVisible()
    assert [owner.itemText(number) for number in range(owner.count())] == ["Ben Okafor", "Mia"]
    memory.previewed = {"owner": "Mia", "speakers": ("Mia", "Ben Okafor")}
    owner.setCurrentText("Mia")
    owner.activated.emit(1)
    assert memory.previews[-1].owner == "Mia"
    assert owner.isVisible()
    dialog.store.click()
    assert memory.imported[0][1].owner == "Mia"


def test_a_name_that_is_typed_counts_when_it_is_whole(
    qtbot: QtBot, dialog: ImportDialog, memory: FakeMemory
) -> None:
    memory.previewed = {"owner_asked": True, "speakers": ("You", "Ben Okafor")}
    dialog.preview.changed.emit(dialog.preview.choices())
    looked = len(memory.previews)
    qtbot.keyClicks(dialog.preview.owner.lineEdit(), "Sia")
    assert len(memory.previews) == looked
    qtbot.keyClick(dialog.preview.owner.lineEdit(), Qt.Key.Key_Return)
    assert [one.owner for one in memory.previews[looked:]] == ["Sia"]
    assert dialog.isVisible()
    assert memory.imported == []


def test_branches_are_kept_where_there_are_any_and_on_wish(
    dialog: ImportDialog, memory: FakeMemory
) -> None:
    assert not dialog.preview.branches.isVisible()
    memory.previewed = {"format": "chatgpt"}
    dialog.preview.changed.emit(dialog.preview.choices())
    assert dialog.preview.branches.isVisible()
    dialog.preview.branches.click()
    assert memory.previews[-1].keep_branches
    dialog.store.click()
    assert memory.imported[0][1].keep_branches


def test_storing_tells_what_is_new_and_starts_the_reading(
    qtbot: QtBot, dialog: ImportDialog, desk: Desk
) -> None:
    with qtbot.waitSignal(desk.build_asked), qtbot.waitSignal(desk.changed) as told:
        dialog.store.click()
    assert told.args == [Changes(turns=True, sources=True)]
    assert "328 new messages are in your memory. 12 were there already." in texts(dialog)


def test_an_unreadable_file_says_why(qtbot: QtBot, desk: Desk, memory: FakeMemory) -> None:
    memory.error = ExportUnreadableError("The file is empty.", hint="Export the chat again.")
    dialog = ImportDialog(desk, FILES)
    qtbot.addWidget(dialog)
    dialog.show()
    assert "The file is empty. Export the chat again." in texts(dialog)
    assert "Nothing of this file was stored" in texts(dialog)
    assert not dialog.store.isVisible()
    memory.error = None
    dialog.next.click()
    assert "Second.txt" in texts(dialog)
    assert dialog.store.isVisible()


def test_closing_cancels(qtbot: QtBot, memory: FakeMemory) -> None:
    runner = HeldRunner()
    dialog = ImportDialog(Desk(memory, runner), FILES[:1])
    qtbot.addWidget(dialog)
    runner.let_go()
    dialog.store.click()
    dialog.leave.click()
    (_, token) = runner.held[0]
    assert token.cancelled
    runner.let_go()
    assert memory.imported == []


def test_only_local_files_are_taken_from_a_drag() -> None:
    data = QMimeData()
    data.setUrls([QUrl("file:///tmp/a.txt"), QUrl("https://example.org/b.txt")])
    assert dropped_files(data) == (Path("/tmp/a.txt"),)  # noqa: S108
