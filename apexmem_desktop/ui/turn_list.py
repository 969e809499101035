"""Turns as a list that Qt can show: the item model behind every conversation."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from apexmem_desktop.domain.reading import MarginFact
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.ui.avatar import free_colour
from apexmem_desktop.ui.dates import instant_text, local
from apexmem_desktop.ui.desk import Spot
from apexmem_desktop.ui.fact_words import told_name, told_value
from apexmem_desktop.ui.turn_document import Marks

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

TURN_ROLE = Qt.ItemDataRole.UserRole
MARK_ROLE = Qt.ItemDataRole.UserRole + 1  # Spot of the marked words, or None
NEW_DAY_ROLE = Qt.ItemDataRole.UserRole + 2  # True where another day begins
SAME_SPEAKER_ROLE = Qt.ItemDataRole.UserRole + 3  # True where the turn before is by the same one
COLOUR_ROLE = Qt.ItemDataRole.UserRole + 4  # number of the speaker's colour
MARKS_ROLE = Qt.ItemDataRole.UserRole + 5  # Marks: all that is marked in the words
MARGIN_ROLE = Qt.ItemDataRole.UserRole + 6  # tuple[MarginFact, ...]: what the turn proves


class TurnListModel(QAbstractListModel):
    """Turns of one conversation in order, or a stretch of them. Holds values only."""

    def __init__(self) -> None:
        super().__init__()
        self._turns: tuple[Turn, ...] = ()
        self._mark: Spot | None = None
        self._chosen: Spot | None = None
        self._found = ""
        self._margin: dict[int, tuple[MarginFact, ...]] = {}
        self._colours: dict[str, int] = {}

    def show(self, turns: Sequence[Turn], mark: Spot | None = None) -> None:
        """Replace everything shown, and mark some words."""
        self.beginResetModel()
        self._turns = tuple(turns)
        self._mark = mark
        self._chosen = None
        self._margin = {}
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

    def prepend(self, turns: Sequence[Turn]) -> None:
        """Add a page before the first."""
        if not turns:
            return
        self.beginInsertRows(QModelIndex(), 0, len(turns) - 1)
        self._turns = (*turns, *self._turns)
        self._give_colours(turns)
        self.endInsertRows()
        # Whether a day or a speaker begins with it depends on what stands before it now.
        self._tell(len(turns), len(turns))

    def drop(self, *, first: int = 0, last: int = 0) -> None:
        """Let go of so many turns at the beginning or the end."""
        if last:
            count = len(self._turns)
            self.beginRemoveRows(QModelIndex(), count - last, count - 1)
            self._turns = self._turns[:-last]
            self.endRemoveRows()
        if first:
            self.beginRemoveRows(QModelIndex(), 0, first - 1)
            self._turns = self._turns[first:]
            self.endRemoveRows()

    def mark(self, spot: Spot | None) -> None:
        """Mark other words."""
        before, self._mark = self._mark, spot
        self._tell_turns(before, spot)

    def choose(self, spot: Spot | None) -> None:
        """Show which words the user selected."""
        before, self._chosen = self._chosen, spot
        self._tell_turns(before, spot)

    def find(self, words: str) -> None:
        """Mark what was searched for, everywhere."""
        if words != self._found:
            self._found = words
            self._tell(0, len(self._turns) - 1)

    def add_margin(self, margin: Mapping[int, tuple[MarginFact, ...]]) -> None:
        """Tell beside some turns what they prove."""
        for row, turn in enumerate(self._turns):
            if turn.id in margin and margin[turn.id] != self._margin.get(turn.id):
                self._margin[turn.id] = margin[turn.id]
                self._tell(row, row)

    def renew_margin(self, margin: Mapping[int, tuple[MarginFact, ...]]) -> None:
        """Tell beside all turns what they prove by now, and no longer what they do not."""
        for row, turn in enumerate(self._turns):
            told = margin.get(turn.id, ())
            if told != self._margin.get(turn.id, ()):
                self._margin[turn.id] = told
                self._tell(row, row)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What is shown."""
        return self._turns

    @property
    def chosen(self) -> Spot | None:
        """The words that the user selected."""
        return self._chosen

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
        if role == TURN_ROLE:
            return turn
        if role == MARKS_ROLE:
            return self._marks(turn)
        if role == NEW_DAY_ROLE:
            return self._starts_day(index.row())
        if role == SAME_SPEAKER_ROLE:
            return self._goes_on(index.row())
        return self._more(turn, role)

    def _more(self, turn: Turn, role: int) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            when = instant_text(turn.said_at_ms, turn.offset_minutes)
            return f"{turn.speaker}, {when}: {turn.text}"
        if role == MARK_ROLE:
            return self._own(self._mark, turn)
        if role == COLOUR_ROLE:
            return self._colours[turn.speaker]
        if role == MARGIN_ROLE:
            return self._margin.get(turn.id, ())
        if role == Qt.ItemDataRole.ToolTipRole:
            told = self._margin.get(turn.id, ())
            return "\n".join(margin_text(fact) for fact in told) or None
        return None

    def _marks(self, turn: Turn) -> Marks:
        proofs = tuple((one.start, one.end) for one in self._margin.get(turn.id, ()))
        found = self._found if self._found.casefold() in turn.text.casefold() else ""
        quote, chosen = self._own(self._mark, turn), self._own(self._chosen, turn)
        return Marks(quote, chosen, proofs, found)

    @staticmethod
    def _own(spot: Spot | None, turn: Turn) -> Spot | None:
        return spot if spot is not None and spot.turn_id == turn.id else None

    def _tell_turns(self, *spots: Spot | None) -> None:
        for number in {spot.turn_id for spot in spots if spot is not None}:
            row = self.find_row(number)
            self._tell(row, row)

    def _tell(self, first: int, last: int) -> None:
        if 0 <= first <= last < len(self._turns):
            self.dataChanged.emit(self.index(first), self.index(last))

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


def margin_text(fact: MarginFact) -> str:
    """Write a fact as it is told in the margin."""
    name = told_name(fact.property, denied=not fact.polarity)
    value = told_value(fact.property, fact.value, denied=not fact.polarity)
    return f"{fact.subject} · {name}: {value}"


def _day(turn: Turn) -> object:
    if turn.said_at_ms is None:
        return None
    return local(turn.said_at_ms, turn.offset_minutes).date()
