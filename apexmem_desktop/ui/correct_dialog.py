"""Asks what is right instead of a fact's value; the old one stays in the history."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.fact_words import beside_text, name_text
from apexmem_desktop.ui.parts import begin_at_start, button, card, column, label, row
from apexmem_desktop.ui.roomy_dialog import RoomyDialog
from apexmem_desktop.ui.rows import ProofRow, validity_text
from apexmem_desktop.ui.translation import tr

_WIDTH = 480


class CorrectDialog(RoomyDialog):
    """One line for the right value, below what is told and the words that it was read from."""

    given = Signal(str)

    def __init__(self, desk: Desk, fact: Fact, parent: QWidget | None = None) -> None:
        super().__init__(parent, width_px=_WIDTH, snug=True)
        self.setWindowTitle(tr("act.correct_title"))
        self.setModal(True)
        self._before = fact.value
        self.value = QLineEdit(fact.value)
        begin_at_start(self.value)
        self.keep = button(tr("act.correct_keep"), self._on_keep, kind="main")
        layout = column(self, spacing=12, margin=24)
        layout.addWidget(label(tr("act.correct_title"), size=1.35, bold=True))
        frame, inside = card("quiet", spacing=4, margin=14)
        told = tr("ruling.fact", who=fact.subject, what=name_text(fact), value=beside_text(fact))
        inside.addWidget(label(told, bold=True))
        inside.addWidget(label(validity_text(fact), tone="muted", size=0.92))
        layout.addWidget(frame)
        for proof in fact.evidence[:1]:
            layout.addWidget(ProofRow(desk, proof))
        question = label(tr("act.correct_ask", what=name_text(fact)), tone="muted")
        question.setBuddy(self.value)
        self.value.setAccessibleName(question.text())
        layout.addWidget(question)
        layout.addWidget(self.value)
        layout.addWidget(label(tr("act.correct_more"), tone="faint", size=0.92))
        layout.addStretch(1)
        layout.addLayout(row(0, button(tr("common.cancel"), self.reject), self.keep))
        self.value.textChanged.connect(lambda _: self._look())
        self.keep.setDefault(True)
        self.value.selectAll()
        self.value.setFocus()
        self._look()

    def _look(self) -> None:
        self.keep.setEnabled(self.value.text().strip() not in ("", self._before))

    def _on_keep(self) -> None:
        self.given.emit(self.value.text())
        self.accept()
