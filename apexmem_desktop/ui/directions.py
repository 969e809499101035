"""Which way a text runs, and where its characters stand as Qt counts them."""

import html
import unicodedata

from PySide6.QtCore import Qt


def is_rtl(text: str) -> bool:
    """Whether a paragraph runs from right to left: its first strong character decides."""
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in {"R", "AL"}:
            return True
        if kind == "L":
            return False
    return False


def direction(text: str) -> Qt.LayoutDirection:
    """Give Qt's word for the way a paragraph runs."""
    return Qt.LayoutDirection.RightToLeft if is_rtl(text) else Qt.LayoutDirection.LeftToRight


def paragraphs_html(text: str) -> str:
    """Escape a text for a label, each paragraph in its own direction."""
    return "".join(
        f'<p dir="{"rtl" if is_rtl(line) else "ltr"}" style="margin:0 0 4px 0">'
        f"{html.escape(line) or '&nbsp;'}</p>"
        for line in text.split("\n")
    )


def utf16_length(text: str) -> int:
    """Count as Qt does: an emoji is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def one_way(text: str) -> str:
    """Keep a text as it is read, whichever way the window runs; a number is not turned around."""
    begins = "\u2068" if any(letter.isalpha() for letter in text) else "\u2066"
    return f"{begins}{text}\u2069"
