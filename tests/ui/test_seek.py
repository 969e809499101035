"""Search everywhere: what it finds, where it leads, and that a stale answer is dropped."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.found_list import FoundListModel, in_order
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.seek_dialog import SeekDialog
from apexmem_desktop.ui.sidebar import PLACES
from tests.ui.fake_memory import FakeMemory, HeldRunner, InlineRunner
from tests.ui.real import real_memory


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Memory]:
    with real_memory(tmp_path) as memory:
        yield memory


@pytest.fixture
def window(qtbot: QtBot, real: Memory) -> Iterator[MainWindow]:
    runner = InlineRunner()
    desk = Desk(real, runner)
    made = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(made)
    made.show()
    yield made
    runner.close()


def opened(qtbot: QtBot, window: MainWindow, words: str) -> SeekDialog:
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.keyClick(window, "k", Qt.KeyboardModifier.ControlModifier)
    assert window.search is not None
    window.search.words.setText(words)
    window.search.seek()
    return window.search


def test_names_facts_messages_and_places_are_found(
    qtmodeltester: ModelTester, real: Memory
) -> None:
    model = FoundListModel()
    qtmodeltester.check(model, force_py=False)
    model.show(in_order("Ana", real.seek("Ana"), PLACES))
    titles = [model.index(row).data() for row in range(model.rowCount())]
    assert titles[:2] == ["Ana", "Ana Silva"]
    model.show(in_order("Lisbon", real.seek("Lisbon"), PLACES))
    titles = [model.index(row).data() for row in range(model.rowCount())]
    assert titles == ["Ana, lives in: Lisbon", "I live in Lisbon now, near Ben."]
    model.show(in_order("sett", real.seek("sett"), PLACES))
    assert model.index(0).data() == "Settings"


def test_what_was_rejected_is_not_found(real: Memory) -> None:
    real.rule("reject", 4)
    assert real.seek("Lisbon").facts == ()


def test_enter_goes_to_the_card(qtbot: QtBot, window: MainWindow) -> None:
    dialog = opened(qtbot, window, "Ana")
    qtbot.keyClick(dialog.words, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.words, Qt.Key.Key_Return)
    assert window.stack.currentWidget() is window.people
    assert window.people.card._name.text() == "Ana Silva"


def test_a_fact_leads_to_its_history_and_a_message_to_its_words(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = opened(qtbot, window, "Lisbon")
    dialog.go_to(dialog.found.index(0))
    assert window.timeline.history.versions.rowCount() == 2
    window.evidence.hide()
    dialog = opened(qtbot, window, "Lisbon")
    dialog.go_to(dialog.found.index(1))
    assert window.evidence.isVisible()


def test_a_place_is_gone_to(qtbot: QtBot, window: MainWindow) -> None:
    dialog = opened(qtbot, window, "Settings")
    dialog.go_to(dialog.found.index(0))
    assert PLACES[window.stack.currentIndex()] == "settings"


def test_nothing_found_is_said(qtbot: QtBot, window: MainWindow) -> None:
    dialog = opened(qtbot, window, "zyzzyva")
    assert dialog.found.rowCount() == 0
    assert dialog._state.text() == "Nothing like that is in your memory."


def test_a_stale_result_is_dropped(qtbot: QtBot, memory: FakeMemory) -> None:
    runner = HeldRunner()
    dialog = SeekDialog(Desk(memory, runner))
    qtbot.addWidget(dialog)
    dialog.words.setText("No")
    dialog.seek()
    first = runner.held[0][1]
    dialog.words.setText("Nora")
    dialog.seek()
    assert first.cancelled
    runner.let_go()
    assert dialog.found.rowCount() == 0
    runner.let_go()
    assert dialog.found.rowCount() > 0
    runner.close()
