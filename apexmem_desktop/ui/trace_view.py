"""How an answer was found: how the question was read, each step, what was dropped, what it cost."""

from dataclasses import replace

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from apexmem_desktop.domain.answers import Answer, Step, TurnHit
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.parts import column, label
from apexmem_desktop.ui.rows import ProofRow
from apexmem_desktop.ui.trace_words import cost_text, dropped_lines, found_by_text, understood_lines
from apexmem_desktop.ui.translation import tr, tr_count, tr_name

_RESULT_CHARS = 500
_SHOWN_HITS = 8
_SEARCH = "Search"


class TraceView(QFrame):
    """Everything in plain order, so that a doubt can be checked; written when first opened."""

    def __init__(self, desk: Desk, answer: Answer) -> None:
        super().__init__()
        self.setObjectName("quiet")
        self._desk = desk
        self._answer: Answer | None = answer
        self._layout = column(self, spacing=8, margin=16)
        self.hide()

    def toggle(self) -> None:
        """Open it, or close it."""
        answer, self._answer = self._answer, None
        if answer is not None:
            self._write(answer)
        self.setVisible(self.isHidden())

    def _write(self, answer: Answer) -> None:
        self._layout.addWidget(label(cost_text(answer.usage)))
        self._add_understood(answer)
        self._add_evidence(self._desk, answer.evidence)
        for number, step in enumerate(answer.steps, start=1):
            # What a search found is listed above, in words.
            result = "" if step.tool == _SEARCH and answer.evidence else step.result
            _add_step(self._layout, number, replace(step, result=result))
        if answer.dropped:
            lines = dropped_lines(answer.dropped)
            self._layout.addWidget(label(tr("trace.dropped"), bold=True))
            self._layout.addWidget(label("\n".join(f"• {line}" for line in lines)))

    def _add_understood(self, answer: Answer) -> None:
        if not answer.understood:
            return
        self._layout.addWidget(label(tr("trace.understood"), bold=True))
        lines = understood_lines(answer.understood)
        self._layout.addWidget(label("\n".join(lines), tone="muted"))

    def _add_evidence(self, desk: Desk, hits: tuple[TurnHit, ...]) -> None:
        if not hits:
            return
        self._layout.addWidget(label(tr_count("trace.evidence", len(hits)), bold=True))
        for hit in hits[:_SHOWN_HITS]:
            note = tr("trace.score", score=f"{hit.score:.3f}")
            note = " · ".join(filter(None, (found_by_text(hit.why), note)))
            self._layout.addWidget(ProofRow(desk, hit, note))


def _add_step(layout: QVBoxLayout, number: int, step: Step) -> None:
    title = tr("trace.step", n=number, tool=tr_name("tool", step.tool), ms=step.ms)
    layout.addWidget(label(title, bold=True))
    if step.arguments:
        layout.addWidget(_code(step.arguments))
    if step.error:
        layout.addWidget(label(step.error, tone="danger"))
    elif step.result:
        layout.addWidget(_code(_cut(step.result)))


def _code(text: str) -> QLabel:
    made = label(text, tone="muted", size=0.9)
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(made.font().pointSizeF())
    made.setFont(font)
    made.setObjectName("code")
    return made


def _cut(text: str) -> str:
    return text if len(text) <= _RESULT_CHARS else f"{text[:_RESULT_CHARS]} …"
