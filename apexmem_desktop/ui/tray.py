"""The sign in the desktop's tray while a long job runs, and a word when it has ended."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from apexmem_desktop.ui.build_job import BuildJob, BuildState
from apexmem_desktop.ui.dates import duration_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.translation import tr, tr_count

_LONG_S = 60.0  # a job that took less needs no word


class Tray(QObject):
    """Shown only while chats are read; its menu pauses and brings the window back."""

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
        job.changed.connect(self.show_state)
        desk.job_ended.connect(self.tell)

    def show_state(self, state: BuildState) -> None:
        """Follow the job."""
        before, self._was = self._was, state
        working = state.phase in {"reading", "meaning", "paused"}
        # With the window put away the sign is the only way back to it.
        wanted = working or self.holds_window
        self.icon.setVisible(wanted and QSystemTrayIcon.isSystemTrayAvailable())
        self.icon.setToolTip(_tip(state))
        self._open.setText(tr("tray.open"))
        self._quit.setText(tr("tray.quit"))
        self._hold.setVisible(working)
        self._hold.setText(tr("strip.resume" if state.phase == "paused" else "strip.pause"))
        if before.phase == "reading" and state.phase in {"idle", "failed"}:
            self._tell_end(before, state)

    def takes_window(self) -> bool:
        """Tell whether a closed window stays here, because chats are read and the user wants it."""
        working = self._job.state.phase in {"reading", "meaning", "waiting"}
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


def _tip(state: BuildState) -> str:
    words = tr(f"strip.{state.phase}") if state.phase != "idle" else tr("app.name")
    total = state.progress.total
    if state.phase == "reading" and total:
        words = f"{words} · {state.progress.done * 100 // total} %"
    return words
