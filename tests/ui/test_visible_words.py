"""No visible word stands outside the translations: each is looked for in a made-up language.

All texts are put between marks; what then shows without them, and is not of the made-up memory
itself, was written into the code.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.reports import EraseScope
from apexmem_desktop.ui import translation
from apexmem_desktop.ui.build_job import BuildJob
from apexmem_desktop.ui.changes_dialog import ChangesDialog
from apexmem_desktop.ui.crash_dialog import CrashDialog
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.erase_dialog import EraseDialog
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.passphrase_dialog import NewPassphraseDialog, PassphraseDialog
from apexmem_desktop.ui.rows_model import RowsModel
from apexmem_desktop.ui.ruling_log import RulingLogDialog
from apexmem_desktop.ui.seek_dialog import SeekDialog
from apexmem_desktop.ui.shortcut_sheet import SHEET, ShortcutSheet
from apexmem_desktop.ui.sidebar import PLACES
from apexmem_desktop.ui.translation import LANGUAGES, load_texts
from apexmem_desktop.ui.tray import Tray
from tests.ui import fake_memory, fake_upkeep, made_up
from tests.ui.fake_memory import FakeMemory, InlineRunner
from tests.ui.test_decisions import ASKED

BEGIN, END = "⟦", "⟧"
_WORD = re.compile(r"[^\W\d_]{3,}")
_FEW = 60  # a list longer than this is one of names: of time zones


def own_words() -> set[str]:
    """All words of the made-up memory, of keys, and the names of languages."""
    words: set[str] = {"apex", "mem", "utc", "etc"}
    for module in (made_up, fake_memory, fake_upkeep):
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            is_said = isinstance(node, ast.Constant) and id(node) not in told
            if is_said and isinstance(node.value, str):
                words |= set(_WORD.findall(node.value.casefold()))
    keys = " ".join(pressed for group in SHEET.values() for pressed, _ in group)
    return words | set(_WORD.findall(f"{keys} {' '.join(LANGUAGES.values())}".casefold()))


OWN = own_words()


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put every text between marks, but for the patterns that dates are written by."""
    plain = dict(load_texts("en"))
    texts = {
        key: text if key.startswith("date.") else f"{BEGIN}{text}{END}"
        for key, text in plain.items()
    }
    monkeypatch.setattr(translation, "load_texts", lambda _: texts)


def stray(text: str) -> list[str]:
    """Words outside the marks that are not of the memory."""
    depth, outside = 0, []
    for char in text:
        depth += char == BEGIN
        # A text of the window ends the word before it: a comma between two names is one.
        outside.append(" " if depth else char)
        depth -= char == END
    months = {word for key, text in load_texts_of_dates() for word in _WORD.findall(text)}
    return [
        word
        for word in _WORD.findall("".join(outside))
        if word.casefold() not in OWN and word not in months
    ]


def load_texts_of_dates() -> list[tuple[str, str]]:
    return [(key, text) for key, text in load_texts("en").items() if key.startswith("date.")]


def model_texts(model: QAbstractItemModel) -> Iterator[str]:
    columns = model.columnCount() if isinstance(model, RowsModel) else 1
    for column in range(columns):
        head = model.headerData(column, Qt.Orientation.Horizontal)
        yield head if isinstance(head, str) and columns > 1 else ""
        for number in range(min(model.rowCount(), _FEW)):
            for role in (
                Qt.ItemDataRole.DisplayRole,
                Qt.ItemDataRole.ToolTipRole,
                Qt.ItemDataRole.AccessibleTextRole,
            ):
                value = model.index(number, column).data(role)
                yield value if isinstance(value, str) else ""


def is_of_a_page(view: QAbstractItemView) -> bool:
    """Whether a list is not one that a box of choices drops down, or of all time zones."""
    dropped = isinstance(view.parentWidget(), QComboBox)
    return view.model() is not None and not dropped and view.model().rowCount() < _FEW


def shown_texts(top: QWidget) -> Iterator[str]:
    for widget in (top, *top.findChildren(QWidget)):
        if widget.objectName().startswith("qt_"):
            continue
        yield from (widget.toolTip(), widget.accessibleName(), widget.windowTitle())
        yield from (action.text() for action in widget.actions())
        if isinstance(widget, QLabel):
            yield re.sub(r"<[^>]*>", " ", widget.text())
        elif isinstance(widget, QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        elif isinstance(widget, QComboBox) and widget.count() < _FEW:
            yield from (widget.itemText(number) for number in range(widget.count()))
        elif isinstance(widget, QMenu):
            yield widget.title()
        elif isinstance(widget, QAbstractItemView) and is_of_a_page(widget):
            yield from model_texts(widget.model())


def strays(top: QWidget) -> dict[str, list[str]]:
    QApplication.processEvents()
    return {text: found for text in shown_texts(top) if (found := stray(text))}


@pytest.fixture
def window(qtbot: QtBot, marked: None) -> Iterator[MainWindow]:
    runner = InlineRunner()
    memory = FakeMemory()
    memory.unsettled = ASKED
    desk = Desk(memory, runner)
    made = MainWindow(desk, BuildJob(desk))
    qtbot.addWidget(made)
    made.show()
    desk.spot_asked.emit(Spot(3, 5, 34))
    made.ask.ask("Where does Nora live now?")
    yield made
    runner.close()


def test_a_word_that_is_not_translated_is_found(qtbot: QtBot, marked: None) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    QLabel("Forgotten sentence", box)
    QLabel(translation.tr("common.cancel"), box)
    assert strays(box) == {"Forgotten sentence": ["Forgotten", "sentence"]}


@pytest.mark.parametrize("place", PLACES)
def test_every_place_speaks_the_language(window: MainWindow, place: str) -> None:
    window.go_to(place)
    if place == "timeline":
        window.timeline.open_history(1, "lives_in")
    assert strays(window) == {}


def test_every_open_question_speaks_the_language(window: MainWindow) -> None:
    window.go_to("clarify")
    for number in range(window.clarify.questions.rowCount()):
        window.clarify.list.setCurrentIndex(window.clarify.questions.index(number))
        assert strays(window.clarify) == {}


DIALOGS: dict[str, Callable[[Desk, QWidget], QDialog]] = {
    "erase": lambda desk, parent: EraseDialog(desk, parent, EraseScope("all")),
    "crash": lambda _, parent: CrashDialog("", parent),
    "keys": lambda _, parent: ShortcutSheet(parent),
    "new passphrase": lambda _, parent: NewPassphraseDialog(parent),
    "passphrase": lambda _, parent: PassphraseDialog("mine", wrong=True, parent=parent),
    "decisions": RulingLogDialog,
    "import": lambda desk, parent: ImportDialog(desk, [Path("Coast group.zip")], parent),
    "search": SeekDialog,
    "changes": lambda desk, parent: ChangesDialog(desk, made_up.ENTITIES[0], parent),
}


@pytest.mark.parametrize("name", DIALOGS)
def test_every_dialog_speaks_the_language(window: MainWindow, name: str) -> None:
    dialog = DIALOGS[name](window._desk, window)
    dialog.show()
    assert strays(dialog) == {}
    dialog.close()


def test_the_tray_speaks_the_language(desk: Desk, marked: None) -> None:
    job = BuildJob(desk)
    tray = Tray(desk, job)
    job.start()
    assert all(action.text().startswith(BEGIN) for action in tray.menu.actions())
    assert tray.icon.toolTip().startswith(BEGIN)
