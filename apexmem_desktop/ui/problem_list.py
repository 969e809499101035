"""What an import could not read, in a box that warns; what it left out on purpose, in a quiet one.

Importers say both in English; `error_words` knows their sentences.
"""

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.ui.error_words import sentence_text
from apexmem_desktop.ui.parts import card, column, label
from apexmem_desktop.ui.translation import tr, tr_count

_SHOWN = 6


def problem_list(problems: Sequence[ImportProblem]) -> QWidget:
    """Make the boxes, or an empty widget where there is nothing to tell."""
    holder = QWidget()
    layout = column(holder, spacing=8)
    faults = [one for one in problems if not one.expected]
    if faults:
        layout.addWidget(_box("warning", tr_count("imports.problem_count", len(faults)), faults))
    left = [one for one in problems if one.expected]
    if left:
        layout.addWidget(_box("quiet", tr("imports.left_out"), left))
    return holder


def problem_text(problem: ImportProblem) -> str:
    """Say one of them in the window's language: where, and what."""
    what = sentence_text(problem.what) or problem.what
    return tr("imports.problem", where=sentence_text(problem.where) or problem.where, what=what)


def _box(name: str, title: str, problems: Sequence[ImportProblem]) -> QFrame:
    frame, layout = card(name, spacing=4, margin=12)
    layout.addWidget(label(title, tone="warn" if name == "warning" else "muted"))
    _list(layout, problems)
    return frame


def _list(layout: QVBoxLayout, problems: Sequence[ImportProblem]) -> None:
    for problem in problems[:_SHOWN]:
        layout.addWidget(label(problem_text(problem), size=0.92))
    if len(problems) > _SHOWN:
        rest = tr_count("import.more_problems", len(problems) - _SHOWN)
        layout.addWidget(label(rest, tone="muted"))
