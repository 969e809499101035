"""What an export holds, before anything is stored, and the choices that only the user can make."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QFrame, QLabel, QLineEdit, QWidget

from apexmem_desktop.domain.owner import means_owner
from apexmem_desktop.domain.reports import FileReport, ImportChoices, ImportProblem
from apexmem_desktop.ui.dates import range_text
from apexmem_desktop.ui.parts import card, column, find_anywhere, label, row, short_label
from apexmem_desktop.ui.rows import badge
from apexmem_desktop.ui.theme import scaled
from apexmem_desktop.ui.translation import tr, tr_count, tr_name
from apexmem_desktop.ui.zone_names import ZONE_CHARS, zone_names

_ORDERS = ("dmy", "mdy", "ymd")
# Chats with an assistant, where a question asked anew leaves a branch behind.
_BRANCHING = frozenset({"chatgpt", "claude", "gemini"})
_ARROW_PX = 16
_SHOWN_PEOPLE = 12
_SHOWN_TITLES = 4
_SHOWN_PROBLEMS = 6


class ImportPreview(QFrame):
    """Facts about a file, and what only the user knows.

    That is how its dates are written, by which clock, who "You" is, and whether branches that were
    left matter.
    """

    changed = Signal(object)  # ImportChoices: look again

    def __init__(self, zone: str) -> None:
        super().__init__()
        self.setObjectName("card")
        self._zone = zone
        self._format = label()
        self._chats = label()
        self._people = label()
        self._dates = label()
        self.order = QComboBox()
        self.guess = badge(tr("import.guess"), "warn")
        self.zone = QComboBox()
        self.owner = QComboBox()
        self.owner.setEditable(True)
        self._owner_line = self.owner.lineEdit() or QLineEdit()  # an editable one has a line
        self.branches = QCheckBox(tr("import.keep_branches"))
        self._why = label(tr("import.guess_more"), tone="warn", size=0.92)
        self._lay_out()
        self.order.activated.connect(lambda _: self.changed.emit(self.choices()))
        self.zone.activated.connect(lambda _: self.changed.emit(self.choices()))
        self.owner.activated.connect(lambda _: self.changed.emit(self.choices()))
        self._owner_line.editingFinished.connect(self._on_owner_typed)
        self.branches.clicked.connect(lambda _: self.changed.emit(self.choices()))

    def choices(self) -> ImportChoices:
        """What the user decided; what he did not touch stays open."""
        zone = self.zone.currentText()
        return ImportChoices(
            zone=zone if zone in self._zones else "",
            date_order=self.order.currentData() or "",
            keep_branches=self.branches.isChecked(),
            owner=self.owner.currentText().strip() if self._asks_owner else "",
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter behind a name looks at the file by that name, and does not store it unseen."""
        entered = isinstance(event, QKeyEvent) and event.key() in (
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
        )
        if watched is self._owner_line and event.type() is QEvent.Type.KeyPress and entered:
            self._on_owner_typed()
            return True
        return super().eventFilter(watched, event)

    def forget(self) -> None:
        """Forget the choices: the next file is another."""
        self.order.setCurrentIndex(0)
        self._set_zone(self._zone)
        self.branches.setChecked(False)
        self._asks_owner = False
        self.owner.clear()

    def show_report(self, report: FileReport) -> None:
        """Show what was found."""
        self._format.setText(tr_name("format", report.format))
        self._chats.setText(_chats_text(report))
        self._people.setText(_people_text(report.speakers))
        when = range_text(report.first_at_ms, report.last_at_ms, report.offset_minutes)
        self._dates.setText(when or tr("date.unknown"))
        self._show_order(report)
        self._show_owner(report)
        self._form.setRowVisible(self.branches, report.format in _BRANCHING)
        if report.zone:
            self._set_zone(report.zone)
        self._show_problems((*report.problems, *report.skipped))

    def _lay_out(self) -> None:
        layout = column(self, spacing=10, margin=18)
        form = self._form = QFormLayout()
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        for key, field in (
            ("format", self._format),
            ("chats", self._chats),
            ("people", self._people),
            ("dates", self._dates),
        ):
            form.addRow(_name(key), field)
        order = row(self.order, self.guess, 0)
        order.setAlignment(self.guess, Qt.AlignmentFlag.AlignVCenter)
        form.addRow(_name("order"), order)
        form.addRow(_name("zone"), row(self.zone, 0))
        form.addRow(_name("owner"), self.owner)
        form.addRow("", self.branches)
        layout.addLayout(form)
        layout.addWidget(self._why)
        self._problem_box = QWidget()
        self._problems = column(self._problem_box)
        layout.addWidget(self._problem_box)
        self._fill_choices()

    def _fill_choices(self) -> None:
        self.order.setAccessibleName(tr("import.order"))
        self.order.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.order.addItem(tr("import.find_out"), "")
        for order in _ORDERS:
            self.order.addItem(tr(f"order.{order}"), order)
        self._zones = sorted({*zone_names(), self._zone})
        self.zone.setAccessibleName(tr("import.zone"))
        self.zone.addItems(self._zones)
        find_anywhere(self.zone, ZONE_CHARS)
        self._set_zone(self._zone)
        self._asks_owner = False
        self.owner.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.owner.setAccessibleName(tr("import.owner"))
        self._owner_line.installEventFilter(self)
        self._owner_line.setPlaceholderText(tr("import.owner_hint"))
        self._form.setRowVisible(self.owner, False)
        self._form.setRowVisible(self.branches, False)

    def _set_zone(self, zone: str) -> None:
        index = self.zone.findText(zone)
        if index >= 0:
            self.zone.setCurrentIndex(index)

    def _show_order(self, report: FileReport) -> None:
        chosen = bool(self.order.currentData())
        guessed = bool(report.date_order) and not report.date_order_certain and not chosen
        if report.date_order and not chosen:
            found = tr(f"order.{report.date_order}")
            sure = tr("import.found_order", order=found)
            self.order.setItemText(0, sure if report.date_order_certain else found)
        # Its arrow grows with the text, which Qt does not reckon with.
        self.order.setMinimumWidth(self.order.sizeHint().width() + scaled(_ARROW_PX))
        self.order.setEnabled(bool(report.date_order))
        self.guess.setVisible(guessed)
        self._why.setVisible(guessed)

    def _show_owner(self, report: FileReport) -> None:
        """Ask who "You" is, unless the export names everybody; what is remembered is offered."""
        if self._asks_owner and self.owner.hasFocus():
            return  # somebody is at it
        said = self.owner.currentText().strip()
        self._asks_owner = report.owner_asked or self._asks_owner
        self._form.setRowVisible(self.owner, self._asks_owner)
        self.owner.clear()
        self.owner.addItems([name for name in report.speakers if name and not means_owner(name)])
        self.owner.setCurrentText(said)

    def _on_owner_typed(self) -> None:
        if self._owner_line.isModified():
            self._owner_line.setModified(False)
            self.changed.emit(self.choices())

    def _show_problems(self, problems: tuple[ImportProblem, ...]) -> None:
        while (item := self._problems.takeAt(0)) is not None:
            if widget := item.widget():
                widget.deleteLater()
        self._problem_box.setVisible(bool(problems))
        if problems:
            self._problems.addWidget(problem_list(problems))


def problem_list(problems: tuple[ImportProblem, ...]) -> QFrame:
    """Make a box of what could not be read."""
    frame, layout = card("warning", spacing=4, margin=12)
    layout.addWidget(label(tr_count("imports.problem_count", len(problems)), tone="warn"))
    for problem in problems[:_SHOWN_PROBLEMS]:
        layout.addWidget(label(f"{problem.where}: {problem.what}", size=0.92))
    if len(problems) > _SHOWN_PROBLEMS:
        rest = len(problems) - _SHOWN_PROBLEMS
        layout.addWidget(label(tr_count("import.more_problems", rest), tone="muted"))
    return frame


def _name(key: str) -> QLabel:
    return short_label(tr(f"import.{key}"), tone="muted")


def _chats_text(report: FileReport) -> str:
    counts = tr_count("conversations.turns", report.turns_new + report.turns_known)
    if len(report.titles) > 1:
        counts = f"{tr_count('import.chats_inside', len(report.titles))}, {counts}"
    titles = [title for title in report.titles[:_SHOWN_TITLES] if title]
    more = "…" if len(report.titles) > _SHOWN_TITLES else ""
    return f"{counts}\n{', '.join(titles)}{more}" if titles else counts


def _people_text(speakers: tuple[str, ...]) -> str:
    shown = ", ".join(name for name in speakers[:_SHOWN_PEOPLE] if name)
    more = len(speakers) - _SHOWN_PEOPLE
    return f"{shown} … (+{more})" if more > 0 else shown or "–"
