"""Each answer with every step that led to it."""

from dataclasses import dataclass

from sqlalchemy import select

from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.storage.rows import append_row
from apexmem_desktop.storage.tables import traces
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class Trace:
    """A stored answer; `answer_json` holds the whole of it."""

    id: int
    question: str
    answer_json: str
    asked_at_ms: int


def append_trace(db: Connection, *, question: str, answer_json: str, asked_at_ms: int) -> int:
    """Keep an answer with its steps and return its number."""
    return append_row(db, traces, question=question, answer=answer_json, asked_at_ms=asked_at_ms)


def find_traces(db: Connection, limit: int) -> list[tuple[int, str, int]]:
    """List the newest answers as (number, question, asked at), the newest first."""
    table = traces.c
    wanted = select(table.id, table.question, table.asked_at_ms).order_by(table.id.desc())
    return [(row[0], row[1], row[2]) for row in db.execute(wanted.limit(limit))]


def get_trace(db: Connection, n: int | None = None) -> Trace:
    """Read answer number `n`; None for the newest.

    Raises:
        NotFoundError: There is none.
    """
    wanted = select(traces).order_by(traces.c.id.desc()).limit(1)
    row = db.execute(wanted if n is None else wanted.where(traces.c.id == n)).first()
    if row is None:
        raise NotFoundError("There is no such answer to look into.", hint="Ask a question first.")
    return Trace(row.id, row.question, row.answer, row.asked_at_ms)
