"""What a timeline is drawn with, made once and used for thousands of bars in a frame.

A rounded rectangle costs ten times as much as a plain one, a dashed pen fifty times, and words are
measured and shaped anew each time. So corners, words and lines broken in two are kept. A picture
for a file is drawn with the real pens, so that it stays sharp at every size.
"""

from dataclasses import dataclass, field

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QPaintEngine,
    QPainter,
    QPen,
    QStaticText,
    QTransform,
)

from apexmem_desktop.ui.avatar import paint_avatar, speaker_colour

_RADIUS = 6
_DASH_PX = 1.2
_MOST_KEPT = 8_192
_LEFT = Qt.AlignmentFlag.AlignLeft
_ON_PAPER = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


@dataclass
class Kept:
    """What one timeline has made so far; emptied when the font changes or it grows too large."""

    font_key: str = ""
    shapes: dict[tuple[str, bool], tuple[QStaticText, int]] = field(default_factory=dict)
    lines: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)
    corners: dict[tuple[int, int, float], QImage] = field(default_factory=dict)
    faces: dict[tuple[str, int, int, float], QImage] = field(default_factory=dict)

    def make_room(self, font_key: str) -> None:
        """Empty what no longer fits."""
        every = (self.shapes, self.lines, self.corners, self.faces)
        if font_key != self.font_key or max(len(one) for one in every) > _MOST_KEPT:
            for one in every:
                one.clear()
        self.font_key = font_key


class Ink:
    """Draws bodies, outlines and words for one pass of drawing.

    Attributes:
        metrics: Of the usual size of words.
    """

    def __init__(self, painter: QPainter, font: QFont, small: QFont, kept: Kept) -> None:
        self._painter = painter
        engine = painter.paintEngine()
        self._on_paper = engine.type() in _ON_PAPER
        self._device_px = painter.device().devicePixelRatio()
        self._fonts = {False: font, True: small}
        self.metrics = QFontMetrics(font)
        self._small_metrics = QFontMetrics(small)
        self._kept = kept
        kept.make_room(font.key())

    def body(self, box: QRectF, fill: QBrush, *, left: QColor | None, right: QColor | None) -> None:
        """Fill a bar.

        Args:
            left: The colour of its left corners, which are round; None where it fades out.
            right: The same at the right.
        """
        painter = self._painter
        if self._on_paper:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRoundedRect(box, _RADIUS, _RADIUS)
            return
        before, after = _RADIUS if left else 0, _RADIUS if right else 0
        painter.fillRect(box.adjusted(before, 0, -after, 0), fill)
        if left:
            self._corners(box.topLeft(), box.height(), left, at_right=False)
        if right:
            self._corners(
                QPointF(box.right() - _RADIUS, box.top()), box.height(), right, at_right=True
            )

    def _corners(self, at: QPointF, height: float, colour: QColor, *, at_right: bool) -> None:
        ratio = self._device_px
        key = (colour.rgba(), round(height), ratio)
        if key not in self._kept.corners:
            self._kept.corners[key] = _corner_image(*key)
        image = self._kept.corners[key]
        source = QRectF(_RADIUS * ratio if at_right else 0, 0, _RADIUS * ratio, image.height())
        self._painter.drawImage(QRectF(at.x(), at.y(), _RADIUS, height), image, source)

    def dashes(self, box: QRectF, colour: QColor) -> None:
        """Draw a dashed outline; on a screen its corners are left open."""
        painter = self._painter
        painter.setPen(QPen(colour, _DASH_PX, Qt.PenStyle.DashLine))
        if self._on_paper:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, _RADIUS, _RADIUS)
            return
        inner = box.adjusted(_RADIUS / 2, 0, -_RADIUS / 2, 0)
        sides = box.adjusted(0, _RADIUS, 0, -_RADIUS)
        painter.drawLines(
            [
                QLineF(inner.topLeft(), inner.topRight()),
                QLineF(inner.bottomLeft(), inner.bottomRight()),
                QLineF(sides.topLeft(), sides.bottomLeft()),
                QLineF(sides.topRight(), sides.bottomRight()),
            ]
        )

    def face(self, name: str, box: QRectF) -> None:
        """Draw the disc of a person into a square."""
        colour = speaker_colour(name)
        if self._on_paper:
            paint_avatar(self._painter, box, name, colour)
            return
        key = (name, round(box.height()), colour.rgb(), self._device_px)
        if key not in self._kept.faces:
            self._kept.faces[key] = _face_image(*key)
        self._painter.drawImage(box.topLeft(), self._kept.faces[key])

    def width(self, text: str) -> int:
        """Tell how wide some words are on one line, in pixels."""
        return self._shaped(text, small=False)[1]

    def line(self, text: str, where: QRectF) -> None:
        """Write on one line, in the middle of a box's height."""
        self._write(text, where, self.metrics, small=False)

    def two_lines(self, text: str, where: QRectF) -> None:
        """Write small on two lines; what is still too long is cut."""
        lines = self._broken(text, int(where.width()))
        height = self._small_metrics.lineSpacing()
        top = where.center().y() - height * len(lines) / 2
        for number, one in enumerate(lines):
            box = QRectF(where.left(), top + number * height, where.width(), height)
            self._write(one, box, self._small_metrics, small=True)

    def _write(self, text: str, where: QRectF, metrics: QFontMetrics, *, small: bool) -> None:
        self._painter.setFont(self._fonts[small])
        if self._on_paper:  # letters stay letters there, to be searched and copied
            self._painter.drawText(where, _LEFT | Qt.AlignmentFlag.AlignVCenter, text)
            return
        shaped, _ = self._shaped(text, small=small)
        top = where.center().y() - metrics.height() / 2
        self._painter.drawStaticText(QPointF(where.left(), top), shaped)

    def _shaped(self, text: str, *, small: bool) -> tuple[QStaticText, int]:
        known = self._kept.shapes.get((text, small))
        if known is not None:
            return known
        shaped = QStaticText(text)
        shaped.setTextFormat(Qt.TextFormat.PlainText)
        shaped.prepare(QTransform(), self._fonts[small])
        metrics = self._small_metrics if small else self.metrics
        made = self._kept.shapes[text, small] = (shaped, metrics.horizontalAdvance(text))
        return made

    def _broken(self, text: str, width: int) -> tuple[str, ...]:
        """Break at a word where one fits; what is still too long is cut, and its hint tells all."""
        known = self._kept.lines.get((text, width))
        if known is not None:
            return known
        metrics, words, first = self._small_metrics, text.split(" "), 0
        while metrics.horizontalAdvance(" ".join(words[: first + 1])) <= width:
            first += 1
            if first == len(words):
                break
        lines = (" ".join(words[:first]), " ".join(words[first:]))
        elide = Qt.TextElideMode.ElideRight
        made = tuple(metrics.elidedText(line, elide, width) for line in lines if line)
        self._kept.lines[text, width] = made
        return made


def _corner_image(rgba: int, height: int, ratio: float) -> QImage:
    """Draw a bar that is nothing but its corners."""
    side = round(2 * _RADIUS * ratio)
    image = QImage(side, round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor.fromRgba(rgba))
    radius = _RADIUS * ratio
    painter.drawRoundedRect(QRectF(0, 0, side, image.height()), radius, radius)
    painter.end()
    return image


def _face_image(name: str, side: int, rgb: int, ratio: float) -> QImage:
    image = QImage(
        round(side * ratio), round(side * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_avatar(painter, QRectF(0, 0, side, side), name, QColor.fromRgb(rgb))
    painter.end()
    return image
