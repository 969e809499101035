"""A table that is exactly as wide as its room and no higher than its rows."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from apexmem_desktop.ui.copying import offer_copies

_LEAST_COLUMN_CHARS = 5
_LEAST_LINES = 7
_FRAME_PX = 4
_GAP_PX, _SLACK_PX = 10, 8
_LOOKED_AT_ROWS = 40  # for how wide columns are
_MANY_ROWS = 60  # of more, only those are measured that are seen


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


class Table(QTableView):
    """Chooses whole rows, one at a time; reachable and walkable by keyboard."""

    def __init__(self, rows: QAbstractItemModel, name: str) -> None:
        super().__init__()
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

    def fit(self) -> None:
        """Share the width out anew: every column stays in sight, and long words wrap or are cut."""
        self._fits = True
        self.resizeColumnsToContents()
        columns = range(self.model().columnCount())
        wanted = [self.columnWidth(number) + _GAP_PX for number in columns]
        least = self.fontMetrics().averageCharWidth() * _LEAST_COLUMN_CHARS
        widest = _widest_that_fits(wanted, self.viewport().width(), least)
        heads = self.horizontalHeader()
        # A name above is never cut: in large letters a table is rather scrolled.
        widths = [max(min(w, widest), heads.sectionSizeHint(n)) for n, w in enumerate(wanted)]
        widths[0] += max(0, self.viewport().width() - sum(widths))
        for number, width in enumerate(widths):
            self.setColumnWidth(number, width)
        rows = self.model().rowCount()
        mode = QHeaderView.ResizeMode
        heights = mode.ResizeToContents if rows <= _MANY_ROWS else mode.Fixed
        self.verticalHeader().setSectionResizeMode(heights)
        self._measure_seen()
        height = sum(self.rowHeight(number) for number in range(rows)) + _FRAME_PX
        height += self.horizontalHeader().sizeHint().height()
        # Its head and a few rows are seen, however large the letters are and whatever is below.
        self.setMinimumHeight(min(height, self.fontMetrics().height() * _LEAST_LINES))
        self.setMaximumHeight(height)

    def _measure_none(self) -> None:
        """Nobody knows yet how many rows there will be."""
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def _measure_seen(self) -> None:
        """Give the rows in sight the height of their words, where there are too many for all."""
        rows = self.model().rowCount()
        if not self._fits or rows <= _MANY_ROWS:
            return
        row, bottom = max(0, self.rowAt(0)), self.viewport().height()
        while row < rows and self.rowViewportPosition(row) < bottom:
            self.resizeRowToContents(row)
            row += 1

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

    def _fit_if_seen(self) -> None:
        """To measure every cell halts the window, so it is not done for a table behind another."""
        self._fits = False
        if self.isVisible():
            self.fit()


def _cell_text(value: object) -> str:
    return " ".join(str(value).split()) if value is not None else ""


def _widest_that_fits(wanted: list[int], room: int, least: int) -> int:
    """Give the width to which the widest columns are cut, so that all fit into the room."""
    narrow_first = sorted(wanted)
    for number, width in enumerate(narrow_first):
        share = room // (len(narrow_first) - number)
        if width > share:
            return max(least, share)
        room -= width
    return narrow_first[-1] if narrow_first else least
