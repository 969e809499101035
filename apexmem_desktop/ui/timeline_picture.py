"""A timeline as a PNG, exactly as the window draws it; needs no screen."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QWidget

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.parts import column, label
from apexmem_desktop.ui.theme import apply_theme
from apexmem_desktop.ui.timeline_plot import TimelinePlot
from apexmem_desktop.ui.timeline_words import without_name
from apexmem_desktop.ui.translation import set_language, tr_count

_LEAST_HEIGHT_PX = 240
_HEAD_PX = 110


def write_timeline_png(
    entity: Entity,
    items: Sequence[TimelineItem],
    path: Path,
    *,
    now_ms: int,
    offset_minutes: int = 0,
    language: str = "en",
    theme: str = "light",
    width_px: int = 1400,
) -> Path:
    """Draw an entity's timeline into a file and return its path.

    Args:
        now_ms: Where values that have not ended stop.
        offset_minutes: Offset from UTC of the calendar on the axis.

    Raises:
        UserError: The file cannot be written.
    """
    app = offscreen_app()
    set_language(language)
    apply_theme(app, theme)
    page, plot = _page(entity, items, now_ms, offset_minutes)
    page.resize(width_px, max(_LEAST_HEIGHT_PX, plot.wished_height) + _HEAD_PX)
    save_picture(page, path)
    page.deleteLater()
    QCoreApplication.sendPostedEvents(page, QEvent.Type.DeferredDelete)
    return path


def offscreen_app() -> QApplication:
    """Give the running application, or one that needs no screen."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    qInstallMessageHandler(_tell)
    return QApplication(["apexmem"])


def save_picture(widget: QWidget, path: Path) -> None:
    """Lay a widget out and save what it looks like.

    Raises:
        UserError: The file cannot be written.
    """
    if not widget.isVisible():
        widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        widget.show()
    # Twice: the first pass lets layouts settle their sizes, the second draws with them.
    QApplication.processEvents()
    QApplication.processEvents()
    path.parent.mkdir(parents=True, exist_ok=True)
    if not widget.grab().save(str(path), "PNG"):
        raise UserError(
            f"The picture {path} cannot be written.",
            hint="Check that the folder is yours to write and the disk has room.",
        )


def write_svg(plot: TimelinePlot, path: Path) -> None:
    """Save a timeline as lines and letters, sharp at every size.

    Raises:
        UserError: The file cannot be written.
    """
    drawing = QSvgGenerator()
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    drawing.setOutputDevice(buffer)
    drawing.setSize(plot.size())
    drawing.setViewBox(plot.rect())
    painter = QPainter(drawing)
    plot.draw_into(painter)
    painter.end()
    _write(path, bytes(buffer.data().data()))


def write_calendar(name: str, items: Sequence[TimelineItem], now_ms: int, path: Path) -> None:
    """Save what happened and what is planned as a calendar.

    Raises:
        UserError: The file cannot be written.
    """
    from apexmem_desktop.services.export_ics import spell_calendar

    _write(path, spell_calendar(name, items, now_ms)[0].encode())


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise UserError(
            f"The file {path} cannot be written.",
            hint="Check that the folder is yours to write and the disk has room.",
        ) from error


def _tell(_kind: QtMsgType, _where: QMessageLogContext, text: str) -> None:
    """Pass on what Qt says, but for the one thing it says of every window without a screen."""
    if "propagateSizeHints" not in text:
        sys.stderr.write(f"{text}\n")


def _page(
    entity: Entity, items: Sequence[TimelineItem], now_ms: int, offset_minutes: int
) -> tuple[QWidget, TimelinePlot]:
    page = QWidget()
    page.setObjectName("page")
    page.setAutoFillBackground(True)
    layout = column(page, spacing=12, margin=24)
    layout.addWidget(label(entity.name, size=1.7, bold=True))
    layout.addWidget(label(tr_count("timeline.items", len(items)), tone="muted"))
    plot = TimelinePlot(offset_minutes)
    plot.show_items(without_name(items, entity.name), now_ms)
    layout.addWidget(plot, 1)
    return page, plot
