"""People and things as a list that Qt can show, each with its sign and how much is known."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from apexmem_desktop.domain.answers import DialogueSummary
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.reports import ConversationSummary
from apexmem_desktop.ui.avatar import avatar_icon, paint_avatar, speaker_colour
from apexmem_desktop.ui.dates import day_text
from apexmem_desktop.ui.directions import one_way
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr_count, tr_name

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_PAD = 10

VALUE_ROLE = Qt.ItemDataRole.UserRole
NOTE_ROLE = Qt.ItemDataRole.UserRole + 1
SIGN_ROLE = Qt.ItemDataRole.UserRole + 2  # whose sign, where that is not the title

Card = Entity | ConversationSummary | DialogueSummary


class CardListModel(QAbstractListModel):
    """Entities, conversations or dialogues, one a row. Holds values only."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Card, ...] = ()
        self._signs: dict[str, QIcon] = {}  # only of the rows that were looked at

    def show(self, rows: Sequence[Card]) -> None:
        """Replace everything shown."""
        self.beginResetModel()
        self._signs.clear()
        self._rows = tuple(rows)
        self.endResetModel()

    def find_row(self, card_id: int) -> int:
        """Give the row of an id, or -1."""
        return next((n for n, card in enumerate(self._rows) if card.id == card_id), -1)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Tell Qt how many rows there are."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell Qt about one row."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        card = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return title_of(card)
        if role == Qt.ItemDataRole.EditRole:
            return title_of(card)
        if role == Qt.ItemDataRole.DecorationRole and isinstance(card, Entity):
            return self._sign_of(card.name)
        if role == NOTE_ROLE:
            return note_of(card)
        if role == VALUE_ROLE:
            return card
        if role == Qt.ItemDataRole.ToolTipRole:
            return title_of(card)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{title_of(card)}, {note_of(card)}"
        return None

    def _sign_of(self, name: str) -> QIcon:
        if name not in self._signs:
            self._signs[name] = avatar_icon(name)
        return self._signs[name]


class CardDelegate(QStyledItemDelegate):
    """Draws a round sign, a name and a line of muted words."""

    def __init__(self, parent: QObject, *, with_sign: bool = True) -> None:
        super().__init__(parent)
        self._with_sign = with_sign

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Room for two lines of text."""
        line = QFontMetrics(QApplication.font()).height()
        return QSize(120, line * 2 + 2 * _PAD + 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one row."""
        rect: QRect = option.rect.adjusted(0, 2, 0, -2)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._back(painter, rect, state)
        title = str(index.data())
        side = rect.height() - 2 * _PAD if self._with_sign else -_PAD
        turned = partial(QStyle.visualRect, option.direction, rect)
        if self._with_sign:
            box = QRectF(turned(QRect(rect.left() + _PAD, rect.top() + _PAD, side, side)))
            name = str(index.data(SIGN_ROLE) or title)
            paint_avatar(painter, box, name, speaker_colour(name))
        words = turned(rect.adjusted(side + 2 * _PAD + 2, _PAD - 2, -_PAD, -_PAD + 2))
        self._words(painter, words, title, str(index.data(NOTE_ROLE)))
        painter.restore()

    def _back(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        if not chosen and not over:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("accent_soft" if chosen else "hover"))
        painter.drawRoundedRect(rect, 9, 9)

    def _words(self, painter: QPainter, rect: QRect, title: str, note: str) -> None:
        font = QFont(QApplication.font())
        font.setWeight(QFont.Weight.DemiBold)
        small = QFont(QApplication.font())
        small.setPointSizeF(small.pointSizeF() * 0.88)
        half = rect.height() // 2
        lines = (
            (font, "text", title, rect.adjusted(0, 0, 0, -half)),
            (small, "muted", note, rect.adjusted(0, half, 0, 0)),
        )
        for one, tone, text, where in lines:
            painter.setFont(one)
            painter.setPen(theme().colour(tone))
            text = one_way(text)
            shown = QFontMetrics(one).elidedText(text, Qt.TextElideMode.ElideRight, where.width())
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(where, flags, shown)


def title_of(card: Card) -> str:
    """Give what a row is called."""
    return card.name if isinstance(card, Entity) else card.title


def note_of(card: Card) -> str:
    """Give the muted line below."""
    if isinstance(card, Entity):
        parts = [tr_name("type", card.type), tr_count("people.facts", card.fact_count)]
        return " · ".join(parts)
    if isinstance(card, DialogueSummary):
        asked = tr_count("dialogue.questions", card.questions) if card.questions > 1 else ""
        return " · ".join(filter(None, (day_text(card.last_asked_at_ms), asked)))
    notes = (day_text(card.last_at_ms), tr_count("conversations.turns", card.turns))
    return " · ".join(filter(None, notes))
