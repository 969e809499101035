"""How large a dialog is: more with larger text, and never more than there is room for."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

from apexmem_desktop.ui.theme import scaled


def give_room(dialog: QDialog, wide: int, high: int = 0) -> None:
    """Make a dialog as large as it needs to be.

    By itself Qt gives no dialog more than two thirds of the screen, and squeezes what is in it.

    Args:
        wide: In pixels at the usual size of text.
        high: The same; 0 for as high as all that is in it.
    """
    room = dialog.screen().availableSize()
    owner = dialog.parentWidget()
    if owner is not None:
        room = room.expandedTo(owner.window().size())
    width = min(scaled(wide), room.width())
    inner = dialog.layout()
    least = inner.totalHeightForWidth(width) if inner is not None else 0
    height = scaled(high) or max(least, dialog.sizeHint().height())
    dialog.resize(QSize(width, min(height, room.height())))
