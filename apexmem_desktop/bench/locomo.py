"""LoCoMo: very long conversations of two people, five kinds of question (ACL 2024)."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from apexmem_desktop.bench import scoring, told_dates
from apexmem_desktop.bench.cases import Question, Reply
from apexmem_desktop.bench.shapes import Checked, DataShapeError, read_entries
from apexmem_desktop.bench.vaults import Export
from apexmem_desktop.domain.errors import UserError

CATEGORIES = {
    scoring.MULTI_HOP: "multi-hop",
    scoring.TEMPORAL: "temporal",
    scoring.OPEN_DOMAIN: "open-domain",
    scoring.SINGLE_HOP: "single-hop",
    scoring.ADVERSARIAL: "adversarial",
}
DIALOGUE_ID = re.compile(r"D\d+:\d+")


def read_conversations(path: Path, wanted: Collection[str] = ()) -> list[Export]:
    """Read the conversations; `wanted` names some of them, else all.

    Raises:
        DataShapeError: The file has another shape.
        UserError: A wanted one is not in it.
    """
    exports = []
    for at, entry in enumerate(read_entries(path), start=1):
        sample = Checked(path, f"entry {at}", entry)
        _check_sessions(sample.inner("conversation"))
        exports.append(Export(sample.text("sample_id"), "locomo", (entry,)))
    names = [export.name for export in exports]
    missing = [name for name in wanted if name not in names]
    if missing:
        raise UserError(
            f"{path.name} has no conversation {', '.join(missing)}.",
            hint=f"It has: {', '.join(names)}.",
        )
    return [export for export in exports if not wanted or export.name in wanted]


def read_questions(path: Path, exports: Sequence[Export]) -> list[Question]:
    """Read the questions of these conversations, in the file's order."""
    return [
        _question(one, export.name, number)
        for export in exports
        for number, one in enumerate(
            Checked(path, export.name, export.entries[0]).each("qa"), start=1
        )
    ]


def score(question: Question, reply: Reply) -> tuple[float, bool | None]:
    """Score a reply as LoCoMo's authors do, and its date apart."""
    if question.declinable:
        return float(reply.abstained), None
    said = "" if reply.abstained else reply.answer
    right = (
        told_dates.is_right(question.gold, said) if question.category == scoring.TEMPORAL else None
    )
    return scoring.locomo_f1(said, question.gold, question.category), right


def _check_sessions(conversation: Checked) -> None:
    sessions = [key for key in conversation.value if re.fullmatch(r"session_\d+", key)]
    if not sessions:
        raise DataShapeError(conversation.path, conversation.where, "session_1 is missing")
    for key in sessions:
        for turn in conversation.each(key):
            turn.text("dia_id")
            turn.text("speaker")
            turn.text("text")


def _question(one: Checked, conversation: str, number: int) -> Question:
    category = one.text("category")
    if category not in CATEGORIES:
        raise DataShapeError(one.path, f"{one.where}, category", f"{category} is none of 1 to 5")
    adversarial = category == scoring.ADVERSARIAL
    # A few of the evidence lists write "D8:6; D9:17" as one entry.
    evidence = DIALOGUE_ID.findall(" ".join(one.texts("evidence")))
    return Question(
        id=f"{conversation}/{number}",
        vault=conversation,
        category=category,
        text=one.text("question"),
        gold="" if adversarial else one.text("answer"),
        evidence=tuple(evidence),
        declinable=adversarial,
    )
