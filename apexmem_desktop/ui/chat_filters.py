"""Which turns of a conversation are shown: whose, of when, of which kind."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from apexmem_desktop.domain.reading import TurnFilter
from apexmem_desktop.domain.reports import ConversationSummary
from apexmem_desktop.domain.turn import TurnKind
from apexmem_desktop.services.dates import parse_date
from apexmem_desktop.ui.flow_layout import FlowLayout
from apexmem_desktop.ui.parts import restyle
from apexmem_desktop.ui.translation import tr

_KINDS = (TurnKind.MESSAGE, TurnKind.MEDIA, TurnKind.CALL, TurnKind.LOCATION, TurnKind.POLL,
          TurnKind.DELETED, TurnKind.NOTICE)  # fmt: skip
_DAY_CHARS = 12


class ChatFilters(QWidget):
    """A line of choices; each is taken at once."""

    changed = Signal()

    def __init__(self, zone: str) -> None:
        super().__init__()
        self._zone = zone
        self.speaker = QComboBox()
        self.kind = QComboBox()
        self.first = _day_field(tr("filter.from"))
        self.last = _day_field(tr("filter.to"))
        self.with_facts = QCheckBox(tr("filter.with_facts"))
        self._fill()
        layout = FlowLayout(self)
        for one in (self.speaker, self.kind, self.first, self.last, self.with_facts):
            layout.addWidget(one)
        self.speaker.activated.connect(lambda _: self.changed.emit())
        self.kind.activated.connect(lambda _: self.changed.emit())
        self.with_facts.toggled.connect(lambda _: self.changed.emit())
        for field in (self.first, self.last):
            field.editingFinished.connect(self.changed)

    def show_chat(self, chat: ConversationSummary) -> None:
        """Offer the people of a conversation, and show all of it."""
        self.speaker.clear()
        self.speaker.addItem(tr("filter.everybody"), "")
        for speaker in chat.speakers:
            self.speaker.addItem(speaker, speaker)
        self.kind.setCurrentIndex(0)
        self.first.clear()
        self.last.clear()
        self.with_facts.blockSignals(True)
        self.with_facts.setChecked(False)
        self.with_facts.blockSignals(False)

    def chosen(self) -> TurnFilter:
        """What is chosen; a day that is none is left out and shown as wrong."""
        return TurnFilter(
            speaker=self.speaker.currentData() or "",
            from_ms=self._instant(self.first, end=False),
            to_ms=self._instant(self.last, end=True),
            kind=self.kind.currentData() or "",
            with_facts=self.with_facts.isChecked(),
        )

    def _fill(self) -> None:
        self.speaker.setAccessibleName(tr("filter.person"))
        self.kind.setAccessibleName(tr("filter.kind"))
        self.kind.addItem(tr("filter.all_kinds"), "")
        for kind in _KINDS:
            self.kind.addItem(tr(f"filter.{kind.value}"), kind.value)
        for box in (self.speaker, self.kind):
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(_DAY_CHARS)

    def _instant(self, field: QLineEdit, *, end: bool) -> int | None:
        text, found, wrong = field.text().strip(), None, False
        if text:
            try:
                typed = parse_date(text)
                found = typed.end_ms(self._zone) + 1 if end else typed.start_ms(self._zone)
            except (ValueError, OverflowError):
                wrong = True
        field.setProperty("wrong", "true" if wrong else "false")
        restyle(field)
        return found


def _day_field(name: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(name)
    field.setAccessibleName(name)
    field.setToolTip(tr("filter.day_hint"))
    field.setFixedWidth(field.fontMetrics().averageCharWidth() * (_DAY_CHARS + 6))
    return field
