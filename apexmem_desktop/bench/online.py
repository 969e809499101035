"""Which sessions online construction would read for a question: a table over its threshold.

No language model is asked. Of each question with gold evidence: the share of the evidence's
sessions that a threshold lets through, against the share of all sessions that would be read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from apexmem_desktop.bench.cases import Question
from apexmem_desktop.bench.intervals import Estimate, mean
from apexmem_desktop.bench.vaults import Export, Shelf
from apexmem_desktop.services import building, inspecting
from apexmem_desktop.services.workspace import Workspace

THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6)


@dataclass(frozen=True, slots=True)
class Step:
    """What one threshold lets through.

    Attributes:
        recall: The mean share of a question's evidence sessions that would be read.
        chosen: The mean share of all sessions that would be read.
    """

    threshold: float
    recall: Estimate
    chosen: Estimate


def measure(shelf: Shelf, exports: Sequence[Export], questions: Sequence[Question]) -> list[Step]:
    """Score every session for every question of these vaults."""
    cases: list[tuple[dict[int, float], set[int], int]] = []
    for export in exports:
        of_vault = [one for one in questions if one.vault == export.name and one.evidence]
        if of_vault:
            with shelf.bare(export) as ws:
                cases += _cases(ws, of_vault)
    return [_step(threshold, cases) for threshold in THRESHOLDS]


def _cases(
    ws: Workspace, questions: Sequence[Question]
) -> Iterator[tuple[dict[int, float], set[int], int]]:
    sessions = inspecting.sessions_by_name(ws)
    every = {number for numbers in sessions.values() for number in numbers}
    for question in questions:
        gold = {
            number
            for name, numbers in sessions.items()
            for number in numbers
            if any(_names(one, name, whole=question.names_sessions) for one in question.evidence)
        }
        if gold:
            yield building.score_sessions(ws, question.text), gold, len(every)


def _names(evidence: str, turn_name: str, *, whole: bool) -> bool:
    """Whether a data set's evidence names a turn, or the session that the turn stands in."""
    return turn_name == evidence or (whole and turn_name.rpartition("/")[0] == evidence)


def _step(threshold: float, cases: Sequence[tuple[dict[int, float], set[int], int]]) -> Step:
    recall, chosen = [], []
    for scores, gold, sessions in cases:
        read = {number for number, score in scores.items() if score >= threshold}
        recall.append(len(read & gold) / len(gold))
        chosen.append(len(read) / sessions)
    return Step(threshold, mean(recall), mean(chosen))


def lines(steps: Sequence[Step]) -> list[str]:
    """Write the table for people."""
    return [
        "| relevance from | evidence's sessions read | of all sessions read | questions |",
        "|---|---|---|---|",
        *(
            f"| {one.threshold:.2f} | {one.recall.spell()} | {one.chosen.spell()} "
            f"| {one.recall.n} |"
            for one in steps
        ),
    ]


def to_json(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Give the table as plain JSON values."""
    return [
        {
            "threshold": one.threshold,
            "recall": one.recall.to_json(),
            "chosen": one.chosen.to_json(),
        }
        for one in steps
    ]
