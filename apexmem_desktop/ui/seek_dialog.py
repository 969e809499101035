"""Search everywhere (Ctrl+K): names, facts, messages and places, as one types."""

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QListView, QWidget

from apexmem_desktop.domain.answers import SearchResult, TurnHit
from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.ui.card_list import VALUE_ROLE, CardDelegate
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.dialog_size import give_room
from apexmem_desktop.ui.found_list import FoundListModel, in_order
from apexmem_desktop.ui.parts import column, label
from apexmem_desktop.ui.rows import show_proof
from apexmem_desktop.ui.search_box import SearchBox
from apexmem_desktop.ui.sidebar import PLACES
from apexmem_desktop.ui.translation import tr

_TYPING_PAUSE_MS = 40
_SIZE = (800, 540)
_WALKING = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class SeekDialog(QDialog):
    """One line to type in and what it finds below; Enter goes there."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("seek.title"))
        self._desk = desk
        self._token: CancelToken | None = None
        self.words = SearchBox(tr("seek.placeholder"))
        self.found = FoundListModel()
        self.list = QListView()
        self._state = label(tr("seek.hint"), tone="muted", size=0.92)
        self._soon = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._lay_out()
        self._soon.timeout.connect(self.seek)
        self.words.textChanged.connect(lambda _: self._soon.start())
        self.words.returnPressed.connect(self._on_return)
        self.list.activated.connect(self.go_to)
        self.list.clicked.connect(self.go_to)

    def seek(self) -> None:
        """Look for the words; what an earlier search still brings is dropped."""
        if self._token is not None:
            self._token.cancel()
        words, memory = self.words.text().strip(), self._desk.memory
        self._token = self._desk.read(
            lambda: memory.seek(words), self, lambda result: self._show(words, result)
        )

    def go_to(self, index: QModelIndex) -> None:
        """Go to what was found."""
        found = index.data(VALUE_ROLE)
        if found is None:
            return
        self.accept()
        if isinstance(found, Entity):
            self._desk.entity_asked.emit(found.id)
        elif isinstance(found, Fact):
            self._desk.history_asked.emit(found.subject_id, found.property)
            show_proof(self._desk, found)
        elif isinstance(found, TurnHit):
            self._desk.spot_asked.emit(Spot.of(found))
        else:
            self._desk.place_asked.emit(found.name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the arrows walk through the list while the line keeps the focus."""
        if event.key() in _WALKING:
            down = event.key() in (Qt.Key.Key_Down, Qt.Key.Key_PageDown)
            by = 1 if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up) else 8
            row = self.list.currentIndex().row() + (by if down else -by)
            row = min(max(0, row), self.found.rowCount() - 1)
            self.list.setCurrentIndex(self.found.index(row))
            return
        super().keyPressEvent(event)

    def _lay_out(self) -> None:
        give_room(self, *_SIZE)
        self.words.setObjectName("question")
        self.list.setModel(self.found)
        self.list.setItemDelegate(CardDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("seek.title"))
        layout = column(self, spacing=10, margin=16)
        layout.addWidget(self.words)
        layout.addWidget(self._state)
        layout.addWidget(self.list, 1)

    def _on_return(self) -> None:
        self.go_to(self.list.currentIndex())

    def _show(self, words: str, result: SearchResult) -> None:
        if words != self.words.text().strip():  # typed on meanwhile: this is stale
            return
        rows = in_order(words, result, PLACES) if words else []
        self.found.show(rows)
        if rows:
            self.list.setCurrentIndex(self.found.index(0))
        self._state.setText(tr("seek.nothing") if words and not rows else tr("seek.hint"))
