"""Fact history: what a property was, version by version, each one click from its proof."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelection, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.reports import Changes
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.fact_actions import FactActions
from apexmem_desktop.ui.history_model import HistoryModel
from apexmem_desktop.ui.parts import clear, column, icon_button, label, row
from apexmem_desktop.ui.rows import ProofRow, show_proof
from apexmem_desktop.ui.table import Table
from apexmem_desktop.ui.translation import tr, tr_count, tr_name

_LEAST_LINES = 5  # the heads and one version, at every size of text


class HistoryPanel(QWidget):
    """Shows one property of one entity."""

    closed = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._shown: tuple[int, str] | None = None
        self._title = label(tr("history.title"), size=1.15, bold=True)
        self.versions = HistoryModel()
        least = [self.versions.COLUMNS.index(name) for name in ("learned", "links")]
        self.table = Table(
            self.versions, tr("history.title"), give_way=least, least_lines=_LEAST_LINES
        )
        self._ties = label(tone="muted")
        self._proofs = QVBoxLayout()
        self.acts = FactActions(desk, self)
        self._lay_out()
        desk.changed.connect(self._on_changed)

    def open(self, entity_id: int, prop: str, fact_id: int | None = None) -> None:
        """Fetch and show the versions; mark one of them."""
        self._shown = (entity_id, prop)
        memory = self._desk.memory
        self._desk.read(
            lambda: memory.history(entity_id, prop),
            self,
            lambda facts: self._show(entity_id, prop, facts, fact_id),
        )

    def _on_changed(self, changes: Changes) -> None:
        if changes.facts and self._shown is not None and self.isVisible():
            chosen = self.acts.fact
            self.open(*self._shown, None if chosen is None else chosen.id)

    def _lay_out(self) -> None:
        layout = column(self, spacing=8)
        layout.setContentsMargins(0, 12, 0, 0)
        close = icon_button("close", tr("history.close"), self.closed.emit)
        head = row(self._title, close)
        head.setStretch(0, 1)
        layout.addLayout(head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.acts)
        layout.addWidget(self._ties)
        self._proofs.setSpacing(0)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        layout.addLayout(self._proofs)
        layout.addStretch(0)

    def _show(self, entity_id: int, prop: str, facts: Sequence[Fact], fact_id: int | None) -> None:
        if self._shown != (entity_id, prop):
            return
        who = facts[0].subject if facts else ""
        name = tr_name("property", prop)
        count = tr_count("history.versions", len(facts))
        self._title.setText(f"{who} · {name} · {count}")
        self.versions.show(facts)
        clear(self._proofs)
        self._ties.hide()
        self.acts.choose(None)
        for number, fact in enumerate(facts):
            if fact.id == fact_id:
                self.table.selectRow(number)

    def _on_selected(self, chosen: QItemSelection, _before: QItemSelection) -> None:
        rows = chosen.indexes()
        if not rows:
            return
        fact = self.versions.row(rows[0].row())
        self.acts.choose(fact)
        show_proof(self._desk, fact)
        ties = self.versions.ties(rows[0].row())
        self._ties.setText(" · ".join(f"{tie.sign} {tie.words}" for tie in ties))
        self._ties.setVisible(bool(ties))
        clear(self._proofs)
        # The first stands in the evidence panel already.
        for proof in fact.evidence[1:4]:
            self._proofs.addWidget(ProofRow(self._desk, proof))
