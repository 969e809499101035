"""What an export holds, before anything is stored, and the choices that only the user can make."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QFrame, QLabel, QLineEdit, QWidget

from apexmem_desktop.domain.owner import means_owner
from apexmem_desktop.domain.reports import YEAR_ASKED, FileReport, ImportChoices, ImportProblem
from apexmem_desktop.ui.chat_zone_picker import ChatZonePicker
from apexmem_desktop.ui.dates import range_text
from apexmem_desktop.ui.parts import column, find_anywhere, form_name, grow_from, label, row
from apexmem_desktop.ui.problem_list import problem_list
from apexmem_desktop.ui.rows import badge
from apexmem_desktop.ui.translation import tr, tr_count, tr_name
from apexmem_desktop.ui.zone_names import ZONE_CHARS, zone_names

_ORDERS = ("dmy", "mdy", "ymd")
# Chats with an assistant, where a question asked anew leaves a branch behind.
_BRANCHING = frozenset({"chatgpt", "claude", "gemini"})
_YEARS = (2009, 2199)  # WhatsApp's first, and no end in sight
_SHOWN_PEOPLE = 12
_SHOWN_TITLES = 4
_LEAST_BOX_PX = 160
_NARROW_CHARS = 56


class ImportPreview(QFrame):
    """Facts about a file, and what only the user knows.

    That is how its dates are written, by which clock, who "You" is, and whether branches that were
    left matter.
    """

    changed = Signal(object)  # ImportChoices: look again

    def __init__(self, zone: str, *, whole: bool = True) -> None:
        """Begin the form, and go on to its end unless somebody does that piece by piece."""
        super().__init__()
        self.setObjectName("card")
        self._zone = zone
        self._zones = sorted({*zone_names(), zone})
        self._form = QFormLayout()
        self._rest = self._pieces()
        if whole:
            self.complete()

    def go_on(self) -> bool:
        """Make one more piece of the form, and tell whether there may be others."""
        return next(self._rest, True) is None

    def complete(self) -> None:
        """Make all pieces that are missing."""
        while self.go_on():
            pass

    def choices(self) -> ImportChoices:
        """What the user decided; what he did not touch stays open."""
        zone = self.zone.currentText()
        return ImportChoices(
            zone=zone if zone in self._zones else "",
            date_order=self.order.currentData() or "",
            year=int(self.year.text() or 0) if self.year.hasAcceptableInput() else 0,
            keep_branches=self.branches.isChecked(),
            owner=self.owner.currentText().strip() if self._asks_owner else "",
            chat_zones=self.chat_zones.given(),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the names above their fields where large letters leave no room beside them."""
        super().resizeEvent(event)
        narrow = self.fontMetrics().averageCharWidth() * _NARROW_CHARS
        policy = QFormLayout.RowWrapPolicy
        wrap = policy.WrapAllRows if event.size().width() < narrow else policy.DontWrapRows
        self._form.setRowWrapPolicy(wrap)

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
        self.year.clear()
        self._set_zone(self._zone)
        self.chat_zones.forget()
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
        self._show_year(report)
        self._show_owner(report)
        self._form.setRowVisible(self.branches, report.format in _BRANCHING)
        self._show_zones(report)
        self._show_problems((*report.problems, *report.skipped))

    def _pieces(self) -> Iterator[None]:
        layout = column(self, spacing=10, margin=18)
        form = self._form
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        layout.addLayout(form)  # what comes into it then hangs where it belongs at once
        self._add_facts()
        yield
        self._add_order()
        self._add_year()
        self._add_zone()
        yield
        self.chat_zones = ChatZonePicker(self._zones)
        form.addRow(_name("chat_zone"), self.chat_zones)
        form.setRowVisible(self.chat_zones, False)
        yield
        self._add_owner()
        self.branches = QCheckBox(tr("import.keep_branches"))
        form.addRow(self.branches)
        form.setRowVisible(self.branches, False)
        self._why = label(tr("import.guess_more"), tone="warn", size=0.92)
        layout.addWidget(self._why)
        self._problem_box = QWidget()
        self._problems = column(self._problem_box)
        layout.addWidget(self._problem_box)
        self._wire()

    def _add_facts(self) -> None:
        self._format, self._chats, self._people, self._dates = (label() for _ in range(4))
        for key, field in (
            ("format", self._format),
            ("chats", self._chats),
            ("people", self._people),
            ("dates", self._dates),
        ):
            name = _name(key)
            for one in (name, field):  # of several lines the first stands beside the name
                across = one.alignment() & ~Qt.AlignmentFlag.AlignVertical_Mask
                one.setAlignment(across | Qt.AlignmentFlag.AlignTop)
            self._form.addRow(name, field)

    def _add_order(self) -> None:
        self.order = QComboBox()
        self.guess = badge(tr("import.guess"), "warn")
        order = row(self.order, self.guess)
        order.setStretch(0, 1)
        order.setAlignment(self.guess, Qt.AlignmentFlag.AlignVCenter)
        self._form.addRow(_name("order"), order)
        self.order.setAccessibleName(tr("import.order"))
        self.order.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.order.addItem(tr("import.find_out"), "")
        for order_name in _ORDERS:
            self.order.addItem(tr(f"order.{order_name}"), order_name)

    def _add_year(self) -> None:
        """Make the field for the year that dates do not name."""
        self.year = QLineEdit()
        self.year.setValidator(QIntValidator(*_YEARS, self.year))
        self.year.setPlaceholderText(tr("import.year_hint"))
        self.year.setAccessibleName(tr("import.year"))
        self._form.addRow(_name("year"), self.year)
        self._form.setRowVisible(self.year, False)

    def _add_zone(self) -> None:
        self.zone = QComboBox()
        self._form.addRow(_name("zone"), self.zone)
        self.zone.setAccessibleName(tr("import.zone"))
        self.zone.addItems(self._zones)
        find_anywhere(self.zone, ZONE_CHARS)
        self._set_zone(self._zone)

    def _add_owner(self) -> None:
        self._asks_owner = False
        self.owner = QComboBox()
        self.owner.setEditable(True)
        self._owner_line = self.owner.lineEdit() or QLineEdit()  # an editable one has a line
        self._form.addRow(_name("owner"), self.owner)
        self.owner.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.owner.setAccessibleName(tr("import.owner"))
        self._owner_line.installEventFilter(self)
        self._owner_line.setPlaceholderText(tr("import.owner_hint"))
        self._form.setRowVisible(self.owner, False)

    def _wire(self) -> None:
        for box in (self.order, self.zone, self.owner):  # in large letters rather cut than too wide
            grow_from(box, _LEAST_BOX_PX)
        self.order.activated.connect(lambda _: self.changed.emit(self.choices()))
        self.year.editingFinished.connect(self._on_year)
        self.zone.activated.connect(lambda _: self._on_zone())
        self.chat_zones.changed.connect(lambda: self.changed.emit(self.choices()))
        self.owner.activated.connect(lambda _: self.changed.emit(self.choices()))
        self._owner_line.editingFinished.connect(self._on_owner_typed)
        self.branches.clicked.connect(lambda _: self.changed.emit(self.choices()))

    def _on_zone(self) -> None:
        zone = self.zone.currentText()
        if zone in self._zones:
            self.chat_zones.give_only_chat(zone)
        self.changed.emit(self.choices())

    def _show_zones(self, report: FileReport) -> None:
        """Show the clock of the file, and of its chats where there are several."""
        zones = {one.zone for one in report.chats}
        zone = zones.pop() if len(zones) == 1 else report.zone
        if zone:
            self._set_zone(zone)
        self.chat_zones.show_chats(report.chats, zone)
        self._form.setRowVisible(self.chat_zones, len(report.chats) > 1 and bool(zone))

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
        self.order.setEnabled(bool(report.date_order))
        self.guess.setVisible(guessed)
        self._why.setVisible(guessed)

    def _show_year(self, report: FileReport) -> None:
        """Ask for the year where some dates name none."""
        asked = any(problem.what.startswith(YEAR_ASKED) for problem in report.problems)
        self._form.setRowVisible(self.year, asked or bool(self.year.text()))

    def _on_year(self) -> None:
        if self.year.isModified():
            self.year.setModified(False)
            self.changed.emit(self.choices())

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


def _name(key: str) -> QLabel:
    return form_name(tr(f"import.{key}"), tone="muted")


def _chats_text(report: FileReport) -> str:
    counts = tr_count("conversations.turns", report.turns_new + report.turns_known)
    if len(report.titles) > 1:
        inside = tr_count("import.chats_inside", len(report.titles))
        counts = tr("common.joint").join((inside, counts))
    titles = [title for title in report.titles[:_SHOWN_TITLES] if title]
    more = "…" if len(report.titles) > _SHOWN_TITLES else ""
    return f"{counts}\n{tr('common.joint').join(titles)}{more}" if titles else counts


def _people_text(speakers: tuple[str, ...]) -> str:
    shown = tr("common.joint").join(name for name in speakers[:_SHOWN_PEOPLE] if name)
    more = len(speakers) - _SHOWN_PEOPLE
    return f"{shown} … (+{more})" if more > 0 else shown or "–"
