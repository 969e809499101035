"""The work of reading: how far it is, which conversation comes first, and what failed."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from apexmem_desktop.domain.reading import ChatQueue, FailedTurn
from apexmem_desktop.ui.build_job import BuildState
from apexmem_desktop.ui.dates import duration_text, instant_text
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.parts import button, clear, column, label, row
from apexmem_desktop.ui.queue_model import SHARE_ROLE, QueueModel
from apexmem_desktop.ui.rows import ClickRow, shortened
from apexmem_desktop.ui.share_bar import ShareDelegate
from apexmem_desktop.ui.status_strip import phase_text
from apexmem_desktop.ui.table import Table
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr, tr_count, tr_name

_SHOWN_FAILED = 20


class QueuePage(QWidget):
    """A table of conversations; the strip at the bottom of the window has the pause."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.queues = QueueModel()
        self.table = Table(self.queues, tr("queue.title"))
        self.queues.widened.connect(self.table.fit)
        done = self.queues.COLUMNS.index("done")
        self.table.setItemDelegateForColumn(done, ShareDelegate(SHARE_ROLE, self.table))
        self.summary = label(tone="muted")
        self.first = button(tr("queue.read_first"), self.read_first)
        self.retry = button(tr("queue.retry"), self.retry_failed)
        self.go_on = button(tr("queue.go_on"), desk.build_asked.emit)
        self.hold = button(tr("queue.hold"), desk.build_held.emit)
        self.pace = label(tone="muted")
        self._state = BuildState()
        self._pending = 0
        self._failed = QVBoxLayout()
        layout = column(self, spacing=12)
        layout.addWidget(self.summary)
        layout.addWidget(self.pace)
        layout.addLayout(row(self.first, self.go_on, self.hold, 0))
        layout.addWidget(self.table, 1)
        layout.addLayout(self._failed)
        layout.addLayout(row(self.retry, 0))
        layout.addStretch(0)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._allow())
        desk.build_told.connect(self.show_state)
        self.retry.hide()
        self._allow()
        self.show_state(self._state)

    def refresh(self) -> None:
        """Look how far it is."""
        memory = self._desk.memory
        self._desk.read(memory.queues, self, self._show)
        self._desk.read(memory.failed_turns, self, self._show_failed)

    def show_state(self, state: BuildState) -> None:
        """Show the pace of reading, and offer only what can be done now."""
        self._state = state
        going = state.phase in {"reading", "meaning"}
        self.pace.setText(pace_text(state))
        self.pace.setVisible(bool(self.pace.text()))
        if state.phase == "reading" and state.progress.done:
            self.queues.show_rate(state.progress.per_s)
        self.go_on.setEnabled(not going and state.phase != "waiting" and self._pending > 0)
        self.hold.setEnabled(going)
        for made in (self.first, self.go_on, self.hold):  # with nothing to read they say nothing
            made.setVisible(self._pending > 0 or going)

    def read_first(self) -> None:
        """Let the chosen conversation be read before all others."""
        chosen, memory = self._chosen(), self._desk.memory
        if chosen is None:
            return
        number = chosen.conversation_id
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.read_first(number),
            owner=self,
            on_done=lambda _: self._changed(),
        )

    def retry_failed(self) -> None:
        """Let what failed be read once more."""
        memory = self._desk.memory
        self._desk.tasks.submit(
            Lane.WRITE,
            lambda _: memory.retry_failed(),
            owner=self,
            on_done=lambda _: self._changed(),
        )

    def _changed(self) -> None:
        self.refresh()
        self._desk.build_asked.emit()

    def _chosen(self) -> ChatQueue | None:
        rows = self.table.selectionModel().selectedRows()
        return self.queues.row(rows[0].row()) if rows else None

    def _allow(self) -> None:
        chosen = self._chosen()
        self.first.setEnabled(chosen is not None and chosen.pending > 0)

    def _show(self, queues: tuple[ChatQueue, ...]) -> None:
        chosen = self._chosen()
        self.queues.show(queues)
        self.table.setVisible(bool(queues))
        pending = self._pending = sum(one.pending for one in queues)
        self.show_state(self._state)
        done = tr("queue.all_read") if queues else tr("imports.empty")
        self.summary.setText(tr_count("queue.waiting", pending) if pending else done)
        numbers = [one.conversation_id for one in queues]
        if chosen is not None and chosen.conversation_id in numbers:
            self.table.selectRow(numbers.index(chosen.conversation_id))
        self._allow()

    def _show_failed(self, failed: tuple[FailedTurn, ...]) -> None:
        clear(self._failed)
        self.retry.setVisible(bool(failed))
        if not failed:
            return
        self._failed.addWidget(label(tr_count("queue.failed_count", len(failed)), bold=True))
        for one in failed[:_SHOWN_FAILED]:
            self._failed.addWidget(_FailedRow(self._desk, one))


def pace_text(state: BuildState) -> str:
    """Say what reading is at: how many messages a second, and how long it takes still."""
    if state.phase == "idle":
        return ""
    parts = [phase_text(state)]
    progress = state.progress
    if state.phase == "reading" and progress.done:
        parts.append(tr("strip.rate", rate=f"{progress.per_s:.1f}"))
        if progress.remaining_s is not None:
            parts.append(tr("progress.left", time=duration_text(progress.remaining_s)))
    return " · ".join(parts)


class _FailedRow(ClickRow):
    """One turn that could not be read, and why; a click shows it where it was said."""

    def __init__(self, desk: Desk, failed: FailedTurn) -> None:
        when = instant_text(failed.said_at_ms, failed.offset_minutes)
        tries = tr_count("queue.tries", failed.attempts)
        head = f"{failed.speaker} · {when} · {tr_name('reason', failed.reason)} · {tries}"
        super().__init__(head)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 6, 10, 6)
        layout.addWidget(label(head, tone="warn", size=0.9))
        layout.addWidget(label(shortened(failed.text)))
        self.clicked.connect(lambda: desk.spot_asked.emit(Spot(failed.turn_id)))
