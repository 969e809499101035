"""Draws the facts of a card; thousands cost no more than the few that are seen."""

from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from apexmem_desktop.domain.graph import Fact, FactStatus
from apexmem_desktop.ui.copying import fact_markdown, offer_copies
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.fact_list import FACT_ROLE, FactListModel
from apexmem_desktop.ui.fact_words import beside_text, name_text
from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.rows import show_proof, validity_text
from apexmem_desktop.ui.theme import scaled, theme
from apexmem_desktop.ui.translation import tr

_Index = QModelIndex | QPersistentModelIndex
_PAD = 12
_ICON_PX = 18
_NAME_SHARE = 0.3
_SMALL = 0.9
_BATCH = 60
_BADGES = {
    FactStatus.CONTESTED: ("warn", "warn_soft"),
    FactStatus.PLANNED: ("accent", "accent_soft"),
}
_LEFT_TOP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_WRAPPED = _LEFT_TOP | Qt.TextFlag.TextWordWrap


class FactDelegate(QStyledItemDelegate):
    """Paints rows of a FactListModel."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Ask for the height that the value needs at this width."""
        line = QFontMetrics(QApplication.font()).height()
        fact: Fact | None = index.data(FACT_ROLE)
        if fact is None:
            return QSize(120, line + (3 if index.row() else 1) * _PAD)
        width = _width_of(option)
        value = _value_rect(QRect(0, 0, width, 10_000), fact)
        name = _name_rect(QRect(0, 0, width, 10_000), value, fact)
        return QSize(120, max(value.height() + line, name.height()) + _PAD + 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one row."""
        fact: Fact | None = index.data(FACT_ROLE)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if fact is None:
            painter.setFont(_font(1.05, bold=True))
            painter.setPen(theme().colour("text"))
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            painter.drawText(rect.adjusted(_PAD, 0, -_PAD, -6), flags, str(index.data()))
        else:
            self._back(painter, rect, option.state)
            self._fact(painter, rect, fact, option.direction)
        painter.restore()

    def _back(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.setPen(theme().colour("line"))
        ground = "accent_soft" if chosen else "hover" if over else "card"
        painter.setBrush(theme().colour(ground))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 1.5, -0.5, -1.5), 9, 9)

    def _fact(self, painter: QPainter, rect: QRect, fact: Fact, way: Qt.LayoutDirection) -> None:
        turned = partial(QStyle.visualRect, way, rect)
        value = _value_rect(rect, fact)
        painter.setFont(_font())
        painter.setPen(theme().colour("muted"))
        name = _name_rect(rect, value, fact)
        painter.drawText(turned(name), _WRAPPED, name_text(fact))
        painter.setFont(_font(bold=True))
        painter.setPen(theme().colour("text"))
        painter.drawText(turned(value), _WRAPPED, beside_text(fact))
        painter.setFont(_font(_SMALL))
        painter.setPen(theme().colour("muted"))
        below = QRect(value.left(), value.bottom() + 3, value.width() + 80, rect.height())
        painter.drawText(turned(below), _LEFT_TOP, validity_text(fact))
        if fact.status in _BADGES:
            self._badge(painter, rect, fact, way)
        icon("timeline").paint(painter, turned(icon_rect(rect)))

    def _badge(self, painter: QPainter, rect: QRect, fact: Fact, way: Qt.LayoutDirection) -> None:
        ink, ground = _BADGES[fact.status]
        font = _font(0.85, bold=True)
        text = tr(f"status.{fact.status.value}")
        metrics = QFontMetrics(font)
        width, height = metrics.horizontalAdvance(text) + 16, metrics.height() + 2
        right = icon_rect(rect).left() - _PAD
        there = QRect(right - width, rect.top() + _PAD // 2 + 2, width, height)
        where = QRectF(QStyle.visualRect(way, rect, there))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour(ground))
        painter.drawRoundedRect(where, 7, 7)
        painter.setPen(theme().colour(ink))
        painter.setFont(font)
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, text)


class FactView(QListView):
    """A click shows the proof; the sign at the right, or H, shows the history."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.facts = FactListModel()
        self._delegate = FactDelegate()
        self.setModel(self.facts)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        # All at once, a place where many live halts the window for a tenth of a second.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(24)
        self.activated.connect(self._on_activated)
        offer_copies(self, self.copied, lambda: self.copied(markdown=True))

    def copied(self, *, markdown: bool = False) -> str:
        """Write the chosen fact, or all of them where none is chosen."""
        chosen = [index for index in self.selectedIndexes() if index.data(FACT_ROLE) is not None]
        rows = chosen or [self.facts.index(row) for row in range(self.facts.rowCount())]
        return "\n".join(_copied_row(index, markdown=markdown) for index in rows)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open proof or history."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        fact: Fact | None = index.data(FACT_ROLE)
        if fact is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        row = self.visualRect(index)
        sign = QStyle.visualRect(self.layoutDirection(), row, icon_rect(row))
        if sign.adjusted(-6, -6, 6, 6).contains(event.pos()):
            self._show_history(fact)
        else:
            show_proof(self._desk, fact)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """H shows the history of the chosen fact."""
        fact: Fact | None = self.currentIndex().data(FACT_ROLE)
        if event.key() == Qt.Key.Key_H and fact is not None:
            self._show_history(fact)
            return
        super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Ask all heights again when the width changed: values wrap anew."""
        if event.type() == QEvent.Type.Resize:
            self.scheduleDelayedItemsLayout()
        return super().viewportEvent(event)

    def _on_activated(self, index: QModelIndex) -> None:
        fact: Fact | None = index.data(FACT_ROLE)
        if fact is not None:
            show_proof(self._desk, fact)

    def _show_history(self, fact: Fact) -> None:
        self._desk.history_asked.emit(fact.subject_id, fact.property)


def _copied_row(index: QModelIndex, *, markdown: bool) -> str:
    fact: Fact | None = index.data(FACT_ROLE)
    if fact is None or not markdown:
        return f"\n## {index.data()}\n" if markdown else str(index.data())
    return fact_markdown(fact)


def icon_rect(rect: QRect) -> QRect:
    """Give the place of the history sign in a row."""
    side = scaled(_ICON_PX)
    return QRect(rect.right() - _PAD - side, rect.center().y() - side // 2, side, side)


def _value_rect(rect: QRect, fact: Fact) -> QRect:
    """Where the value stands, as high as its words need."""
    left = rect.left() + round(rect.width() * _NAME_SHARE)
    right = icon_rect(rect).left() - _PAD - (scaled(90) if fact.status in _BADGES else 0)
    room = QRect(left, rect.top() + _PAD // 2 + 2, max(60, right - left), 10_000)
    height = QFontMetrics(_font(bold=True)).boundingRect(room, _WRAPPED, beside_text(fact)).height()
    return QRect(room.left(), room.top(), room.width(), height)


def _name_rect(rect: QRect, value: QRect, fact: Fact) -> QRect:
    """Where the property's name stands, beside the value."""
    width = value.left() - rect.left() - 2 * _PAD
    room = QRect(rect.left() + _PAD, value.top(), max(40, width), 10_000)
    name = name_text(fact)
    height = QFontMetrics(_font()).boundingRect(room, _WRAPPED, name).height()
    return QRect(room.left(), room.top(), room.width(), height)


def _font(factor: float = 1.0, *, bold: bool = False) -> QFont:
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def _width_of(option: QStyleOptionViewItem) -> int:
    widget = option.widget
    return widget.viewport().width() if isinstance(widget, QListView) else option.rect.width()
