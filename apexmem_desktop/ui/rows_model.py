"""What every table of the window has in common: rows of values, named columns."""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from apexmem_desktop.ui.translation import tr

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
# Qt turns both around where the window runs from right to left.
AT_THE_START = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
AT_THE_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Row = TypeVar("Row")


class RowsModel(QAbstractTableModel, Generic[Row]):
    """One value a row. Holds values only: no session, no lazy loading.

    Attributes:
        COLUMNS: Their names in the code.
        HEADERS: What stands before these in the keys of the translations.
        NUMBERS: Those of them that hold numbers, which stand below one another by their ends.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = ()
    HEADERS: ClassVar[str] = ""
    NUMBERS: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()

    def show(self, rows: Sequence[Row]) -> None:
        """Replace everything shown; the same again changes nothing, and what is chosen stays."""
        shown = self._arranged(rows)
        if shown and shown == self._rows:
            return
        self.beginResetModel()
        self._rows = shown
        self.endResetModel()

    def row(self, number: int) -> Row:
        """Give the value in a row."""
        return self._rows[number]

    def cell(self, index: Index) -> tuple[Row, str]:
        """Give the value and the column's name of a cell that is there."""
        return self._rows[index.row()], self.COLUMNS[index.column()]

    def rowCount(self, parent: Index = ROOT) -> int:
        """Tell Qt how many rows there are."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Tell Qt how many columns there are."""
        return 0 if parent.isValid() else len(self.COLUMNS)

    def headerData(
        self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Name the columns."""
        if way is Qt.Orientation.Horizontal and 0 <= section < len(self.COLUMNS):
            if role == Qt.ItemDataRole.DisplayRole:
                return tr(f"{self.HEADERS}{self.COLUMNS[section]}")
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return AT_THE_END if self.COLUMNS[section] in self.NUMBERS else AT_THE_START
        return None

    def _arranged(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """Put the rows in the order in which they are shown."""
        return tuple(rows)
