"""Tables: no word is cut where there is room, and a row is chosen in mirrored windows too."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from apexmem_desktop.ui.column_widths import least_width, shared_widths
from apexmem_desktop.ui.table import Table


def rows_of(*rows: tuple[str, ...]) -> QStandardItemModel:
    made = QStandardItemModel()
    made.setHorizontalHeaderLabels([f"c{n}" for n in range(len(rows[0]))])
    for row in rows:
        made.appendRow([QStandardItem(text) for text in row])
    return made


@pytest.mark.parametrize(
    ("wanted", "least", "room", "shared"),
    [
        ([100, 50], [20, 20], 300, [250, 50]),  # what is left over is the first one's
        ([300, 300], [20, 20], 260, [160, 100]),  # the first gives way later
        ([300, 300], [20, 200], 260, [60, 200]),  # never less than the longest word
        ([300, 300], [200, 200], 260, [200, 200]),  # then the table is rather scrolled
    ],
)
def test_a_room_is_shared_out(
    wanted: list[int], least: list[int], room: int, shared: list[int]
) -> None:
    assert shared_widths(wanted, least, room) == pytest.approx(shared, abs=2)


def test_a_word_is_measured_and_a_chinese_day_is_one(qapp: QApplication) -> None:
    model = rows_of(("by 15 Feb 2025", "不晚于2025年2月15日"))
    words = QFontMetrics(qapp.font()).horizontalAdvance
    assert least_width(model, 0, qapp.font()) == words("2025")
    assert least_width(model, 1, qapp.font()) == words("2025年2月15日")


@pytest.fixture
def mirrored(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.usefixtures("mirrored")
def test_a_row_is_chosen_in_a_mirrored_window(qtbot: QtBot) -> None:
    table = Table(rows_of(("Lisbon", "now"), ("Porto", "before")), "homes")
    qtbot.addWidget(table)
    table.resize(400, 300)
    table.show()
    table.selectRow(1)
    assert [index.row() for index in table.selectionModel().selectedRows()] == [1]


def test_columns_that_tell_least_give_way_and_come_back(qtbot: QtBot) -> None:
    words = ("unbelievably", "unmistakably", "incidentally")
    table = Table(rows_of(words, words), "words", give_way=(2,))
    qtbot.addWidget(table)
    wide = table.fontMetrics().horizontalAdvance(words[0])
    table.resize(wide * 3, 300)
    table.show()
    assert table.isColumnHidden(2)
    assert table.horizontalScrollBar().maximum() == 0
    table.resize(wide * 6, 300)
    assert not any(table.isColumnHidden(number) for number in range(3))


def test_a_table_reaches_its_edge_when_its_bar_goes(qtbot: QtBot) -> None:
    table = Table(rows_of(*[(f"row {n}", "so") for n in range(9)]), "rows")
    page = QWidget()
    qtbot.addWidget(page)
    layout = QVBoxLayout(page)
    layout.addWidget(table)
    page.resize(400, 120)
    page.show()
    qtbot.waitUntil(lambda: table.verticalScrollBar().maximum() > 0)
    page.resize(400, 900)
    edge = lambda: sum(table.columnWidth(n) for n in (0, 1)) == table.viewport().width()  # noqa: E731
    qtbot.waitUntil(lambda: table.verticalScrollBar().maximum() == 0 and edge())
