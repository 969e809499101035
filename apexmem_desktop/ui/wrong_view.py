"""What an answer rests on, each with the buttons that say it is wrong or what is right."""

from functools import partial

from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from apexmem_desktop.domain.answers import Answer, Citation
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.fact_actions import FactActions
from apexmem_desktop.ui.flow_layout import FlowLayout
from apexmem_desktop.ui.parts import button, column, label
from apexmem_desktop.ui.rows import FactRow, shortened
from apexmem_desktop.ui.translation import tr

_SHOWN_FACTS = 5


class WrongView(QFrame):
    """Opened by "This is wrong"."""

    def __init__(self, desk: Desk, answer: Answer) -> None:
        super().__init__()
        self.setObjectName("quiet")
        self._desk = desk
        self.acts: list[FactActions] = []
        self.misfits: dict[int, QPushButton] = {}  # by the citation's number
        layout = column(self, spacing=8, margin=16)
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
        """Offer each source on which a fact of the answer rests, to be said not to prove it."""
        holder = QWidget()
        flow = FlowLayout(holder)
        for citation in answer.citations:
            resting = [fact for fact in answer.facts if _rests_on(fact, citation)]
            if not resting:
                continue
            made = button(
                tr("ask.misfit", n=citation.number), partial(self._misfit, citation, resting)
            )
            made.setToolTip(tr("ask.misfit_more", quote=shortened(citation.quote)))
            self.misfits[citation.number] = made
            flow.addWidget(made)
        if self.misfits:
            layout.addWidget(label(tr("ask.misfit_which"), bold=True))
            layout.addWidget(holder)

    def _misfit(self, citation: Citation, resting: list[Fact]) -> None:
        """What was read out of a message that does not say it is wrong; each is undoable."""
        self.misfits[citation.number].setEnabled(False)
        memory, reason = self._desk.memory, tr("ask.misfit_reason")
        for fact in resting:
            self._desk.decide(partial(memory.rule, "reject", fact.id, reason))


def _rests_on(fact: Fact, citation: Citation) -> bool:
    return any(proof.turn_id == citation.turn_id for proof in fact.evidence)
