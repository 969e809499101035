"""Turns as a list that Qt can show: the item model behind every conversation."""

from collections.abc import Sequence
from zlib import crc32

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.ui.dates import instant_text, local
from apexmem_desktop.ui.desk import Spot
from apexmem_desktop.ui.theme import SERIES_COLOURS

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

TURN_ROLE = Qt.ItemDataRole.UserRole
MARK_ROLE = Qt.ItemDataRole.UserRole + 1  # Spot of the marked words, or None
NEW_DAY_ROLE = Qt.ItemDataRole.UserRole + 2  # True where another day begins
COLOUR_ROLE = Qt.ItemDataRole.UserRole + 4  # number of the speaker's colour
SAME_SPEAKER_ROLE = Qt.ItemDataRole.UserRole + 3  # True where the turn before is by the same one


class TurnListModel(QAbstractListModel):
    """Turns of one conversation in order. Holds values only."""

    def __init__(self) -> None:
        super().__init__()
        self._turns: tuple[Turn, ...] = ()
        self._mark: Spot | None = None
        self._colours: dict[str, int] = {}

    def show(self, turns: Sequence[Turn], mark: Spot | None = None) -> None:
        """Replace everything shown, and mark some words."""
        self.beginResetModel()
        self._turns = tuple(turns)
        self._mark = mark
        self._colours = {}
        self._give_colours(turns)
        self.endResetModel()

    def append(self, turns: Sequence[Turn]) -> None:
        """Add a further page at the end."""
        if not turns:
            return
        first = len(self._turns)
        self.beginInsertRows(QModelIndex(), first, first + len(turns) - 1)
        self._turns += tuple(turns)
        self._give_colours(turns)
        self.endInsertRows()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What is shown."""
        return self._turns

    def find_row(self, turn_id: int) -> int:
        """Give the row of a turn, or -1."""
        return next((row for row, turn in enumerate(self._turns) if turn.id == turn_id), -1)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Tell Qt how many turns there are."""
        return 0 if parent.isValid() else len(self._turns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one turn."""
        if not index.isValid() or index.row() >= len(self._turns):
            return None
        turn = self._turns[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            when = instant_text(turn.said_at_ms, turn.offset_minutes)
            return f"{turn.speaker}, {when}: {turn.text}"
        if role == TURN_ROLE:
            return turn
        if role == MARK_ROLE:
            return self._mark if self._mark and self._mark.turn_id == turn.id else None
        if role == NEW_DAY_ROLE:
            return self._starts_day(index.row())
        if role == COLOUR_ROLE:
            return self._colours[turn.speaker]
        if role == SAME_SPEAKER_ROLE:
            return self._goes_on(index.row())
        return None

    def _give_colours(self, turns: Sequence[Turn]) -> None:
        """Each speaker keeps a colour of his own, as long as there are enough."""
        for speaker in dict.fromkeys(turn.speaker for turn in turns):
            if speaker not in self._colours:
                self._colours[speaker] = free_colour(speaker, set(self._colours.values()))

    def _starts_day(self, row: int) -> bool:
        if row == 0:
            return True
        return _day(self._turns[row]) != _day(self._turns[row - 1])

    def _goes_on(self, row: int) -> bool:
        if row == 0 or self._starts_day(row):
            return False
        turn, before = self._turns[row], self._turns[row - 1]
        return (turn.speaker, turn.kind) == (before.speaker, before.kind)


def free_colour(speaker: str, taken: set[int]) -> int:
    """Give the number of a speaker's colour: the same everywhere, unless it is taken here."""
    first = crc32(speaker.encode()) % SERIES_COLOURS
    numbers = [(first + step) % SERIES_COLOURS for step in range(SERIES_COLOURS)]
    return next((number for number in numbers if number not in taken), first)


def _day(turn: Turn) -> object:
    if turn.said_at_ms is None:
        return None
    return local(turn.said_at_ms, turn.offset_minutes).date()
