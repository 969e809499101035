"""To clarify: what the memory cannot settle by itself, each decided with one key."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QItemSelection, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QListView, QSplitter, QStackedWidget, QWidget

from apexmem_desktop.domain.clarifying import OpenKind, OpenQuestion
from apexmem_desktop.domain.reports import Changes
from apexmem_desktop.ui.card_list import VALUE_ROLE, CardDelegate
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import LIST_MARGIN, column, empty_page, label, scrolling
from apexmem_desktop.ui.place import Place
from apexmem_desktop.ui.question_card import QuestionCard
from apexmem_desktop.ui.question_list import QuestionListModel
from apexmem_desktop.ui.translation import tr, tr_count

_KEYS = 9


class ClarifyPlace(Place):
    """The questions at the left, the one to be decided beside them."""

    def __init__(self, desk: Desk, parent: QWidget | None = None, *, whole: bool = True) -> None:
        """Begin the page, and go on to its end unless somebody does that piece by piece."""
        super().__init__(desk, parent)
        self.questions = QuestionListModel()
        self.list = QListView()
        self._count = label(tone="muted")
        self._stack = QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._rest = self._pieces()
        if whole:
            self.complete()

    def _pieces(self) -> Iterator[None]:
        self._lay_out()
        yield
        self.card = QuestionCard(self._desk)
        yield
        self._add_card()
        yield
        self._stack.addWidget(empty_page("check", tr("clarify.done"), tr("clarify.empty")))
        self.list.selectionModel().selectionChanged.connect(self._on_selected)
        self.card.chosen.connect(self._on_chosen)
        self.card.skipped.connect(self.skip)

    def refresh(self) -> None:
        """Fetch the questions anew."""
        self._desk.read(self._desk.memory.open_questions, self, self._show)

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        return changes.facts or changes.entities or changes.sources

    def skip(self) -> None:
        """Go on to the next question; this one stays."""
        count = self.questions.rowCount()
        if count:
            self._go_to((self.list.currentIndex().row() + 1) % count)

    def _lay_out(self) -> None:
        self.list.setModel(self.questions)
        self.list.setItemDelegate(CardDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("place.clarify"))
        # From the outside in: to hang up a full page dresses all that is on it once more.
        column(self).addWidget(self._stack)
        self._stack.addWidget(self._split)
        left = QWidget()
        self._split.addWidget(left)
        layout = column(left, spacing=10)
        layout.setContentsMargins(LIST_MARGIN, 26, LIST_MARGIN, 10)
        layout.addWidget(label(tr("place.clarify"), size=1.75, bold=True))
        layout.addWidget(self._count)
        layout.addWidget(self.list, 1)

    def _add_card(self) -> None:
        self._split.addWidget(scrolling(self.card))
        self._split.setStretchFactor(0, 2)
        self._split.setStretchFactor(1, 5)
        self._split.setSizes([320, 640])
        self._split.setChildrenCollapsible(False)
        for number in range(_KEYS):  # the list has the focus at first, and its digits would search
            self._on_key(str(number + 1), partial(self.card.choose, number))
        self._on_key("S", self.skip)

    def _on_key(self, keys: str, act: object) -> None:
        shortcut = QShortcut(QKeySequence(keys), self.list)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(act)

    def _show(self, questions: tuple[OpenQuestion, ...]) -> None:
        before = self.list.currentIndex().row()
        shown = self.card.question
        self.questions.show(questions)
        self._stack.setCurrentIndex(0 if questions else 1)
        self._count.setText(tr_count("clarify.count", len(questions)))
        if not questions:
            self.card.question = None
            return
        row = -1 if shown is None else self.questions.find_row(shown.key)
        self._go_to(row if row >= 0 else min(max(0, before), len(questions) - 1))

    def _go_to(self, row: int) -> None:
        self.list.setCurrentIndex(self.questions.index(row))

    def _on_selected(self, chosen: QItemSelection, _before: QItemSelection) -> None:
        for index in chosen.indexes():
            question: OpenQuestion = index.data(VALUE_ROLE)
            if self.card.question is None or question.key != self.card.question.key:
                self.card.show_question(question)

    def _on_chosen(self, question: OpenQuestion, choice: int, reason: str) -> None:
        if question.kind is OpenKind.ORDER and choice:
            self._desk.source_asked.emit(question.source.id if question.source else 0)
            return
        memory = self._desk.memory
        self._desk.decide(lambda: memory.decide(question, choice, reason))
        self.list.setFocus()
