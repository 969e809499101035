"""A place to drop exports on, or to choose them from the disk."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QFrame, QWidget

from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import button, column, label, restyle, row
from apexmem_desktop.ui.translation import tr

_MARGIN, _COMPACT_MARGIN = 26, 10


class DropZone(QFrame):
    """Takes files and hands them to the import dialog through the desk."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("drop")
        self.setAcceptDrops(True)
        self._desk = desk
        self._layout = column(self, spacing=10, margin=_MARGIN)
        self._words = label(tr("drop.words"), size=1.1)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._formats = label(tr("drop.formats"), tone="muted", size=0.92)
        self._formats.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._layout.addWidget(self._words)
        self._layout.addWidget(self._formats)
        choose = button(tr("drop.choose"), self.choose, kind="main", icon_name="imports")
        self._layout.addLayout(row(0, choose, 0))

    def make_compact(self, *, compact: bool) -> None:
        """Be one line where there is a list below, which needs the room more."""
        way = QBoxLayout.Direction
        self._layout.setDirection(way.LeftToRight if compact else way.TopToBottom)
        self._layout.setContentsMargins(
            *((_MARGIN, 10, _MARGIN, 10) if compact else (_MARGIN,) * 4)
        )
        begin, middle = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignCenter
        self._words.setAlignment(begin | Qt.AlignmentFlag.AlignVCenter if compact else middle)
        self._layout.setStretchFactor(self._words, 1 if compact else 0)
        self._formats.setHidden(compact)
        self.setToolTip(tr("drop.formats") if compact else "")

    def choose(self) -> None:
        """Ask for files by the system's own dialog."""
        choose_files(self, self._desk)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Show that files are welcome."""
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()
            self._light(on=True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Stop showing it."""
        self._light(on=False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the files."""
        self._light(on=False)
        event.acceptProposedAction()
        self._desk.files_dropped.emit(dropped_files(event.mimeData()))

    def _light(self, *, on: bool) -> None:
        self.setProperty("over", "true" if on else "false")
        restyle(self)


def choose_files(parent: QWidget, desk: Desk) -> None:
    """Ask for exports by the system's own dialog."""
    names, _ = QFileDialog.getOpenFileNames(parent, tr("drop.choose"))
    if names:
        desk.files_dropped.emit(tuple(Path(name) for name in names))


def dropped_files(data: QMimeData) -> tuple[Path, ...]:
    """Give the local files of a drag."""
    return tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
