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
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from apexmem_desktop.domain.turn import Role, Turn, TurnKind
from apexmem_desktop.ui.dates import day_text, local
from apexmem_desktop.ui.desk import Spot
from apexmem_desktop.ui.directions import utf16_length
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr
from apexmem_desktop.ui.turn_list import (
    COLOUR_ROLE,
    MARK_ROLE,
    NEW_DAY_ROLE,
    SAME_SPEAKER_ROLE,
    TURN_ROLE,
    free_colour,
)

_Index = QModelIndex | QPersistentModelIndex
_PAD = 10
_GAP = 3
_KEPT_DOCUMENTS = 400
_WIDEST_CHARS = 78


@dataclass(frozen=True, slots=True)
class _Shape:
    """Where the pieces of one turn stand, from the top of its row."""

    day_height: int
    name_height: int
    avatar: int
    document: QTextDocument
    height: int


class TurnDelegate(QStyledItemDelegate):
    """Paints rows of a TurnListModel."""

    def __init__(self) -> None:
        super().__init__()
        self._documents: OrderedDict[tuple[object, ...], QTextDocument] = OrderedDict()

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Ask for the height that the words need at this width."""
        width = _width_of(option)
        return QSize(width, self._shape(index, width).height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one turn."""
        turn: Turn = index.data(TURN_ROLE)
        rect: QRect = option.rect
        shape = self._shape(index, rect.width())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(rect.topLeft())
        if shape.day_height:
            self._paint_day(painter, turn, rect.width(), shape.day_height)
        if _is_notice(turn):
            self._paint_notice(painter, turn, rect.width(), shape)
        else:
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_turn(painter, turn, shape, index, selected=selected)
        painter.restore()

    def _shape(self, index: _Index, width: int) -> _Shape:
        turn: Turn = index.data(TURN_ROLE)
        line = QFontMetrics(QApplication.font()).height()
        avatar = 0 if _is_notice(turn) else line + 12
        day = line + 22 if index.data(NEW_DAY_ROLE) and turn.said_at_ms is not None else 0
        goes_on = index.data(SAME_SPEAKER_ROLE) or _is_notice(turn)
        name = 0 if goes_on else line + 8
        room = width - avatar - 4 * _PAD
        widest = QFontMetrics(QApplication.font()).averageCharWidth() * _WIDEST_CHARS
        document = self._document(turn, index.data(MARK_ROLE), max(80, min(room, widest)))
        height = day + name + round(document.size().height()) + 2 * _GAP + 12
        return _Shape(day, name, avatar, document, height)

    def _document(self, turn: Turn, mark: Spot | None, width: int) -> QTextDocument:
        key = (turn.id, turn.text, mark, width, theme().name, QApplication.font().toString())
        if key in self._documents:
            self._documents.move_to_end(key)
            return self._documents[key]
        document = _make_document(turn, mark, width)
        self._documents[key] = document
        if len(self._documents) > _KEPT_DOCUMENTS:
            self._documents.popitem(last=False)
        return document

    def _paint_day(self, painter: QPainter, turn: Turn, width: int, height: int) -> None:
        painter.setPen(theme().colour("faint"))
        painter.setFont(_scaled(0.9))
        text = day_text(turn.said_at_ms, turn.offset_minutes)
        painter.drawText(QRect(0, 4, width, height - 8), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_notice(self, painter: QPainter, turn: Turn, width: int, shape: _Shape) -> None:
        left = max(0.0, (width - shape.document.idealWidth()) / 2)
        painter.translate(QPointF(left, shape.day_height + _GAP + 4))
        _draw(shape.document, painter, theme().colour("faint"))

    def _paint_turn(
        self, painter: QPainter, turn: Turn, shape: _Shape, index: _Index, *, selected: bool
    ) -> None:
        left = shape.avatar + 2 * _PAD
        top = shape.day_height
        if shape.name_height:
            colour = theme().series_colour(index.data(COLOUR_ROLE))
            self._paint_head(painter, turn, shape, left, colour)
            top += shape.name_height
        size = shape.document.size()
        wide = max(shape.document.idealWidth(), 24) + 2 * _PAD
        bubble = QRectF(left - _PAD, top + _GAP, wide, size.height() + 10)
        marked = index.data(MARK_ROLE) is not None
        painter.setPen(theme().colour("accent" if marked or selected else "line"))
        own = turn.role is Role.USER
        painter.setBrush(theme().colour("bubble_own" if own else "bubble"))
        painter.drawRoundedRect(bubble, 10, 10)
        painter.translate(QPointF(left, top + _GAP + 5))
        tone = "text" if turn.kind is TurnKind.MESSAGE else "muted"
        _draw(shape.document, painter, theme().colour(tone))

    def _paint_head(
        self, painter: QPainter, turn: Turn, shape: _Shape, left: int, colour: QColor
    ) -> None:
        box = QRectF(_PAD, shape.day_height + 4, shape.avatar - 4, shape.avatar - 4)
        paint_avatar(painter, box, turn.speaker, colour)
        font = _scaled(0.92)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(colour)
        line = QRectF(left - _PAD + 2, shape.day_height + 2, 2000, shape.name_height)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(line, flags, turn.speaker)
        after = QFontMetrics(font).horizontalAdvance(turn.speaker) + 10
        painter.setFont(_scaled(0.85))
        painter.setPen(theme().colour("faint"))
        painter.drawText(line.adjusted(after, 0, 0, 0), flags, _head_note(turn))


def speaker_colour(speaker: str) -> QColor:
    """Give a person's colour: the same in every place and every run."""
    return theme().series_colour(free_colour(speaker, set()))


def paint_avatar(painter: QPainter, box: QRectF, name: str, colour: QColor) -> None:
    """Draw the round sign of a person: the first letter on their colour."""
    fill = QColor(colour)
    fill.setAlpha(46)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawEllipse(box)
    painter.setPen(colour)
    font = _scaled(0.95)
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, (name.strip() or "?")[0].upper())


def _head_note(turn: Turn) -> str:
    clock = ""
    if turn.said_at_ms is not None:
        clock = f"{local(turn.said_at_ms, turn.offset_minutes):%H:%M}"
    if turn.kind is TurnKind.ALTERNATIVE:
        return f"{clock}  {tr('turn.alternative')}"
    return clock


def _make_document(turn: Turn, mark: Spot | None, width: int) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(_scaled(0.9) if _is_notice(turn) else QApplication.font())
    # Auto: each paragraph runs the way its first strong letter says.
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    document.setPlainText(_words(turn))
    if mark is not None and mark.end > mark.start and turn.text:
        _mark(document, turn.text, mark)
    # Only as wide as the words need, so that a bubble hugs them.
    document.setTextWidth(width)
    document.setTextWidth(min(width, document.idealWidth() + 1))
    return document


def _mark(document: QTextDocument, text: str, mark: Spot) -> None:
    cursor = QTextCursor(document)
    cursor.setPosition(utf16_length(text[: mark.start]))
    end = min(utf16_length(text[: mark.end]), document.characterCount() - 1)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    look = QTextCharFormat()
    look.setBackground(theme().colour("mark"))
    look.setForeground(theme().colour("mark_text"))
    cursor.mergeCharFormat(look)


def _words(turn: Turn) -> str:
    if turn.text:
        return turn.text
    files = ", ".join(turn.attachments)
    return files or tr(f"turn.{turn.kind.value}")


def _draw(document: QTextDocument, painter: QPainter, colour: QColor) -> None:
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette.setColor(QPalette.ColorRole.Text, colour)
    document.documentLayout().draw(painter, context)


def _scaled(factor: float) -> QFont:
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    return font


def _is_notice(turn: Turn) -> bool:
    return turn.kind is TurnKind.NOTICE or turn.role is Role.SYSTEM


def _width_of(option: QStyleOptionViewItem) -> int:
    widget = option.widget
    if isinstance(widget, QAbstractScrollArea):
        return widget.viewport().width()
    return int(option.rect.width())
