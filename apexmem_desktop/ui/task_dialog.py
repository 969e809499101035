"""A small dialog in front of a job that the user waits for: what, how far, and a way to stop it."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.long_jobs import LongJob
from apexmem_desktop.ui.model_row import progress_text
from apexmem_desktop.ui.parts import button, column, label, restyle, row
from apexmem_desktop.ui.roomy_dialog import RoomyDialog
from apexmem_desktop.ui.tasks import Lane
from apexmem_desktop.ui.translation import tr

_STEPS = 1000
_WIDTH = 440
Work = Callable[[ProgressSink, CancelToken], Any]


class TaskDialog(RoomyDialog):
    """Shows one job from its start to what it gave or why it failed.

    It runs in the model's lane: what looks after the whole memory must not meet a build.
    """

    done_with = Signal(object)  # what the work gave

    def __init__(
        self, desk: Desk, title: str, work: Work, spell: Callable[[Any], str], parent: QWidget
    ) -> None:
        super().__init__(parent, width_px=_WIDTH, snug=True)
        self.setWindowTitle(title.rstrip("…"))
        self.setModal(True)
        self._desk = desk
        self._work = work
        self._spell = spell
        self._token: CancelToken | None = None
        self._job: LongJob | None = None
        self.words = label(tr("task.working"), tone="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 0)
        self.leave = button(tr("common.cancel"), self._on_leave)
        layout = column(self, spacing=14, margin=24)
        layout.addWidget(label(title.rstrip("…"), size=1.35, bold=True))
        layout.addWidget(self.words)
        layout.addWidget(self._bar)
        layout.addLayout(row(0, self.leave))

    def begin(self) -> None:
        """Show it and start the job."""
        self.show()
        progress = self._desk.tasks.teller(self, self._on_progress, only_newest=True)
        self._desk.build_held.emit()
        self._job = self._desk.jobs.begin(self.windowTitle())
        self._token = CancelToken()  # stands in while an inline runner is already at work
        token = self._desk.tasks.submit(
            Lane.MODEL,
            lambda token: self._work(progress, token),
            owner=self,
            on_done=self._on_done,
            on_failed=self._on_failed,
            on_ended=self._on_ended,
        )
        if self._token is not None:
            self._token = token

    def closeEvent(self, event: QCloseEvent) -> None:
        """A job that runs is asked to stop first."""
        if self._token is not None:
            self._token.cancel()
            event.ignore()
            return
        super().closeEvent(event)

    def show_progress(self, progress: Progress) -> None:
        """Tell how far the job is."""
        if progress.total:
            self._bar.setRange(0, _STEPS)
            self._bar.setValue(min(_STEPS, progress.done * _STEPS // progress.total))
        self.words.setText(progress_text(progress))

    def _on_progress(self, progress: Progress) -> None:
        if self._job is not None:
            self._job.show(progress)
        if self._token is not None:  # a word that comes after the end is none
            self.show_progress(progress)

    def _on_done(self, result: Any) -> None:
        self._say(self._spell(result), "")
        self.done_with.emit(result)

    def _on_failed(self, error: BaseException) -> None:
        known = isinstance(error, UserError)
        self._say(error_text(error), "danger")
        if not known:
            self._desk.failed.emit(error)

    def _on_ended(self) -> None:
        self._end_job()
        stopped = self._token is not None
        self._token = None
        self._desk.build_asked.emit()
        if stopped:
            self.close()

    def _say(self, words: str, tone: str) -> None:
        self._token = None
        self.words.setText(words)
        self.words.setProperty("tone", tone)
        restyle(self.words)
        self._bar.hide()
        self.leave.setText(tr("common.close"))
        self.fit()
        self.leave.setFocus()
        self._end_job(words)

    def _end_job(self, words: str = "") -> None:
        job, self._job = self._job, None
        if job is not None:
            job.end(words)

    def _on_leave(self) -> None:
        self.close()
