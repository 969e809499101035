"""A small graph: one person or thing in the middle, who and what it is joined with around it."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from apexmem_desktop.domain.reports import Neighbour
from apexmem_desktop.ui.avatar import paint_avatar, speaker_colour
from apexmem_desktop.ui.directions import one_way
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr, tr_name

_LINES, _FEW_LINES, _FEW = 13, 6, 2
_SIGN_LINES = 1.9
_SMALL = 0.86
_REACH_X = 0.36
_RING_PX, _GAP_PX = 4, 10
_WIDEST_CHARS, _LEAST_CHARS = 16, 10


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

    @property
    def around(self) -> tuple[Neighbour, ...]:
        """All of them."""
        return self._around

    @property
    def shown(self) -> tuple[Neighbour, ...]:
        """Those whose names have room; the ones joined most closely come first."""
        a_row = self.width() // (self.fontMetrics().averageCharWidth() * _LEAST_CHARS)
        return self._around[: max(_FEW, 2 * a_row)]

    def place_of(self, number: int) -> QPointF:
        """Give the middle of a neighbour's sign: around in two rows, so that no words meet."""
        count = len(self.shown)
        if count <= _FEW:
            side = -1 if number == 0 else 1
            return self._middle() + QPointF(side * self.width() * _REACH_X, 0)
        above = (count + 1) // 2
        is_above = number < above
        slot = number if is_above else count - 1 - number
        wide = self.width() / (above if is_above else count - above)
        top, bottom = self._rows()
        return QPointF((slot + 0.5) * wide, top if is_above else bottom)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to the neighbour that was clicked."""
        for number, one in enumerate(self.shown):
            if _distance(self.place_of(number), event.position()) <= self._sign_px():
                self.chosen.emit(one.entity_id)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk around with the arrows; Enter goes there."""
        forward = (Qt.Key.Key_Right, Qt.Key.Key_Down)
        if event.key() in (*forward, Qt.Key.Key_Left, Qt.Key.Key_Up) and self.shown:
            self._at = (self._at + (1 if event.key() in forward else -1)) % len(self.shown)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= self._at < len(
            self.shown
        ):
            self.chosen.emit(self.shown[self._at].entity_id)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw lines first, signs and words above them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self._middle()
        painter.setPen(QPen(theme().colour("line_strong"), 1.2))
        for number in range(len(self.shown)):
            painter.drawLine(middle, self.place_of(number))
        for number, one in enumerate(self.shown):
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
        widest = min(metrics.averageCharWidth() * _WIDEST_CHARS, self._slot_px())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, widest)
        wide = metrics.horizontalAdvance(shown) + 6
        where = QRectF(top.x() - wide / 2, top.y(), wide, metrics.height())
        painter.fillRect(where, theme().colour("window"))
        painter.setFont(font)
        painter.setPen(theme().colour(tone))
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, one_way(shown))

    def _sign(self, painter: QPainter, at: QPointF, name: str) -> None:
        side = self._sign_px()
        box = QRectF(at.x() - side / 2, at.y() - side / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("window"))
        painter.drawEllipse(box)
        paint_avatar(painter, box, name, speaker_colour(name))

    def _middle(self) -> QPointF:
        """Stand between the words of the upper row and the signs of the lower one."""
        line = self.fontMetrics().height()
        if len(self.shown) <= _FEW:
            return QRectF(self.rect()).center() - QPointF(0, line)
        top, bottom = self._rows()
        return QPointF(self.width() / 2, (top + bottom) / 2 + line)

    def _rows(self) -> tuple[float, float]:
        """Give the height of the signs of both rows; words are below the signs."""
        reach, line = self._sign_px() / 2 + _RING_PX, self.fontMetrics().height()
        return reach, self.height() - reach - 2 * line

    def _slot_px(self) -> int:
        count = len(self.shown)
        return self.width() // (2 if count <= _FEW else (count + 1) // 2) - _GAP_PX

    def _sign_px(self) -> float:
        return self.fontMetrics().height() * _SIGN_LINES


def _edge(one: Neighbour) -> str:
    name = tr_name("property", one.property_name)
    said_so = one.outgoing or name.endswith(" of")  # "friend of" needs no second "of"
    return name if said_so else tr("graph.of", what=name)


def _distance(a: QPointF, b: QPointF) -> float:
    return math.hypot(a.x() - b.x(), a.y() - b.y())
