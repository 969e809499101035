"""Erasing for good: what would go is counted and shown, and a word must be typed first."""

from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QWidget

from apexmem_desktop.domain.reports import Changes, EraseReport, EraseScope
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.parts import button, card, column, find_anywhere, form_name, label, row
from apexmem_desktop.ui.roomy_dialog import RoomyDialog
from apexmem_desktop.ui.task_dialog import TaskDialog
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr, tr_count, tr_name

KINDS = ("source", "entity", "all")
_WIDTH = 560
_COUNTED = ("turns", "facts", "events", "entities", "sources", "conversations", "answers")
_SHOWN_NAMES = 6


class EraseDialog(RoomyDialog):
    """Chooses what goes, shows what that takes, and erases after the typed word."""

    erased = Signal(object)  # EraseReport

    def __init__(self, desk: Desk, parent: QWidget, scope: EraseScope | None = None) -> None:
        super().__init__(parent, width_px=_WIDTH, snug=True)
        self.setWindowTitle(tr("erase.title"))
        self.setModal(True)
        self._desk = desk
        self._asked = 0
        self._wanted = scope
        self.kind = QComboBox()
        self.which = QComboBox()
        self.mentions = QCheckBox(tr("erase.mentions"))
        self.what = label()
        self.more = label(tone="muted", size=0.92)
        self.word = QLineEdit()
        self.go = button(tr("erase.go"), self._erase, kind="danger")
        self._lay_out()
        self.kind.setCurrentIndex(KINDS.index(scope.kind if scope else "source"))
        self.kind.currentIndexChanged.connect(lambda _: self._fill())
        self.which.currentIndexChanged.connect(lambda _: self._count())
        self.mentions.toggled.connect(lambda _: self._count())
        self.word.textChanged.connect(lambda _: self._allow())
        self._fill()

    def scope(self) -> EraseScope | None:
        """What is chosen; None while there is nothing to choose."""
        kind = KINDS[self.kind.currentIndex()]
        if kind == "all":
            return EraseScope("all")
        number = self.which.currentData()
        if number is None:
            return None
        return EraseScope(kind, number, with_mentions=self.mentions.isChecked())

    def _lay_out(self) -> None:
        layout = column(self, spacing=12, margin=24)
        layout.addWidget(label(tr("erase.title"), size=1.35, bold=True))
        layout.addWidget(label(tr("erase.intro"), tone="muted"))
        form = QFormLayout()
        form.setHorizontalSpacing(20)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.kind.addItems([tr(f"erase.kind_{kind}") for kind in KINDS])
        self.kind.setAccessibleName(tr("erase.kind"))
        self.which.setAccessibleName(tr("erase.which"))
        find_anywhere(self.which)
        self.mentions.setChecked(True)
        form.addRow(form_name(tr("erase.kind"), self.kind), self.kind)
        self._which_label = form_name(tr("erase.which"), self.which)
        form.addRow(self._which_label, self.which)
        layout.addLayout(form)
        layout.addWidget(self.mentions)
        frame, inner = card("warning", spacing=6, margin=14)
        inner.addWidget(self.what)
        inner.addWidget(self.more)
        layout.addWidget(frame)
        self.word.setAccessibleName(tr("erase.type", word=tr("erase.word")))
        self.word.setPlaceholderText(tr("erase.type", word=tr("erase.word")))
        layout.addWidget(self.word)
        layout.addStretch(1)
        layout.addLayout(row(0, button(tr("common.cancel"), self.reject), self.go))
        self._allow()

    def _fill(self) -> None:
        kind = KINDS[self.kind.currentIndex()]
        for one in (self.which, self._which_label):
            one.setVisible(kind != "all")
        self.mentions.setVisible(kind == "entity")
        self.which.blockSignals(True)
        self.which.clear()
        self.which.blockSignals(False)
        memory = self._desk.memory
        if kind == "source":
            self._desk.read(memory.sources, self, lambda got: self._list(_of_sources(got)))
        elif kind == "entity":
            self._desk.read(memory.entities, self, lambda got: self._list(_of_entities(got)))
        else:
            self._count()

    def _list(self, choices: list[tuple[str, int]]) -> None:
        self.which.blockSignals(True)
        for name, number in choices:
            self.which.addItem(name, number)
        if self._wanted is not None:
            self.which.setCurrentIndex(max(0, self.which.findData(self._wanted.id)))
        self.which.blockSignals(False)
        self._count()

    def _count(self) -> None:
        """Ask what would go; only the newest question counts."""
        self._asked += 1
        asked, scope, memory = self._asked, self.scope(), self._desk.memory
        self.what.setText(tr("erase.counting") if scope else tr("erase.nothing"))
        self.more.setText("")
        self._report: EraseReport | None = None
        self._allow()
        if scope is None:
            return
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.preview_erasing(scope),
            owner=self,
            on_done=lambda report: self._show(asked, report),
            on_failed=self._on_failed,
        )

    def _show(self, asked: int, report: EraseReport) -> None:
        if asked != self._asked:
            return
        self._report = report
        self.what.setText(tr("erase.would", counts=counts_text(report)))
        self.more.setText("\n".join(_more(report)))
        self._allow()
        QTimer.singleShot(0, self, self.fit)  # once the labels have told what they need

    def _on_failed(self, error: BaseException) -> None:
        self.what.setText(error_text(error))

    def _allow(self) -> None:
        typed = self.word.text().strip().casefold() == tr("erase.word").casefold()
        self.go.setEnabled(typed and getattr(self, "_report", None) is not None)

    def _erase(self) -> None:
        scope, memory, owner = self.scope(), self._desk.memory, self.parentWidget()
        if scope is None or owner is None:
            return
        dialog = TaskDialog(
            self._desk, tr("erase.title"), lambda _progress, _token: memory.erase(scope),
            _spell, owner,
        )  # fmt: skip
        dialog.done_with.connect(self._on_erased)
        self.hide()
        dialog.begin()

    def _on_erased(self, report: Any) -> None:
        self._desk.changed.emit(Changes(turns=True, entities=True, facts=True, sources=True))
        self.erased.emit(report)
        self.accept()


def counts_text(report: EraseReport) -> str:
    """Write what goes, without what there is none of."""
    counted = [(name, getattr(report, name)) for name in _COUNTED]
    parts = [tr_count(f"erase.{name}", number) for name, number in counted if number]
    return tr("erase.joint").join(parts) or tr("erase.nothing")


def _spell(report: EraseReport) -> str:
    lines = [tr("erase.done", counts=counts_text(report))]
    lines += [tr("erase.kept", path=path) for path in report.backups_kept]
    return "\n".join(lines)


def _more(report: EraseReport) -> list[str]:
    lines = [tr("erase.forever")]
    if report.turns_by_others:
        lines.append(tr_count("erase.by_others", report.turns_by_others))
    if report.copies:
        lines.append(tr_count("erase.copies", len(report.copies)))
    if report.not_sought:
        names = tr("common.joint").join(report.not_sought[:_SHOWN_NAMES])
        lines.append(tr("erase.not_sought", names=names))
    lines += [tr("erase.kept", path=path) for path in report.backups_kept]
    return lines


def _of_sources(sources: Any) -> list[tuple[str, int]]:
    newest = sorted(sources, key=lambda one: -one.id)
    return [(f"{one.file} ({one.turns_new:,})", one.id) for one in newest]


def _of_entities(entities: Any) -> list[tuple[str, int]]:
    return [(f"{one.name} ({tr_name('type', one.type)})", one.id) for one in entities]
