"""The facts about one person or thing as a list that Qt can show, in sections."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from apexmem_desktop.domain.graph import Fact, FactStatus
from apexmem_desktop.ui.fact_words import beside_text, name_text
from apexmem_desktop.ui.rows import validity_text
from apexmem_desktop.ui.translation import tr

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

FACT_ROLE = Qt.ItemDataRole.UserRole  # a Fact, or None for a section's title
_SECTIONS = (
    ("people.now", (FactStatus.CURRENT, FactStatus.CONTESTED)),
    ("people.planned", (FactStatus.PLANNED,)),
    ("people.earlier", (FactStatus.PAST,)),
)


class FactListModel(QAbstractListModel):
    """What holds now, what is planned, what was before. Holds values only."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[str | Fact, ...] = ()

    def show(self, facts: Sequence[Fact]) -> None:
        """Replace everything shown."""
        self.beginResetModel()
        self._rows = tuple(_in_sections(facts))
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Tell Qt how many rows there are, titles included."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Let titles be read and not chosen."""
        is_title = index.isValid() and isinstance(self._rows[index.row()], str)
        return Qt.ItemFlag.ItemIsEnabled if is_title else super().flags(index)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one row."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == FACT_ROLE:
            return row if isinstance(row, Fact) else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row if isinstance(row, str) else fact_text(row)
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(row, Fact) and row.evidence:
            return row.evidence[0].quote
        return None


def fact_text(fact: Fact) -> str:
    """Write a fact in one line."""
    return f"{name_text(fact)}: {beside_text(fact)}, {validity_text(fact)}"


def _in_sections(facts: Sequence[Fact]) -> list[str | Fact]:
    rows: list[str | Fact] = []
    for key, statuses in _SECTIONS:
        of_section = _said_once([fact for fact in facts if fact.status in statuses])
        if of_section:
            rows += [tr(key), *of_section]
    return rows


def _said_once(facts: Sequence[Fact]) -> list[Fact]:
    """Leave out what was merely said again and still holds; the history has every time."""
    earliest: dict[tuple[int, str, str, bool], Fact] = {}
    for fact in facts:
        key = (fact.subject_id, fact.property, fact.value.casefold(), fact.polarity)
        if key not in earliest or _began_ms(fact) < _began_ms(earliest[key]):
            earliest[key] = fact
    kept = {fact.id for fact in earliest.values()}
    return [fact for fact in facts if fact.id in kept or fact.effective_to is not None]


def _began_ms(fact: Fact) -> float:
    known = (fact.valid_from.earliest_ms, fact.valid_from.latest_ms)
    return min((ms for ms in known if ms is not None), default=math.inf)
