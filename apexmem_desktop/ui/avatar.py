"""The round sign of a person or thing: initials on a disc, in a colour that is always theirs."""

from zlib import crc32

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from apexmem_desktop.ui.theme import SERIES_COLOURS, theme

_TINT_ALPHA = 46
_ICON_PX = 22
_LETTER_SHARE = {1: 0.46, 2: 0.38}  # of the disc's height
_NAMELESS = "?"

_MARKS = "\u2066\u2067\u2068\u2069"  # around words that run the other way than the window


def initials(name: str) -> str:
    """Give what stands on a name's disc: two letters of two words, one of one, # of a number."""
    name = name.strip(_MARKS)
    words = [word for word in name.split() if word[0].isalnum()]
    if not words:
        return "#" if any(letter.isdigit() for letter in name) else (name.strip() or _NAMELESS)[0]
    if words[0][0].isdigit():
        return "#"
    first = words[0][0].upper()
    # Of a name in Chinese or Japanese the first character alone is what people use.
    if len(words) == 1 or (not first.isascii() and not first.isupper()):
        return first
    last = words[-1][0].upper()
    return first + last if last.isalpha() else first


def speaker_colour(speaker: str) -> QColor:
    """Give a person's colour: the same in every place and every run."""
    return theme().series_colour(free_colour(speaker, set()))


def free_colour(speaker: str, taken: set[int]) -> int:
    """Give the number of a speaker's colour: the same everywhere, unless it is taken here."""
    first = crc32(speaker.encode()) % SERIES_COLOURS
    numbers = [(first + step) % SERIES_COLOURS for step in range(SERIES_COLOURS)]
    return next((number for number in numbers if number not in taken), first)


def paint_avatar(painter: QPainter, box: QRectF, name: str, colour: QColor) -> None:
    """Draw the disc of a name into a square."""
    fill = QColor(colour)
    fill.setAlpha(_TINT_ALPHA)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawEllipse(box)
    painter.setPen(colour)
    letters = initials(name)
    font = QFont(QApplication.font())
    font.setPixelSize(max(6, round(box.height() * _LETTER_SHARE[len(letters)])))
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letters)


def avatar_icon(name: str) -> QIcon:
    """Give the disc of a name as an icon, for a list or a box of names."""
    ratio = 2  # sharp on every screen
    picture = QPixmap(_ICON_PX * ratio, _ICON_PX * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_avatar(painter, QRectF(0, 0, _ICON_PX, _ICON_PX), name, speaker_colour(name))
    painter.end()
    return QIcon(picture)


class Avatar(QWidget):
    """The disc of a person or thing, large."""

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        side = self.fontMetrics().height() * 3
        self.setFixedSize(side, side)

    def show_name(self, name: str) -> None:
        """Show another disc."""
        self._name = name
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the disc."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        paint_avatar(painter, box, self._name, speaker_colour(self._name))
        painter.end()
