"""How wide the columns of a table are: no word is cut where the room is enough for all words."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QFont, QFontMetrics

# What a line is not broken in: a Latin word, a Chinese character, a Chinese date.
_UNBROKEN = re.compile("(?:\\d+[年月日])+|[\u3400-\u9fff]|[^\\s\u3400-\u9fff]+")
_MEASURED_ROWS = 30
_MOST_CHARS = 16  # of a longer word, as an address is, the end may be cut
_SIGN_PX = 26
_STEPS = 12
_FIRST_COUNTS = 1.6


def least_width(rows: QAbstractItemModel, column: int, font: QFont) -> int:
    """Measure the longest word that stands in the first rows of a column, in pixels."""
    widest = 0
    most = QFontMetrics(font).averageCharWidth() * _MOST_CHARS
    for number in range(min(rows.rowCount(), _MEASURED_ROWS)):
        index = rows.index(number, column)
        own = index.data(Qt.ItemDataRole.FontRole)
        metrics = QFontMetrics(own if isinstance(own, QFont) else font)
        words = _UNBROKEN.findall(str(index.data() or ""))
        width = min(most, max(map(metrics.horizontalAdvance, words), default=0))
        sign = index.data(Qt.ItemDataRole.DecorationRole)
        widest = max(widest, width + (_SIGN_PX if sign is not None else 0))
    return widest


def shared_widths(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Share a room among columns: the widest give way first, and none to less than its least.

    The first column tells what a row is about: it gives way later, and takes what is left over.
    """

    def share(level: int) -> list[int]:
        levels = [round(level * _FIRST_COUNTS), *(level for _ in wanted[1:])]
        rows = zip(wanted, levels, least, strict=True)
        return [max(min(wish, most), own) for wish, most, own in rows]

    if not wanted:
        return []
    low, high = 0, max(wanted)
    for _ in range(_STEPS):
        level = (low + high + 1) // 2
        low, high = (level, high) if sum(share(level)) <= room else (low, level - 1)
    widths = share(low)
    widths[0] += max(0, room - sum(widths))
    return widths
