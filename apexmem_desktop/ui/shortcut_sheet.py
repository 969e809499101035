"""The keys of the window on one page: F1 or Ctrl+/ from anywhere."""

from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QWidget

from apexmem_desktop.ui.key_cap import key_cap
from apexmem_desktop.ui.parts import button, column, label, row, scrolling
from apexmem_desktop.ui.roomy_dialog import RoomyDialog
from apexmem_desktop.ui.theme import scaled
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
        ("Ctrl+C", "copy_row"),
        ("Ctrl+Shift+C", "markdown"),
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
_ABOVE_PX = 10  # between two groups


class ShortcutSheet(RoomyDialog):
    """A list to read; any of the usual keys closes it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("keys.title"))
        self.resize(*map(scaled, _SIZE))
        content = QWidget()
        # From the outside in: to hang up a full page dresses all that is on it once more.
        outer = column(self, spacing=0)
        outer.addWidget(scrolling(content), 1)
        layout = column(content, spacing=14, margin=24)
        layout.addWidget(label(tr("keys.title"), size=1.5, bold=True))
        layout.addLayout(_sheet())
        layout.addStretch(1)
        foot = row(0, button(tr("common.close"), self.accept))
        foot.setContentsMargins(24, 10, 24, 16)
        outer.addLayout(foot)


def _caps(pressed: str) -> QHBoxLayout:
    """Draw "F1 / Ctrl+/" as two keys."""
    caps = row(*(key_cap(one) for one in pressed.split(" / ")), 0)
    caps.setDirection(QBoxLayout.Direction.LeftToRight)  # keys read one way everywhere
    return caps


def _sheet() -> QGridLayout:
    """Lay out all groups in one grid, so that what the keys do stands below one another."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(22)
    grid.setVerticalSpacing(7)
    grid.setColumnStretch(1, 1)
    line = 0
    for group, keys in SHEET.items():
        head = label(tr(f"keys.group_{group}"), size=1.1, bold=True)
        head.setContentsMargins(0, _ABOVE_PX if line else 0, 0, 0)
        grid.addWidget(head, line, 0, 1, 2)
        for number, (pressed, what) in enumerate(keys, start=line + 1):
            grid.addLayout(_caps(pressed), number, 0)
            grid.addWidget(label(tr(f"keys.{what}")), number, 1)
        line += 1 + len(keys)
    return grid
