"""All about one person or thing: names, what holds now, what is planned, what was before."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from apexmem_desktop.domain.graph import Entity, Fact, FactStatus
from apexmem_desktop.ui.dates import day_text
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import button, card, column, label, row
from apexmem_desktop.ui.rows import FactRow
from apexmem_desktop.ui.translation import tr, tr_count, tr_name
from apexmem_desktop.ui.turn_delegate import paint_avatar, speaker_colour

_SECTIONS = (
    ("people.now", (FactStatus.CURRENT, FactStatus.CONTESTED)),
    ("people.planned", (FactStatus.PLANNED,)),
    ("people.earlier", (FactStatus.PAST,)),
)


class EntityCard(QWidget):
    """Made anew for each entity."""

    def __init__(self, desk: Desk, entity: Entity, facts: tuple[Fact, ...]) -> None:
        super().__init__()
        layout = column(self, spacing=18)
        layout.addLayout(self._head(desk, entity))
        shown = False
        for key, statuses in _SECTIONS:
            of_section = [fact for fact in facts if fact.status in statuses]
            if of_section:
                layout.addWidget(_section(desk, tr(key), of_section))
                shown = True
        if not shown:
            layout.addWidget(label(tr("people.no_facts"), tone="muted"))

    def _head(self, desk: Desk, entity: Entity) -> QHBoxLayout:
        names = QWidget()
        inner = column(names, spacing=3)
        inner.addWidget(label(entity.name, size=1.7, bold=True))
        inner.addWidget(label(_about(entity), tone="muted"))
        if entity.aliases:
            text = tr("people.aliases", names=", ".join(entity.aliases))
            inner.addWidget(label(text, tone="muted", size=0.92))
        show = button(
            tr("people.timeline"),
            lambda: desk.timeline_asked.emit(entity.id),
            kind="main",
            icon_name="timeline",
        )
        line = row(Avatar(entity.name), names, show, spacing=16)
        line.setStretch(1, 1)
        return line


class Avatar(QWidget):
    """The round sign of a person or thing, large."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        side = self.fontMetrics().height() * 3
        self.setFixedSize(QSize(side, side))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sign."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        paint_avatar(painter, box, self._name, speaker_colour(self._name))
        painter.end()


def _about(entity: Entity) -> str:
    parts = [tr_name("type", entity.type), tr_count("people.mentions", entity.mention_count)]
    if entity.first_at_ms is not None:
        parts.append(tr("people.first", day=day_text(entity.first_at_ms)))
    if entity.last_at_ms is not None:
        parts.append(tr("people.last", day=day_text(entity.last_at_ms)))
    return " · ".join(parts)


def _section(desk: Desk, title: str, facts: list[Fact]) -> QFrame:
    frame, layout = card(spacing=2, margin=14)
    layout.addWidget(label(title, bold=True))
    layout.addSpacing(4)
    for fact in facts:
        layout.addWidget(FactRow(desk, fact))
    return frame
