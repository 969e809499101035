"""A list beside what is chosen in it; where there is no room for both, one of them at a time."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from apexmem_desktop.ui.parts import button, column, row
from apexmem_desktop.ui.theme import scaled

_LIST_CHARS, _CHOSEN_CHARS = 26, 40  # what either cannot do with less than
_WIDEST_SHARE = 0.39  # of a list, until the user moves the line between
_MARGIN = 12


class ListSplit(QSplitter):
    """Folds by itself, as large letters or a panel beside leave less room.

    Args:
        back: What leads from what is chosen back to the list, in words.
        list_px: Width of the list at the usual size of text.
    """

    def __init__(self, left: QWidget, right: QWidget, back: str, list_px: int) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.left = left
        self.chosen = QWidget()
        self.back = button(back, self.show_list, kind="plain", icon_name="list")
        self._bar = QWidget()
        line = row(self.back, 0)
        line.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, 0)
        self._bar.setLayout(line)
        self._bar.hide()
        layout = column(self.chosen, spacing=0)
        layout.addWidget(self._bar)
        layout.addWidget(right, 1)
        self.addWidget(left)
        self.addWidget(self.chosen)
        self._list_px, self._moved = scaled(list_px), False
        self.splitterMoved.connect(self._on_moved)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        self.setChildrenCollapsible(False)

    @property
    def folded(self) -> bool:
        """Whether only one of both is seen."""
        return not self._bar.isHidden()

    def show_list(self) -> None:
        """Show the list alone, where it is folded."""
        if self.folded:
            self.left.show()
            self.chosen.hide()

    def show_chosen(self) -> None:
        """Show what is chosen, where only one of both is seen."""
        if self.folded:
            self.chosen.show()
            self.left.hide()

    def minimumSizeHint(self) -> QSize:
        """Ask for no more than one of them needs."""
        both = self.left.minimumSizeHint(), self.chosen.minimumSizeHint()
        wide = max(self.left.minimumWidth(), *(one.width() for one in both))
        return QSize(wide, max(one.height() for one in both))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold and unfold."""
        super().resizeEvent(event)
        if not self._moved:
            wide = event.size().width()
            least = self.left.minimumSizeHint().width()
            wished = max(least, min(self._list_px, round(wide * _WIDEST_SHARE)))
            self.setSizes([wished, wide - wished])
        chars = event.size().width() / max(1, self.fontMetrics().averageCharWidth())
        fold = chars < _LIST_CHARS + _CHOSEN_CHARS
        if fold == self.folded:
            return
        self._bar.setVisible(fold)
        self.left.setVisible(not fold)
        self.chosen.show()

    def _on_moved(self, _at: int, _number: int) -> None:
        self._moved = True
