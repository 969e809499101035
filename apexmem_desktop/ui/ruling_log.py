"""All that the user ever decided, the newest first, with undo and redo."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from apexmem_desktop.domain.rulings import Ruling
from apexmem_desktop.ui.dates import instant_text, offset_of
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.dialog_size import give_room
from apexmem_desktop.ui.parts import button, column, label, row
from apexmem_desktop.ui.rows_model import Index, RowsModel
from apexmem_desktop.ui.ruling_words import about_text
from apexmem_desktop.ui.table import Table
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr

_SIZE = (760, 520)


class RulingModel(RowsModel[Ruling]):
    """Rulings, one a row."""

    COLUMNS = ("about", "what", "when", "why")
    HEADERS = "ruling.column_"

    def __init__(self, zone: str) -> None:
        super().__init__()
        self._zone = zone
        self._undone: frozenset[int] = frozenset()

    def show(self, rows: Sequence[Ruling]) -> None:
        """Replace everything shown."""
        self._undone = frozenset(one.undoes_id for one in rows if one.undoes_id is not None)
        super().show(rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one cell."""
        if not index.isValid():
            return None
        ruling, column = self.cell(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._cell(ruling, column)
        if role == Qt.ItemDataRole.ForegroundRole and ruling.id in self._undone:
            return theme().colour("faint")
        return None

    def _cell(self, ruling: Ruling, column: str) -> str:
        if column == "about":
            return about_text(ruling)
        if column == "what":
            kind = tr(f"ruling.{ruling.kind.value}")
            return tr("ruling.undone", kind=kind) if ruling.id in self._undone else kind
        if column == "when":
            return instant_text(ruling.ruled_at_ms, offset_of(self._zone, ruling.ruled_at_ms))
        return ruling.reason


class RulingLogDialog(QDialog):
    """Shows the log and keeps it up to date while decisions are taken back."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("ruling.log_title"))
        give_room(self, *_SIZE)
        self._desk = desk
        self.rulings = RulingModel(desk.memory.zone())
        self.table = Table(self.rulings, tr("ruling.log_title"))
        self._nothing = label(tr("ruling.none"), tone="muted")
        memory = desk.memory
        layout = column(self, spacing=12, margin=24)
        layout.addWidget(label(tr("ruling.log_title"), size=1.4, bold=True))
        layout.addWidget(label(tr("ruling.log_more"), tone="muted"))
        layout.addWidget(self._nothing)
        layout.addWidget(self.table, 1)
        layout.addStretch(0)
        undo = button(tr("ruling.undo_button"), lambda: desk.decide(memory.undo))
        redo = button(tr("ruling.redo_button"), lambda: desk.decide(memory.redo))
        for made, keys in ((undo, "Ctrl+Z"), (redo, "Ctrl+Shift+Z")):
            made.setToolTip(keys)
            made.setShortcut(keys)
        layout.addLayout(row(undo, redo, 0, button(tr("common.close"), self.accept)))
        desk.decided.connect(self._on_decided)
        self.refresh()

    def refresh(self) -> None:
        """Fetch the log anew."""
        self._desk.read(self._desk.memory.rulings, self, self._show)

    def _on_decided(self, _: Ruling) -> None:
        self.refresh()

    def _show(self, rulings: tuple[Ruling, ...]) -> None:
        self.rulings.show(rulings)
        self._nothing.setVisible(not rulings)
        self.table.setVisible(bool(rulings))
