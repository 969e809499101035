"""One way to decide a question: its key, what it says, and below that how it is known."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout

from apexmem_desktop.ui.parts import label, short_label
from apexmem_desktop.ui.rows import ClickRow
from apexmem_desktop.ui.theme import scaled

_LEAST_PX = 26  # so that the words behind all of them begin below one another


class ChoiceRow(ClickRow):
    """A card with the key that chooses it; a click or Enter chooses it too."""

    def __init__(self, number: int, text: str) -> None:
        words, _, more = text.partition("\n")
        super().__init__(f"{number}: {words}{', ' if more else ''}{more}")
        self.setObjectName("choice")
        self.words = label(words, bold=True, size=1.05)
        across = QHBoxLayout(self)
        across.setContentsMargins(14, 11, 14, 11)
        across.setSpacing(14)
        across.addWidget(key_cap(str(number)), 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(_untouched(self.words))
        if more:
            column.addWidget(_untouched(label(more, tone="muted", size=0.92)))
        across.addLayout(column, 1)


def key_cap(keys: str) -> QLabel:
    """Draw a key as it looks on a keyboard."""
    made = short_label(keys, size=0.92)
    made.setObjectName("key")
    made.setMinimumWidth(scaled(_LEAST_PX))
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    made.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # keys read one way everywhere
    return _untouched(made)


def _untouched(made: QLabel) -> QLabel:
    made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return made
