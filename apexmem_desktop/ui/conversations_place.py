"""Conversations: every chat as it was, and a search through all of them."""

from collections.abc import Iterator

from PySide6.QtCore import QItemSelection, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QListView, QStackedWidget, QVBoxLayout, QWidget

from apexmem_desktop.domain.answers import SearchResult
from apexmem_desktop.domain.reports import Changes, ConversationSummary
from apexmem_desktop.ui.card_list import VALUE_ROLE, CardDelegate, CardListModel
from apexmem_desktop.ui.chat_reader import ChatReader
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.list_split import ListSplit
from apexmem_desktop.ui.parts import (
    LIST_MARGIN,
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
from apexmem_desktop.ui.search_box import SearchBox
from apexmem_desktop.ui.translation import tr, tr_count

_TYPING_PAUSE_MS = 250
_LIST_PX = 300


class ConversationsPlace(Place):
    """A list of chats at the left, the chosen one or what a search found beside it."""

    def __init__(self, desk: Desk, parent: QWidget | None = None, *, whole: bool = True) -> None:
        """Begin the page, and go on to its end unless somebody does that piece by piece."""
        super().__init__(desk, parent)
        self._shown: ConversationSummary | None = None
        self._wanted: tuple[int, int] | None = None  # conversation, turn to go to
        self.conversations = CardListModel()
        self.list = QListView()
        self.words = SearchBox(tr("conversations.find"))
        self._hits = QVBoxLayout()
        self._stack = QStackedWidget()
        self._soon = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._rest = self._pieces()
        if whole:
            self.complete()

    def _pieces(self) -> Iterator[None]:
        self.reader = ChatReader(self._desk)
        self.turns = self.reader.turns
        yield
        self._lay_out()
        yield
        self._stack.addWidget(self.reader)
        yield
        self._add_other_pages()
        self._wire()

    def refresh(self) -> None:
        """Fetch the list anew."""
        self._desk.read(self._desk.memory.conversations, self, self._show_list)

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.turns or changes.sources

    def showEvent(self, event: QShowEvent) -> None:
        """Fetch what changed while nobody looked, in the margin too."""
        super().showEvent(event)
        self.turns.renew_margin()

    def open_conversation(self, conversation_id: int, turn_id: int) -> None:
        """Show a conversation from the turn on that somebody wants to read."""
        self._wanted = (conversation_id, turn_id)
        self.split.show_chosen()
        self.words.clear()
        row = self.conversations.find_row(conversation_id)
        if row < 0:
            return
        if self._shown is not None and self._shown.id == conversation_id:
            self._stack.setCurrentIndex(0)
            self._wanted = None
            self.reader.show_chat(self._shown, turn_id)
            return
        self.list.setCurrentIndex(self.conversations.index(row))

    def find_here(self) -> bool:
        """Go to the search within the conversation that is read; False where none is."""
        if self._stack.currentWidget() is not self.reader or self.reader.chat is None:
            return False
        self.reader.words.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def search(self) -> None:
        """Search all conversations for the words in the box."""
        words = self.words.text().strip()
        if not words:
            self._stack.setCurrentIndex(0)
            return
        memory = self._desk.memory
        self._desk.read(lambda: memory.search(words), self, lambda got: self._show_hits(words, got))

    def _lay_out(self) -> None:
        self.list.setModel(self.conversations)
        self.list.setItemDelegate(CardDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("place.conversations"))
        # From the outside in: to hang up a full page dresses all that is on it once more.
        left = QWidget()
        self.split = ListSplit(left, self._stack, tr("conversations.all"), _LIST_PX)
        column(self).addWidget(self.split)
        layout = column(left, spacing=10)
        layout.setContentsMargins(LIST_MARGIN, 26, LIST_MARGIN, 10)
        layout.addWidget(label(tr("place.conversations"), size=1.75, bold=True))
        layout.addWidget(self.words)
        layout.addWidget(self.list, 1)

    def _add_other_pages(self) -> None:
        self._stack.addWidget(self._hits_page())
        bring = button(
            tr("import.title"), lambda: self._desk.place_asked.emit("imports"), kind="main"
        )
        texts = tr("conversations.none"), tr("conversations.empty")
        self._stack.addWidget(empty_page("conversations", *texts, bring))

    def _hits_page(self) -> QWidget:
        content = QWidget()
        layout = column(content, margin=PAGE_MARGIN)
        layout.addLayout(self._hits)
        layout.addStretch(1)
        return scrolling(content)

    def _wire(self) -> None:
        self.list.selectionModel().selectionChanged.connect(self._on_selected)
        for opened in (self.list.clicked, self.list.activated):
            opened.connect(lambda _: self.split.show_chosen())
        self.words.textChanged.connect(lambda _: self._soon.start())
        self._soon.timeout.connect(self.search)
        self._desk.changed.connect(self._on_facts)
        self.words.returnPressed.connect(self.split.show_chosen)

    def _on_facts(self, changes: Changes) -> None:
        if changes.facts and self.isVisible():
            self.turns.renew_margin()

    def _show_list(self, conversations: tuple[ConversationSummary, ...]) -> None:
        self.conversations.show(conversations)
        if not conversations:
            self._stack.setCurrentIndex(2)
            return
        self._stack.setCurrentIndex(0)
        wanted = self._wanted[0] if self._wanted else self._shown.id if self._shown else -1
        self._shown = None
        self.reader.chat = None  # it may have grown
        row = self.conversations.find_row(wanted)
        self.list.setCurrentIndex(self.conversations.index(max(0, row)))

    def _on_selected(self, chosen: QItemSelection, _before: QItemSelection) -> None:
        indexes = chosen.indexes()
        if not indexes:
            return
        self._shown = indexes[0].data(VALUE_ROLE)
        self._stack.setCurrentIndex(0)
        wanted = self._wanted if self._wanted and self._wanted[0] == self._shown.id else None
        self._wanted = None
        self.reader.show_chat(self._shown, wanted[1] if wanted else None)

    def _show_hits(self, words: str, found: SearchResult) -> None:
        if words != self.words.text().strip():
            return  # somebody typed on, or took the words away
        clear(self._hits)
        self._hits.addWidget(
            label(tr_count("conversations.found", len(found.turns)), size=1.3, bold=True)
        )
        for hit in found.turns:
            self._hits.addWidget(ProofRow(self._desk, hit))
        self._stack.setCurrentIndex(1)
