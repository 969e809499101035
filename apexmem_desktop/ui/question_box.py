"""The box to ask in, with the day that the answer is for."""

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDateEdit, QLineEdit, QWidget

from apexmem_desktop.ui.dates import local, offset_of
from apexmem_desktop.ui.parts import PAGE_MARGIN, begin_at_start, button, column, row
from apexmem_desktop.ui.translation import language, tr

_MINUTE_MS = 60_000
_DAY_MS = 86_400_000


class QuestionBox(QWidget):
    """Says what is asked; whoever holds it tells when an answer is on its way."""

    asked = Signal(str)
    stopped = Signal()

    def __init__(self, zone: str) -> None:
        super().__init__()
        self._zone = zone
        self._day_chosen = False
        self.question = QLineEdit()
        self.ask = button(tr("ask.send"), self._on_ask, kind="main", icon_name="send")
        self.stop = button(tr("ask.stop"), self.stopped.emit, icon_name="stop")
        self.as_of = QCheckBox(tr("ask.as_of"))
        self.day = QDateEdit(QDate.currentDate())
        self._lay_out()

    def show_busy(self, *, busy: bool) -> None:
        """Offer to stop while an answer is on its way."""
        self.ask.setVisible(not busy)
        self.stop.setVisible(busy)
        if not busy:
            self.question.setFocus()

    def as_of_ms(self) -> int | None:
        """Give the end of the chosen day by the user's calendar; None for now."""
        if not self.as_of.isChecked():
            return None
        utc_ms = (self.day.date().toJulianDay() - QDate(1970, 1, 1).toJulianDay() + 1) * _DAY_MS - 1
        return utc_ms - offset_of(self._zone, utc_ms) * _MINUTE_MS

    def offer_day(self, at_ms: int) -> None:
        """Offer a day, unless the user has chosen another."""
        if self._day_chosen:
            return
        last = local(at_ms, offset_of(self._zone, at_ms))
        self.day.setDate(QDate(last.year, last.month, last.day))
        self._day_chosen = False

    def ask_for_a_day(self, question: str) -> None:
        """Let the user choose the day that a question is asked for."""
        self.question.setText(question)
        self.as_of.setChecked(True)
        self.day.setFocus()

    def _lay_out(self) -> None:
        self.question.setObjectName("question")
        self.question.setPlaceholderText(tr("ask.placeholder"))
        self.question.setAccessibleName(tr("ask.placeholder"))
        begin_at_start(self.question)
        self.question.returnPressed.connect(self._on_ask)
        self.day.setCalendarPopup(True)
        self.day.setLocale(QLocale(language()))
        # First this: the parts of a format are turned around as it is taken.
        self.day.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.day.setDisplayFormat(tr("date.edit_format"))
        self.day.setAccessibleName(tr("ask.as_of"))
        self.day.userDateChanged.connect(self._on_day_chosen)
        self.day.hide()
        self.as_of.toggled.connect(self.day.setVisible)
        self.stop.hide()
        layout = column(self, spacing=10)
        layout.addLayout(row(self.question, self.ask, self.stop, spacing=10))
        layout.addLayout(row(self.as_of, self.day, 0, spacing=8))
        layout.setContentsMargins(PAGE_MARGIN, 8, PAGE_MARGIN, 20)

    def _on_ask(self) -> None:
        self.asked.emit(self.question.text())

    def _on_day_chosen(self, _: QDate) -> None:
        self._day_chosen = True
