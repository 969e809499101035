"""Tab goes through a page as somebody reads it, whatever was put into it later."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QSplitter, QStackedWidget, QWidget


def follow_layout(page: QWidget) -> None:
    """Put the keyboard's order right: Qt's own is the order in which things were made."""
    for before, after in pairwise(_reached(page)):
        QWidget.setTabOrder(before, after)


def _reached(widget: QWidget) -> Iterator[QWidget]:
    """Walk through what the keyboard reaches, in the order in which it is laid out."""
    by_tab = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    if by_tab and widget.focusProxy() is None:
        yield widget
    layout = widget.layout()
    if isinstance(widget, QScrollArea):
        yield from _reached_in(widget.widget())
    elif isinstance(widget, QStackedWidget):
        yield from _reached_in(widget.currentWidget())
    elif isinstance(widget, QSplitter):
        for number in range(widget.count()):
            yield from _reached_in(widget.widget(number))
    elif layout is not None:
        yield from _in_layout(layout)


def _reached_in(pane: QWidget | None) -> Iterator[QWidget]:
    if pane is not None:
        yield from _reached(pane)


def _in_layout(layout: QLayout) -> Iterator[QWidget]:
    for number in range(layout.count()):
        item = layout.itemAt(number)
        widget = item.widget() if item is not None else None
        inner = item.layout() if item is not None else None
        if widget is not None:
            yield from _reached(widget)
        elif inner is not None:
            yield from _in_layout(inner)
