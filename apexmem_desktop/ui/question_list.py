"""The open questions as a list that Qt can show."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from apexmem_desktop.domain.clarifying import OpenQuestion
from apexmem_desktop.ui.card_list import NOTE_ROLE, SIGN_ROLE, VALUE_ROLE
from apexmem_desktop.ui.question_words import kind_text, sign_name, title_text

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class QuestionListModel(QAbstractListModel):
    """Questions, one a row. Holds values only."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[OpenQuestion, ...] = ()

    def show(self, rows: Sequence[OpenQuestion]) -> None:
        """Replace everything shown."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def find_row(self, key: str) -> int:
        """Give the row of a question, or -1."""
        return next((n for n, one in enumerate(self._rows) if one.key == key), -1)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Tell Qt how many rows there are."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one row."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        question = self._rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return title_text(question)
        if role == NOTE_ROLE:
            return kind_text(question)
        if role == SIGN_ROLE:
            return sign_name(question)
        if role == VALUE_ROLE:
            return question
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{kind_text(question)}: {title_text(question)}"
        return None
