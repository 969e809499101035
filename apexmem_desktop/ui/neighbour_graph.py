"""A small graph: one person or thing in the middle, who and what it is joined with around it."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from apexmem_desktop.domain.reports import Neighbour
from apexmem_desktop.ui.avatar import paint_avatar, speaker_colour
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr, tr_name

_LINES, _FEW_LINES, _FEW = 13, 6, 2
_SIGN_LINES = 1.9
_SMALL = 0.86
_REACH_X, _REACH_Y = 0.36, 0.33
_WIDEST_CHARS = 16


class NeighbourGraph(QWidget):
    """A click, or arrows and Enter, goes to a neighbour."""

    chosen = Signal(int)  # entity id

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._around: tuple[Neighbour, ...] = ()
        self._at = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_neighbours(self, name: str, around: Sequence[Neighbour]) -> None:
        """Draw another one with its neighbours."""
        self._name, self._around, self._at = name, tuple(around), -1
        told = [tr("graph.joined", what=_edge(one), name=one.name) for one in around]
        self.setAccessibleName(f"{name}: {', '.join(told)}")
        lines = _LINES if len(around) > _FEW else _FEW_LINES
        self.setFixedHeight(self.fontMetrics().height() * lines)
        self.setVisible(bool(around))
        self.update()

    def place_of(self, number: int) -> QPointF:
        """Give the middle of a neighbour's sign."""
        angle = 2 * math.pi * number / max(1, len(self._around)) - math.pi
        middle = self._middle()
        across, down = self.width() * _REACH_X, self.height() * _REACH_Y
        return middle + QPointF(math.cos(angle) * across, math.sin(angle) * down)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to the neighbour that was clicked."""
        for number, one in enumerate(self._around):
            if _distance(self.place_of(number), event.position()) <= self._sign_px():
                self.chosen.emit(one.entity_id)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk around with the arrows; Enter goes there."""
        forward = (Qt.Key.Key_Right, Qt.Key.Key_Down)
        if event.key() in (*forward, Qt.Key.Key_Left, Qt.Key.Key_Up) and self._around:
            self._at = (self._at + (1 if event.key() in forward else -1)) % len(self._around)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._at >= 0:
            self.chosen.emit(self._around[self._at].entity_id)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw lines first, signs and words above them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self._middle()
        painter.setPen(QPen(theme().colour("line_strong"), 1.2))
        for number in range(len(self._around)):
            painter.drawLine(middle, self.place_of(number))
        for number, one in enumerate(self._around):
            self._node(painter, self.place_of(number), one, chosen=number == self._at)
        self._sign(painter, middle, self._name)
        painter.end()

    def _node(self, painter: QPainter, at: QPointF, one: Neighbour, *, chosen: bool) -> None:
        self._sign(painter, at, one.name)
        if chosen:
            painter.setPen(QPen(theme().colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(at, self._sign_px() / 2 + 3, self._sign_px() / 2 + 3)
        below = at + QPointF(0, self._sign_px() / 2)
        small = QFont(self.font())
        small.setPointSizeF(small.pointSizeF() * _SMALL)
        self._line(painter, below, one.name, self.font(), "text")
        below += QPointF(0, self.fontMetrics().height())
        self._line(painter, below, _edge(one), small, "muted")

    def _line(self, painter: QPainter, top: QPointF, text: str, font: QFont, tone: str) -> None:
        metrics = QFontMetrics(font)
        widest = metrics.averageCharWidth() * _WIDEST_CHARS
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, widest)
        wide = metrics.horizontalAdvance(shown) + 6
        where = QRectF(top.x() - wide / 2, top.y(), wide, metrics.height())
        painter.fillRect(where, theme().colour("window"))
        painter.setFont(font)
        painter.setPen(theme().colour(tone))
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, shown)

    def _sign(self, painter: QPainter, at: QPointF, name: str) -> None:
        side = self._sign_px()
        box = QRectF(at.x() - side / 2, at.y() - side / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("window"))
        painter.drawEllipse(box)
        paint_avatar(painter, box, name, speaker_colour(name))

    def _middle(self) -> QPointF:
        """Stand a little higher than the middle: words are below the signs."""
        return QRectF(self.rect()).center() - QPointF(0, self.fontMetrics().height())

    def _sign_px(self) -> float:
        return self.fontMetrics().height() * _SIGN_LINES


def _edge(one: Neighbour) -> str:
    name = tr_name("property", one.property_name)
    return name if one.outgoing else tr("graph.of", what=name)


def _distance(a: QPointF, b: QPointF) -> float:
    return math.hypot(a.x() - b.x(), a.y() - b.y())
