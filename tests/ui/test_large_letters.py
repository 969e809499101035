"""At twice the size nothing is cut: dialogs take the room that their words need, or scroll."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from apexmem_desktop.domain.reports import EraseScope
from apexmem_desktop.ui.correct_dialog import CorrectDialog
from apexmem_desktop.ui.crash_dialog import CrashDialog
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.drop_zone import DropZone
from apexmem_desktop.ui.erase_dialog import EraseDialog
from apexmem_desktop.ui.import_dialog import ImportDialog
from apexmem_desktop.ui.imports_place import ImportsPlace
from apexmem_desktop.ui.merge_dialog import MergeDialog
from apexmem_desktop.ui.passphrase_dialog import NewPassphraseDialog, PassphraseDialog
from apexmem_desktop.ui.ruling_log import RulingLogDialog
from apexmem_desktop.ui.settings_place import SettingsPlace
from apexmem_desktop.ui.shortcut_sheet import ShortcutSheet
from apexmem_desktop.ui.split_dialog import SplitDialog
from apexmem_desktop.ui.task_dialog import TaskDialog
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.translation import set_language
from tests.ui import made_up
from tests.ui.fake_memory import FakeMemory

MAKERS: dict[str, Callable[[Desk, QWidget], QDialog]] = {
    "erase": lambda desk, parent: EraseDialog(desk, parent, EraseScope("all")),
    "crash": lambda _, parent: CrashDialog("Traceback", parent),
    "keys": lambda _, parent: ShortcutSheet(parent),
    "new passphrase": lambda _, parent: NewPassphraseDialog(parent),
    "passphrase": lambda _, parent: PassphraseDialog("mine", wrong=True, parent=parent),
    "decisions": RulingLogDialog,
    "import": lambda desk, parent: ImportDialog(desk, [Path("Coast group.zip")], parent),
    "correct": lambda desk, parent: CorrectDialog(desk, made_up.FACTS[0], parent),
    "merge": lambda desk, parent: MergeDialog(desk, made_up.ENTITIES[0], parent),
    "split": lambda desk, parent: SplitDialog(desk, 1, "Nora Lind", parent),
    "job": lambda desk, parent: TaskDialog(desk, "Back up now…", lambda *_: None, str, parent),
}


@pytest.fixture(params=["en", "zh"])
def large(request: pytest.FixtureRequest, qapp: QApplication, look: None) -> Iterator[None]:
    """Dress all in letters of twice the size."""
    set_language(request.param)
    apply_theme(qapp, "dark", 200)
    yield
    apply_theme(qapp, "light", 100)


def cut(top: QWidget) -> list[str]:
    """The labels and buttons that are given less room than their words need."""
    for _ in range(3):  # wishes go outwards, and what is given comes back
        QApplication.processEvents()
    labels = [one for one in top.findChildren(QLabel) if one.isVisible() and one.text()]
    low = [
        one for one in labels if one.wordWrap() and one.height() < one.heightForWidth(one.width())
    ]
    narrow = [one for one in labels if not one.wordWrap() and one.width() < one.sizeHint().width()]
    buttons = [one for one in top.findChildren(QPushButton) if one.isVisible()]
    short = [one for one in buttons if one.width() < one.minimumSizeHint().width()]
    return [one.text() for one in (*low, *narrow, *short)]


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("name", MAKERS)
def test_no_dialog_cuts_its_words(qtbot: QtBot, desk: Desk, name: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = MAKERS[name](desk, parent)
    dialog.show()
    assert cut(dialog) == []
    room = dialog.screen().availableGeometry()
    assert dialog.width() <= room.width()
    assert dialog.height() <= room.height()
    for area in dialog.findChildren(QScrollArea):  # it may be scrolled up and down, never sideways
        inside = area.widget()
        assert not area.isVisible() or inside.width() <= area.viewport().width()
    dialog.close()


@pytest.mark.usefixtures("large")
def test_no_box_of_settings_lies_over_its_name(qtbot: QtBot, desk: Desk) -> None:
    place = SettingsPlace(desk)
    qtbot.addWidget(place)
    place.resize(900, 700)
    place.show()
    assert cut(place) == []
    names = {one.buddy(): one for one in place.findChildren(QLabel) if one.buddy() is not None}
    boxes = [one for one in place.findChildren(QComboBox) if one in names]
    assert len(boxes) >= 6
    for box in boxes:
        name_end = names[box].mapTo(place, QPoint(names[box].width(), 0)).x()
        assert box.mapTo(place, QPoint(0, 0)).x() >= name_end, box.accessibleName()


@pytest.mark.usefixtures("large")
def test_the_report_of_an_import_is_not_cut(qtbot: QtBot, desk: Desk) -> None:
    place = ImportsPlace(desk)
    qtbot.addWidget(place)
    place.resize(1240, 860)
    place.show()
    for number in range(place.sources.rowCount()):
        place.table.selectRow(number)
        assert cut(place) == []


def test_the_drop_zone_is_one_line_above_a_list(
    qtbot: QtBot, desk: Desk, memory: FakeMemory
) -> None:
    place = ImportsPlace(desk)
    qtbot.addWidget(place)
    place.resize(1000, 700)
    place.show()
    place.refresh()
    QApplication.processEvents()
    low = place.findChildren(DropZone)[0].height()
    memory.empty = True
    place.refresh()
    QApplication.processEvents()
    assert place.drop.height() > low
    assert place.table.isHidden()
