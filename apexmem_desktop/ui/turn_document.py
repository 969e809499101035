"""The words of one turn laid out: their direction, code as code, and what is marked in them."""

import re
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QApplication

from apexmem_desktop.domain.turn import Role, Turn, TurnKind
from apexmem_desktop.ui.desk import Spot
from apexmem_desktop.ui.directions import utf16_length
from apexmem_desktop.ui.theme import theme
from apexmem_desktop.ui.translation import tr

# A fenced block up to its end or the end of the text, or words between single back quotes.
_CODE = re.compile(r"```.*?(?:```|\Z)|(?<!`)`[^`\n]+`(?!`)", re.DOTALL)
_MOST_FOUND = 200


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked in a turn's words.

    Attributes:
        quote: The words that prove something, where somebody wants to see them.
        chosen: The words that the user selected.
        proofs: Pairs of offsets: words that facts rest on, shown quietly.
        found: What was searched for.
    """

    quote: Spot | None = None
    chosen: Spot | None = None
    proofs: tuple[tuple[int, int], ...] = ()
    found: str = ""


NO_MARKS = Marks()


def make_document(turn: Turn, marks: Marks, width: int) -> QTextDocument:
    """Lay a turn's words out, no wider than they need."""
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(scaled_font(0.9) if is_notice(turn) else QApplication.font())
    # Auto: each paragraph runs the way its first strong letter says.
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    document.setPlainText(shown_words(turn))
    if turn.text:
        _dress_code(document, turn.text)
        _mark_all(document, turn.text, marks)
    # Only as wide as the words need, so that a bubble hugs them.
    document.setTextWidth(width)
    document.setTextWidth(min(width, document.idealWidth() + 1))
    return document


def shown_words(turn: Turn) -> str:
    """Give a turn's words, or what stood there without words."""
    if turn.text:
        return turn.text
    files = tr("common.joint").join(turn.attachments)
    return files or tr(f"turn.{turn.kind.value}")


def is_notice(turn: Turn) -> bool:
    """Whether it is the messenger's own word."""
    return turn.kind is TurnKind.NOTICE or turn.role is Role.SYSTEM


def scaled_font(factor: float) -> QFont:
    """Scale the application's font."""
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    return font


def character_at(text: str, position: int) -> int:
    """Turn Qt's count (an emoji is two) into an offset in characters."""
    encoded = text.encode("utf-16-le", "surrogatepass")[: position * 2]
    return len(encoded.decode("utf-16-le", "ignore"))


def _mark_all(document: QTextDocument, text: str, marks: Marks) -> None:
    for start, end in marks.proofs:
        quiet = QTextCharFormat()
        quiet.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        quiet.setUnderlineColor(theme().colour("accent"))
        _format(document, text, start, end, quiet)
    if marks.found:
        places = re.finditer(re.escape(marks.found), text, re.IGNORECASE)
        for _, place in zip(range(_MOST_FOUND), places, strict=False):
            _format(document, text, *place.span(), _mark_format())
    for spot, look in ((marks.quote, _mark_format()), (marks.chosen, _chosen_format())):
        if spot is not None and spot.end > spot.start:
            _format(document, text, spot.start, spot.end, look)


def _mark_format() -> QTextCharFormat:
    look = QTextCharFormat()
    look.setBackground(theme().colour("mark"))
    look.setForeground(theme().colour("mark_text"))
    return look


def _chosen_format() -> QTextCharFormat:
    look = QTextCharFormat()
    look.setBackground(theme().colour("accent"))
    look.setForeground(theme().colour("on_accent"))
    return look


def _dress_code(document: QTextDocument, text: str) -> None:
    """Set code in letters of one width; it runs from left to right whatever stands around it."""
    if "`" not in text:
        return
    look = QTextCharFormat()
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    look.setFontFamilies([fixed.family()])
    look.setFontFixedPitch(True)
    look.setBackground(theme().colour("raised"))
    fence = QTextCharFormat()
    fence.setForeground(theme().colour("faint"))
    for place in _CODE.finditer(text):
        start, end = place.span()
        _format(document, text, start, end, look)
        if place.group().startswith("```"):
            _format(document, text, start, start + 3, fence)
            if place.group().endswith("```") and end - start > 3:
                _format(document, text, end - 3, end, fence)
            _from_left(document, text, start, end)


def _from_left(document: QTextDocument, text: str, start: int, end: int) -> None:
    way = QTextBlockFormat()
    way.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    _cursor(document, text, start, end).mergeBlockFormat(way)


def _format(
    document: QTextDocument, text: str, start: int, end: int, look: QTextCharFormat
) -> None:
    _cursor(document, text, start, end).mergeCharFormat(look)


def _cursor(document: QTextDocument, text: str, start: int, end: int) -> QTextCursor:
    last = document.characterCount() - 1
    cursor = QTextCursor(document)
    cursor.setPosition(min(utf16_length(text[:start]), last))
    cursor.setPosition(min(utf16_length(text[:end]), last), QTextCursor.MoveMode.KeepAnchor)
    return cursor
