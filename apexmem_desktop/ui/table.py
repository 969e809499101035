"""A table that is exactly as wide as its room and no higher than its rows."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from apexmem_desktop.ui.column_widths import least_width, shared_widths
from apexmem_desktop.ui.copying import offer_copies
from apexmem_desktop.ui.dates import unbroken

_LEAST_LINES = 7
_FEW_ROWS = 60
_FRAME_PX = 4
_GAP_PX, _SLACK_PX = 10, 18  # the second: what a cell has around its words
_LOOKED_AT_ROWS = 40  # for how wide columns are


class _Roomy(QStyledItemDelegate):
    """Breaks words a little sooner than they are cut: else some are cut in a row of one line."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Give the room that a cell's words need."""
        narrower = QStyleOptionViewItem(option)
        room = narrower.rect
        if room.width() > _SLACK_PX:
            room.setWidth(room.width() - _SLACK_PX)
            narrower.rect = room
        return super().sizeHint(narrower, index)

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        """Keep the parts of a day together."""
        return unbroken(super().displayText(value, locale))


class Table(QTableView):
    """Chooses whole rows, one at a time; reachable and walkable by keyboard."""

    def __init__(
        self,
        rows: QAbstractItemModel,
        name: str,
        *,
        give_way: Sequence[int] = (),
        least_lines: int = _LEAST_LINES,
    ) -> None:
        """Show a model.

        Args:
            give_way: Columns that are left out, the first one first, where the room is not enough
                for all: they tell least.
            least_lines: How many lines are seen of it, its head among them.
        """
        super().__init__()
        self._give_way = tuple(give_way)
        self._least_lines = least_lines
        self._fits = False
        self.setModel(rows)
        self.setItemDelegate(_Roomy(self))
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalScrollBar().valueChanged.connect(lambda _: self._measure_seen())
        self.horizontalHeader().setResizeContentsPrecision(_LOOKED_AT_ROWS)
        self.horizontalHeader().setHighlightSections(False)
        offer_copies(self, self.copied, lambda: self.copied(markdown=True))
        rows.modelAboutToBeReset.connect(self._measure_none)
        rows.modelReset.connect(self._fit_if_seen)
        # Its bar comes and goes with its height, after the width was shared out.
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._fit_if_off)
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._later.start())

    def fit(self) -> None:
        """Share the width out anew: every column stays in sight, and long words wrap or are cut."""
        self._fits = True
        room, whole = self.viewport().width(), self.maximumViewportSize().width()
        height = self._share_out(room)
        # In the whole width a few rows may be so low that they need no bar.
        if whole > room and self.model().rowCount() <= _FEW_ROWS:
            height = self._share_out(whole)
            if height > self.height():
                height = self._share_out(room)
        # Its head and a few rows are seen, however large the letters are and whatever is below.
        self.setMinimumHeight(min(height, self.fontMetrics().height() * self._least_lines))
        self.setMaximumHeight(height)

    def _measure(self) -> None:
        """Give rows the height of their words: all of a few, of many those in sight."""
        mode = QHeaderView.ResizeMode
        few = self.model().rowCount() <= _FEW_ROWS
        self.verticalHeader().setSectionResizeMode(mode.ResizeToContents if few else mode.Fixed)
        self._measure_seen()

    def _measure_none(self) -> None:
        """Nobody knows yet how many rows there will be."""
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def _measure_seen(self) -> None:
        """Give the rows in sight the height of their words, where there are too many for all."""
        rows = self.model().rowCount()
        if not self._fits or rows <= _FEW_ROWS:
            return
        row, bottom = max(0, self.rowAt(0)), self.viewport().height()
        while row < rows and self.rowViewportPosition(row) < bottom:
            self.resizeRowToContents(row)
            row += 1

    def selectRow(self, row: int) -> None:
        """Choose a row; Qt's own way finds none in a mirrored window."""
        flags = QItemSelectionModel.SelectionFlag
        index = self.model().index(row, 0)
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def copied(self, *, markdown: bool = False) -> str:
        """Write the chosen row, or all where none is chosen, with tabs or as a Markdown table."""
        model, chosen = self.model(), self.selectionModel().selectedRows()
        columns = range(model.columnCount())
        across = Qt.Orientation.Horizontal
        numbers = [one.row() for one in chosen] or range(model.rowCount())
        rows = [[_cell_text(model.index(n, column).data()) for column in columns] for n in numbers]
        if not markdown:
            return "\n".join("\t".join(row) for row in rows)
        heads = [_cell_text(model.headerData(column, across)) for column in columns]
        lines = [heads, ["---"] * len(heads), *rows]
        cells = ([part.replace("|", "/") for part in line] for line in lines)
        return "\n".join(f"| {' | '.join(line)} |" for line in cells)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width out anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit_if_seen()

    def showEvent(self, event: QShowEvent) -> None:
        """Share the width out if that was left until somebody looks."""
        super().showEvent(event)
        if not self._fits:
            self.fit()

    def _share_out(self, room: int) -> int:
        """Give each column its part of a width, and tell how high all is then."""
        heads = range(self.model().columnCount())
        for number in heads:
            self.setColumnHidden(number, False)
        self.resizeColumnsToContents()
        least = {number: self._least_width(number) for number in heads}
        columns = self._columns_with_room(least, room)
        wanted = [self.columnWidth(number) + _GAP_PX for number in columns]
        needed = [least[number] for number in columns]
        if sum(needed) > room:  # rather a long word is cut than the table scrolled sideways
            needed = [self.horizontalHeader().sectionSizeHint(number) for number in columns]
        widths = shared_widths(wanted, needed, room)
        for number in heads:
            self.setColumnHidden(number, number not in columns)
        for number, width in zip(columns, widths, strict=True):
            self.setColumnWidth(number, width)
        self._measure()
        height = sum(self.rowHeight(number) for number in range(self.model().rowCount()))
        return height + _FRAME_PX + self.horizontalHeader().sizeHint().height()

    def _least_width(self, number: int) -> int:
        """A name above is never cut, and no word where there is room for all of them."""
        name = self.horizontalHeader().sectionSizeHint(number)
        return max(name, least_width(self.model(), number, self.font()) + _SLACK_PX)

    def _columns_with_room(self, least: Mapping[int, int], room: int) -> list[int]:
        """List the columns shown; those that tell least give way to the words of the others."""
        columns = list(least)
        for number in self._give_way:
            if sum(least[one] for one in columns) <= room:
                break
            columns.remove(number)
        return columns

    def _fit_if_off(self) -> None:
        """Fill what a bar has given back; what is too wide is shared out as the view shrinks."""
        taken = sum(self.columnWidth(number) for number in range(self.model().columnCount()))
        if self.isVisible() and taken < self.viewport().width():
            self.fit()

    def _fit_if_seen(self) -> None:
        """To measure every cell halts the window, so it is not done for a table behind another."""
        self._fits = False
        if self.isVisible():
            self.fit()


def _cell_text(value: object) -> str:
    return " ".join(str(value).split()) if value is not None else ""
