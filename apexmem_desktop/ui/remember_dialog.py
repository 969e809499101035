"""Remember this: the user makes a fact of words in a message."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QLineEdit, QPlainTextEdit, QWidget

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.reports import Changes
from apexmem_desktop.domain.rulings import RulingResult
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.dates import parse_date
from apexmem_desktop.ui.dates import instant_text
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.dialog_size import give_room
from apexmem_desktop.ui.directions import utf16_length
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.parts import (
    begin_at_start,
    button,
    column,
    find_anywhere,
    form_name,
    label,
    row,
)
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr, tr_name
from apexmem_desktop.ui.turn_document import character_at

_WIDTH = 520
_QUOTE_LINES = 5
_PARTS = {1: Precision.YEAR, 2: Precision.MONTH, 3: Precision.DAY}


class RememberDialog(QDialog):
    """The message with the words that prove it, and the three parts of a fact."""

    remembered = Signal(int)  # number of the fact

    def __init__(self, desk: Desk, turn: Turn, spot: Spot | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("remember.title"))
        self.setModal(True)
        self._desk = desk
        self._turn = turn
        self.quote = QPlainTextEdit(turn.text)
        self.subject = QComboBox()
        self.prop = QComboBox()
        self.value = QLineEdit()
        self.since = QLineEdit()
        self.problem = label(tone="danger")
        self.keep = button(tr("remember.keep"), self._remember, kind="main")
        self._lay_out()
        self._select(spot)
        memory = desk.memory
        desk.read(memory.entities, self, self._show_entities)
        desk.read(memory.known_properties, self, self._show_properties)

    def span(self) -> tuple[int, int]:
        """Give the selected words as offsets in the message; all of it when none are."""
        cursor = self.quote.textCursor()
        text = self._turn.text
        if not cursor.hasSelection():
            return 0, len(text)
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        return character_at(text, start), character_at(text, end)

    def _lay_out(self) -> None:
        layout = column(self, spacing=12, margin=24)
        layout.addWidget(label(tr("remember.title"), size=1.35, bold=True))
        when = instant_text(self._turn.said_at_ms, self._turn.offset_minutes)
        layout.addWidget(label(f"{self._turn.speaker} · {when}", tone="muted"))
        self.quote.setReadOnly(True)
        self.quote.setTextInteractionFlags(
            self.quote.textInteractionFlags()
            | self.quote.textInteractionFlags().TextSelectableByKeyboard
        )
        self.quote.setTabChangesFocus(True)
        self.quote.setAccessibleName(tr("remember.quote"))
        height = self.quote.fontMetrics().lineSpacing() * _QUOTE_LINES + 20
        self.quote.setFixedHeight(height)
        layout.addWidget(self.quote)
        layout.addWidget(label(tr("remember.quote"), tone="muted", size=0.92))
        form = QFormLayout()
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for box in (self.subject, self.prop):
            find_anywhere(box)
        for one in (self.value, self.since):
            begin_at_start(one)
        self.since.setPlaceholderText(tr("remember.since_hint"))
        if line := self.prop.lineEdit():
            line.setPlaceholderText(tr("remember.property_hint"))
        fields = (
            ("subject", self.subject),
            ("property", self.prop),
            ("value", self.value),
            ("since", self.since),
        )
        for key, field in fields:
            field.setAccessibleName(tr(f"remember.{key}"))
            form.addRow(form_name(tr(f"remember.{key}"), field), field)
        layout.addLayout(form)
        self.problem.hide()
        layout.addWidget(self.problem)
        layout.addLayout(row(0, button(tr("common.cancel"), self.reject), self.keep))
        give_room(self, _WIDTH)

    def _select(self, spot: Spot | None) -> None:
        if spot is None or spot.turn_id != self._turn.id or spot.end <= spot.start:
            return
        cursor = QTextCursor(self.quote.document())
        cursor.setPosition(utf16_length(self._turn.text[: spot.start]))
        end = utf16_length(self._turn.text[: spot.end])
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.quote.setTextCursor(cursor)
        self.value.setText(" ".join(self._turn.text[spot.start : spot.end].split()))

    def _show_entities(self, entities: tuple[Entity, ...]) -> None:
        names = [entity.name for entity in entities]
        self.subject.addItems(list(dict.fromkeys([self._turn.speaker, *names])))
        self.subject.setCurrentIndex(0)

    def _show_properties(self, names: tuple[str, ...]) -> None:
        for name in names:
            self.prop.addItem(tr_name("property", name), name)
        self.prop.setCurrentIndex(-1)
        self.prop.setEditText("")

    def _property(self) -> str:
        """Give the chosen property, or the one that was typed."""
        typed = self.prop.currentText().strip()
        row = self.prop.findText(typed)
        return str(self.prop.itemData(row)) if row >= 0 else typed

    def _remember(self) -> None:
        try:
            since = self._since()
        except (ValueError, OverflowError):
            self._tell(tr("remember.wrong_day"))
            return
        start, end = self.span()
        memory, turn_id = self._desk.memory, self._turn.id
        subject, prop, value = self.subject.currentText(), self._property(), self.value.text()
        self.keep.setEnabled(False)
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.remember(
                turn_id, start, end, subject=subject, prop=prop, value=value, valid_from=since
            ),
            owner=self,
            on_done=self._on_done,
            on_failed=self._on_failed,
        )

    def _since(self) -> Bound | None:
        text = self.since.text().strip()
        if not text:
            return None
        typed, zone = parse_date(text), self._desk.memory.zone()
        precision = _PARTS.get(text.count("-") + 1, Precision.INSTANT)
        if typed.at is not None:
            precision = Precision.INSTANT
        return Bound(typed.start_ms(zone), typed.end_ms(zone), precision, TimeSource.STATED)

    def _on_done(self, done: RulingResult) -> None:
        """Tell the views; the window offers to take it back, as with every decision."""
        self._desk.changed.emit(Changes(facts=True, entities=True))
        self._desk.decided.emit(done.ruling)
        self.remembered.emit(done.changed.fact_ids[0])
        self.accept()

    def _on_failed(self, error: BaseException) -> None:
        self.keep.setEnabled(True)
        self._tell(error_text(error))

    def _tell(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.show()
        give_room(self, _WIDTH)
