"""What an answer rests on, each fact with the buttons that say it is wrong or what is right."""

from PySide6.QtWidgets import QFrame

from apexmem_desktop.domain.answers import Answer
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.fact_actions import FactActions
from apexmem_desktop.ui.parts import column, label
from apexmem_desktop.ui.rows import FactRow
from apexmem_desktop.ui.translation import tr

_SHOWN_FACTS = 5


class WrongView(QFrame):
    """Opened by "This is wrong"."""

    def __init__(self, desk: Desk, answer: Answer) -> None:
        super().__init__()
        self.setObjectName("quiet")
        self.acts: list[FactActions] = []
        layout = column(self, spacing=8, margin=16)
        layout.addWidget(label(tr("ask.wrong_which"), bold=True))
        for fact in answer.facts[:_SHOWN_FACTS]:
            held = FactRow(desk, fact)
            acts = FactActions(desk, held)
            acts.choose(fact)
            self.acts.append(acts)
            layout.addWidget(held)
            layout.addWidget(acts)
