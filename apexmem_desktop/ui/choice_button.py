"""One way to decide a question: its key, what it says, and what is known about it below."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from apexmem_desktop.ui.parts import column, label, row, short_label
from apexmem_desktop.ui.theme import scaled

_MARGIN_PX, _GAP_PX, _CAP_PX = 12, 14, 32


class ChoiceButton(QPushButton):
    """The key stands apart from the words, so that it is no part of a date or a number.

    Args:
        key: What decides it on the keyboard.
        text: The first line says it, the others tell more.
    """

    def __init__(self, key: str, text: str, act: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("kind", "example")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{key}: {text}".replace("\n", ", "))
        self.clicked.connect(lambda _checked=False: act())
        says, *more = text.split("\n")
        cap = short_label(key, tone="muted", bold=True)
        cap.setObjectName("key")
        cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
        cap.setMinimumWidth(scaled(_CAP_PX))
        words = QWidget()
        lines = column(words, spacing=2)
        lines.addWidget(label(says, bold=bool(more)))
        for one in more:
            lines.addWidget(label(one, tone="muted", size=0.92))
        line = row(cap, words, spacing=scaled(_GAP_PX))
        line.setStretch(1, 1)
        line.setAlignment(cap, Qt.AlignmentFlag.AlignTop)
        margin = scaled(_MARGIN_PX)
        line.setContentsMargins(margin, margin, margin, margin)
        self.setLayout(line)
        for inner in self.findChildren(QWidget):  # a click on the words is one on the button
            inner.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        """Take the room of the words, which Qt does not look for in a button."""
        inner = self.layout()
        return inner.sizeHint() if inner is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Take no less than the words need."""
        inner = self.layout()
        return inner.minimumSize() if inner is not None else super().minimumSizeHint()
