"""What changed between two days: for one person or thing, the values that came and went."""

from PySide6.QtCore import (
    QDate,
    QLocale,
    QModelIndex,
    Qt,
)
from PySide6.QtWidgets import QDateEdit, QDialog, QWidget

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.reports import Difference
from apexmem_desktop.domain.wall import clock_of
from apexmem_desktop.ui.dates import bound_text, local, offset_of
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.dialog_size import give_room
from apexmem_desktop.ui.fact_words import value_text
from apexmem_desktop.ui.parts import button, column, label, row
from apexmem_desktop.ui.rows_model import Index, RowsModel
from apexmem_desktop.ui.table import Table
from apexmem_desktop.ui.translation import language, tr, tr_count, tr_name

_SIZE = (780, 540)
_DAY_MS, _MINUTE_MS = 86_400_000, 60_000
_MONTHS_BACK = 6


class ChangesModel(RowsModel[Difference]):
    """Changes, one a row, the oldest first."""

    COLUMNS = ("what", "before", "after", "when")
    HEADERS = "changes."

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one cell."""
        if not index.isValid() or role != Qt.ItemDataRole.DisplayRole:
            return None
        change, column_name = self.cell(index)
        if column_name == "what":
            return tr_name("property", change.property_name)
        if column_name == "when":
            fact = change.after or change.before
            return bound_text(change.when, clock_of(fact.evidence if fact else ()))
        fact = change.before if column_name == "before" else change.after
        return "–" if fact is None else value_text(fact)


class ChangesDialog(QDialog):
    """Two days and what changed between them; a row opens the words that prove it."""

    def __init__(self, desk: Desk, entity: Entity, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._entity = entity
        self.changes = ChangesModel()
        title = tr("changes.title", name=entity.name)
        self.setWindowTitle(title)
        give_room(self, *_SIZE)
        self.table = Table(self.changes, title)
        self._count = label(tone="muted")
        last_ms = entity.last_at_ms if entity.last_at_ms is not None else desk.memory.now_ms()
        last = self._day_of(last_ms)
        self.first_day, self.last_day = QDateEdit(last.addMonths(-_MONTHS_BACK)), QDateEdit(last)
        layout = column(self, spacing=12, margin=24)
        layout.addWidget(label(title, size=1.4, bold=True))
        for day, name in ((self.first_day, "changes.from"), (self.last_day, "changes.to")):
            day.setCalendarPopup(True)
            day.setLocale(QLocale(language()))
            # First this: the parts of a format are turned around as it is taken.
            day.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            day.setDisplayFormat(tr("date.edit_format"))
            day.setAccessibleName(tr(name))
            day.userDateChanged.connect(self._on_day)
        days = (label(tr("changes.from")), self.first_day, label(tr("changes.to")), self.last_day)
        layout.addLayout(row(*days, 0))
        layout.addWidget(self._count)
        layout.addWidget(self.table, 1)
        layout.addStretch(0)
        layout.addLayout(row(0, button(tr("common.close"), self.accept)))
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        self.refresh()

    def refresh(self) -> None:
        """Fetch what changed between the two days, the last one included."""
        memory, number, span = self._desk.memory, self._entity.id, self._span()
        self._desk.read(
            lambda: memory.differences(number, *span), self, lambda got: self._show(span, got)
        )

    def _span(self) -> tuple[int, int]:
        after = self.last_day.date().addDays(1)
        return self._midnight(self.first_day.date()), self._midnight(after)

    def _show(self, span: tuple[int, int], changes: tuple[Difference, ...]) -> None:
        if span != self._span():
            return  # other days were chosen meanwhile; what changed between them comes too
        self.changes.show(changes)
        self._count.setText(tr_count("changes.count", len(changes)))

    def _on_day(self, _: QDate) -> None:
        self.refresh()

    def _on_chosen(self, index: QModelIndex) -> None:
        change = self.changes.row(index.row())
        fact = change.after or change.before
        if fact is not None and fact.evidence:
            self._desk.spot_asked.emit(Spot.of(fact.evidence[0]))

    def _day_of(self, at_ms: int) -> QDate:
        at = local(at_ms, offset_of(self._desk.memory.zone(), at_ms))
        return QDate(at.year, at.month, at.day)

    def _midnight(self, day: QDate) -> int:
        utc_ms = (day.toJulianDay() - QDate(1970, 1, 1).toJulianDay()) * _DAY_MS
        return utc_ms - offset_of(self._desk.memory.zone(), utc_ms) * _MINUTE_MS
