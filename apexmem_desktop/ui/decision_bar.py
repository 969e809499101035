"""The line that says what was just decided, with a button that takes it back."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout

from apexmem_desktop.domain.rulings import Ruling, RulingKind
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.parts import button, icon_button, label
from apexmem_desktop.ui.ruling_log import RulingLogDialog
from apexmem_desktop.ui.ruling_words import ruling_text
from apexmem_desktop.ui.theme import scaled
from apexmem_desktop.ui.translation import tr

_SHOWN_MS = 12_000
_ICON_PX = 18


class DecisionBar(QFrame):
    """Hidden until something is decided; goes away by itself. The log of all is one click away."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("decision")
        self._desk = desk
        self.log: RulingLogDialog | None = None
        self._words = label()
        self._undo = button(tr("ruling.undo_button"), self.undo, kind="plain")
        self._redo = button(tr("ruling.redo_button"), self.redo, kind="plain")
        sign = label()
        sign.setPixmap(icon("check", "accent").pixmap(scaled(_ICON_PX), scaled(_ICON_PX)))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 6, 16, 6)
        layout.setSpacing(10)
        layout.addWidget(sign)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._undo)
        layout.addWidget(self._redo)
        layout.addWidget(button(tr("ruling.log"), self.open_log, kind="plain"))
        layout.addWidget(icon_button("close", tr("common.close"), self.hide))
        self._later = QTimer(self, singleShot=True, interval=_SHOWN_MS)
        self._later.timeout.connect(self.hide)
        desk.decided.connect(self._on_decided)
        self.hide()

    def undo(self) -> None:
        """Take back what was decided last."""
        self._desk.decide(self._desk.memory.undo)

    def redo(self) -> None:
        """Decide again what was just taken back."""
        self._desk.decide(self._desk.memory.redo)

    def open_log(self) -> None:
        """Show all that was ever decided."""
        self.log = RulingLogDialog(self._desk, self.window())
        self.log.show()

    def _on_decided(self, ruling: Ruling) -> None:
        self._words.setText(ruling_text(ruling))
        was_undo = ruling.kind is RulingKind.UNDO
        self._undo.setHidden(was_undo)
        self._redo.setVisible(was_undo)
        self.show()
        self._later.start()
