"""How far each conversation has been read, as a table."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from apexmem_desktop.domain.reading import ChatQueue
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_PUT_FIRST = 3  # a priority from which a conversation was put first by the user


class QueueModel(QAbstractTableModel):
    """One conversation a row, in the order in which they are read. Holds values only."""

    COLUMNS = ("chat", "done", "pending", "passed_over", "failed")

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[ChatQueue, ...] = ()

    def show(self, rows: Sequence[ChatQueue]) -> None:
        """Replace everything shown."""
        if tuple(rows) == self._rows:
            return
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def queue(self, row: int) -> ChatQueue:
        """Give the conversation in a row."""
        return self._rows[row]

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Tell Qt how many conversations there are."""
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
                return tr(f"queue.{self.COLUMNS[section]}")
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one cell."""
        if not index.isValid():
            return None
        queue, column = self._rows[index.row()], self.COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell(queue, column)
        if role == Qt.ItemDataRole.ForegroundRole and column == "failed" and queue.failed:
            return theme().colour("warn")
        return None


def _cell(queue: ChatQueue, column: str) -> str:
    if column == "chat":
        first = queue.pending and queue.priority >= _PUT_FIRST
        return tr("queue.first", title=queue.title) if first else queue.title
    if column == "done":
        readable = queue.read + queue.pending + queue.failed
        return f"{queue.read * 100 // readable} %" if readable else "–"
    number: int = getattr(queue, column)
    return f"{number:,}" if number else "–"
