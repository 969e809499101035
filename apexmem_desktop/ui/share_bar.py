"""A cell of a table that shows a share as a bar with its number."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from apexmem_desktop.ui.directions import one_way
from apexmem_desktop.ui.theme import scaled, theme

_BAR_PX, _HIGH_PX, _GAP_PX, _PAD_PX = 84, 6, 10, 6


class ShareDelegate(QStyledItemDelegate):
    """Paints the bar before the words; a cell without a share has its words alone."""

    def __init__(self, role: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._role = role

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint the cell's ground, the bar, and the number behind it."""
        self.initStyleOption(option, index)
        words, option.text = option.text, ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        room = option.rect.adjusted(_PAD_PX, 0, -_PAD_PX, 0)
        share = index.data(self._role)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        turned = option.direction is Qt.LayoutDirection.RightToLeft
        if share is not None:
            wide = min(scaled(_BAR_PX), room.width() // 2)
            left = room.right() - wide if turned else room.left()
            bar = QRectF(left, room.center().y() - scaled(_HIGH_PX) / 2, wide, scaled(_HIGH_PX))
            _paint_bar(painter, bar, float(share), turned=turned)
            gap = wide + _GAP_PX
            room = room.adjusted(0, 0, -gap, 0) if turned else room.adjusted(gap, 0, 0, 0)
        painter.setPen(theme().colour("text"))
        painter.setFont(option.font)
        side = Qt.AlignmentFlag.AlignRight if turned else Qt.AlignmentFlag.AlignLeft
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute | side
        painter.drawText(room, flags, one_way(words))
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Ask for the bar's room too."""
        size = super().sizeHint(option, index)
        return QSize(size.width() + scaled(_BAR_PX) + _GAP_PX + _PAD_PX, size.height())


def _paint_bar(painter: QPainter, bar: QRectF, share: float, *, turned: bool) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().colour("line_strong"))
    round_px = bar.height() / 2
    painter.drawRoundedRect(bar, round_px, round_px)
    full = QRectF(bar)
    if share <= 0:
        return
    full.setWidth(max(bar.height(), bar.width() * min(1.0, share)))  # a beginning is seen too
    if turned:
        full.moveRight(bar.right())
    painter.setBrush(theme().colour("accent"))
    painter.drawRoundedRect(full, round_px, round_px)
