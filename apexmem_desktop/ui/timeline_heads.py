"""The names above lanes and groups of a timeline, and what a click on them does."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPolygonF

from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.timeline_groups import PEOPLE_GROUPINGS, group_name
from apexmem_desktop.ui.timeline_ink import Ink
from apexmem_desktop.ui.timeline_lanes import EVENT_LANE, Group, Lane
from apexmem_desktop.ui.translation import tr, tr_count, tr_name

_LEFT_PX = 8
_GAP_PX = 8
_FOLD_PX = 4.0
_PIN_SHARE = 0.8
_FLAGS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Head:
    """What a click on a name does: pins a lane, or folds a group."""

    kind: str  # "lane" or "group"
    name: str
    pinned: bool = False

    @property
    def hint(self) -> str:
        """What it does, in words."""
        if self.kind == "group":
            return tr("groups.fold")
        return tr("lanes.unpin" if self.pinned else "lanes.pin")


class HeadDrawing:
    """Draws heads in one pass of drawing."""

    def __init__(self, painter: QPainter, ink: Ink, font: QFont, room: QRectF) -> None:
        self._painter = painter
        self._ink = ink
        self._room = room
        self._bold = QFont(font)
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._metrics = QFontMetrics(self._bold)

    def lane(self, lane: Lane, top: float, height: float, *, pinned: bool) -> QRectF:
        """Draw a lane's name; give where it stands."""
        name = tr("timeline.events") if lane.name == EVENT_LANE else tr_name("property", lane.name)
        left = self._room.left() + _LEFT_PX
        wide = self._metrics.horizontalAdvance(name)
        line = self._metrics.height()
        where = QRectF(left, top + 2 + height - line, wide, line)
        self._painter.setFont(self._bold)
        self._painter.setPen(_readable(theme().series_colour(lane.number)))
        self._painter.drawText(where, _FLAGS, name)
        if pinned:
            side = round(line * _PIN_SHARE)
            sign = icon("pin", "accent").pixmap(side, side)
            at = QPointF(where.right() + _GAP_PX, where.center().y() - side / 2)
            self._painter.drawPixmap(at, sign)
            where.setRight(at.x() + side)
        return where

    def group(self, group: Group, top: float, height: float, grouping: str) -> QRectF:
        """Draw a group's band with its name, a person's disc before it; give where it stands."""
        band = QRectF(self._room.left(), top, self._room.width(), height)
        self._painter.fillRect(band, theme().colour("lane"))
        middle = band.center().y()
        x = band.left() + _LEFT_PX + _FOLD_PX
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(theme().colour("muted"))
        self._painter.drawPolygon(_triangle(x, middle, folded=group.folded))
        x += _FOLD_PX + _GAP_PX
        if grouping in PEOPLE_GROUPINGS and group.name:
            side = self._metrics.height() + 4
            self._ink.face(group.name, QRectF(round(x), round(middle - side / 2), side, side))
            x += side + _GAP_PX
        self._painter.setFont(self._bold)
        self._painter.setPen(theme().colour("text"))
        name = group_name(grouping, group.name)
        self._painter.drawText(QRectF(x, top, band.right() - x, height), _FLAGS, name)
        x += self._metrics.horizontalAdvance(name) + _GAP_PX
        self._painter.setPen(theme().colour("muted"))
        count = tr_count("timeline.items", group.count)
        self._ink.line(count, QRectF(x, top, band.right() - x, height))
        return band


def _triangle(x: float, y: float, *, folded: bool) -> QPolygonF:
    reach = _FOLD_PX
    if folded:
        corners = ((x - reach / 2, y - reach), (x - reach / 2, y + reach), (x + reach, y))
    else:
        corners = ((x - reach, y - reach / 2), (x + reach, y - reach / 2), (x, y + reach))
    return QPolygonF([QPointF(*corner) for corner in corners])


def _readable(colour: QColor) -> QColor:
    return colour.darker(115) if theme().name == "light" else colour


def lane_rule(painter: QPainter, room: QRectF, bottom: float) -> None:
    """Draw the line below a lane."""
    painter.setPen(QPen(theme().colour("grid"), 1))
    painter.drawLine(QPointF(room.left(), bottom), QPointF(room.right(), bottom))
