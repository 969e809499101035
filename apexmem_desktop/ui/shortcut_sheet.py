"""The keys of the window on one page: F1 or Ctrl+/ from anywhere."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from apexmem_desktop.ui.dialog_size import give_room
from apexmem_desktop.ui.parts import button, column, label, row, scrolling, short_label
from apexmem_desktop.ui.translation import tr

# The keys, and the name of what they do among the translations.
SHEET: dict[str, tuple[tuple[str, str], ...]] = {
    "anywhere": (
        ("Ctrl+1 … Ctrl+8", "places"),
        ("Ctrl+L", "ask"),
        ("Ctrl+K", "search"),
        ("Ctrl+P", "box"),
        ("Ctrl+F", "find"),
        ("Ctrl+E", "evidence"),
        ("Ctrl+O", "import"),
        ("Ctrl+Z", "undo"),
        ("Ctrl+Shift+Z", "redo"),
        ("F1 / Ctrl+/", "sheet"),
        ("Esc", "close"),
        ("Ctrl+Q", "quit"),
    ),
    "ask": (("Ctrl+N", "begin"), ("Del", "delete")),
    "conversations": (
        ("Ctrl+F", "within"),
        ("F3 / Shift+F3", "next"),
        ("Ctrl+G", "day"),
        ("Ctrl+R", "remember"),
        ("Ctrl+C", "copy"),
        ("Home / End", "ends"),
    ),
    "facts": (
        ("Y", "confirm"),
        ("C", "correct"),
        ("N", "reject"),
        ("P", "pin_fact"),
        ("X", "hide"),
    ),
    "people": (("Enter", "proof"), ("H", "history")),
    "clarify": (("1 … 9", "choose"), ("S", "skip")),
    "timeline": (
        ("← → ↑ ↓", "walk"),
        ("+ / −", "zoom"),
        ("Home", "all"),
        ("End", "now"),
        ("Enter", "proof"),
        ("P", "pin"),
    ),
}
_SIZE = (640, 640)


class ShortcutSheet(QDialog):
    """A list to read; any of the usual keys closes it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("keys.title"))
        give_room(self, *_SIZE)
        content = QWidget()
        layout = column(content, spacing=14, margin=24)
        layout.addWidget(label(tr("keys.title"), size=1.5, bold=True))
        for group, keys in SHEET.items():
            layout.addWidget(label(tr(f"keys.group_{group}"), size=1.1, bold=True))
            layout.addLayout(_rows(keys))
        layout.addStretch(1)
        outer = column(self, spacing=0)
        outer.addWidget(scrolling(content), 1)
        foot = row(0, button(tr("common.close"), self.accept))
        foot.setContentsMargins(24, 10, 24, 16)
        outer.addLayout(foot)


def _rows(keys: tuple[tuple[str, str], ...]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(22)
    grid.setVerticalSpacing(7)
    grid.setColumnStretch(1, 1)
    for number, (pressed, what) in enumerate(keys):
        shown = short_label(pressed, tone="accent")
        shown.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # keys read one way everywhere
        grid.addWidget(shown, number, 0)
        grid.addWidget(label(tr(f"keys.{what}")), number, 1)
    return grid
