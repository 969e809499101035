"""The sign in the desktop's tray while a long job runs, and a word when it has ended."""

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from apexmem_desktop.ui.build_job import BuildJob, BuildState
from apexmem_desktop.ui.dates import duration_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.long_jobs import LongJob
from apexmem_desktop.ui.translation import tr, tr_count

_LONG_S = 60.0  # a job that took less needs no word
_SHOWN_MS = 10_000  # a message needs the sign for so long
_SIGN_AFTER_MS = 1500  # what is over before that needs no sign


class Tray(QObject):
    """Shown only while a long job runs; its menu pauses reading and brings the window back."""

    def __init__(self, desk: Desk, job: BuildJob, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._job = job
        self._was = job.state
        self.holds_window = False  # the window was put away while chats are read
        self.told: list[str] = []
        self.menu = QMenu()
        self.icon = QSystemTrayIcon(icon("apexmem", "accent"), self)
        self.icon.activated.connect(lambda _: self.bring_back())
        self._hold = QAction(self)
        self._hold.triggered.connect(lambda: self._on_hold())
        self._open = QAction(self)
        self._open.triggered.connect(lambda: self.bring_back())
        self._quit = QAction(self)
        self._quit.triggered.connect(lambda: QApplication.quit())
        self.menu.addActions([self._open, self._hold, self._quit])
        self.icon.setContextMenu(self.menu)
        self._soon = QTimer(self, singleShot=True, interval=_SIGN_AFTER_MS)
        self._soon.timeout.connect(self._on_long)
        self._said = QTimer(self, singleShot=True, interval=_SHOWN_MS)
        self._said.timeout.connect(self._show_sign)
        self.icon.messageClicked.connect(self.bring_back)
        self._signed = False  # some job runs long enough for a sign
        job.changed.connect(self.show_state)
        desk.jobs.changed.connect(self._on_jobs)
        desk.job_ended.connect(self.tell)

    def show_state(self, state: BuildState) -> None:
        """Follow the reading of chats."""
        before, self._was = self._was, state
        self._show_sign()
        if before.phase == "reading" and state.phase in {"idle", "failed"}:
            self._tell_end(before, state)

    def _on_jobs(self) -> None:
        """Follow the other jobs; one that is over soon makes no sign come and go."""
        if not self._desk.jobs.running:
            self._soon.stop()
            self._signed = False
        elif not self._signed:
            if not self._soon.isActive():
                self._soon.start()
            return
        self._show_sign()

    def _on_long(self) -> None:
        self._signed = True
        self._show_sign()

    def _show_sign(self) -> None:
        jobs = self._desk.jobs.running if self._signed else ()
        state = self._was
        working = state.phase in {"reading", "meaning", "paused"}
        # With the window put away the sign is the only way back to it.
        wanted = working or bool(jobs) or self.holds_window or self._said.isActive()
        self.icon.setVisible(wanted and QSystemTrayIcon.isSystemTrayAvailable())
        lines = [_tip(state)] if working or not jobs else []
        self.icon.setToolTip("\n".join([*lines, *map(_line, jobs)]))
        self._open.setText(tr("tray.open"))
        self._quit.setText(tr("tray.quit"))
        self._hold.setVisible(working)
        self._hold.setText(tr("strip.resume" if state.phase == "paused" else "strip.pause"))

    def takes_window(self) -> bool:
        """Tell whether a closed window stays here: a long job goes on, and the user wants it."""
        reading = self._job.state.phase in {"reading", "meaning", "waiting"}
        working = reading or any(job.stays for job in self._desk.jobs.running)
        wanted = self._desk.memory.settings().keep_in_tray
        self.holds_window = working and wanted and QSystemTrayIcon.isSystemTrayAvailable()
        if self.holds_window:
            self.show_state(self._job.state)
        return self.holds_window

    def bring_back(self) -> None:
        """Show the window again."""
        self.holds_window = False
        bring_forward()
        self.show_state(self._job.state)

    def _tell_end(self, before: BuildState, state: BuildState) -> None:
        took_s = before.progress.elapsed_s
        if self._job.stopped:
            return
        found = tr_count("strip.facts", before.facts_new)
        words = tr("tray.done", facts=found, time=duration_text(took_s))
        if state.phase == "failed":
            words = tr("tray.failed")
        self.tell(words, took_s)

    def tell(self, words: str, took_s: float) -> None:
        """Say that a long job has ended, to who does not look at the window and wants to hear."""
        if self._desk.memory.settings().quiet or took_s < _LONG_S:
            return
        self.told.append(words)
        if QSystemTrayIcon.supportsMessages() and not _is_looked_at():
            self.icon.show()
            self.icon.showMessage(tr("app.name"), words, self.icon.icon())
            self._said.start()

    def _on_hold(self) -> None:
        if self._job.state.phase == "paused":
            self._job.start()
        else:
            self._job.pause()


def bring_forward() -> None:
    """Bring the window back to where it can be seen."""
    for window in QApplication.topLevelWidgets():
        if window.isWindow() and window.inherits("QMainWindow"):
            window.showNormal() if window.isMinimized() else window.show()
            window.raise_()
            window.activateWindow()


def _is_looked_at() -> bool:
    return QApplication.activeWindow() is not None


def _line(job: LongJob) -> str:
    return job.title if job.share is None else f"{job.title} · {job.share} %"


def _tip(state: BuildState) -> str:
    words = tr(f"strip.{state.phase}") if state.phase != "idle" else tr("app.name")
    total = state.progress.total
    if state.phase == "reading" and total:
        words = f"{words} · {state.progress.done * 100 // total} %"
    return words
