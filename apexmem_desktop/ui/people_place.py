"""People & things: who and what is known, and a card for each."""

from collections.abc import Iterator

from PySide6.QtCore import QItemSelection, QTimer
from PySide6.QtWidgets import QListView, QStackedWidget, QWidget

from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.reports import Changes
from apexmem_desktop.ui.card_list import VALUE_ROLE, CardDelegate, CardListModel
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.entity_card import EntityCard
from apexmem_desktop.ui.list_split import ListSplit
from apexmem_desktop.ui.parts import LIST_MARGIN, button, column, empty_page, label
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.search_box import SearchBox
from apexmem_desktop.ui.translation import tr

_TYPING_PAUSE_MS = 150
_LIST_PX = 300


class PeoplePlace(Place):
    """A list at the left, the card of the chosen one beside it."""

    def __init__(self, desk: Desk, parent: QWidget | None = None, *, whole: bool = True) -> None:
        """Begin the page, and go on to its end unless somebody does that piece by piece."""
        super().__init__(desk, parent)
        self._shown_id: int | None = None
        self.entities = CardListModel()
        self.list = QListView()
        self.words = SearchBox(tr("people.find"))
        self._stack = QStackedWidget()
        self._soon = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._rest = self._pieces()
        if whole:
            self.complete()

    def _pieces(self) -> Iterator[None]:
        self._lay_out()
        yield
        self.card = EntityCard(self._desk)
        yield
        self._stack.addWidget(self.card)
        yield
        self._add_empty_pages()
        self._wire()

    def refresh(self) -> None:
        """Fetch the list anew."""
        memory, words = self._desk.memory, self.words.text().strip()
        self._desk.read(
            lambda: memory.entities(words), self, lambda got: self._show_list(words, got)
        )

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.entities or changes.facts

    def open_entity(self, entity_id: int) -> None:
        """Show one card, also of somebody whom the list's filter leaves out."""
        self._shown_id = entity_id
        self.split.show_chosen()
        self.words.clear()
        self.refresh()

    def _lay_out(self) -> None:
        self.list.setModel(self.entities)
        self.list.setItemDelegate(CardDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("place.people"))
        # From the outside in: to hang up a full page dresses all that is on it once more.
        left = QWidget()
        self.split = ListSplit(left, self._stack, tr("people.all"), _LIST_PX)
        column(self).addWidget(self.split)
        layout = column(left, spacing=10)
        layout.setContentsMargins(LIST_MARGIN, 26, LIST_MARGIN, 10)
        layout.addWidget(label(tr("place.people"), size=1.75, bold=True))
        layout.addWidget(self.words)
        layout.addWidget(self.list, 1)

    def _add_empty_pages(self) -> None:
        bring = button(
            tr("import.title"), lambda: self._desk.place_asked.emit("imports"), kind="main"
        )
        texts = tr("people.none"), tr("people.empty")
        self._stack.addWidget(empty_page("people", *texts, bring))
        every = button(tr("people.show_all"), self.words.clear)
        texts = tr("people.none_found"), tr("people.none_found_more")
        self._stack.addWidget(empty_page("search", *texts, every))

    def _wire(self) -> None:
        self.list.selectionModel().selectionChanged.connect(self._on_selected)
        for opened in (self.list.clicked, self.list.activated):
            opened.connect(lambda _: self.split.show_chosen())
        self.words.textChanged.connect(lambda _: self._soon.start())
        self._soon.timeout.connect(self.refresh)

    def _show_list(self, words: str, entities: tuple[Entity, ...]) -> None:
        if words != self.words.text().strip():
            return  # somebody typed on, and what fits that is on its way
        self.entities.show(entities)
        if not entities:
            self._say_empty()
            return
        row = self.entities.find_row(self._shown_id) if self._shown_id is not None else -1
        self.list.setCurrentIndex(self.entities.index(max(0, row)))

    def _say_empty(self) -> None:
        self._shown_id = None
        self._stack.setCurrentIndex(2 if self.words.text().strip() else 1)

    def _on_selected(self, chosen: QItemSelection, _before: QItemSelection) -> None:
        indexes = chosen.indexes()
        if not indexes:
            return
        entity: Entity = indexes[0].data(VALUE_ROLE)
        self._shown_id = entity.id
        memory = self._desk.memory
        self._desk.read(
            lambda: memory.facts_of(entity.id, history=True),
            self,
            lambda facts: self._show_card(entity, facts),
        )

    def _show_card(self, entity: Entity, facts: tuple[Fact, ...]) -> None:
        if entity.id == self._shown_id:
            self._stack.setCurrentIndex(0)
            self.card.show_entity(entity, facts)
