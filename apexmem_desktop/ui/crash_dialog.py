"""What the user sees when the program itself made a mistake: plain words, and details to copy."""

import sys
import threading
import traceback
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from apexmem_desktop.ui.parts import button, column, label, row
from apexmem_desktop.ui.roomy_dialog import RoomyDialog
from apexmem_desktop.ui.theme import scaled
from apexmem_desktop.ui.translation import tr

_SIZE = (640, 460)


class CrashDialog(RoomyDialog):
    """Shows an error of ours; nothing is sent anywhere."""

    def __init__(self, details: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("crash.title"))
        self.resize(*map(scaled, _SIZE))
        self.details = QPlainTextEdit(details)
        self.details.setReadOnly(True)
        self.details.setAccessibleName(tr("crash.details"))
        self.details.setTabChangesFocus(True)
        layout = column(self, spacing=12, margin=24)
        layout.addWidget(label(tr("crash.title"), size=1.35, bold=True))
        layout.addWidget(label(tr("crash.words")))
        layout.addWidget(label(tr("crash.look_first"), tone="muted"))
        layout.addWidget(self.details, 1)
        self.copy = button(tr("notice.copy"), self._on_copy)
        layout.addLayout(row(0, self.copy, button(tr("common.close"), self.accept, kind="main")))

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.details.toPlainText())
        self.copy.setText(tr("crash.copied"))


class CrashWatch(QObject):
    """Takes errors that nothing else took, from any thread, and shows the first of them.

    The window goes on: Qt's event loop survives an error in a slot, and the memory is written in
    transactions, so there is nothing to save in a hurry.
    """

    _caught = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.dialog: CrashDialog | None = None
        self._before, self._before_in_threads = sys.excepthook, threading.excepthook
        self._caught.connect(self.show_error, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """Watch from now on."""
        self._before, self._before_in_threads = sys.excepthook, threading.excepthook
        sys.excepthook = self._on_error
        threading.excepthook = self._on_thread_error

    def end(self) -> None:
        """Give the errors back to whoever took them before."""
        sys.excepthook = self._before
        threading.excepthook = self._before_in_threads

    def show_error(self, error: BaseException) -> None:
        """Write the error into the log, and show it unless one is shown already."""
        from apexmem_desktop.services import logbook

        logbook.note_error(error)
        if self.dialog is not None and self.dialog.isVisible():
            return
        words = "".join(traceback.format_exception(error))
        app = QApplication.instance()
        parent = app.activeWindow() if isinstance(app, QApplication) else None
        self.dialog = CrashDialog(f"{logbook.about_program()}\n\n{words}", parent)
        self.dialog.show()

    def _on_error(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._before(kind, error, trace)
        if not issubclass(kind, KeyboardInterrupt):
            self._caught.emit(error)

    def _on_thread_error(self, told: threading.ExceptHookArgs) -> None:
        self._before_in_threads(told)
        if told.exc_value is not None and not issubclass(told.exc_type, SystemExit):
            self._caught.emit(told.exc_value)
