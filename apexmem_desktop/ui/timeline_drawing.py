"""How bars and points of a timeline look. Draws in pixels: rows keep their height at every zoom."""

from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QLinearGradient,
    QPainter,
    QPen,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QApplication

from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.timeline_lanes import EVENT_LANE, HEADER_ROWS, Bar, Lane, Layout, Point
from apexmem_desktop.ui.translation import tr, tr_name

_PAD = 3.0
_FADE_PX = 30.0
_LEAST_PX = 8.0
_POINT_PX = 5.0
_PALE = 0.32
_FILL_ALPHA, _PAST_ALPHA = 105, 58


@dataclass
class Look:
    """What of the picture depends on the moment and on what the user did.

    Attributes:
        as_of_s: The moment to show; bars that did not hold then are pale. None for all alike.
        chosen: The item under the keyboard, or clicked.
        hits: Filled while drawing: where each item stands, in pixels.
    """

    as_of_s: float | None = None
    chosen: TimelineItem | None = None
    hits: list[tuple[QRectF, TimelineItem]] = field(default_factory=list)


class TimelineDrawing:
    """One pass of drawing; made anew for each."""

    def __init__(self, painter: QPainter, layout: Layout, to_px: QTransform, room: QRectF) -> None:
        self._painter = painter
        self._layout = layout
        self._to_px = to_px
        self._room = room
        self._font = QFont(QApplication.font())
        self._metrics = QFontMetrics(self._font)
        self._lefts: dict[float, list[float]] = {}

    def draw(self, look: Look) -> None:
        """Draw everything that is in the room."""
        look.hits.clear()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setClipRect(self._room)
        for lane in self._layout.lanes:
            self._lane(lane)
        for bar in self._layout.bars:
            self._lefts.setdefault(bar.top, []).append(self._body(bar).left())
        for bar in self._layout.bars:
            self._bar(bar, look)
        for number, point in enumerate(self._layout.points):
            self._point(number, point, look)

    def _x(self, at_s: float) -> float:
        return self._to_px.map(QPointF(at_s, 0.0)).x()

    def _y(self, row: float) -> float:
        return self._to_px.map(QPointF(0.0, row)).y()

    def _lane(self, lane: Lane) -> None:
        top, bottom = self._y(lane.top), self._y(lane.top + lane.height)
        if bottom < self._room.top() or top > self._room.bottom():
            return
        self._painter.setPen(QPen(theme().colour("grid"), 1))
        self._painter.drawLine(
            QPointF(self._room.left(), bottom), QPointF(self._room.right(), bottom)
        )
        font = QFont(self._font)
        font.setWeight(QFont.Weight.DemiBold)
        self._painter.setFont(font)
        self._painter.setPen(_readable(theme().series_colour(lane.number)))
        name = tr("timeline.events") if lane.name == EVENT_LANE else tr_name("property", lane.name)
        height = self._y(lane.top + HEADER_ROWS) - top
        where = QRectF(self._room.left() + 8, top + 2, self._room.width() - 16, height)
        self._painter.drawText(where, _LEFT | Qt.AlignmentFlag.AlignBottom, name)

    def _bar(self, bar: Bar, look: Look) -> None:
        body = self._body(bar)
        if not body.intersects(self._room):
            return
        pale = look.as_of_s is not None and not bar.holds_at(look.as_of_s)
        self._painter.setOpacity(_PALE if pale else 1.0)
        colour = theme().series_colour(bar.lane)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._fill(bar, body, colour))
        self._painter.drawRoundedRect(body, 6, 6)
        if bar.item.planned:
            self._hatch(body, colour)
        self._edge(bar, body, colour, chosen=bar.item == look.chosen)
        self._bar_text(bar, body)
        self._painter.setOpacity(1.0)
        look.hits.append((body, bar.item))

    def _body(self, bar: Bar) -> QRectF:
        left, right = self._x(bar.soft_start_s), self._x(bar.soft_end_s)
        if bar.open_start:
            left -= _FADE_PX
        right = max(right, left + _LEAST_PX)
        top, bottom = self._y(bar.top), self._y(bar.top + 1)
        return QRectF(left, top + _PAD, right - left, bottom - top - 2 * _PAD)

    def _fill(self, bar: Bar, body: QRectF, colour: QColor) -> QBrush:
        """A flat colour that fades where the date is not sure."""
        solid, none = QColor(colour), QColor(colour)
        solid.setAlpha(_FILL_ALPHA if bar.open_end else _PAST_ALPHA)
        if bar.item.planned:
            solid.setAlpha(_PAST_ALPHA // 2)
        none.setAlpha(6)
        gradient = QLinearGradient(body.topLeft(), body.topRight())
        sure_from = self._share(body, self._x(bar.start_s))
        sure_to = max(sure_from, self._share(body, self._x(bar.end_s)))
        gradient.setColorAt(0.0, none if sure_from > 0 else solid)
        gradient.setColorAt(sure_from, solid)
        gradient.setColorAt(sure_to, solid)
        gradient.setColorAt(1.0, none if sure_to < 1 else solid)
        return QBrush(gradient)

    def _share(self, body: QRectF, x: float) -> float:
        return min(1.0, max(0.0, (x - body.left()) / body.width()))

    def _hatch(self, body: QRectF, colour: QColor) -> None:
        self._painter.setBrush(QBrush(_faint(colour, 120), Qt.BrushStyle.BDiagPattern))
        self._painter.drawRoundedRect(body, 6, 6)

    def _edge(self, bar: Bar, body: QRectF, colour: QColor, *, chosen: bool) -> None:
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if chosen or bar.item.contested:
            self._painter.setPen(QPen(theme().colour("accent" if chosen else "warn"), 1.6))
            self._painter.drawRoundedRect(body, 6, 6)
        elif bar.item.planned:
            self._painter.setPen(QPen(_faint(colour, 170), 1.2, Qt.PenStyle.DashLine))
            self._painter.drawRoundedRect(body, 6, 6)
        elif not bar.open_start and bar.start_s - bar.soft_start_s < _SURE_S:
            # A firm edge says: it began right here.
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(colour)
            self._painter.drawRoundedRect(
                QRectF(body.left(), body.top(), 3.5, body.height()), 1.7, 1.7
            )

    def _bar_text(self, bar: Bar, body: QRectF) -> None:
        left = max(body.left(), self._room.left()) + 10
        width = min(body.right(), self._room.right()) - left - 6
        text = f"⚠ {bar.item.label}" if bar.item.contested else bar.item.label
        beside = self._room_beside(bar, body)
        if width < min(beside, self._metrics.horizontalAdvance(text)):
            left, width = body.right() + 6, beside
        if width < self._metrics.averageCharWidth() * 3:
            return
        shown = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(width))
        self._painter.setFont(self._font)
        self._painter.setPen(theme().colour("text"))
        where = QRectF(left, body.top(), width, body.height())
        self._painter.drawText(where, _LEFT | Qt.AlignmentFlag.AlignVCenter, shown)

    def _room_beside(self, bar: Bar, body: QRectF) -> float:
        """Free pixels at the right of a bar, up to the next one of its row."""
        lefts = self._lefts.setdefault(bar.top, [])
        after = [left for left in lefts if left > body.left()]
        return min(after, default=self._room.right()) - body.right() - 12

    def _point(self, number: int, point: Point, look: Look) -> None:
        x, y = self._x(point.at_s), (self._y(point.top) + self._y(point.top + 1)) / 2
        if not self._room.adjusted(-300, -20, 20, 20).contains(QPointF(x, y)):
            return
        pale = look.as_of_s is not None and point.at_s > look.as_of_s
        self._painter.setOpacity(_PALE if pale else 1.0)
        colour = theme().series_colour(point.lane)
        chosen = point.item == look.chosen
        self._painter.setPen(QPen(theme().colour("accent") if chosen else colour, 1.6))
        self._painter.setBrush(
            Qt.BrushStyle.NoBrush if point.item.planned else QBrush(_faint(colour, 150))
        )
        self._painter.drawPolygon(_diamond(x, y))
        width = self._label_room(number, point, x)
        shown = self._metrics.elidedText(point.item.label, Qt.TextElideMode.ElideRight, int(width))
        if width > self._metrics.averageCharWidth() * 4:
            self._painter.setFont(self._font)
            self._painter.setPen(theme().colour("text"))
            where = QRectF(x + 10, y - 20, width, 40)
            self._painter.drawText(where, _LEFT | Qt.AlignmentFlag.AlignVCenter, shown)
        self._painter.setOpacity(1.0)
        advance = self._metrics.horizontalAdvance(shown)
        look.hits.append((QRectF(x - 8, y - 11, 20 + min(width, advance), 22), point.item))

    def _label_room(self, number: int, point: Point, x: float) -> float:
        """Up to the next point of the same row."""
        for other in self._layout.points[number + 1 :]:
            if other.top == point.top:
                return max(0.0, min(self._x(other.at_s) - x - 24, 340.0))
        return min(340.0, self._room.right() - x - 14)


_LEFT = Qt.AlignmentFlag.AlignLeft
_SURE_S = 8 * 86_400


def _diamond(x: float, y: float) -> QPolygonF:
    reach = _POINT_PX
    corners = ((x - reach, y), (x, y - reach), (x + reach, y), (x, y + reach))
    return QPolygonF([QPointF(*corner) for corner in corners])


def _faint(colour: QColor, alpha: int) -> QColor:
    made = QColor(colour)
    made.setAlpha(alpha)
    return made


def _readable(colour: QColor) -> QColor:
    return colour.darker(115) if theme().name == "light" else colour
