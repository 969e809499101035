"""Conversations: every chat as it was, and a search through all of them."""

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, QTimer
from PySide6.QtWidgets import QLineEdit, QListView, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from apexmem_desktop.domain.answers import SearchResult
from apexmem_desktop.domain.reports import Changes, ConversationSummary
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.ui.card_list import VALUE_ROLE, CardDelegate, CardListModel
from apexmem_desktop.ui.dates import range_text
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.parts import (
    PAGE_MARGIN,
    button,
    clear,
    column,
    empty_page,
    label,
    scrolling,
)
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.rows import ProofRow
from apexmem_desktop.ui.translation import tr, tr_count
from apexmem_desktop.ui.turn_view import TurnView

_TYPING_PAUSE_MS = 250
_NEAR_END_PX = 800


class ConversationsPlace(Place):
    """A list of chats at the left, the chosen one or what a search found beside it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._shown: ConversationSummary | None = None
        self._wanted: tuple[int, int] | None = None  # conversation, turn to go to
        self._choice = 0  # grows with each choice: late pages of an earlier one are dropped
        self._loading = False
        self._whole = False
        self.conversations = CardListModel()
        self.list = QListView()
        self.words = QLineEdit()
        self._title = label(size=1.3, bold=True)
        self._note = label(tone="muted")
        self.turns = TurnView()
        self._hits = QVBoxLayout()
        self._stack = QStackedWidget()
        self._soon = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._lay_out()
        self._wire()

    def refresh(self) -> None:
        """Fetch the list anew."""
        self._desk.read(self._desk.memory.conversations, self, self._show_list)

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.turns or changes.sources

    def open_conversation(self, conversation_id: int, turn_id: int) -> None:
        """Show a conversation from the turn on that somebody wants to read."""
        self._wanted = (conversation_id, turn_id)
        self.words.clear()
        row = self.conversations.find_row(conversation_id)
        if row < 0:
            return
        if self._shown is not None and self._shown.id == conversation_id:
            self._go_on()
        self.list.setCurrentIndex(self.conversations.index(row))

    def search(self) -> None:
        """Search all conversations for the words in the box."""
        words = self.words.text().strip()
        if not words:
            self._stack.setCurrentIndex(0)
            return
        memory = self._desk.memory
        self._desk.read(lambda: memory.search(words), self, self._show_hits)

    def _lay_out(self) -> None:
        self.words.setPlaceholderText(tr("conversations.find"))
        self.words.setAccessibleName(tr("conversations.find"))
        self.words.addAction(icon("search", "faint"), QLineEdit.ActionPosition.LeadingPosition)
        self.words.setClearButtonEnabled(True)
        self.list.setModel(self.conversations)
        self.list.setItemDelegate(CardDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("place.conversations"))
        left = QWidget()
        layout = column(left, spacing=10)
        layout.setContentsMargins(20, 26, 10, 10)
        layout.addWidget(label(tr("place.conversations"), size=1.75, bold=True))
        layout.addWidget(self.words)
        layout.addWidget(self.list, 1)
        self._stack.addWidget(self._reading_page())
        self._stack.addWidget(self._hits_page())
        bring = button(tr("import.title"), lambda: self._desk.place_asked.emit("imports"))
        texts = tr("conversations.none"), tr("conversations.empty")
        self._stack.addWidget(empty_page("conversations", *texts, bring))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(self._stack)
        split.setSizes([300, 640])
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        column(self).addWidget(split)

    def _reading_page(self) -> QWidget:
        page = QWidget()
        layout = column(page, spacing=4)
        layout.setContentsMargins(18, 30, 8, 8)
        layout.addWidget(self._title)
        layout.addWidget(self._note)
        layout.addWidget(self.turns, 1)
        self.turns.setAccessibleName(tr("place.conversations"))
        return page

    def _hits_page(self) -> QWidget:
        content = QWidget()
        layout = column(content, margin=PAGE_MARGIN)
        layout.addLayout(self._hits)
        layout.addStretch(1)
        return scrolling(content)

    def _wire(self) -> None:
        self.list.selectionModel().selectionChanged.connect(self._on_selected)
        self.words.textChanged.connect(lambda _: self._soon.start())
        self._soon.timeout.connect(self.search)
        self.turns.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.turns.activated.connect(self._on_activated)

    def _show_list(self, conversations: tuple[ConversationSummary, ...]) -> None:
        self.conversations.show(conversations)
        if not conversations:
            self._stack.setCurrentIndex(2)
            return
        self._stack.setCurrentIndex(0)
        wanted = self._wanted[0] if self._wanted else self._shown.id if self._shown else -1
        self._shown = None
        row = self.conversations.find_row(wanted)
        self.list.setCurrentIndex(self.conversations.index(max(0, row)))

    def _on_selected(self, chosen: QItemSelection, _before: QItemSelection) -> None:
        indexes = chosen.indexes()
        if not indexes:
            return
        self._shown = indexes[0].data(VALUE_ROLE)
        self._stack.setCurrentIndex(0)
        self._title.setText(self._shown.title)
        self._note.setText(_about(self._shown))
        self.turns.turn_list.show(())
        self._choice += 1
        self._whole = self._loading = False
        self._fetch(-1)

    def _fetch(self, after: int) -> None:
        if self._shown is None or self._loading or self._whole:
            return
        self._loading = True
        memory, conversation_id, choice = self._desk.memory, self._shown.id, self._choice
        self._desk.read(
            lambda: memory.conversation_turns(conversation_id, after),
            self,
            lambda turns: self._add(choice, turns),
        )

    def _add(self, choice: int, turns: tuple[Turn, ...]) -> None:
        if choice != self._choice:
            return
        self._loading = False
        self._whole = not turns
        self.turns.turn_list.append(turns)
        self._go_on()

    def _go_on(self) -> None:
        """Read on until the wanted turn is there, then go to it."""
        if self._wanted is None or self._shown is None or self._wanted[0] != self._shown.id:
            return
        if self.turns.turn_list.find_row(self._wanted[1]) >= 0:
            spot = Spot(self._wanted[1])
            self._wanted = None
            self.turns.turn_list.show(self.turns.turn_list.turns, spot)
            self.turns.go_to(spot.turn_id)
        elif not self._whole and self.turns.turn_list.turns:
            self._fetch(self.turns.turn_list.turns[-1].position)

    def _show_hits(self, found: SearchResult) -> None:
        clear(self._hits)
        self._hits.addWidget(
            label(tr_count("conversations.found", len(found.turns)), size=1.3, bold=True)
        )
        for hit in found.turns:
            self._hits.addWidget(ProofRow(self._desk, hit))
        self._stack.setCurrentIndex(1)

    def _on_scrolled(self, value: int) -> None:
        bar = self.turns.verticalScrollBar()
        turns = self.turns.turn_list.turns
        if turns and bar.maximum() - value < _NEAR_END_PX:
            self._fetch(turns[-1].position)

    def _on_activated(self, index: QModelIndex) -> None:
        turn = self.turns.turn_list.turns[index.row()]
        self._desk.spot_asked.emit(Spot(turn.id))


def _about(shown: ConversationSummary) -> str:
    people = ", ".join(shown.speakers[:8])
    when = range_text(shown.first_at_ms, shown.last_at_ms)
    parts = [people, tr_count("conversations.turns", shown.turns), when]
    return " · ".join(part for part in parts if part)
