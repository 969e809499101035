"""The buttons that rule on a fact, each with its key, wherever one fact is chosen."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QWidget

from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.ui.correct_dialog import CorrectDialog
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.flow_layout import FlowLayout
from apexmem_desktop.ui.parts import button
from apexmem_desktop.ui.translation import tr

_KEYS = {"confirm": "Y", "correct": "C", "reject": "N", "pin": "P", "hide": "X"}


class FactActions(QWidget):
    """Confirm, correct, reject, pin, hide; nothing can be pressed until a fact is chosen.

    Args:
        keys_in: Where the single-letter keys count: a letter typed elsewhere is a letter.
    """

    def __init__(self, desk: Desk, keys_in: QWidget) -> None:
        super().__init__()
        self._desk = desk
        self.fact: Fact | None = None
        self.dialog: CorrectDialog | None = None
        self.buttons: dict[str, QPushButton] = {}
        flow = FlowLayout(self)
        for kind, keys in _KEYS.items():
            act = partial(self.act, kind)
            made = button(tr(f"act.{kind}"), act)
            made.setToolTip(tr("act.tip", what=tr(f"act.{kind}_more"), keys=keys))
            made.setEnabled(False)
            flow.addWidget(made)
            self.buttons[kind] = made
            shortcut = QShortcut(QKeySequence(keys), keys_in)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    def choose(self, fact: Fact | None) -> None:
        """Rule on this fact from now on."""
        self.fact = fact
        for made in self.buttons.values():
            made.setEnabled(fact is not None)

    def act(self, kind: str) -> None:
        """Do what a button says, or ask first what is right."""
        if self.fact is None:
            return
        if kind == "correct":
            self._ask_value(self.fact)
            return
        memory, number = self._desk.memory, self.fact.id
        self._desk.decide(lambda: memory.rule(kind, number))

    def correct(self, fact: Fact, value: str) -> None:
        """Give the right value of a fact."""
        memory = self._desk.memory
        if value.strip() and value.strip() != fact.value:
            self._desk.decide(lambda: memory.correct(fact.id, value))

    def _ask_value(self, fact: Fact) -> None:
        self.dialog = CorrectDialog(self._desk, fact, self.window())
        self.dialog.given.connect(partial(self.correct, fact))
        self.dialog.show()
