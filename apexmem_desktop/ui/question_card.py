"""One open question with its answers, each a number key away, and a line for the reason."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from apexmem_desktop.domain.clarifying import OpenKind, OpenQuestion
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.ui.choice_button import ChoiceButton
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import PAGE_MARGIN, begin_at_start, button, clear, column, label, row
from apexmem_desktop.ui.question_words import asked_text, choice_texts, kind_text, title_text
from apexmem_desktop.ui.rows import ProofRow
from apexmem_desktop.ui.translation import tr

_MOST_CHOICES = 9
_SHOWN_PROOFS = 3


class QuestionCard(QWidget):
    """Shows one question after the other."""

    chosen = Signal(object, int, str)  # OpenQuestion, choice, reason
    skipped = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.question: OpenQuestion | None = None
        self._kind = label(tone="accent", bold=True, size=0.92)
        self._title = label(size=1.4, bold=True)
        self._asked = label(tone="muted")
        self._choices = QVBoxLayout()
        self._proofs = QVBoxLayout()
        self._said = label(tr("clarify.said"), tone="muted", size=0.92)
        self.reason = QLineEdit()
        self._lay_out()
        for number in range(1, _MOST_CHOICES + 1):
            self._on_key(str(number), partial(self.choose, number - 1))
        self._on_key("S", self.skipped.emit)

    def show_question(self, question: OpenQuestion) -> None:
        """Ask another question."""
        self.question = question
        self._kind.setText(kind_text(question))
        self._title.setText(title_text(question))
        self._asked.setText(asked_text(question))
        self.reason.clear()
        clear(self._choices)
        for number, text in enumerate(choice_texts(question)[:_MOST_CHOICES]):
            act = partial(self.choose, number)
            self._choices.addWidget(ChoiceButton(str(number + 1), text, act))
        clear(self._proofs)
        for fact in question.sides:
            for proof in fact.evidence[:_SHOWN_PROOFS]:
                self._proofs.addWidget(ProofRow(self._desk, proof))
        self._said.setVisible(any(fact.evidence for fact in question.sides))
        if question.kind is OpenKind.SAME:
            for entity in question.entities:
                self._proofs.addWidget(self._entity_link(entity))

    def choose(self, choice: int) -> None:
        """Decide the question that is shown."""
        if self.question is not None and choice < self.question.choices:
            self.chosen.emit(self.question, choice, self.reason.text().strip())

    def _lay_out(self) -> None:
        self.reason.setPlaceholderText(tr("clarify.reason"))
        self.reason.setAccessibleName(tr("clarify.reason"))
        begin_at_start(self.reason)
        self._proofs.setSpacing(2)
        layout = column(self, spacing=12)
        layout.setContentsMargins(PAGE_MARGIN, 26, PAGE_MARGIN, 16)
        layout.addWidget(self._kind)
        layout.addWidget(self._title)
        layout.addWidget(self._asked)
        layout.addLayout(self._choices)
        layout.addWidget(self.reason)
        layout.addWidget(self._said)
        layout.addLayout(self._proofs)
        skip = button(tr("clarify.skip"), self.skipped.emit)
        skip.setToolTip("S")
        layout.addLayout(row(skip, 0))
        layout.addWidget(label(tr("clarify.keys"), tone="faint", size=0.9))
        layout.addStretch(1)

    def _entity_link(self, entity: Entity) -> QWidget:
        text = tr("clarify.look_at", name=entity.name)
        return button(text, lambda: self._desk.entity_asked.emit(entity.id), kind="plain")

    def _on_key(self, keys: str, act: object) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(act)
