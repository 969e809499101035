"""The imports so far as a table."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from apexmem_desktop.domain.reports import SourceSummary
from apexmem_desktop.ui.dates import day_text
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr, tr_name

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class SourceModel(QAbstractTableModel):
    """One import a row, newest first. Holds values only."""

    COLUMNS = ("file", "format", "imported", "new", "known", "dates", "problems")

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[SourceSummary, ...] = ()

    def show(self, rows: Sequence[SourceSummary]) -> None:
        """Replace everything shown."""
        self.beginResetModel()
        self._rows = tuple(sorted(rows, key=lambda row: -row.id))
        self.endResetModel()

    def source(self, row: int) -> SourceSummary:
        """Give the import in a row."""
        return self._rows[row]

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Tell Qt how many imports there are."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Tell Qt how many columns there are."""
        return 0 if parent.isValid() else len(self.COLUMNS)

    def headerData(
        self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Name the columns."""
        if way is Qt.Orientation.Horizontal and 0 <= section < len(self.COLUMNS):
            if role == Qt.ItemDataRole.DisplayRole:
                return tr(f"imports.{self.COLUMNS[section]}")
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one cell."""
        if not index.isValid():
            return None
        source, column = self._rows[index.row()], self.COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell(source, column)
        if role == Qt.ItemDataRole.ToolTipRole and column == "problems":
            return "\n".join(f"{one.where}: {one.what}" for one in source.problems[:20])
        if role == Qt.ItemDataRole.ForegroundRole and column == "problems" and source.problems:
            return theme().colour("warn")
        return None


def date_order_text(order: str, *, certain: bool) -> str:
    """Write how dates were read, and whether that was a guess."""
    if not order:
        return tr("imports.no_order")
    text = tr(f"order.short_{order}")
    return text if certain else tr("imports.guessed", order=text)


def _cell(source: SourceSummary, column: str) -> str:
    texts = {
        "file": lambda: source.file,
        "format": lambda: tr_name("format", source.format),
        "imported": lambda: day_text(source.imported_at_ms),
        "new": lambda: f"{source.turns_new:,}",
        "known": lambda: f"{source.turns_known:,}",
        "dates": lambda: date_order_text(source.date_order, certain=source.date_order_certain),
        "problems": lambda: f"{len(source.problems):,}" if source.problems else "–",
    }
    return texts[column]()
