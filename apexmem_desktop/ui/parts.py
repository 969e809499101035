"""The small parts that places are put together from: labels, buttons, cards, columns."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from apexmem_desktop.ui.icons import icon
from apexmem_desktop.ui.theme import scaled, sized

B = TypeVar("B", bound=QAbstractButton)

PAGE_MARGIN, LIST_MARGIN = 32, 16  # of a page, of a list beside one
_READING_WIDTH = 860
_FROM_THE_RIGHT = (
    Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
)
_SIGN_PX, _ICON_PX = 48, 18


def label(text: str = "", *, tone: str = "", size: float = 1.0, bold: bool = False) -> QLabel:
    """Make a label that wraps and whose text can be selected."""
    made = QLabel(text)
    made.setWordWrap(True)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    made.setProperty("tone", tone)
    if QApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft:
        # Words that can be selected would begin where their own language begins.
        made.setAlignment(_FROM_THE_RIGHT)
    sized(made, size, bold=bold)
    return made


def short_label(text: str = "", *, tone: str = "", size: float = 1.0, bold: bool = False) -> QLabel:
    """Make a one-line label that is as wide as its text."""
    made = label(text, tone=tone, size=size, bold=bold)
    made.setWordWrap(False)
    return made


def form_name(text: str, field: QWidget | None = None, *, tone: str = "") -> QLabel:
    """Make a name that stands in the middle of the line of its field in a form.

    By itself Qt lets it stand somewhat above, as it were one of several lines.
    """
    made = short_label(text, tone=tone)
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
    if field is not None:
        made.setBuddy(field)
    return made


def button(
    text: str, on_click: Callable[[], None], *, kind: str = "", icon_name: str = ""
) -> QPushButton:
    """Make a push button; kinds are main, plain, link, chip, example."""
    made = QPushButton(as_it_is(text))
    made.setProperty("kind", kind)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    if icon_name:
        made.setIcon(icon(icon_name, "on_accent" if kind == "main" else "muted"))
        made.setIconSize(QSize(scaled(_ICON_PX), scaled(_ICON_PX)))
    return _wired(made, on_click)


def as_it_is(text: str) -> str:
    """Let a button or a menu show "Joanna & Nate": by itself it takes the sign for a key."""
    return text.replace("&", "&&")


def icon_button(name: str, tip: str, on_click: Callable[[], None]) -> QToolButton:
    """Make a button that is only an icon, with a name for screen readers."""
    made = QToolButton()
    made.setIcon(icon(name))
    made.setIconSize(QSize(scaled(_ICON_PX), scaled(_ICON_PX)))
    made.setToolTip(tip)
    made.setAccessibleName(tip)
    return _wired(made, on_click)


def card(name: str = "card", *, spacing: int = 10, margin: int = 18) -> tuple[QFrame, QVBoxLayout]:
    """Make a framed column; names are card, quiet, warning."""
    frame = QFrame()
    frame.setObjectName(name)
    return frame, column(frame, spacing=spacing, margin=margin)


def rule() -> QFrame:
    """Make a thin line between things."""
    made = QFrame()
    made.setObjectName("rule")
    return made


def column(owner: QWidget, *, spacing: int = 10, margin: int = 0) -> QVBoxLayout:
    """Give a widget a vertical layout."""
    layout = QVBoxLayout(owner)
    layout.setContentsMargins(margin, margin, margin, margin)
    layout.setSpacing(spacing)
    return layout


def row(*things: QWidget | int, spacing: int = 8) -> QHBoxLayout:
    """Lay widgets side by side; 0 is a stretch."""
    layout = QHBoxLayout()
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    for thing in things:
        if isinstance(thing, int):
            layout.addStretch(1)
        else:
            layout.addWidget(thing)
    return layout


def heading(title: str, subtitle: str = "") -> QVBoxLayout:
    """Make a place's title with a line below it."""
    layout = QVBoxLayout()
    layout.setSpacing(4)
    layout.addWidget(label(title, size=1.75, bold=True))
    if subtitle:
        layout.addWidget(label(subtitle, tone="muted"))
    return layout


def centred(content: QWidget) -> QWidget:
    """Keep a widget in the middle, no wider than is good to read."""
    content.setObjectName("page")
    content.setMaximumWidth(scaled(_READING_WIDTH))
    holder = QWidget()
    holder.setObjectName("page")
    across = QHBoxLayout(holder)
    across.setContentsMargins(0, 0, 0, 0)
    across.addStretch(1)
    across.addWidget(content, 100)
    across.addStretch(1)
    return holder


def scrolling(content: QWidget) -> QScrollArea:
    """Put a widget into a vertical scroll area, no wider than is good to read."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(centred(content))
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


def empty_page(icon_name: str, title: str, words: str, *actions: QWidget) -> QWidget:
    """Make a page for where there is nothing yet: a sign, what will be here, and how to get it."""
    page = QWidget()
    layout = column(page, spacing=10, margin=PAGE_MARGIN)
    sign = label()
    sign.setPixmap(icon(icon_name, "faint").pixmap(scaled(_SIGN_PX), scaled(_SIGN_PX)))
    layout.addStretch(2)
    texts = [label(title, size=1.4, bold=True)] if title else []
    for made in (sign, *texts, label(words, tone="muted")):
        made.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(made)
    layout.addSpacing(6)
    layout.addLayout(row(0, *actions, 0))
    layout.addStretch(3)
    return page


def begin_at_start(line: QLineEdit) -> None:
    """Let a line begin where the window's lines begin, also while it is empty.

    By itself an empty line begins where the keyboard's language does.
    """
    if QApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft:
        line.setAlignment(_FROM_THE_RIGHT)


def needed_height(layout: QVBoxLayout, width: int) -> int:
    """Tell how high a column is at least, its words broken as at this width.

    Qt's own answer breaks no words; what is too low then stands on one another.
    """
    margins = layout.contentsMargins()
    room = width - margins.left() - margins.right()
    heights = []
    for number in range(layout.count()):
        item = layout.itemAt(number)
        widget = item.widget() if item is not None else None
        if item is None or (widget is not None and widget.isHidden()):
            continue
        if isinstance(widget, QAbstractScrollArea) or not item.hasHeightForWidth():
            heights.append(item.minimumSize().height())
        else:
            heights.append(item.heightForWidth(room))
    gaps = layout.spacing() * max(0, len(heights) - 1)
    return sum(heights) + gaps + margins.top() + margins.bottom()


def find_anywhere(box: QComboBox, chars: int = 0) -> None:
    """Let the user type any part of what a long list holds.

    Args:
        chars: How wide the box is; 0 for as wide as its longest entry. To measure every entry of
            some hundreds, again with each new layout, halts the window.
    """
    if chars:
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(chars)
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    if line := box.lineEdit():
        begin_at_start(line)
    if completer := box.completer():
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)


def grow_from(box: QComboBox, least_px: int) -> None:
    """Let a box take the width there is, and be cut rather than be wider than that."""
    box.setMinimumWidth(least_px)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


def clear(layout: QLayout) -> None:
    """Take out and delete all that a layout holds, layouts inside it too."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        if inner is not None:
            clear(inner)


def restyle(widget: QWidget) -> None:
    """Let the style sheet see a property that changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def growing(widget: QWidget) -> QWidget:
    """Let a widget take the room that is left."""
    widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    return widget


def _wired(made: B, on_click: Callable[[], None]) -> B:
    made.clicked.connect(lambda _checked=False: on_click())
    return made
