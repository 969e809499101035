"""Rows that can be clicked or chosen by keyboard: a proof, a fact."""

from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.graph import Evidence, Fact, FactStatus
from apexmem_desktop.domain.wall import clock_of
from apexmem_desktop.ui.dates import day_text, held_text
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.directions import direction
from apexmem_desktop.ui.fact_words import beside_text, is_denied, name_text
from apexmem_desktop.ui.parts import icon_button, label, short_label
from apexmem_desktop.ui.translation import tr

W = TypeVar("W", bound=QWidget)

_SNIPPET_CHARS = 220
_NAME_SHARE, _VALUE_SHARE = 30, 70


class ClickRow(QFrame):
    """A frame that acts like a button and may hold other widgets."""

    clicked = Signal()

    def __init__(self, spoken: str) -> None:
        super().__init__()
        self.setObjectName("row")
        self.setAccessibleName(spoken)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click anywhere counts."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self.clicked.emit()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and space click."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
            return
        super().keyPressEvent(event)


class ProofRow(ClickRow):
    """One turn that proves or may prove something: who, when, and the words."""

    def __init__(self, desk: Desk, proof: Evidence | TurnHit, note: str = "") -> None:
        words = proof.text if isinstance(proof, TurnHit) else proof.quote
        day = day_text(proof.said_at_ms, proof.offset_minutes)
        super().__init__(f"{proof.speaker}, {day}: {words}")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 7, 10, 7)
        layout.setSpacing(1)
        head = " · ".join(part for part in (proof.speaker, day, note) if part)
        layout.addWidget(_still(label(head, tone="muted", size=0.9)))
        text = _still(label(shortened(words)))
        text.setAlignment(_alignment(words))
        layout.addWidget(text)
        self.clicked.connect(lambda: desk.spot_asked.emit(Spot.of(proof)))


class FactRow(ClickRow):
    """One fact: what, its value, since and until when; a click shows its proof.

    Args:
        with_badge: Say with a sign that it is contested, planned or rejected.
    """

    def __init__(self, desk: Desk, fact: Fact, *, with_badge: bool = True) -> None:
        name = name_text(fact)
        super().__init__(f"{name}: {beside_text(fact)}, {validity_text(fact)}")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 7, 6, 7)
        layout.setSpacing(12)
        what = _still(label(name, tone="muted"))
        layout.addWidget(what, _NAME_SHARE, Qt.AlignmentFlag.AlignTop)
        badge = status_badge(fact) if with_badge else None
        layout.addLayout(self._value_column(fact, badge), _VALUE_SHARE)
        history = icon_button(
            "timeline",
            tr("history.open"),
            lambda: desk.history_asked.emit(fact.subject_id, fact.property),
        )
        layout.addWidget(history, 0, Qt.AlignmentFlag.AlignTop)
        self.clicked.connect(lambda: show_proof(desk, fact))

    def _value_column(self, fact: Fact, badge: QLabel | None) -> QVBoxLayout:
        layout = QVBoxLayout()
        layout.setSpacing(2)
        first = QHBoxLayout()
        first.addWidget(_still(label(beside_text(fact), bold=True)), 1)
        if badge is not None:
            first.addWidget(badge, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(first)
        speakers = dict.fromkeys(proof.speaker for proof in fact.evidence if proof.speaker)
        note = " · ".join((validity_text(fact), *speakers))
        layout.addWidget(_still(label(note, tone="muted", size=0.9)))
        return layout


def show_proof(desk: Desk, fact: Fact) -> None:
    """Open the words that a fact rests on."""
    if fact.evidence:
        desk.spot_asked.emit(Spot.of(fact.evidence[0]))


def validity_text(fact: Fact) -> str:
    """Write from when to when a fact holds."""
    planned = fact.status is FactStatus.PLANNED
    return held_text(
        fact.valid_from,
        fact.effective_to,
        clock_of(fact.evidence),
        planned=planned,
        denied=is_denied(fact),
    )


def status_badge(fact: Fact) -> QLabel | None:
    """Make a small sign for a status that needs saying."""
    tones = {FactStatus.CONTESTED: "warn", FactStatus.PLANNED: "", FactStatus.REJECTED: "muted"}
    if fact.status not in tones:
        return None
    return badge(tr(f"status.{fact.status.value}"), tones[fact.status])


def badge(text: str, tone: str = "") -> QLabel:
    """Make a small coloured sign."""
    made = short_label(text, tone=tone, size=0.85, bold=True)
    made.setObjectName("badge")
    made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return made


def shortened(text: str) -> str:
    """Cut a long turn for a list; the whole is one click away."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _SNIPPET_CHARS else f"{flat[:_SNIPPET_CHARS].rstrip()}…"


def _still(widget: W) -> W:
    widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return widget


def _alignment(text: str) -> Qt.AlignmentFlag:
    turned = QApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
    rtl = turned or direction(text) is Qt.LayoutDirection.RightToLeft
    return Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft
