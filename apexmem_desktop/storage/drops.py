"""Candidates that did not stand: kept to be looked at, never part of an answer."""

from sqlalchemy import func, select

from apexmem_desktop.storage.rows import append_row, read_pairs
from apexmem_desktop.storage.tables import drops
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
