"""What every place has in common: it keeps itself up to date, but only while it is seen."""

from collections.abc import Iterator

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from apexmem_desktop.domain.reports import Changes
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.tab_order import follow_layout

# Facts arrive in a stream while chats are read; drawing each one would make the window lag.
_LEAST_PAUSE_MS = 1000


class Place(QWidget):
    """A page that fetches its content when it is shown, and again after changes it cares for."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._stale = True
        self._rest: Iterator[None] = iter(())  # makes one more piece of the page at each step
        self._pause = QTimer(self, singleShot=True, interval=_LEAST_PAUSE_MS)
        self._pause.timeout.connect(self._catch_up)
        desk.changed.connect(self._on_changed)

    def go_on(self) -> bool:
        """Make one more piece of the page, and tell whether there may be others."""
        return next(self._rest, True) is None

    def complete(self) -> None:
        """Make all pieces that are missing: somebody wants the page now."""
        while self.go_on():
            pass

    def refresh(self) -> None:
        """Fetch the content anew."""
        raise NotImplementedError

    def cares_for(self, changes: Changes) -> bool:
        """Tell whether a write may have touched what is shown."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        """Fetch what changed while nobody looked."""
        super().showEvent(event)
        self._catch_up()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go on by keyboard in the order in which the page is read."""
        follow_layout(self)
        return super().focusNextPrevChild(forward)

    def _catch_up(self) -> None:
        if self._stale and self.isVisible():
            self._stale = False
            self.refresh()

    def _on_changed(self, changes: Changes) -> None:
        if not self.cares_for(changes):
            return
        self._stale = True
        if self.isVisible() and not self._pause.isActive():
            self._pause.start()
