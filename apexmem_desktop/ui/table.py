"""A table whose first column takes what room is left, and which is no higher than its rows."""

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

_FIRST_COLUMN_CHARS = 13
_FRAME_PX = 4


class Table(QTableView):
    """Chooses whole rows, one at a time; reachable and walkable by keyboard."""

    def __init__(self, rows: QAbstractItemModel, name: str) -> None:
        super().__init__()
        self.setModel(rows)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setHighlightSections(False)
        rows.modelReset.connect(self.fit)

    def fit(self) -> None:
        """Share the width out anew."""
        self.resizeColumnsToContents()
        count = self.model().columnCount()
        others = sum(self.columnWidth(number) for number in range(1, count))
        least = self.fontMetrics().averageCharWidth() * _FIRST_COLUMN_CHARS
        self.setColumnWidth(0, max(least, self.viewport().width() - others))
        rows = self.model().rowCount()
        height = sum(self.rowHeight(number) for number in range(rows)) + _FRAME_PX
        height += self.horizontalHeader().sizeHint().height()
        if self.horizontalScrollBar().maximum() or others + least > self.viewport().width():
            height += self.horizontalScrollBar().sizeHint().height()
        self.setMaximumHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width out anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()
