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
        inside = widget.widget()
        yield from _reached(inside) if inside is not None else ()
    elif isinstance(widget, QStackedWidget):
        shown = widget.currentWidget()
        yield from _reached(shown) if shown is not None else ()
    elif isinstance(widget, QSplitter):
        for number in range(widget.count()):
            pane = widget.widget(number)
            yield from _reached(pane) if pane is not None else ()
    elif layout is not None:
        yield from _in_layout(layout)


def _in_layout(layout: QLayout) -> Iterator[QWidget]:
    for number in range(layout.count()):
        item = layout.itemAt(number)
        widget = item.widget() if item is not None else None
        inner = item.layout() if item is not None else None
        if widget is not None:
            yield from _reached(widget)
        elif inner is not None:
            yield from _in_layout(inner)
