"""How bars and points of a timeline look. Draws in pixels: rows keep their height at every zoom."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
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
from apexmem_desktop.ui.timeline_heads import Head, HeadDrawing, lane_rule
from apexmem_desktop.ui.timeline_ink import Ink, Kept
from apexmem_desktop.ui.timeline_lanes import (
    GROUP_ROWS,
    HEADER_ROWS,
    Bar,
    Group,
    Lane,
    Layout,
    P,
    Point,
)
from apexmem_desktop.ui.timeline_words import label_text
from apexmem_desktop.ui.translation import tr

_PAD = 3.0
_SMALL = 0.84
_NEAREST_PX = 3.0  # points that stand closer are drawn as one
_WIDEST_LABEL_PX = 340.0
_FADE_PX = 30.0
_LEAST_PX = 8.0
_POINT_PX = 5.0
_BEYOND_PX = 20.0
_SPAN_SEEN_PX, _SPAN_BELOW_PX, _SPAN_PX, _SPAN_ALPHA = 10.0, 8.0, 3.0, 150
_FADE_SEEN_PX = 2.0
_ROUNDED_PX = 12.0  # narrower ones are plain: nobody sees their corners, and there are thousands
_PALE = 0.32
_FILL_ALPHA, _PAST_ALPHA = 105, 58
_GRID_ALPHA = 140
_MOST_FACES, _FACE_GAP_PX = 3, 4


# Up to where a row is taken at the left of a bar, and where it is again at the right, in pixels.
_Free = tuple[float, float | None]


@dataclass
class Look:
    """What of the picture depends on the moment and on what the user did.

    Attributes:
        as_of_s: The moment to show; bars that did not hold then are pale. None for all alike.
        now_s: This moment, in seconds since 1970.
        chosen: The item under the keyboard, or clicked.
        ticks_s: Where the axis has its marks; thin lines go up from there.
        pinned: Lanes that are marked as standing above the others.
        grouping: What lanes are put together by.
        hits: Filled while drawing: where each item stands, in pixels.
        heads: Filled while drawing: where each name of a lane or group stands.
    """

    as_of_s: float | None = None
    now_s: float | None = None
    chosen: TimelineItem | None = None
    ticks_s: Sequence[float] = ()
    pinned: tuple[str, ...] = ()
    grouping: str = "none"
    hits: list[tuple[QRectF, TimelineItem]] = field(default_factory=list)
    heads: list[tuple[QRectF, Head]] = field(default_factory=list)


class TimelineDrawing:
    """One pass of drawing; made anew for each."""

    def __init__(
        self,
        painter: QPainter,
        layout: Layout,
        to_px: QTransform,
        room: QRectF,
        kept: Kept | None = None,
    ) -> None:
        self._painter = painter
        self._layout = layout
        self._to_px = to_px
        self._room = room
        self._font = QFont(QApplication.font())
        self._small_font = QFont(self._font)
        self._small_font.setPointSizeF(self._font.pointSizeF() * _SMALL)
        self._ink = Ink(painter, self._font, self._small_font, kept or Kept())
        self._heads = HeadDrawing(painter, self._ink, self._font, room)
        self._metrics = self._ink.metrics
        # Asked for thousands of times; Qt's own are slow to ask.
        self._scale, self._shift = to_px.m11(), to_px.dx()

    def draw(self, look: Look) -> None:
        """Draw everything that is in the room, and nothing else: there may be thousands."""
        look.hits.clear()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setClipRect(self._room)
        for at_s in look.ticks_s:
            line = QRectF(round(self._x(at_s)), self._room.top(), 1, self._room.height())
            self._painter.fillRect(line, theme().colour("grid", _GRID_ALPHA))
        look.heads.clear()
        for lane in self._layout.lanes:
            self._lane(lane, look)
        for group in self._layout.groups:
            self._group(group, look)
        for bars in self._seen_rows(self._layout.bar_rows):
            self._bar_row(bars, look)
        for points in self._seen_rows(self._layout.point_rows):
            self._point_row(points, look)
        if look.now_s is not None:
            self._now(look.now_s)

    def _seen_rows(self, rows: dict[float, list[P]]) -> list[list[P]]:
        """Pick the rows in view; rows stand in the order of their upper edges."""
        tops, step, shift = list(rows), self._to_px.m22(), self._to_px.dy()
        first = bisect_left(tops, (self._room.top() - shift) / step - 1)
        last = bisect_right(tops, (self._room.bottom() - shift) / step)
        return [rows[top] for top in tops[first:last]]

    def _bar_row(self, bars: list[Bar], look: Look) -> None:
        """Draw what of a row is in view; bars of one row follow one another in time."""
        first = bisect_left(bars, self._at_s(self._room.left()), key=lambda bar: bar.end_s) - 1
        last = bisect_right(bars, self._at_s(self._room.right()), key=lambda bar: bar.soft_start_s)
        seen = bars[max(0, first) : last]
        taken_to = self._room.left()
        for number in self._wide_enough(seen, look):
            bar = seen[number]
            body = self._body(bar)
            after = self._body(seen[number + 1]).left() if number + 1 < len(seen) else None
            self._bar(bar, body, (taken_to, after), look)
            taken_to = look.hits[-1][0].right()

    def _wide_enough(self, seen: list[Bar], look: Look) -> Iterator[int]:
        """Leave out bars that would cover less than a pixel, but never the chosen one."""
        chosen = _find(seen, look.chosen)
        number = 0
        while number < len(seen):
            yield number
            drawn_to_s = self._at_s(self._body(seen[number]).right() + 1)
            after = bisect_left(seen, drawn_to_s, number + 1, key=lambda bar: bar.soft_end_s)
            number = chosen if number < chosen < after else after

    def _point_row(self, points: list[Point], look: Look) -> None:
        first = bisect_left(
            points, self._at_s(self._room.left() - _WIDEST_LABEL_PX), key=lambda p: p.at_s
        )
        last = bisect_right(points, self._at_s(self._room.right()), key=lambda p: p.at_s)
        seen = points[first : last + 1]
        chosen, number = _find(seen, look.chosen), 0
        while number < last - first:
            point = seen[number]
            x = self._x(point.at_s)
            after = self._x(seen[number + 1].at_s) if number + 1 < len(seen) else None
            self._point(point, x, after, look)
            apart_s = self._at_s(x + _NEAREST_PX)  # what stands nearer is drawn as one with it
            far = bisect_left(seen, apart_s, number + 1, key=lambda one: one.at_s)
            number = chosen if number < chosen < far else far

    def _at_s(self, x: float) -> float:
        return (x - self._shift) / self._scale

    def _x(self, at_s: float) -> float:
        return at_s * self._scale + self._shift

    def _y(self, row: float) -> float:
        return row * self._to_px.m22() + self._to_px.dy()

    def _now(self, now_s: float) -> None:
        """Name the line of now."""
        x = self._x(now_s)
        self._painter.setFont(self._small_font)
        self._painter.setPen(theme().colour("muted"))
        text = tr("timeline.now_line")
        wide = QFontMetrics(self._small_font).horizontalAdvance(text)
        where = QRectF(x - wide - 6, self._room.top(), wide, self._metrics.height())
        self._painter.drawText(where, _LEFT | Qt.AlignmentFlag.AlignVCenter, text)

    def _lane(self, lane: Lane, look: Look) -> None:
        top, bottom = self._y(lane.top), self._y(lane.top + lane.height)
        if bottom < self._room.top() or top > self._room.bottom():
            return
        lane_rule(self._painter, self._room, bottom)
        height = self._y(lane.top + HEADER_ROWS) - top
        pinned = lane.name in look.pinned
        where = self._heads.lane(lane, top, height, pinned=pinned)
        look.heads.append((where, Head("lane", lane.name, pinned)))

    def _group(self, group: Group, look: Look) -> None:
        top, bottom = self._y(group.top), self._y(group.top + GROUP_ROWS)
        if bottom < self._room.top() or top > self._room.bottom():
            return
        where = self._heads.group(group, top, bottom - top, look.grouping)
        look.heads.append((where, Head("group", group.name)))

    def _bar(self, bar: Bar, body: QRectF, free: _Free, look: Look) -> None:
        pale = look.as_of_s is not None and not bar.holds_at(look.as_of_s)
        self._painter.setOpacity(_PALE if pale else 1.0)
        chosen = bar.item == look.chosen
        if bar.item.denied:
            self._denied(bar, body, chosen=chosen)
        else:
            self._value(bar, body, chosen=chosen)
        labelled = self._bar_text(bar, body, free)
        if bar.item.denied and labelled:
            self._stays_denied(body, labelled.right() + 5, theme().series_colour(bar.lane))
        self._painter.setOpacity(1.0)
        look.hits.append((body.united(labelled) if labelled else body, bar.item))

    def _value(self, bar: Bar, body: QRectF, *, chosen: bool) -> None:
        colour = theme().series_colour(bar.lane)
        # What reaches far beyond the view costs as if it were seen.
        near = body.intersected(self._room.adjusted(-_BEYOND_PX, 0, _BEYOND_PX, 0))
        self._fill(bar, body, near, colour)
        if bar.item.planned:
            self._hatch(near, colour)
        self._edge(bar, near, colour, chosen=chosen)
        if bar.open_end and body.right() > self._room.right():
            self._goes_on(body, colour)

    def _denied(self, bar: Bar, body: QRectF, *, chosen: bool) -> None:
        """Mark where something ended: no bar, for nothing holds."""
        colour = theme().colour("accent") if chosen else theme().series_colour(bar.lane)
        middle = body.center().y()
        self._painter.setPen(QPen(colour, 2.0 if chosen else 1.6))
        reach, x = _POINT_PX, body.left() + _POINT_PX
        for lean in (reach, -reach):
            self._painter.drawLine(
                QPointF(x - reach, middle - lean), QPointF(x + reach, middle + lean)
            )

    def _stays_denied(self, body: QRectF, left: float, colour: QColor) -> None:
        """Draw a thin line behind the words for as long as it stayed ended."""
        if body.right() > left:
            middle = body.center().y()
            self._painter.setPen(QPen(_faint(colour, 150), 1.3, Qt.PenStyle.DotLine))
            self._painter.drawLine(QPointF(left, middle), QPointF(body.right(), middle))

    def _goes_on(self, body: QRectF, colour: QColor) -> None:
        """Point to the right where a bar goes on beyond the view."""
        x, y = self._room.right() - 9, body.center().y()
        self._painter.setPen(QPen(_readable(colour), 1.6))
        self._painter.drawPolyline([QPointF(x, y - 4), QPointF(x + 4, y), QPointF(x, y + 4)])

    def _body(self, bar: Bar) -> QRectF:
        left, right = self._x(bar.soft_start_s), self._x(bar.soft_end_s)
        if bar.open_start:
            left -= _FADE_PX
        left = round(left)  # so that nothing is blurred, nor drawn anew while it is panned
        right = max(round(right), left + _LEAST_PX)
        top, bottom = self._y(bar.top), self._y(bar.top + 1)
        return QRectF(left, top + _PAD, right - left, bottom - top - 2 * _PAD)

    def _fill(self, bar: Bar, body: QRectF, near: QRectF, colour: QColor) -> None:
        """Fill with a flat colour that fades where the date is not sure."""
        solid, none = QColor(colour), QColor(colour)
        solid.setAlpha(_FILL_ALPHA if bar.open_end else _PAST_ALPHA)
        if bar.item.planned:
            solid.setAlpha(_PAST_ALPHA // 2)
        none.setAlpha(6)
        if near.width() < _ROUNDED_PX:
            self._painter.fillRect(near, solid)
            return
        sure_from = self._share(body, self._x(bar.start_s))
        sure_to = max(sure_from, self._share(body, self._x(bar.end_s)))
        if max(sure_from, 1 - sure_to) * body.width() < _FADE_SEEN_PX:
            # Drawn many times as fast as one that fades.
            self._ink.body(near, QBrush(solid), left=solid, right=solid)
            return
        gradient = QLinearGradient(body.topLeft(), body.topRight())
        gradient.setColorAt(0.0, none if sure_from > 0 else solid)
        gradient.setColorAt(sure_from, solid)
        gradient.setColorAt(sure_to, solid)
        gradient.setColorAt(1.0, none if sure_to < 1 else solid)
        left, right = None if sure_from > 0 else solid, None if sure_to < 1 else solid
        self._ink.body(near, QBrush(gradient), left=left, right=right)

    def _share(self, body: QRectF, x: float) -> float:
        return min(1.0, max(0.0, (x - body.left()) / body.width()))

    def _hatch(self, body: QRectF, colour: QColor) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QBrush(_faint(colour, 120), Qt.BrushStyle.BDiagPattern))
        if body.width() < _ROUNDED_PX:
            self._painter.fillRect(body, self._painter.brush())
        else:
            self._painter.drawRoundedRect(body, 6, 6)

    def _edge(self, bar: Bar, body: QRectF, colour: QColor, *, chosen: bool) -> None:
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if chosen or bar.item.contested:
            self._painter.setPen(QPen(theme().colour("accent" if chosen else "warn"), 1.6))
            self._painter.drawRoundedRect(body, 6, 6)
        elif bar.item.planned:
            self._ink.dashes(body, _faint(colour, 170))
        elif not bar.open_start and bar.start_s - bar.soft_start_s < _SURE_S:
            # A firm edge says: it began right here.
            self._painter.fillRect(QRectF(body.left(), body.top(), 3.5, body.height()), colour)

    def _bar_text(self, bar: Bar, body: QRectF, free: _Free) -> QRectF | None:
        """Write the value into its bar, or beside a short one; give where it stands."""
        pad = _POINT_PX * 2 + 5 if bar.item.denied else 10
        left = max(body.left(), self._room.left()) + pad
        free_from, free_to = free[0], self._room.right() if free[1] is None else free[1]
        # A vague end reaches into the next bar, whose own words begin there.
        width = min(body.right(), self._room.right(), free_to) - left - 6
        beside = min(free_to - body.right() - 12, _WIDEST_LABEL_PX)
        least = self._metrics.averageCharWidth() * 3
        if max(width, beside, body.left() - free_from - 18) < least:
            return None  # no words fit: they need not be measured
        text = label_text(bar.item)
        if bar.item.contested:
            text = f"⚠ {text}"
        wanted = self._ink.width(text) + self._face_px(bar.item)
        if bar.item.denied:  # its words stand beside the mark, however vague the date
            width = min(free_to - left - 12, _WIDEST_LABEL_PX)
        elif width < min(beside, wanted):
            left, width = body.right() + 6, beside
        if width < wanted <= min(body.left() - free_from - 18, _WIDEST_LABEL_PX):
            left, width = body.left() - 6 - wanted, wanted + 1
        if width < least:
            return None
        where = QRectF(left, body.top(), width, body.height())
        self._painter.setPen(theme().colour("muted" if bar.item.denied else "text"))
        self._words(bar.item, text, wanted, where)
        return where.adjusted(0, 0, min(0.0, wanted - width), 0)

    def _face_px(self, item: TimelineItem) -> int:
        """How much room the discs of the people take whom an item names."""
        return min(_MOST_FACES, len(item.people)) * (self._metrics.height() + _FACE_GAP_PX)

    def _words(self, item: TimelineItem, text: str, wanted: float, where: QRectF) -> None:
        """Write on one line, or small on two where one is too short; faces stand before."""
        side, middle = self._metrics.height(), where.center().y()
        pen = self._painter.pen()
        for number, name in enumerate(item.people[:_MOST_FACES]):
            left = round(where.left()) + number * (side + _FACE_GAP_PX)
            self._ink.face(name, QRectF(left, round(middle - side / 2), side, side))
        self._painter.setPen(pen)  # a picture for a file draws faces with others
        face_px = self._face_px(item)
        wanted, where = wanted - face_px, where.adjusted(face_px, 0, 0, 0)
        if wanted <= where.width():
            self._ink.line(text, where)
        else:
            self._ink.two_lines(text, where)

    def _point(self, point: Point, x: float, after: float | None, look: Look) -> None:
        y = (self._y(point.top) + self._y(point.top + 1)) / 2
        pale = look.as_of_s is not None and point.at_s > look.as_of_s
        self._painter.setOpacity(_PALE if pale else 1.0)
        colour = theme().series_colour(point.lane)
        self._span(point, x, y, colour)
        chosen = point.item == look.chosen
        self._painter.setPen(QPen(theme().colour("accent") if chosen else colour, 1.6))
        self._painter.setBrush(
            Qt.BrushStyle.NoBrush if point.item.planned else QBrush(_faint(colour, 150))
        )
        self._painter.drawPolygon(_diamond(x, y))
        free_to = self._room.right() + 10 if after is None else after
        width = max(0.0, min(free_to - x - 24, _WIDEST_LABEL_PX))
        wanted = 0
        if width > self._metrics.averageCharWidth() * 4:
            text = label_text(point.item)
            wanted = self._ink.width(text) + self._face_px(point.item)
            self._painter.setPen(theme().colour("text"))
            self._words(point.item, text, wanted, QRectF(x + 10, y - 20, width, 40))
        self._painter.setOpacity(1.0)
        look.hits.append((QRectF(x - 8, y - 11, 20 + min(width, wanted), 22), point.item))

    def _span(self, point: Point, x: float, y: float, colour: QColor) -> None:
        """Draw below a point when it may have been, or how long it lasted."""
        left, right = self._x(point.from_s), self._x(point.end_s)
        if right - left < _SPAN_SEEN_PX:
            return
        full, none = _faint(colour, _SPAN_ALPHA), _faint(colour, 0)
        ink = QLinearGradient(left, 0, right, 0)
        ink.setColorAt(0, none if left < x else full)
        ink.setColorAt(min(1.0, (x - left) / (right - left)), full)
        ink.setColorAt(1, none)
        near = QRectF(left, y + _SPAN_BELOW_PX, right - left, _SPAN_PX).intersected(
            self._room.adjusted(-_BEYOND_PX, 0, _BEYOND_PX, 0)
        )
        self._painter.fillRect(near, QBrush(ink))


_LEFT = Qt.AlignmentFlag.AlignLeft
_SURE_S = 8 * 86_400


def _find(placed: Sequence[Bar | Point], item: TimelineItem | None) -> int:
    """Give where an item stands in its row, or -1."""
    if item is None:
        return -1
    return next((n for n, one in enumerate(placed) if one.item is item), -1)


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
