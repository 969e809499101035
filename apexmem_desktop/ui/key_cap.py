"""A key as it looks on a keyboard."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from apexmem_desktop.ui.parts import short_label


def key_cap(keys: str) -> QLabel:
    """Draw a key, or some that are pressed together."""
    made = short_label(keys, size=0.92)
    made.setObjectName("key")
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    made.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # keys read one way everywhere
    return made
