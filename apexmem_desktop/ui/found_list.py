"""What a search everywhere found, as one list that Qt can show: names, facts, messages, places."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from apexmem_desktop.domain.answers import SearchResult, TurnHit
from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.ui.card_list import NOTE_ROLE, SIGN_ROLE, VALUE_ROLE, note_of
from apexmem_desktop.ui.dates import day_text
from apexmem_desktop.ui.fact_words import beside_text, name_text
from apexmem_desktop.ui.rows import shortened, validity_text
from apexmem_desktop.ui.translation import tr

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class PlaceHit:
    """A place of the window whose name fits."""

    name: str


Found = Entity | Fact | TurnHit | PlaceHit


class FoundListModel(QAbstractListModel):
    """Things found, one a row. Holds values only."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Found, ...] = ()

    def show(self, rows: Sequence[Found]) -> None:
        """Replace everything shown."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Tell Qt how many rows there are."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one row."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        found = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return title_text(found)
        if role == NOTE_ROLE:
            return note_text(found)
        if role == SIGN_ROLE:
            return sign_name(found)
        if role == VALUE_ROLE:
            return found
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{title_text(found)}, {note_text(found)}"
        return None


def in_order(words: str, result: SearchResult, places: Sequence[str]) -> list[Found]:
    """Put names first, then places of the window, facts, messages."""
    wanted = words.strip().casefold()
    fitting = [PlaceHit(one) for one in places if wanted in tr(f"place.{one}").casefold()]
    return [*result.entities, *fitting, *result.facts, *result.turns]


def title_text(found: Found) -> str:
    """Write what was found."""
    if isinstance(found, Entity):
        return found.name
    if isinstance(found, PlaceHit):
        return tr(f"place.{found.name}")
    if isinstance(found, Fact):
        name, value = name_text(found), beside_text(found)
        return tr("ruling.fact", who=found.subject, what=name, value=value)
    return shortened(found.text)


def sign_name(found: Found) -> str:
    """Name who or what was found, or said it."""
    if isinstance(found, Fact):
        return found.subject
    return found.speaker if isinstance(found, TurnHit) else title_text(found)


def note_text(found: Found) -> str:
    """Write what it is."""
    if isinstance(found, Entity):
        return note_of(found)
    if isinstance(found, PlaceHit):
        return tr("seek.place")
    if isinstance(found, Fact):
        return f"{tr('seek.fact')} · {validity_text(found)}"
    day = day_text(found.said_at_ms, found.offset_minutes)
    parts = (found.speaker, day, found.session_title)
    return " · ".join(part for part in parts if part)
