"""A line to search with: a sign before the words and a button that empties it."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QStyle, QWidget

from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.parts import begin_at_start, icon_button
from apexmem_desktop.ui.theme import scaled
from apexmem_desktop.ui.translation import tr

_SIGN_PX, _GAP_PX = 16, 8
_BESIDE_PX = 10  # the room that the style sheet leaves at the ends of a line


class SearchBox(QLineEdit):
    """Its signs grow with the text; those that Qt puts into a line never do."""

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(words)
        self.setAccessibleName(words)
        begin_at_start(self)
        self._sign = QLabel(self)
        self._sign.setPixmap(icon("search", "faint").pixmap(scaled(_SIGN_PX), scaled(_SIGN_PX)))
        self._sign.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.empty = icon_button("close", tr("common.empty"), self.clear)
        self.empty.setParent(self)
        self.empty.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.empty.setCursor(Qt.CursorShape.ArrowCursor)
        self.empty.hide()
        self.textChanged.connect(self._on_text)
        self._on_text("")

    def _on_text(self, text: str) -> None:
        beside = scaled(_SIGN_PX + _GAP_PX)
        ends = (beside, beside if text else 0)
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            ends = ends[::-1]
        self.setTextMargins(ends[0], 0, ends[1], 0)
        self.empty.setVisible(bool(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the signs at the ends, whichever way the window runs."""
        super().resizeEvent(event)
        side, high = scaled(_SIGN_PX), self.height()
        sign = QRect(_BESIDE_PX, (high - side) // 2, side, side)
        square = max(0, high - 6)
        empty = QRect(self.width() - square - 3, 3, square, square)
        for made, where in ((self._sign, sign), (self.empty, empty)):
            made.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), where))
