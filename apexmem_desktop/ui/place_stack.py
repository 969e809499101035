"""The middle of the window: one place at a time, each made when somebody first goes there."""

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QStackedWidget, QWidget


class PlaceStack(QStackedWidget):
    """Holds an empty page for each place until it is wanted.

    What a place loads (the timeline's drawing library alone is a fifth of the window's memory)
    is then not paid for by somebody who only asks a question.
    """

    def __init__(self, makers: Mapping[str, Callable[[], QWidget]]) -> None:
        super().__init__()
        self.setObjectName("places")
        self._makers = dict(makers)
        self._names = tuple(makers)
        self._made: dict[str, QWidget] = {}
        for _ in self._names:
            self.addWidget(QWidget())

    def made(self, name: str) -> QWidget | None:
        """Give a place if somebody has been there."""
        return self._made.get(name)

    def get(self, name: str) -> QWidget:
        """Give a place, making it now if nobody has been there yet."""
        if name not in self._made:
            number = self._names.index(name)
            empty = self.widget(number)
            self._made[name] = self._makers[name]()
            self.insertWidget(number, self._made[name])
            if empty is not None:
                self.removeWidget(empty)
                empty.deleteLater()
        return self._made[name]

    def show_place(self, name: str) -> None:
        """Bring a place to the front."""
        self.setCurrentWidget(self.get(name))
