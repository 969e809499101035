"""The imports so far as a table."""

from collections.abc import Sequence

from PySide6.QtCore import Qt

from apexmem_desktop.domain.reports import SourceSummary
from apexmem_desktop.ui.dates import day_text
from apexmem_desktop.ui.problem_list import problem_text
from apexmem_desktop.ui.rows_model import AT_THE_END, Index, RowsModel
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr, tr_name


class SourceModel(RowsModel[SourceSummary]):
    """One import a row, newest first."""

    COLUMNS = ("file", "format", "imported", "new", "known", "dates", "problems")
    HEADERS = "imports."
    NUMBERS = ("new", "known", "problems")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one cell."""
        if not index.isValid():
            return None
        source, column = self.cell(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell(source, column)
        if role == Qt.ItemDataRole.ToolTipRole and column == "problems":
            return "\n".join(map(problem_text, source.problems[:20]))
        if role == Qt.ItemDataRole.TextAlignmentRole and column in self.NUMBERS:
            return AT_THE_END
        if role == Qt.ItemDataRole.ForegroundRole and column == "problems" and _faults(source):
            return theme().colour("warn")
        return None

    def _arranged(self, rows: Sequence[SourceSummary]) -> tuple[SourceSummary, ...]:
        return tuple(sorted(rows, key=lambda row: -row.id))


def date_order_text(order: str, *, certain: bool) -> str:
    """Write how dates were read, and whether that was a guess."""
    if not order:
        return tr("imports.no_order")
    text = tr(f"order.short_{order}")
    return text if certain else tr("imports.guessed", order=text)


def _faults(source: SourceSummary) -> int:
    """Count what could not be read; what was left out on purpose is no problem."""
    return sum(1 for one in source.problems if not one.expected)


def _cell(source: SourceSummary, column: str) -> str:
    texts = {
        "file": lambda: source.file,
        "format": lambda: tr_name("format", source.format),
        "imported": lambda: day_text(source.imported_at_ms),
        "new": lambda: f"{source.turns_new:,}",
        "known": lambda: f"{source.turns_known:,}",
        "dates": lambda: date_order_text(source.date_order, certain=source.date_order_certain),
        "problems": lambda: f"{_faults(source):,}" if _faults(source) else "–",
    }
    return texts[column]()
