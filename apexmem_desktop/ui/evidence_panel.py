"""The panel at the right, the same everywhere: the words that prove something, where they stand."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from apexmem_desktop.domain.errors import CancelledError
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.ui.dates import range_text, unbroken
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.parts import LIST_MARGIN, button, column, icon_button, label, row
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr
from apexmem_desktop.ui.turn_view import TurnView

_LEAST_CHARS = 22


class EvidencePanel(QWidget):
    """Shows the turns around a quote, the quote marked."""

    closed = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("evidence")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._desk = desk
        self._wanted: Spot | None = None
        self._title = label(tr("evidence.title"), size=1.15, bold=True)
        self._when = label(tr("evidence.empty"), tone="muted")
        self.turns = TurnView()
        self.turns.setAccessibleName(tr("evidence.title"))
        self._open = button(tr("evidence.open"), self._open_conversation, kind="link")
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * _LEAST_CHARS)
        self._lay_out()
        desk.spot_asked.connect(self.show_spot)

    def show_spot(self, spot: Spot) -> None:
        """Fetch the turns around some words and mark the words."""
        self._wanted = spot
        self._desk.tasks.submit(
            Lane.READ,
            lambda _: self._desk.memory.turns_around(spot.turn_id),
            owner=self,
            on_done=lambda turns: self._show(spot, turns),
            on_failed=lambda error: self._tell(spot, error),
        )

    def _lay_out(self) -> None:
        layout = column(self, spacing=6)
        layout.setContentsMargins(LIST_MARGIN, 22, LIST_MARGIN, 12)
        close = icon_button("close", tr("evidence.close"), self.closed.emit)
        head = row(self._title, close)
        head.setStretch(0, 1)
        layout.addLayout(head)
        layout.addWidget(self._when)
        layout.addWidget(self.turns, 1)
        layout.addWidget(self._open)
        self._open.hide()
        self.turns.hide()
        layout.addStretch(0)

    def _show(self, spot: Spot, turns: Sequence[Turn]) -> None:
        if spot != self._wanted or not turns:  # the user has asked for another meanwhile
            return
        self._title.setText(turns[0].session_title or tr("evidence.title"))
        times = [turn.said_at_ms for turn in turns if turn.said_at_ms is not None]
        if times:
            when = range_text(min(times), max(times), turns[0].offset_minutes)
            self._when.setText(unbroken(when))
        self.turns.turn_list.show(turns, spot)
        self.turns.show()
        self._open.show()
        self.turns.go_to(spot.turn_id)

    def _tell(self, spot: Spot, error: BaseException) -> None:
        if spot == self._wanted and not isinstance(error, CancelledError):
            self._desk.failed.emit(error)

    def _open_conversation(self) -> None:
        shown = self.turns.turn_list.turns
        if shown and self._wanted is not None:
            self._desk.conversation_asked.emit(shown[0].conversation_id, self._wanted.turn_id)
