"""Sessions: a chat cut where it was silent for long, also when older turns arrive late."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from sqlalchemy import func, select, update

from apexmem_desktop.domain.turn import ImportedTurn, Session
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.rows import append_rows
from apexmem_desktop.storage.tables import conversations, sessions, turns
from apexmem_desktop.storage.vault import Connection

SILENCE_MS = 8 * 3_600_000


def order_times(new: Sequence[ImportedTurn]) -> list[int]:
    """Give each turn a time to be ordered by: its own, else that of the turn before or after."""
    known = [turn.said_at_ms for turn in new if turn.said_at_ms is not None]
    last = known[0] if known else 0
    times = []
    for turn in new:
        last = turn.said_at_ms if turn.said_at_ms is not None else last
        times.append(last)
    return times


def place_in_sessions(
    db: Connection, conversation_id: int, source_id: int, times: Sequence[int]
) -> list[int]:
    """Find or make the session of each new turn, given their order times; any order is fine."""
    stored = db.execute(
        select(turns.c.order_ms, turns.c.session_id)
        .where(turns.c.conversation_id == conversation_id)
        .order_by(turns.c.order_ms, turns.c.position)
    ).all()
    stored_times = [row.order_ms for row in stored]
    placed = [0] * len(times)
    next_id = (db.execute(select(func.max(sessions.c.id))).scalar() or 0) + 1
    new: list[dict[str, int | None]] = []
    before: tuple[int, int] | None = None  # the new turn before: its time and session
    for index in sorted(range(len(times)), key=times.__getitem__):
        at_ms = times[index]
        near = [before] if before is not None else []
        left, right = bisect_right(stored_times, at_ms) - 1, bisect_left(stored_times, at_ms)
        near += [tuple(stored[i]) for i in (left, right) if 0 <= i < len(stored)]
        session_id = _nearest(at_ms, near)
        if session_id is None:
            session_id = next_id + len(new)
            new.append({"id": session_id, "started_at_ms": at_ms or None})
        placed[index] = session_id
        before = (at_ms, session_id)
    if new:  # all at once: an export of ten years has thousands
        same = {"conversation_id": conversation_id, "source_id": source_id}
        append_rows(db, sessions, [row | same for row in new])
    return placed


def _nearest(at_ms: int, near: Sequence[tuple[int, int]]) -> int | None:
    reachable = [
        (abs(at_ms - ms), session) for ms, session in near if abs(at_ms - ms) <= SILENCE_MS
    ]
    return min(reachable, key=lambda pair: pair[0])[1] if reachable else None


def note_starts(db: Connection, session_ids: Sequence[int]) -> None:
    """Write down again when sessions began, after turns were added to them."""
    began = (
        select(func.min(turns.c.said_at_ms))
        .where(turns.c.session_id == sessions.c.id)
        .scalar_subquery()
    )
    db.execute(
        update(sessions).where(among(sessions.c.id, set(session_ids))).values(started_at_ms=began)
    )


def find_sessions(db: Connection, conversation_id: int) -> list[Session]:
    """List the sessions of a chat, oldest first."""
    rows = db.execute(
        select(
            sessions.c.id,
            sessions.c.conversation_id,
            conversations.c.title,
            conversations.c.format,
            sessions.c.source_id,
            func.min(turns.c.said_at_ms).label("first_at_ms"),
            func.max(turns.c.said_at_ms).label("last_at_ms"),
            func.count(turns.c.id).label("turn_count"),
        )
        .join(conversations, conversations.c.id == sessions.c.conversation_id)
        .join(turns, turns.c.session_id == sessions.c.id)
        .where(sessions.c.conversation_id == conversation_id)
        .group_by(sessions.c.id)
        .order_by(func.min(turns.c.order_ms), sessions.c.id)
    )
    return [Session(*row) for row in rows]
