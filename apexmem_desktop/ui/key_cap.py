"""A key as it looks on a keyboard."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from apexmem_desktop.ui.parts import short_label


def key_cap(keys: str) -> QLabel:
    """Draw a key, or some that are pressed together."""
    made = short_label(keys, size=0.92)
    made.setObjectName("key")
    # In the middle of what it does, also where that takes two lines.
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    made.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # keys read one way everywhere
    return made
