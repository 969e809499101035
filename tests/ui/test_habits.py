"""Habits of the desktop: keys on one sheet, a crash that can be copied, a quiet log, the tray."""

import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QShortcut
from PySide6.QtWidgets import QApplication, QLabel, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import Progress
from apexmem_desktop.services import logbook
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.ui import tray as tray_module
from apexmem_desktop.ui.app import Shell
from apexmem_desktop.ui.build_job import BuildJob, BuildState
from apexmem_desktop.ui.crash_dialog import CrashWatch
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.idle_clock import hinted_ms
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.imports_place import ImportsPlace
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.model_row import ModelRow
from apexmem_desktop.ui.people_place import PeoplePlace
from apexmem_desktop.ui.reading_hours import IDLE_MS, ReadingHours
from apexmem_desktop.ui.settings_place import SettingsPlace
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.translation import (
    load_qt_words,
    reading_direction,
    set_language,
    set_mirrored,
    tr,
)
from apexmem_desktop.ui.tray import Tray
from tests.ui import made_up
from tests.ui.fake_memory import FakeMemory, HeldRunner


def test_the_sheet_of_keys(qtbot: QtBot, desk: Desk) -> None:
    window = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(window)
    keys = {one.key().toString(): one for one in window.findChildren(QShortcut)}
    assert {"F1", "Ctrl+/", "Ctrl+Q"} <= keys.keys()
    keys["F1"].activated.emit()
    texts = [one.text() for one in window.sheet.findChildren(QLabel)]
    assert {"Ctrl+L", "ask a question", "Conversations"} <= set(texts)
    window.sheet.close()


def secret_failure() -> None:
    raise ValueError("my sister's secret")


def test_a_crash_is_shown_and_its_words_stay_out_of_the_log(
    qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "deep" / "log.txt"
    logbook.open_log(log)
    watch = CrashWatch()
    with pytest.raises(ValueError, match="secret") as caught:
        secret_failure()
    watch.show_error(caught.value)
    assert watch.dialog is not None
    qtbot.addWidget(watch.dialog)
    watch.dialog.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "my sister's secret" in copied
    assert copied.startswith("APEX-MEM ")
    logbook.close_log()
    written = log.read_text(encoding="utf-8")
    assert "ValueError < test_habits.py:" in written
    assert "secret_failure" in written
    assert "sister" not in written


@pytest.mark.parametrize("where", ["slot", "thread"])
def test_an_error_that_nobody_took_is_shown_and_the_window_goes_on(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    watch = CrashWatch()
    watch.begin()
    try:
        if where == "slot":
            with pytest.raises(ValueError, match="secret") as caught:
                secret_failure()
            sys.excepthook(caught.type, caught.value, caught.tb)  # as PySide does for a slot
        else:
            thread = threading.Thread(target=secret_failure)
            thread.start()
            thread.join()
        qtbot.waitUntil(lambda: watch.dialog is not None)
    finally:
        watch.end()
    assert watch.dialog is not None
    qtbot.addWidget(watch.dialog)
    assert watch.dialog.isVisible()
    assert "secret_failure" in watch.dialog.details.toPlainText()


def test_a_log_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    logbook.open_log(tmp_path / "file" / "log.txt")
    logbook.note("nothing happens")
    logbook.close_log()


def state(phase: str, seconds: float) -> BuildState:
    return BuildState(phase, Progress(phase, 90, 100, "turns", "", seconds), 4)


@pytest.mark.parametrize(
    ("seconds", "quiet", "told"),
    [
        (300.0, False, ["Your chats have been read: 4 facts found in 5 minutes."]),
        (300.0, True, []),
        (3.0, False, []),
    ],
)
def test_the_end_of_a_long_job_is_told(
    desk: Desk, memory: FakeMemory, seconds: float, quiet: bool, told: list[str]
) -> None:
    memory.kept = replace(memory.kept, quiet=quiet)
    job = BuildJob(desk)
    tray = Tray(desk, job)
    tray.show_state(state("reading", seconds))
    assert tray.icon.toolTip() == "Reading your chats · 90 %"
    tray.show_state(state("idle", seconds))
    assert tray.told == told


def test_the_end_of_a_long_import_is_told_too(
    qtbot: QtBot, desk: Desk, memory: FakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tray = Tray(desk, BuildJob(desk))
    dialog = ImportDialog(desk, [Path("Coast group.zip")])
    qtbot.addWidget(dialog)
    dialog.start()
    assert tray.told == []  # it took no time
    monkeypatch.setattr(tray_module, "_LONG_S", 0.0)
    dialog.start()
    told = "Coast group.zip: 328 new messages are in your memory. 12 were there already."
    assert tray.told[0] == told
    memory.error = ExportUnreadableError("It is damaged.", hint="Export it again.")
    dialog.start()
    assert tray.told[-1] == "Coast group.zip: It is damaged. Export it again."


def test_every_long_job_has_a_sign_in_the_tray(
    qtbot: QtBot, memory: FakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(tray_module, "_LONG_S", 0.0)
    runner = HeldRunner()
    desk = Desk(memory, runner)
    tray = Tray(desk, BuildJob(desk))
    line = ModelRow(desk, replace(made_up.MODELS[0], present=True))
    qtbot.addWidget(line)
    line.test()
    assert not tray.icon.isVisible()  # it may be over at once
    tray._soon.timeout.emit()
    assert tray.icon.isVisible()
    desk.jobs.running[0].show(Progress("", 3, 6, "questions"))
    assert tray.icon.toolTip() == "Trying Small Writer 1.5B · 50 %"
    memory.kept = replace(memory.kept, keep_in_tray=True)
    assert tray.takes_window()  # as while chats are read
    tray.bring_back()
    while runner.held:
        runner.let_go()
    tray._said.stop()  # the message was there for long enough
    tray._said.timeout.emit()
    assert not tray.icon.isVisible()
    assert tray.told[0] == "Small Writer 1.5B has been tried on this computer."
    runner.close()


def test_the_planned_backup_is_told(
    qtbot: QtBot, qapp: QApplication, memory: FakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tray_module, "_LONG_S", 0.0)
    memory.backup_due = True
    shell = Shell(qapp, memory)
    window = shell.open()
    qtbot.addWidget(window)
    shell.job.start()
    assert shell.tray is not None
    qtbot.waitUntil(lambda: "Backed up to /home/someone/plan.apexmem." in shell.tray.told)
    shell.close()


def test_reading_waits_for_mains_power(desk: Desk, memory: FakeMemory) -> None:
    memory.kept = replace(memory.kept, build_when="mains")
    memory.battery = True
    job = BuildJob(desk)
    job.start()
    assert job.state.phase == "waiting"
    memory.battery = False
    job._hours.look()
    assert job.state.phase == "idle"
    assert memory.to_read == []


def test_reading_waits_until_nobody_uses_the_computer(desk: Desk, memory: FakeMemory) -> None:
    memory.kept = replace(memory.kept, build_when="idle")
    memory.idle = 1_000
    job = BuildJob(desk)
    job.start()
    assert (job.state.phase, job.state.waits_for) == ("waiting", "idle")
    job._hours._idle.timeout.emit()  # this window was not used, but another one was
    assert job.state.phase == "waiting"
    memory.idle = IDLE_MS
    job._hours.look()
    assert job.state.phase == "idle"
    assert memory.to_read == []


def test_who_comes_back_finds_the_reading_stopped_at_once(memory: FakeMemory) -> None:
    memory.kept = replace(memory.kept, build_when="idle")
    memory.idle = IDLE_MS
    runner = HeldRunner()
    job = BuildJob(Desk(memory, runner))
    runner.let_go()  # the clock is asked when the hours begin
    job.start()
    while job.state.phase != "reading":
        runner.let_go()
    (_, token) = runner.held[0]
    job._hours.eventFilter(job, QEvent(QEvent.Type.MouseMove))
    assert token.cancelled
    assert job.state.phase == "waiting"
    runner.let_go()
    assert not job.running
    assert len(memory.to_read) == 2


def test_where_nobody_tells_the_window_counts(
    qapp: QApplication, desk: Desk, memory: FakeMemory
) -> None:
    memory.kept = replace(memory.kept, build_when="idle")
    hours = ReadingHours(desk)
    assert not hours.allowed
    hours._idle.timeout.emit()
    assert hours.allowed
    hours.eventFilter(hours, QEvent(QEvent.Type.MouseButtonPress))
    assert not hours.allowed
    memory.kept = Settings()
    hours.look()
    assert hours.allowed
    hours._idle.stop()


@pytest.mark.parametrize(
    ("when", "idle", "battery", "tells", "note"),
    [
        ("", None, False, True, "always"),
        ("idle", 5, False, True, "idle"),
        ("idle", None, False, True, "window"),
        ("mains", None, False, True, "mains"),
        ("mains", None, True, True, "battery"),
        ("mains", None, False, False, "no_power"),
    ],
)
def test_settings_say_what_the_hours_mean_here(
    qtbot: QtBot,
    desk: Desk,
    memory: FakeMemory,
    when: str,
    idle: int | None,
    battery: bool,
    tells: bool,
    note: str,
) -> None:
    memory.idle, memory.battery, memory.tells_power = idle, battery, tells
    place = SettingsPlace(desk)
    qtbot.addWidget(place)
    place.when.setCurrentIndex(place.when.findData(when))
    place.when.activated.emit(0)
    place.refresh()
    assert place.when_note.text() == tr(f"settings.when_note_{note}")


def test_the_desktops_hint_counts_only_when_it_says_idle() -> None:
    now_ms = 1_700_000_000_000
    since_us = (now_ms - 90_000) * 1000
    assert hinted_ms({"IdleHint": True, "IdleSinceHint": since_us}, now_ms) == 90_000
    assert hinted_ms({"IdleHint": False, "IdleSinceHint": since_us}, now_ms) is None
    assert hinted_ms({}, now_ms) is None


def test_text_size_scales_every_text(qapp: QApplication) -> None:
    apply_theme(qapp, "light", 100)
    usual = qapp.font().pointSizeF()
    apply_theme(qapp, "light", 200)
    assert qapp.font().pointSizeF() == 2 * usual
    apply_theme(qapp, "light", 100)


def test_a_mirrored_window_keeps_the_order_of_its_words() -> None:
    set_language("ar")
    assert reading_direction() is Qt.LayoutDirection.RightToLeft
    set_language("zh")
    assert reading_direction() is Qt.LayoutDirection.LeftToRight
    set_language("en")
    set_mirrored(mirrored=True)
    try:
        assert tr("drop.choose") == "\u2066Choose files…\u2069"
        assert tr("date.edit_format") == "d MMM yyyy"
    finally:
        set_mirrored(mirrored=False)
    assert tr("drop.choose") == "Choose files…"


def test_a_closed_window_stays_in_the_tray_while_chats_are_read(
    qtbot: QtBot, desk: Desk, memory: FakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    job = BuildJob(desk)
    tray, window = Tray(desk, job), MainWindow(desk, job)
    qtbot.addWidget(window)
    window.is_put_away = tray.takes_window
    window.show()
    job.state = state("reading", 5.0)
    assert not tray.takes_window()  # the user did not ask for it
    memory.kept = replace(memory.kept, keep_in_tray=True)
    window.close()
    assert window.isHidden()
    assert tray.holds_window
    job.state = BuildState()
    tray.show_state(job.state)  # all is read: the sign stays, it is the only way back
    assert tray.icon.isVisible()
    assert [one.text() for one in tray.menu.actions() if one.isVisible()] == [
        "Open the window",
        "Quit",
    ]
    tray.bring_back()
    assert not window.isHidden()
    assert not tray.icon.isVisible()
    window.close()  # nothing is read now
    assert not tray.holds_window


def test_the_window_opens_where_it_was_left(qtbot: QtBot, desk: Desk) -> None:
    first = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(first)
    first.show()
    first.go_to("imports")
    first.resize(760, 700)
    first.close()
    second = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(second)
    second.restore_geometry()
    assert second.stack.currentWidget() is second.stack.made("imports")
    assert (second.width(), second.height()) == (760, 700)


def test_a_chosen_line_of_a_table_is_copied(qtbot: QtBot, desk: Desk) -> None:
    place = ImportsPlace(desk)
    qtbot.addWidget(place)
    place.show()
    place.table.selectRow(0)
    plain, marked = place.table.actions()
    plain.trigger()
    copied = QGuiApplication.clipboard().text()
    assert copied.split("\t")[0] == place.sources.index(0, 0).data()
    assert plain.shortcut().toString() == "Ctrl+C"
    marked.trigger()
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].startswith("| File | Format |")
    assert lines[1] == "| --- | --- | --- | --- | --- | --- | --- |"
    assert len(lines) == 3
    place.table.clearSelection()
    assert len(place.table.copied().split("\n")) == place.sources.rowCount()


def test_the_facts_of_a_card_are_copied(qtbot: QtBot, desk: Desk) -> None:
    place = PeoplePlace(desk)
    qtbot.addWidget(place)
    place.show()
    plain, markdown = place.card.facts.actions()
    assert [one.shortcut().toString() for one in (plain, markdown)] == ["Ctrl+C", "Ctrl+Shift+C"]
    markdown.trigger()
    copied = QGuiApplication.clipboard().text()
    assert "## Now" in copied
    assert "* **lives in**: Eastport (10 Feb 2023 – now)\n  > I moved to Eastport" in copied
    place.card.facts.setCurrentIndex(place.card.facts.facts.index(1))
    plain.trigger()
    assert QGuiApplication.clipboard().text() == "lives in: Eastport, 10 Feb 2023 – now"


def test_qts_own_words_follow_the_language(qapp: QApplication) -> None:
    set_language("zh")
    load_qt_words(qapp)
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "取消"
    set_language("en")
    load_qt_words(qapp)
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"


def test_the_log_is_one_click_away(
    qtbot: QtBot, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    place = SettingsPlace(desk)
    qtbot.addWidget(place)
    place.open_log()
    assert opened[0].toLocalFile().endswith("log.txt")
