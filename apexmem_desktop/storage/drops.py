"""Candidates that did not stand: kept to be looked at, never part of an answer."""

from sqlalchemy import func, select

from apexmem_desktop.domain.reading import DroppedCandidate
from apexmem_desktop.storage.rows import append_row, read_pairs
from apexmem_desktop.storage.tables import drops, turns
from apexmem_desktop.storage.vault import Connection


def append_drop(
    db: Connection,
    *,
    turn_id: int,
    reason: str,
    candidate: str,
    recorded_at_ms: int,
    run_id: int | None = None,
) -> int:
    """Record what a model proposed and why it was not stored."""
    return append_row(
        db,
        drops,
        turn_id=turn_id,
        run_id=run_id,
        reason=reason,
        candidate=candidate,
        recorded_at_ms=recorded_at_ms,
    )


def count_drops(db: Connection) -> dict[str, int]:
    """Count the drops by reason, the most frequent first."""
    return read_pairs(
        db,
        select(drops.c.reason, func.count())
        .group_by(drops.c.reason)
        .order_by(func.count().desc(), drops.c.reason),
    )


def find_drops(db: Connection, *, reason: str = "", limit: int) -> list[DroppedCandidate]:
    """List what was dropped, the newest first.

    Args:
        reason: Only what was dropped for this reason; "" for any.
    """
    said = (turns.c.speaker, turns.c.said_at_ms, turns.c.offset_minutes, turns.c.text)
    wanted = select(drops, *said).join(turns, turns.c.id == drops.c.turn_id)
    wanted = wanted.order_by(drops.c.id.desc())
    if reason:
        wanted = wanted.where(drops.c.reason == reason)
    return [
        DroppedCandidate(
            turn_id=row.turn_id,
            speaker=row.speaker,
            said_at_ms=row.said_at_ms,
            offset_minutes=row.offset_minutes,
            text=row.text,
            candidate=row.candidate,
            reason=row.reason,
            recorded_at_ms=row.recorded_at_ms,
        )
        for row in db.execute(wanted.limit(limit))
    ]
