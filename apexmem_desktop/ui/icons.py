"""Icons: lines of the Lucide set, in the colours of the theme, sharp at every scale."""

from functools import cache

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.ui.theme import theme

# What points along the line: the other way in a window that runs from right to left.
_DIRECTED = {"send", "arrow"}
# What buttons and signs ask for, at the usual size of text and at twice that: none is blurred.
_SIZES = (16, 18, 20, 24, 32, 36, 48, 64)


def icon(name: str, colour: str = "muted") -> QIcon:
    """Draw resources/icons/<name>.svg in a named colour of the theme."""
    turned = QApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft and name in _DIRECTED
    return QIcon(_draw(name, theme().colours[colour], turned=turned))


def sidebar_icon(name: str) -> QIcon:
    """Draw an icon that takes the accent colour while its row is chosen."""
    result = icon(name, "muted")
    chosen = icon(name, "accent")
    for size in _SIZES:
        result.addPixmap(chosen.pixmap(QSize(size, size)), QIcon.Mode.Selected)
    return result


@cache
def _source(name: str) -> str:
    return (resources_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@cache
def _draw(name: str, hex_colour: str, *, turned: bool) -> QIcon:
    text = _source(name).replace("currentColor", hex_colour)
    renderer = QSvgRenderer(QByteArray(text.encode()))
    result = QIcon()
    for size in _SIZES:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        if turned:
            painter.translate(size, 0)
            painter.scale(-1, 1)
        renderer.render(painter)
        painter.end()
        result.addPixmap(pixmap)
    return result
