"""Each answer with every step that led to it, and the dialogues that they were given in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, insert, select
from sqlalchemy.sql import ColumnElement

from apexmem_desktop.domain.answers import DialogueSummary
from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.storage.rows import append_row
from apexmem_desktop.storage.tables import traces
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class Trace:
    """A stored answer; `answer_json` holds the whole of it.

    Attributes:
        dialogue_id: The number of the first answer of its dialogue, which may be this one.
    """

    id: int
    question: str
    answer_json: str
    asked_at_ms: int
    dialogue_id: int


def append_trace(
    db: Connection,
    *,
    question: str,
    answer_json: str,
    asked_at_ms: int,
    dialogue_id: int | None = None,
) -> int:
    """Keep an answer with its steps and return its number.

    Args:
        dialogue_id: The dialogue that it goes on with; None begins one.
    """
    return append_row(
        db,
        traces,
        question=question,
        answer=answer_json,
        asked_at_ms=asked_at_ms,
        dialogue_id=dialogue_id,
    )


def find_dialogues(db: Connection, limit: int) -> list[DialogueSummary]:
    """List the dialogues, the one that was last asked in first."""
    table = traces.c
    grouped = (
        select(
            _dialogue().label("id"),
            func.min(table.id).label("first"),
            func.max(table.id).label("last"),
            func.count().label("questions"),
        )
        .group_by(_dialogue())
        .subquery()
    )
    first, last = traces.alias(), traces.alias()
    wanted = (
        select(grouped.c.id, first.c.question, grouped.c.questions, last.c.asked_at_ms)
        .join(first, first.c.id == grouped.c.first)
        .join(last, last.c.id == grouped.c.last)
        .order_by(grouped.c.last.desc())
    )
    return [DialogueSummary(*row) for row in db.execute(wanted.limit(limit))]


def find_traces(db: Connection, dialogue_id: int) -> list[Trace]:
    """Read the answers of one dialogue, in the order that they were given."""
    wanted = select(traces).where(_dialogue() == dialogue_id).order_by(traces.c.id)
    return [_trace(row) for row in db.execute(wanted)]


def get_trace(db: Connection, n: int | None = None) -> Trace:
    """Read answer number `n`; None for the newest.

    Raises:
        NotFoundError: There is none.
    """
    wanted = select(traces).order_by(traces.c.id.desc()).limit(1)
    row = db.execute(wanted if n is None else wanted.where(traces.c.id == n)).first()
    if row is None:
        raise NotFoundError("There is no such answer to look into.", hint="Ask a question first.")
    return _trace(row)


def remove_dialogue(db: Connection, dialogue_id: int) -> list[Trace]:
    """Take a dialogue out, and return what was taken: it can be put back."""
    found = find_traces(db, dialogue_id)
    # What stood there is overwritten, not only given up.
    db.exec_driver_sql("PRAGMA secure_delete = ON")
    db.execute(delete(traces).where(_dialogue() == dialogue_id))
    return found


def put_back(db: Connection, removed: Sequence[Trace]) -> None:
    """Put back what was taken out, under its own numbers."""
    for one in removed:
        db.execute(
            insert(traces).values(
                id=one.id,
                question=one.question,
                answer=one.answer_json,
                asked_at_ms=one.asked_at_ms,
                dialogue_id=one.dialogue_id if one.dialogue_id != one.id else None,
            )
        )


def _dialogue() -> ColumnElement[int]:
    return func.coalesce(traces.c.dialogue_id, traces.c.id)


def _trace(row: Any) -> Trace:
    return Trace(row.id, row.question, row.answer, row.asked_at_ms, row.dialogue_id or row.id)
