"""The long jobs that run: for the sign in the tray, and for pages that come and go meanwhile."""

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.tasks import Lane, TaskRunner
from apexmem_desktop.ui.translation import tr

Work = Callable[[ProgressSink, CancelToken], Any]
_NOTHING_YET = Progress("", 0, None)


class LongJob(QObject):
    """One job, from its begin to its end.

    Attributes:
        title: What it does, in the user's words.
        stays: Whether it goes on while the window is put away or built anew.
        progress: The newest.
        result: What it gave; None until then, and where it failed.
        error: Why it failed.
    """

    changed = Signal()  # its progress

    def __init__(self, owner: "LongJobs", title: str, key: str, *, stays: bool) -> None:
        super().__init__(owner)
        self._owner = owner
        self._began_s = time.monotonic()
        self._over = False
        self.title = title
        self.key = key
        self.stays = stays
        self.token = CancelToken()
        self.progress = _NOTHING_YET
        self.result: Any = None
        self.error: BaseException | None = None

    @property
    def share(self) -> int | None:
        """How much is done, in percent; None where nobody knows."""
        total = self.progress.total
        return min(100, self.progress.done * 100 // total) if total else None

    def show(self, progress: Progress) -> None:
        """Take the newest progress."""
        before, self.progress = self.share, progress
        self.changed.emit()
        if self.share != before:
            self._owner.changed.emit()

    def stop(self) -> None:
        """Ask it to stop."""
        self.token.cancel()

    def end(self, words: str = "") -> None:
        """Take the sign away; who does not look at the window is told the words, if any."""
        if self._over:
            return
        self._over = True
        self._owner.forget(self)
        if words:
            self._owner.told.emit(words, time.monotonic() - self._began_s)
        self.deleteLater()


class LongJobs(QObject):
    """Knows all that run. It lives as long as the program does, and so do they."""

    changed = Signal()  # which run, or how far one is
    over = Signal(object)  # LongJob: whether it gave something, failed or was stopped
    told = Signal(str, float)  # how one ended, and its seconds

    def __init__(self, tasks: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._running: list[LongJob] = []

    @property
    def running(self) -> tuple[LongJob, ...]:
        """Those that run, the oldest first."""
        return tuple(self._running)

    def find(self, key: str) -> LongJob | None:
        """Give the job of a name, while it runs."""
        return next((one for one in self._running if one.key == key), None)

    def begin(self, title: str, key: str = "", *, stays: bool = False) -> LongJob:
        """Tell of a job that somebody else runs, and who must end it."""
        job = LongJob(self, title, key, stays=stays)
        self._running.append(job)
        self.changed.emit()
        return job

    def run(
        self,
        title: str,
        key: str,
        lane: Lane,
        work: Work,
        *,
        spell: Callable[[Any], str],
        after: Callable[[], None],
    ) -> None:
        """Run a job that is nobody's: whoever shows it may be gone before it ends.

        Args:
            spell: Tells in words what the work gave.
            after: Called at the end, also where it failed or was stopped.
        """
        job = self.begin(title, key, stays=True)
        progress = self._tasks.teller(job, job.show, only_newest=True)
        token = self._tasks.submit(
            lane,
            lambda token: work(progress, token),
            owner=self,
            on_done=lambda result: self._on_done(job, result, spell),
            on_failed=lambda error: self._on_failed(job, error),
            on_ended=lambda: self._on_ended(job, after),
        )
        job.token = token

    def forget(self, job: LongJob) -> None:
        """Leave out one that has ended."""
        self._running.remove(job)
        self.over.emit(job)
        self.changed.emit()

    def _on_done(self, job: LongJob, result: Any, spell: Callable[[Any], str]) -> None:
        job.result = result
        job.end(spell(result))

    def _on_failed(self, job: LongJob, error: BaseException) -> None:
        job.error = error
        job.end(tr("tray.job_failed", job=job.title, why=error_text(error)))
        self._tasks.failed.emit(error)

    def _on_ended(self, job: LongJob, after: Callable[[], None]) -> None:
        job.end()  # who was stopped has not ended yet
        after()
