"""One question with its answer: evidence at once, then words, then what proves them."""

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from apexmem_desktop.domain.answers import (
    Answer,
    Citation,
    Conflict,
    EvidenceFound,
    SummaryPart,
    TurnHit,
)
from apexmem_desktop.domain.errors import ModelMissingError
from apexmem_desktop.ui.answer_words import answer_markdown, answer_text, citation_text
from apexmem_desktop.ui.dates import day_text, offset_of
from apexmem_desktop.ui.desk import Desk, Spot
from apexmem_desktop.ui.directions import paragraphs_html
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.flow_layout import FlowLayout
from apexmem_desktop.ui.parts import button, card, clear, column, label, row
from apexmem_desktop.ui.rows import FactRow, ProofRow, shortened
from apexmem_desktop.ui.theme import sized
from apexmem_desktop.ui.trace_view import TraceView
from apexmem_desktop.ui.translation import tr, tr_count, tr_name
from apexmem_desktop.ui.wrong_view import WrongView

_SHOWN_HITS = 4
_SHORT_CHARS = 60
_NUMBER = re.compile(r"\[(\d{1,3})\]")

_FOOT_GAP_PX = 12  # between links


class AnswerCard(QFrame):
    """Grows as the news of one question come in."""

    asked_again = Signal(str)
    asked_as_of = Signal(str)

    def __init__(self, desk: Desk, question: str, as_of_ms: int | None = None) -> None:
        super().__init__()
        self.setObjectName("card")
        self._desk = desk
        self.question = question
        self._as_of_ms = as_of_ms
        self.answer: Answer | None = None
        self._streamed = ""
        self._sentences: list[str] = []
        self._cited: dict[int, Citation] = {}
        self._state = label(tr("ask.looking"), tone="muted")
        self._text = self._linked_label(1.1)
        self._summary = self._linked_label(1.0)
        self._evidence = QVBoxLayout()
        self._proofs = QVBoxLayout()
        self._lay_out()

    def _lay_out(self) -> None:
        layout = column(self, spacing=12, margin=20)
        layout.addWidget(label(self.question, tone="muted", size=1.05))
        if self._as_of_ms is not None:
            day = day_text(self._as_of_ms, offset_of(self._desk.memory.zone(), self._as_of_ms))
            layout.addWidget(label(tr("ask.for_day", day=day), tone="accent"))
        layout.addWidget(self._text)
        layout.addWidget(self._summary)
        layout.addLayout(self._proofs)
        layout.addWidget(self._state)
        layout.addLayout(self._evidence)
        self._evidence.setSpacing(2)
        self._proofs.setSpacing(12)
        self._text.hide()
        self._summary.hide()

    def _linked_label(self, size: float) -> QLabel:
        """Make a label whose [n] open their source; it is reached by keyboard too."""
        made = label(size=size)
        made.setTextFormat(Qt.TextFormat.RichText)
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        made.linkActivated.connect(self._on_link)
        return made

    def show_evidence(self, found: EvidenceFound) -> None:
        """Show what a search found, before the model has said a word."""
        seconds = f"{found.ms / 1000:.1f}"
        self._state.setText(tr_count("ask.found", len(found.hits), seconds=seconds))
        self._list_hits(found.hits)

    def add_words(self, text: str) -> None:
        """Add streamed words."""
        self._streamed += text
        self._show_text(self._streamed)

    def add_sentence(self, part: SummaryPart) -> None:
        """Add one more sentence of what proves the answer; its numbers open their turns at once."""
        self._sentences.append(part.text)
        self._cited |= {one.number: one for one in part.citations}
        self._summary.setText(_linked(" ".join(self._sentences)))
        self._summary.show()

    def show_reading(self, turns: int) -> None:
        """Say how many of the turns found the model is reading now."""
        self._state.setText(tr_count("ask.reading", turns))

    def show_step(self, tool: str) -> None:
        """Say what is being looked up."""
        self._state.setText(tr("ask.step", tool=tr_name("tool", tool)))

    def show_answer(self, answer: Answer) -> None:
        """Show the finished answer with all that proves it."""
        self.answer = answer
        self._cited = {one.number: one for one in answer.citations}
        if not answer.answer and not answer.abstained:
            self.show_evidence_only(answer)
            return
        self._state.hide()
        self._show_words(answer)
        clear(self._proofs)
        if answer.citations:
            self._proofs.addWidget(_chips(self._desk, answer.citations))
        for conflict in answer.conflicts:
            self._proofs.addWidget(_conflict(self._desk, conflict))
        if answer.citations:
            clear(self._evidence)
        elif answer.evidence:
            self._state.setText(tr("ask.nearest"))
            self._state.show()
            self._list_hits(answer.evidence)
        self._add_foot(answer)

    def show_evidence_only(self, answer: Answer) -> None:
        """Show what was found, where there is no model to put it into words."""
        self.answer = answer
        self._state.setText(tr("ask.no_model"))
        self._list_hits(answer.evidence)
        self._evidence.addLayout(
            row(button(tr("ask.get_model"), lambda: self._desk.place_asked.emit("models")), 0)
        )

    def show_stopped(self) -> None:
        """Say that the user stopped it."""
        self._state.setText(tr("ask.stopped"))
        self._offer_again()

    def show_error(self, error: BaseException) -> None:
        """Say what went wrong and what to do."""
        missing = isinstance(error, ModelMissingError)
        self._state.setText(tr("ask.no_model") if missing else error_text(error))
        self._offer_again()

    def _offer_again(self) -> None:
        again = button(tr("ask.again"), lambda: self.asked_again.emit(self.question))
        self._evidence.addLayout(row(again, 0))

    def _show_words(self, answer: Answer) -> None:
        """Show the answer itself first and large, then the sentence that tells it in full."""
        short = tr("ask.nothing") if answer.abstained else answer.answer
        is_short = len(short) <= _SHORT_CHARS
        sized(self._text, 1.55 if is_short else 1.15, bold=is_short)
        self._show_text(short or tr("ask.nothing"))
        told = _NUMBER.sub("", answer.summary).strip()
        self._summary.setText(_linked(answer.summary))
        self._summary.setVisible(bool(told) and told != _NUMBER.sub("", short).strip())

    def _show_text(self, text: str) -> None:
        self._text.setText(_linked(text))
        self._text.show()

    def _list_hits(self, hits: tuple[TurnHit, ...]) -> None:
        clear(self._evidence)
        for hit in hits[:_SHOWN_HITS]:
            self._evidence.addWidget(ProofRow(self._desk, hit))

    def _add_foot(self, answer: Answer) -> None:
        self.trace = trace = TraceView(self._desk, answer)
        how = button(tr("trace.open"), trace.toggle, kind="link")
        copy = button(tr("ask.copy"), lambda: _copy(answer_text(answer)), kind="link")
        marked = button(tr("ask.markdown"), lambda: _copy(answer_markdown(answer)), kind="link")
        question = answer.question
        as_of = button(tr("ask.as_of_other"), lambda: self.asked_as_of.emit(question), kind="link")
        foot = [how, copy, marked, as_of]
        self.wrong = wrong = WrongView(self._desk, answer)
        wrong.hide()
        wrong.asked_again.connect(lambda: self.asked_again.emit(question))
        if answer.facts or answer.citations:
            opens = lambda: wrong.setVisible(wrong.isHidden())  # noqa: E731 - one of several
            foot.append(button(tr("ask.wrong"), opens, kind="link"))
        holder = QWidget()
        flow = FlowLayout(holder, gap=_FOOT_GAP_PX)
        for made in foot:
            flow.addWidget(made)
        self._proofs.addWidget(holder)
        self._proofs.addWidget(wrong)
        self._proofs.addWidget(trace)

    def _on_link(self, link: str) -> None:
        number = int(link.rpartition(":")[2])
        if number in self._cited:
            self._desk.spot_asked.emit(Spot.of(self._cited[number]))


def _linked(text: str) -> str:
    return _NUMBER.sub(
        r'<a href="cite:\1" style="text-decoration:none">[\1]</a>', paragraphs_html(text.strip())
    )


def _chips(desk: Desk, citations: tuple[Citation, ...]) -> QWidget:
    holder = QWidget()
    flow = FlowLayout(holder)
    for citation in citations:
        day = day_text(citation.said_at_ms, citation.offset_minutes)
        text = f"{citation.number}   {citation.speaker} · {day}"
        # A bound default: each chip keeps its own citation.
        chip = button(text, lambda c=citation: desk.spot_asked.emit(Spot.of(c)), kind="chip")  # type: ignore[misc]
        chip.setToolTip(shortened(citation.quote))
        chip.setAccessibleName(citation_text(citation))
        flow.addWidget(chip)
    return holder


def _conflict(desk: Desk, conflict: Conflict) -> QFrame:
    frame, layout = card("warning", spacing=4, margin=12)
    layout.addWidget(label(tr("ask.conflict"), tone="warn", bold=True))
    for fact in conflict.sides:
        layout.addWidget(FactRow(desk, fact, with_badge=False))  # the head says it of all
    return frame


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
