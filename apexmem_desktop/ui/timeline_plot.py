"""The timeline as a widget: pyqtgraph gives zoom, pan and the axis; rows scroll beside it."""

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QGraphicsView, QHBoxLayout, QScrollBar, QToolTip, QWidget

from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.date_axis import DateAxis
from apexmem_desktop.ui.hover_card import item_html
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.timeline_drawing import Look, TimelineDrawing
from apexmem_desktop.ui.timeline_groups import group_of, group_order
from apexmem_desktop.ui.timeline_heads import Head
from apexmem_desktop.ui.timeline_ink import Kept
from apexmem_desktop.ui.timeline_lanes import Grouping, Layout, lane_of, lay_out
from apexmem_desktop.ui.timeline_words import item_text, label_text
from apexmem_desktop.ui.translation import tr

_ROW_FACTOR = 2.1  # height of a row in lines of text
_LEAST_ROWS = 3.2
_RESIZED_PX = 22
_DRAGGED_PX = 4
_LABEL_GAP_CHARS = 3
_FACE_CHARS = 3
_WIDEST_LABEL_SHARE = 0.3  # of the view; longer words are cut
_LEFT, _RIGHT = 0.04, 0.1  # more at the right, where labels stand beside short bars
_FAR_S = 1e11  # wider than any history, so that nothing is ever cut off
_HOUR_S = 3600.0
_WIDEST_S = 300 * 365.25 * 86_400
_SCROLL_STEPS = 100
_AXIS_PX = 14  # above and below the words of the axis


class _Bars(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """The one graphics item that draws everything."""

    def __init__(self, look: Look, axis: DateAxis) -> None:
        super().__init__()
        self.layout_shown = Layout()
        self._look = look
        self._axis = axis
        self._kept = Kept()

    def boundingRect(self) -> QRectF:
        """Everywhere: what is outside the view is skipped while drawing."""
        return QRectF(-_FAR_S, -10, 2 * _FAR_S, self.layout_shown.height + 20)

    def paint(self, painter: QPainter, *_: object) -> None:
        """Draw in pixels."""
        to_px = painter.worldTransform()
        room = to_px.mapRect(self.getViewBox().viewRect())
        low, high = self.getViewBox().viewRange()[0]
        self._look.ticks_s = self._axis.marks(low, high, room.width())
        painter.save()
        painter.resetTransform()
        TimelineDrawing(painter, self.layout_shown, to_px, room, self._kept).draw(self._look)
        painter.restore()


class TimelinePlot(QWidget):
    """Shows items; tells which one was clicked. Arrow keys walk, + and - zoom, Enter opens."""

    chosen = Signal(object)  # TimelineItem

    def __init__(self, offset_minutes: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = Look()
        self._layout = Layout()
        self._items: tuple[TimelineItem, ...] = ()
        self.pinned: tuple[str, ...] = ()
        self.folded: frozenset[str] = frozenset()
        self._now_ms = 0
        self._laid_out_px = 0.0
        axis = DateAxis(offset_minutes)
        self._bars = _Bars(self._look, axis)
        self._plot = pg.PlotWidget(axisItems={"bottom": axis}, enableMenu=False)
        self._rows = QScrollBar(Qt.Orientation.Vertical)
        self._now_line = pg.InfiniteLine(angle=90)
        self._as_of_line = pg.InfiniteLine(angle=90)
        self._dress()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._plot, 1)
        layout.addWidget(self._rows)
        self._rows.valueChanged.connect(lambda _: self._show_rows())
        # The inner box gets its height later than this widget does.
        self._plot.getViewBox().sigResized.connect(lambda _: self._on_resized())
        self.setAccessibleName(tr("place.timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # One lane whole above the axis, however little room the history leaves.
        self.setMinimumHeight(round(self._row_px() * _LEAST_ROWS) + _AXIS_PX)
        self._plot.viewport().installEventFilter(self)

    def show_items(
        self, items: Sequence[TimelineItem], now_ms: int, *, keep_view: bool = False
    ) -> None:
        """Show other items, all that is known of them in view.

        Args:
            keep_view: Stay where the user has zoomed to: they are news of the same entity.
        """
        self._items, self._now_ms = tuple(items), now_ms
        self._look.chosen = None
        self._look.now_s = now_ms / 1000
        self._now_line.setValue(now_ms / 1000)
        self._lay_out()
        if not keep_view:
            self._rows.setValue(0)
            self.fit()

    def _lay_out(self) -> None:
        """Give short bars' words room as they are when all is in view; zooming in gives more."""
        self._laid_out_px = max(1.0, self._plot.getViewBox().width())
        char_share = self.fontMetrics().averageCharWidth() / self._laid_out_px
        self._layout = lay_out(
            self._items,
            self._now_ms,
            lambda item: min(_label_chars(item) * char_share, _WIDEST_LABEL_SHARE),
            self.pinned,
            self._grouping(),
        )
        self._look.pinned = self.pinned
        self._bars.layout_shown = self._layout
        self._bars.prepareGeometryChange()
        self._show_rows()

    @property
    def extent_ms(self) -> tuple[int, int]:
        """From when to when there is something to see."""
        return round(self._layout.first_s * 1000), round(self._layout.last_s * 1000)

    @property
    def wished_height(self) -> int:
        """Height in pixels that shows every lane, the axis included."""
        return round(self._layout.height * self._row_px()) + 52

    def fit(self) -> None:
        """Bring all of it into view."""
        first_s, last_s = self._layout.first_s, self._layout.last_s
        span_s = last_s - first_s
        self._plot.setXRange(first_s - span_s * _LEFT, last_s + span_s * _RIGHT, padding=0)

    def fit_to_now(self) -> None:
        """Bring all up to now into view, however long ago the last chat was."""
        first_s, now_s = self._layout.first_s, self._now_ms / 1000
        span_s = max(_HOUR_S, now_s - first_s)
        self._plot.setXRange(first_s - span_s * _LEFT, now_s + span_s * _LEFT, padding=0)

    def show_as_of(self, as_of_ms: int | None) -> None:
        """Make pale what did not hold then; None shows all alike."""
        self._look.as_of_s = None if as_of_ms is None else as_of_ms / 1000
        self._as_of_line.setVisible(as_of_ms is not None)
        if as_of_ms is not None:
            self._as_of_line.setValue(as_of_ms / 1000)
        self._bars.update()

    def draw_now(self) -> None:
        """Draw at once what is in view."""
        self._plot.viewport().repaint()

    def pin(self, lane: str) -> None:
        """Keep a lane above all others, or no longer."""
        kept = [one for one in self.pinned if one != lane]
        self.pinned = tuple(kept) if len(kept) < len(self.pinned) else (*kept, lane)
        self._lay_out()

    def group_by(self, grouping: str) -> None:
        """Put lanes together by something else; all groups are open then."""
        self._look.grouping, self.folded = grouping, frozenset()
        self._rows.setValue(0)
        self._lay_out()

    def fold(self, group: str) -> None:
        """Hide the lanes of a group, or show them again."""
        self.folded ^= {group}
        self._lay_out()

    def _grouping(self) -> Grouping | None:
        tells = group_of(self._look.grouping)
        if tells is None:
            return None
        return Grouping(tells, group_order(self._look.grouping), self.folded)

    def draw_into(self, painter: QPainter) -> None:
        """Draw what is in view as lines and letters, for a picture that can be scaled."""
        self._plot.render(painter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep rows as high as they are; show more or fewer."""
        super().resizeEvent(event)
        self._show_rows()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk, zoom, open by keyboard."""
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._walk(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.pan(0.15 if key == Qt.Key.Key_Right else -0.15)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(1.3 if key == Qt.Key.Key_Minus else 1 / 1.3)
        elif key == Qt.Key.Key_Home:
            self.fit()
        elif key == Qt.Key.Key_End:
            self.fit_to_now()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._look.chosen:
            self.chosen.emit(self._look.chosen)
        elif key == Qt.Key.Key_P and self._look.chosen:
            self.pin(lane_of(self._look.chosen))
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """See hovering and clicks on the plot; pyqtgraph keeps the rest."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._hint_at(QPointF(event.pos())), self)
            return True
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            at = event.position()
            over = self._item_at(at) is not None or self._head_at(at) is not None
            shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
            self._plot.viewport().setCursor(shape)
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = event.position()
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            self._on_release(event.position())
        return False

    def choose(self, item: TimelineItem) -> None:
        """Mark an item and tell that it was chosen."""
        self._look.chosen = item
        self._bars.update()
        self.chosen.emit(item)

    def first_changed_item(self) -> TimelineItem | None:
        """Give the newest value of the uppermost lane, where values followed one another most."""
        bars = [bar for bar in self._layout.bars if bar.lane == 0 and not bar.item.planned]
        return max(bars, key=lambda bar: bar.start_s).item if bars else None

    def _on_release(self, where: QPointF) -> None:
        moved = (where - self._pressed).manhattanLength()
        item = self._item_at(where)
        if moved >= _DRAGGED_PX:
            return
        if item is not None:
            self.choose(item)
        elif head := self._head_at(where):
            act = self.fold if head.kind == "group" else self.pin
            act(head.name)

    def _hint_at(self, where: QPointF) -> str:
        item = self._item_at(where)
        if item is not None:
            return item_html(item)
        head = self._head_at(where)
        return "" if head is None else head.hint

    def _head_at(self, where: QPointF) -> Head | None:
        return next((head for rect, head in self._look.heads if rect.contains(where)), None)

    def _item_at(self, where: QPointF) -> TimelineItem | None:
        for rect, item in reversed(self._look.hits):
            if rect.contains(where):
                return item
        return None

    def _walk(self, by: int) -> None:
        items = [bar.item for bar in self._layout.bars]
        items += [point.item for point in self._layout.points]
        if not items:
            return
        now = items.index(self._look.chosen) if self._look.chosen in items else -1
        self._look.chosen = items[(now + by) % len(items)]
        self.setAccessibleDescription(item_text(self._look.chosen))
        self._bars.update()

    def pan(self, share: float) -> None:
        """Go on by a share of what is in view; below zero back."""
        (low, high), _ = self._plot.viewRange()
        shift = (high - low) * share
        self._plot.setXRange(low + shift, high + shift, padding=0)

    def zoom(self, factor: float) -> None:
        """Show so many times as much time, around the middle."""
        (low, high), _ = self._plot.viewRange()
        middle, half = (low + high) / 2, (high - low) / 2 * factor
        self._plot.setXRange(middle - half, middle + half, padding=0)

    def _on_resized(self) -> None:
        """Another width gives words more or less room; another height more or fewer rows."""
        if abs(self._plot.getViewBox().width() - self._laid_out_px) > _RESIZED_PX:
            self._lay_out()
        else:
            self._show_rows()

    def _row_px(self) -> float:
        return self.fontMetrics().height() * _ROW_FACTOR

    def _show_rows(self) -> None:
        """Show as many rows as fit, from where the scroll bar stands."""
        fitting = max(1.0, self._plot.getViewBox().height() / self._row_px())
        hidden = max(0.0, self._layout.height - fitting)
        self._rows.setVisible(hidden > 0)
        self._rows.setRange(0, round(hidden * _SCROLL_STEPS))
        self._rows.setPageStep(round(fitting * _SCROLL_STEPS))
        top = self._rows.value() / _SCROLL_STEPS
        self._plot.setYRange(top, top + fitting, padding=0)

    def _dress(self) -> None:
        plot = self._plot
        plot.setBackground(theme().colour("card"))
        plot.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        plot.setFrameShape(plot.Shape.NoFrame)
        plot.hideAxis("left")
        plot.hideButtons()
        plot.setMenuEnabled(False)
        plot.invertY(True)
        plot.setMouseEnabled(x=True, y=False)
        plot.setLimits(minXRange=_HOUR_S, maxXRange=_WIDEST_S)
        plot.setFocusProxy(self)
        axis = plot.getAxis("bottom")
        axis.setPen(QPen(theme().colour("line_strong")))
        axis.setTextPen(QPen(theme().colour("muted")))
        axis.setHeight(self.fontMetrics().height() + _AXIS_PX)
        axis.setStyle(tickFont=self.font(), tickTextOffset=6)
        self._now_line.setPen(QPen(theme().colour("faint"), 0, Qt.PenStyle.DotLine))
        self._as_of_line.setPen(QPen(theme().colour("accent"), 0))
        self._as_of_line.hide()
        for item in (self._bars, self._now_line, self._as_of_line):
            plot.addItem(item, ignoreBounds=True)
        self._pressed = QPointF()


def _label_chars(item: TimelineItem) -> float:
    """Tell how wide an item's words are, in Latin letters; measuring thousands would take long."""
    text = label_text(item)
    wide = (len(text.encode(errors="replace")) - len(text)) / 2  # a Chinese one has three bytes
    faces = _FACE_CHARS * len(item.people)
    return (len(text) + wide + faces + _LABEL_GAP_CHARS) * (1 + _LEFT + _RIGHT)
