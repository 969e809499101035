"""The middle of the window: one place at a time, each made when somebody first goes there."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from apexmem_desktop.ui.place import Place


class PlaceStack(QStackedWidget):
    """Holds an empty page for each place until it is wanted.

    What a place loads (the timeline's drawing library alone is a fifth of the window's memory)
    is then not paid for by somebody who only asks a question.
    """

    def __init__(self, makers: Mapping[str, Callable[[QWidget], Place]]) -> None:
        super().__init__()
        self.setObjectName("places")
        self._makers = dict(makers)
        self._names = tuple(makers)
        self._begun: dict[str, Place] = {}
        self._made: dict[str, QWidget] = {}
        for _ in self._names:
            self.addWidget(QWidget())
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        """Ask for what the place in front needs; by itself Qt asks for the neediest of all."""
        return self.currentWidget().minimumSizeHint() if self.count() else QSize()

    def made(self, name: str) -> QWidget | None:
        """Give a place if somebody has been there."""
        return self._made.get(name)

    def get(self, name: str) -> QWidget:
        """Give a place, making it now if nobody has been there yet."""
        if name not in self._made:
            number = self._names.index(name)
            empty = self.widget(number)
            place = self._made[name] = self._begin(name)
            place.complete()
            self._begun.pop(name)
            self.insertWidget(number, place)
            if empty is not None:
                self.removeWidget(empty)
                empty.deleteLater()
        return self._made[name]

    def make_piece(self, name: str) -> bool:
        """Make a piece of a place ahead, and tell whether there is more of it to make."""
        if name not in self._made:
            is_new = name not in self._begun
            place = self._begin(name)
            if is_new or place.go_on():
                return True
            self.get(name)
        return False

    def _begin(self, name: str) -> Place:
        if name not in self._begun:
            # It belongs here from the start: to be dressed again takes as long as to be made.
            self._begun[name] = self._makers[name](self)
            self._begun[name].hide()  # also where the window comes back from the tray meanwhile
        return self._begun[name]

    def show_place(self, name: str) -> None:
        """Bring a place to the front."""
        self.setCurrentWidget(self.get(name))


class Unhurried(QWidget):
    """Holds a widget in a scroll area that scrolls only what cannot be made smaller.

    A scroll area takes the height that wrapped words would like to have for the least height.
    """

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        inside.setParent(self)

    def minimumSizeHint(self) -> QSize:
        """Ask for what the widget cannot do without."""
        return self._inside.minimumSizeHint()

    def sizeHint(self) -> QSize:
        """Ask for what the widget would like."""
        return self._inside.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give it all there is."""
        super().resizeEvent(event)
        self._inside.resize(event.size())

    def event(self, event: QEvent) -> bool:
        """Tell the scroll area where the widget's wishes change."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)
