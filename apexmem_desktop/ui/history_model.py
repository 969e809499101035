"""The versions of one property as a table."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from apexmem_desktop.domain.graph import Fact, FactStatus
from apexmem_desktop.ui.dates import day_text, from_text, until_text
from apexmem_desktop.ui.fact_words import value_text
from apexmem_desktop.ui.history_links import Tie, find_ties
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.rows_model import Index, RowsModel
from apexmem_desktop.ui.ruling_words import ruled_text, ruled_word
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.timeline_words import confidence_text
from apexmem_desktop.ui.translation import tr

FACT_ROLE = Qt.ItemDataRole.UserRole
_TIE_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)
# What stands before a value that the user ruled on.
_RULED_SIGNS = {
    "confirm": "check",
    "prefer": "check",
    "correct": "edit",
    "pin": "pin",
    "reject": "close",
    "hide": "hidden",
}
_TONES = {
    FactStatus.PAST: "muted",
    FactStatus.REJECTED: "faint",
    FactStatus.CONTESTED: "warn",
    FactStatus.PLANNED: "accent",
}


class HistoryModel(RowsModel[Fact]):
    """Versions of one fact, newest first."""

    COLUMNS = ("value", "links", "status", "from", "until", "confidence", "said_by", "learned")
    HEADERS = "history."

    def __init__(self) -> None:
        super().__init__()
        self._ties: dict[int, tuple[Tie, ...]] = {}

    def show(self, rows: Sequence[Fact]) -> None:
        """Replace everything shown."""
        self._ties = find_ties(tuple(rows))
        super().show(rows)

    def ties(self, row: int) -> tuple[Tie, ...]:
        """Give how the version in a row bears on the others."""
        return self._ties[self._rows[row].id]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one cell."""
        if not index.isValid():
            return None
        fact, column = self.cell(index)
        if role == FACT_ROLE:
            return fact
        if column == "links" and role in _TIE_ROLES:
            ties = self._ties[fact.id]
            if role == Qt.ItemDataRole.DisplayRole:
                return "".join(dict.fromkeys(tie.sign for tie in ties))
            return "\n".join(tie.words for tie in ties)
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell(fact, column)
        if role == Qt.ItemDataRole.DecorationRole and column == "value" and fact.ruled:
            return icon(_RULED_SIGNS[fact.ruled], "accent")
        if role == Qt.ItemDataRole.ToolTipRole:
            return _hint(fact)
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme().colour(_TONES.get(fact.status, "text"))
        if role == Qt.ItemDataRole.FontRole and index.column() == 0:
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return None


def _cell(fact: Fact, column: str) -> str:
    texts: dict[str, Callable[[Fact], str]] = {
        "value": value_text,
        "status": _status,
        "from": from_text,
        "until": until_text,
        "confidence": lambda one: tr("history.percent", n=f"{one.confidence * 100:.0f}"),
        "said_by": _said_by,
        "learned": lambda one: day_text(one.recorded_at_ms),
    }
    return texts[column](fact)


def _status(fact: Fact) -> str:
    parts = (tr(f"status.{fact.status.value}"), ruled_word(fact.ruled))
    return "\n".join(part for part in parts if part)


def _hint(fact: Fact) -> str:
    quote = fact.evidence[0].quote if fact.evidence else ""
    lines = (ruled_text(fact.ruled), confidence_text(fact.confidence), quote)
    return "\n".join(line for line in lines if line)


def _said_by(fact: Fact) -> str:
    if fact.holder:
        return fact.holder
    return fact.evidence[0].speaker if fact.evidence else ""
