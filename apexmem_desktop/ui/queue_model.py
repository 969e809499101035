"""How far each conversation has been read, as a table."""

from PySide6.QtCore import Qt, Signal

from apexmem_desktop.domain.reading import ChatQueue
from apexmem_desktop.ui.dates import duration_text
from apexmem_desktop.ui.rows_model import AT_THE_END, Index, RowsModel
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr

SHARE_ROLE = Qt.ItemDataRole.UserRole + 1  # how much of a conversation has been read, 0 to 1
_PUT_FIRST = 3  # a priority from which a conversation was put first by the user


class QueueModel(RowsModel[ChatQueue]):
    """One conversation a row, in the order in which they are read."""

    COLUMNS = ("chat", "done", "pending", "left", "passed_over", "failed")
    HEADERS = "queue."
    widened = Signal()  # the time left is told now, where nothing was
    NUMBERS = ("pending", "left", "passed_over", "failed")

    def __init__(self) -> None:
        super().__init__()
        self._per_s = 0.0

    def show_rate(self, per_s: float) -> None:
        """Take how many messages are read a second; 0 while nobody knows."""
        began, self._per_s = per_s > 0 and not self._per_s, per_s
        column = self.COLUMNS.index("left")
        if self.rowCount():
            last = self.rowCount() - 1
            self.dataChanged.emit(self.index(0, column), self.index(last, column))
        if began:
            self.widened.emit()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one cell."""
        if not index.isValid():
            return None
        queue, column = self.cell(index)
        if role == Qt.ItemDataRole.DisplayRole:
            if column == "left":
                return self._left(queue)
            return _cell(queue, column)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in self.NUMBERS:
            return AT_THE_END
        if role == SHARE_ROLE:
            return read_share(queue) if column == "done" else None
        if role == Qt.ItemDataRole.ForegroundRole and column == "failed" and queue.failed:
            return theme().colour("warn")
        return None

    def _left(self, queue: ChatQueue) -> str:
        """How long reading this one takes by itself, at the rate of now."""
        if not queue.pending or not self._per_s:
            return "–"
        return duration_text(queue.pending / self._per_s)


def read_share(queue: ChatQueue) -> float | None:
    """Tell which part of what can be read has been read; None where there is nothing to read."""
    readable = queue.read + queue.pending + queue.failed
    return queue.read / readable if readable else None


def _cell(queue: ChatQueue, column: str) -> str:
    if column == "chat":
        first = queue.pending and queue.priority >= _PUT_FIRST
        return tr("queue.first", title=queue.title) if first else queue.title
    if column == "done":
        share = read_share(queue)
        return "–" if share is None else f"{int(share * 100)} %"
    number: int = getattr(queue, column)
    return f"{number:,}" if number else "–"
