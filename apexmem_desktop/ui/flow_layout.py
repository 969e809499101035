"""A layout that puts chips side by side and breaks the line when they no longer fit."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget

# A long chip may be cut; it must not make its whole panel wider.
_LEAST = QSize(140, 1000)


class FlowLayout(QLayout):
    """Lays items out like words of a text."""

    def __init__(self, parent: QWidget | None = None, *, gap: int = 8) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Take one more item; Qt calls this."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Give an item, or nothing."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give an item away."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Take no more room than needed."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Tell how high all lines are together."""
        return self._lay_out(QRect(0, 0, width, 0), place=False)

    def setGeometry(self, rect: QRect) -> None:
        """Place the items."""
        super().setGeometry(rect)
        self._lay_out(rect, place=True)

    def sizeHint(self) -> QSize:
        """Ask for the least."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Room for the widest item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize().boundedTo(_LEAST))
        return size

    def _direction(self) -> Qt.LayoutDirection:
        return self.parentWidget().layoutDirection()

    def _lay_out(self, rect: QRect, *, place: bool) -> int:
        """Give the height of all lines; items of one line stand with their middles in a row."""
        top = rect.y()
        for line in self._lines(rect.width()):
            height = max(size.height() for _, size in line)
            x = rect.x()
            for item, size in line:
                if place:
                    y = top + (height - size.height()) // 2
                    box = QRect(QPoint(x, y), size)
                    item.setGeometry(QStyle.visualRect(self._direction(), rect, box))
                x += size.width() + self._gap
            top += height + self._gap
        return max(0, top - self._gap - rect.y())

    def _lines(self, room: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """Break items into lines, each with the size that it gets."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        taken = 0
        for item in self._items:
            if item.isEmpty():  # what is hidden takes no room
                continue
            size = item.sizeHint()
            if 0 < room < size.width():
                size = QSize(room, size.height())
            if not lines or taken + size.width() > room:
                lines.append([])
                taken = 0
            lines[-1].append((item, size))
            taken += size.width() + self._gap
        return lines
