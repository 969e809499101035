"""What an answer rests on, each with the buttons that say it is wrong or what is right."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from apexmem_desktop.domain.answers import Answer, Citation
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.fact_actions import FactActions
from apexmem_desktop.ui.flow_layout import FlowLayout
from apexmem_desktop.ui.parts import button, column, label, row
from apexmem_desktop.ui.rows import FactRow, shortened
from apexmem_desktop.ui.translation import tr

_SHOWN_FACTS = 5


class WrongView(QFrame):
    """Opened by "This is wrong"."""

    asked_again = Signal()

    def __init__(self, desk: Desk, answer: Answer) -> None:
        super().__init__()
        self.setObjectName("quiet")
        self._desk = desk
        self._question = answer.read_as or answer.question
        self.acts: list[FactActions] = []
        self.misfits: dict[int, QPushButton] = {}  # by the citation's number
        self._done = label(tr("ask.misfit_done"), tone="muted")
        self.again = button(tr("ask.again"), self.asked_again.emit)
        self._done.hide()
        self.again.hide()
        layout = column(self, spacing=8, margin=16)
        if answer.facts:
            layout.addWidget(label(tr("ask.wrong_which"), bold=True))
        for fact in answer.facts[:_SHOWN_FACTS]:
            held = FactRow(desk, fact)
            acts = FactActions(desk, held)
            acts.choose(fact)
            self.acts.append(acts)
            layout.addWidget(held)
            layout.addWidget(acts)
        self._offer_misfits(answer, layout)

    def _offer_misfits(self, answer: Answer, layout: QVBoxLayout) -> None:
        """Offer each source to be said not to fit; a fact that rests on it goes with it."""
        holder = QWidget()
        flow = FlowLayout(holder)
        for citation in answer.citations:
            resting = [fact for fact in answer.facts if _rests_on(fact, citation)]
            made = button(
                tr("ask.misfit", n=citation.number), partial(self._misfit, citation, resting)
            )
            tip = "ask.misfit_more" if resting else "ask.misfit_only"
            made.setToolTip(tr(tip, quote=shortened(citation.quote)))
            self.misfits[citation.number] = made
            flow.addWidget(made)
        if self.misfits:
            which = "ask.misfit_which" if answer.facts else "ask.misfit_which_only"
            layout.addWidget(label(tr(which), bold=True))
            layout.addWidget(holder)
            layout.addWidget(self._done)
            layout.addLayout(row(self.again, 0))

    def _misfit(self, citation: Citation, resting: list[Fact]) -> None:
        """It is not cited for this question again, and what was read out of it is wrong."""
        self.misfits[citation.number].setEnabled(False)
        memory, fact_ids = self._desk.memory, [fact.id for fact in resting]
        self._desk.decide(partial(memory.misfit, self._question, citation.turn_id, fact_ids))
        self._done.show()
        self.again.show()


def _rests_on(fact: Fact, citation: Citation) -> bool:
    return any(proof.turn_id == citation.turn_id for proof in fact.evidence)
