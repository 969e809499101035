"""Starts the window on a memory file, and ends it cleanly."""

import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from apexmem_desktop.ui.build_job import BuildJob, BuildState
from apexmem_desktop.ui.crash_dialog import CrashWatch
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.long_jobs import LongJob
from apexmem_desktop.ui.main_window import MainWindow
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.passphrase_dialog import open_workspace
from apexmem_desktop.ui.sweeper import Sweeper
from apexmem_desktop.ui.tasks import Lane, TaskRunner
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.translation import (
    load_qt_words,
    reading_direction,
    set_language,
    set_mirrored,
    tr,
)
from apexmem_desktop.ui.tray import Tray


def run(
    vault_path: Path, passphrase: str = "", *, on_shown: Callable[[], None] | None = None
) -> int:
    """Open the window on a memory file and return when it is closed.

    Args:
        passphrase: Of an encrypted memory; "" to ask for it where it is needed.
        on_shown: Called once the window is painted, which then is closed again.

    Raises:
        UserError: The memory file cannot be opened, or has a window already.
    """
    from apexmem_desktop.services import logbook
    from apexmem_desktop.services.locations import log_path
    from apexmem_desktop.services.maintenance import only_window

    vault_path.parent.mkdir(parents=True, exist_ok=True)
    with only_window(vault_path):
        app = _application()
        workspace = open_workspace(vault_path, passphrase)
        if workspace is None:
            return 0
        memory = Memory(workspace, vault_path)
        logbook.open_log(log_path())
        shell = Shell(app, memory)
        shell.crashes.begin()
        window = shell.open()
        if on_shown is not None:
            _Painted(window, on_shown)
        shell.job.start()
        status = app.exec()
        shell.close()
        shell.crashes.end()
        logbook.close_log()
    return status


_BACKUP = "backup"  # the job of the user's plan


class Shell(QObject):
    """The window with what outlives it: a change of language or theme builds the window anew."""

    def __init__(self, app: QApplication, memory: Memory) -> None:
        super().__init__()
        self._app = app
        self._memory = memory
        self.tasks = TaskRunner(self)
        self.desk = Desk(memory, self.tasks, self)
        self.job = BuildJob(self.desk, self)
        self.crashes = CrashWatch(self)
        self.sweeper = Sweeper(self.tasks, self)
        self.tray: Tray | None = None
        self.window: MainWindow | None = None
        self._backing_up = False
        self.desk.failed.connect(self._on_failed)
        self.job.changed.connect(self._on_job)
        self.desk.look_changed.connect(self._renew, Qt.ConnectionType.QueuedConnection)

    def open(self, *, place: str = "") -> MainWindow:
        """Dress the application and show the window, at a place or where the user was last."""
        settings = self._memory.settings()
        set_language(settings.ui_language)
        load_qt_words(self._app)
        apply_theme(self._app, settings.theme, settings.text_percent)
        self._app.setWindowIcon(icon("apexmem", "accent"))
        if self.tray is None:  # its sign needs the theme
            self.tray = Tray(self.desk, self.job, self)
        way = reading_direction()
        self._app.setLayoutDirection(way)
        set_mirrored(mirrored=way is Qt.LayoutDirection.RightToLeft)
        self.window = MainWindow(self.desk, self.job)
        self.window.restore_geometry()
        self.window.is_put_away = self.tray.takes_window
        if place:
            self.window.go_to(place)
        self.window.show()
        if not self.sweeper.began:
            self.sweeper.begin()
        self.window.warm_up()
        return self.window

    def close(self) -> None:
        """Cancel all, wait five seconds at most, close the memory."""
        if self.window is not None:
            self.window.is_put_away = lambda: False
            self.window.close()
        self.tasks.close()
        self._memory.close()
        self.sweeper.end()

    def _on_failed(self, error: BaseException) -> None:
        from apexmem_desktop.services import logbook

        logbook.note_error(error)

    def _on_job(self, state: BuildState) -> None:
        """When nothing waits any more, it is the time for the backup of the user's plan."""
        if state.phase not in {"idle", "waiting", "no_model"} or self._backing_up:
            return
        self._backing_up = True
        self.tasks.submit(
            Lane.READ,
            lambda _: self._memory.is_backup_due(),
            owner=self,
            on_done=lambda due: self._back_up() if due else None,
            on_ended=self._on_looked,
        )

    def _back_up(self) -> None:
        memory, job = self._memory, self.desk.jobs.begin(tr("tray.backing_up"), _BACKUP, stays=True)
        tell = self.tasks.teller(job, job.show, only_newest=True)
        self.tasks.submit(
            Lane.READ,
            lambda token: memory.back_up_if_due(tell, token),
            owner=self,
            on_done=lambda made: job.end(tr("tray.backed_up", path=made.path) if made else ""),
            on_failed=lambda error: self._on_not_backed_up(job, error),
            on_ended=lambda: self._on_backed_up(job),
        )

    def _on_looked(self) -> None:
        self._backing_up = any(job.key == _BACKUP for job in self.desk.jobs.running)

    def _on_not_backed_up(self, job: LongJob, error: BaseException) -> None:
        job.end(tr("tray.job_failed", job=job.title, why=error_text(error)))
        self.desk.failed.emit(error)

    def _on_backed_up(self, job: LongJob) -> None:
        job.end()
        self._backing_up = False

    def _renew(self) -> None:
        """Make the window anew, the old one gone before: a new look dresses all that there is."""
        old, self.window = self.window, None
        if old is not None:
            old.keep_geometry()
            old.hide()
            old.deleteLater()
            QCoreApplication.sendPostedEvents(old, QEvent.Type.DeferredDelete)
            self.sweeper.look_at_all()
        QTimer.singleShot(0, self, lambda: self.open(place="settings"))


class _Painted(QObject):
    """Waits for the first time that a window is painted, then ends the event loop."""

    def __init__(self, window: MainWindow, then: Callable[[], None]) -> None:
        super().__init__(window)
        self._window = window
        self._then = then
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at the window's events; none of them is held back."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self._done)  # its parts are painted in the same round
        return False

    def _done(self) -> None:
        try:
            self._then()
        finally:  # whoever waited for it may be gone, and the window must not stay behind
            self._window.close()
            QCoreApplication.quit()


def _application() -> QApplication:
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    app = QApplication(sys.argv[:1])
    app.setApplicationName("apexmem-desktop")
    app.setOrganizationName("apexmem-desktop")
    app.setApplicationDisplayName("APEX-MEM")
    return app
