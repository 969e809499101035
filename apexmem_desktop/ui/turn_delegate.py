"""Draws turns as a messenger does: who, when, the words in a bubble, the quote marked."""

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPalette,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from apexmem_desktop.domain.turn import Role, Turn, TurnKind
from apexmem_desktop.ui.avatar import paint_avatar
from apexmem_desktop.ui.dates import day_text, local
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr
from apexmem_desktop.ui.turn_document import (
    Marks,
    character_at,
    is_notice,
    make_document,
    scaled_font,
)
from apexmem_desktop.ui.turn_list import (
    COLOUR_ROLE,
    MARGIN_ROLE,
    MARKS_ROLE,
    NEW_DAY_ROLE,
    SAME_SPEAKER_ROLE,
    TURN_ROLE,
)

_Index = QModelIndex | QPersistentModelIndex
_PAD = 10
_GAP = 3
_KEPT_DOCUMENTS = 400
_KEPT_HEIGHTS = 20_000
_WIDEST_CHARS = 78
_MARGIN_PX = 22


@dataclass(frozen=True, slots=True)
class _Shape:
    """Where the pieces of one turn stand, from the top of its row."""

    width: int
    day_height: int
    name_height: int
    avatar: int
    document: QTextDocument
    height: int

    @property
    def left(self) -> int:
        """Where the words begin."""
        return self.avatar + 2 * _PAD

    def bubble(self, *, mirrored: bool) -> QRectF:
        """Where the bubble around the words stands."""
        wide = max(self.document.idealWidth(), 24) + 2 * _PAD
        top = self.day_height + self.name_height + _GAP
        left = self.left - _PAD
        if mirrored:
            left = round(self.width - left - wide)
        return QRectF(left, top, wide, self.document.size().height() + 10)


class TurnDelegate(QStyledItemDelegate):
    """Paints rows of a TurnListModel."""

    def __init__(self) -> None:
        super().__init__()
        self._documents: OrderedDict[tuple[object, ...], QTextDocument] = OrderedDict()
        # A conversation is laid out anew with each page; only what is new may cost time then.
        self._heights: dict[tuple[object, ...], int] = {}
        self._font = ""
        self._line = self._widest = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Ask for the height that the words need at this width."""
        self._measure_font()
        width = _width_of(option)
        turn: Turn = index.data(TURN_ROLE)
        key = (turn.id, width, index.data(NEW_DAY_ROLE), index.data(SAME_SPEAKER_ROLE))
        height = self._heights.get(key)
        if height is None:
            if len(self._heights) >= _KEPT_HEIGHTS:
                self._heights.clear()
            height = self._heights[key] = self._shape(index, width).height
        return QSize(width, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one turn."""
        self._measure_font()
        turn: Turn = index.data(TURN_ROLE)
        rect: QRect = option.rect
        shape = self._shape(index, rect.width())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(rect.topLeft())
        if shape.day_height:
            self._paint_day(painter, turn, rect.width(), shape.day_height)
        if is_notice(turn):
            self._paint_notice(painter, rect.width(), shape)
        else:
            self._paint_turn(painter, option, turn, shape, index)
        painter.restore()

    def character_at(self, option: QStyleOptionViewItem, index: _Index, at: QPointF) -> int | None:
        """Give the offset in the turn's text that a point of the view is at; None outside.

        Args:
            at: From the top left of the turn's row.
        """
        turn: Turn = index.data(TURN_ROLE)
        if is_notice(turn) or not turn.text:
            return None
        shape = self._shape(index, option.rect.width())
        bubble = shape.bubble(mirrored=_is_mirrored(option))
        within = at - QPointF(bubble.left() + _PAD, bubble.top() + 5)
        layout = shape.document.documentLayout()
        position = layout.hitTest(within, Qt.HitTestAccuracy.FuzzyHit)
        return character_at(turn.text, max(0, position))

    def is_in_bubble(self, option: QStyleOptionViewItem, index: _Index, at: QPointF) -> bool:
        """Tell whether a point, from the top left of the row, is in the bubble."""
        shape = self._shape(index, option.rect.width())
        return shape.bubble(mirrored=_is_mirrored(option)).contains(at)

    def is_in_margin(self, option: QStyleOptionViewItem, index: _Index, at: QPointF) -> bool:
        """Tell whether a point, from the top left of the row, is at the sign of a fact."""
        if not index.data(MARGIN_ROLE):
            return False
        shape = self._shape(index, option.rect.width())
        return _margin_box(shape, mirrored=_is_mirrored(option)).contains(at)

    def _measure_font(self) -> None:
        font = QApplication.font()
        if font.toString() == self._font:
            return
        metrics = QFontMetrics(font)
        self._font = font.toString()
        self._line = metrics.height()
        self._widest = metrics.averageCharWidth() * _WIDEST_CHARS
        self._heights.clear()
        self._documents.clear()

    def _shape(self, index: _Index, width: int) -> _Shape:
        self._measure_font()
        turn: Turn = index.data(TURN_ROLE)
        line = self._line
        notice = is_notice(turn)
        avatar = 0 if notice else line + 12
        day = line + 22 if index.data(NEW_DAY_ROLE) and turn.said_at_ms is not None else 0
        name = 0 if notice or index.data(SAME_SPEAKER_ROLE) else line + 8
        room = width - avatar - 4 * _PAD - _MARGIN_PX
        document = self._document(turn, index.data(MARKS_ROLE), max(80, min(room, self._widest)))
        height = day + name + round(document.size().height()) + 2 * _GAP + 12
        return _Shape(width, day, name, avatar, document, height)

    def _document(self, turn: Turn, marks: Marks, width: int) -> QTextDocument:
        key = (turn.id, turn.text, marks, width, theme().name)
        if key in self._documents:
            self._documents.move_to_end(key)
            return self._documents[key]
        document = make_document(turn, marks, width)
        self._documents[key] = document
        if len(self._documents) > _KEPT_DOCUMENTS:
            self._documents.popitem(last=False)
        return document

    def _paint_day(self, painter: QPainter, turn: Turn, width: int, height: int) -> None:
        painter.setPen(theme().colour("faint"))
        painter.setFont(scaled_font(0.9))
        text = day_text(turn.said_at_ms, turn.offset_minutes)
        painter.drawText(QRect(0, 4, width, height - 8), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_notice(self, painter: QPainter, width: int, shape: _Shape) -> None:
        left = max(0.0, (width - shape.document.idealWidth()) / 2)
        painter.translate(QPointF(left, shape.day_height + _GAP + 4))
        _draw(shape.document, painter, theme().colour("faint"))

    def _paint_turn(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        turn: Turn,
        shape: _Shape,
        index: _Index,
    ) -> None:
        mirrored = _is_mirrored(option)
        if shape.name_height:
            colour = theme().series_colour(index.data(COLOUR_ROLE))
            self._paint_head(painter, turn, shape, colour, mirrored=mirrored)
        bubble = shape.bubble(mirrored=mirrored)
        marks: Marks = index.data(MARKS_ROLE)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        shown = selected or marks.quote is not None
        painter.setPen(theme().colour("accent" if shown else "line"))
        own = turn.role is Role.USER
        painter.setBrush(theme().colour("bubble_own" if own else "bubble"))
        painter.drawRoundedRect(bubble, 10, 10)
        if facts := index.data(MARGIN_ROLE):
            _paint_margin(painter, _margin_box(shape, mirrored=mirrored), len(facts))
        painter.translate(QPointF(bubble.left() + _PAD, bubble.top() + 5))
        tone = "text" if turn.kind is TurnKind.MESSAGE else "muted"
        _draw(shape.document, painter, theme().colour(tone))

    def _paint_head(
        self, painter: QPainter, turn: Turn, shape: _Shape, colour: QColor, *, mirrored: bool
    ) -> None:
        size = shape.avatar - 4
        left = shape.width - _PAD - size if mirrored else _PAD
        box = QRectF(left, shape.day_height + 4, size, size)
        paint_avatar(painter, box, turn.speaker, colour)
        font = scaled_font(0.92)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(colour)
        begins = shape.left - _PAD + 2
        room = shape.width - begins - _PAD
        metrics = QFontMetrics(font)
        clock = _head_note(turn)
        clock_px = metrics.horizontalAdvance(clock) + 16
        speaker = metrics.elidedText(turn.speaker, Qt.TextElideMode.ElideRight, room - clock_px)
        line = QRectF(0 if not mirrored else _PAD, shape.day_height + 2, room, shape.name_height)
        line.moveLeft(_PAD if mirrored else begins)
        way = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        # Absolute: the painter would turn left and right around once more.
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute | way
        painter.drawText(line, flags, speaker)
        after = metrics.horizontalAdvance(speaker) + 10
        painter.setFont(scaled_font(0.85))
        painter.setPen(theme().colour("faint"))
        rest = line.adjusted(0, 0, -after, 0) if mirrored else line.adjusted(after, 0, 0, 0)
        painter.drawText(rest, flags, clock)


def _margin_box(shape: _Shape, *, mirrored: bool) -> QRectF:
    bubble = shape.bubble(mirrored=mirrored)
    left = bubble.left() - _MARGIN_PX if mirrored else bubble.right() + 4
    return QRectF(left, bubble.top(), _MARGIN_PX - 4, min(bubble.height(), _MARGIN_PX))


def _paint_margin(painter: QPainter, box: QRectF, count: int) -> None:
    """Draw the sign that facts rest on this turn: how many, in a small leaf."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().colour("accent_soft"))
    painter.drawRoundedRect(box, 5, 5)
    painter.setPen(theme().colour("accent"))
    font = scaled_font(0.8)
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{count}")


def _head_note(turn: Turn) -> str:
    clock = ""
    if turn.said_at_ms is not None:
        clock = f"{local(turn.said_at_ms, turn.offset_minutes):%H:%M}"
    if turn.kind is TurnKind.ALTERNATIVE:
        return f"{clock}  {tr('turn.alternative')}"
    return clock


def _draw(document: QTextDocument, painter: QPainter, colour: QColor) -> None:
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette.setColor(QPalette.ColorRole.Text, colour)
    document.documentLayout().draw(painter, context)


def _is_mirrored(option: QStyleOptionViewItem) -> bool:
    return bool(option.direction == Qt.LayoutDirection.RightToLeft)


def _width_of(option: QStyleOptionViewItem) -> int:
    widget = option.widget
    if isinstance(widget, QAbstractScrollArea):
        return widget.viewport().width()
    return int(option.rect.width())
