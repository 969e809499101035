"""Sessions: a chat cut where it was silent for long, also when older turns arrive late."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

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
        # What is further away is in no session that a new turn could be in.
        .where(turns.c.order_ms >= min(times) - SILENCE_MS)
        .where(turns.c.order_ms <= max(times) + SILENCE_MS)
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


class NewSessions:
    """Makes the sessions of chats that have none yet, and stores them all at once."""

    def __init__(self, db: Connection, source_id: int) -> None:
        self._db = db
        self._source_id = source_id
        self._next_id = (db.execute(select(func.max(sessions.c.id))).scalar() or 0) + 1
        self._rows: list[dict[str, int | None]] = []

    def place(self, conversation_id: int, times: Sequence[int]) -> list[int]:
        """Give the session of each turn of a chat, given their order times."""
        placed = [0] * len(times)
        reached: int | None = None
        for index in sorted(range(len(times)), key=times.__getitem__):
            at_ms = times[index]
            if reached is None or at_ms - reached > SILENCE_MS:
                self._rows.append(
                    {
                        "id": self._next_id + len(self._rows),
                        "started_at_ms": at_ms or None,
                        "conversation_id": conversation_id,
                        "source_id": self._source_id,
                    }
                )
            placed[index] = self._next_id + len(self._rows) - 1
            reached = at_ms
        return placed

    def store(self) -> None:
        """Store what was made."""
        append_rows(self._db, sessions, self._rows)


def _nearest(at_ms: int, near: Sequence[tuple[int, int]]) -> int | None:
    reachable = [
        (abs(at_ms - ms), session) for ms, session in near if abs(at_ms - ms) <= SILENCE_MS
    ]
    return min(reachable, key=lambda pair: pair[0])[1] if reachable else None


def note_earlier_starts(db: Connection, said: Iterable[tuple[int, int | None]]) -> None:
    """Write down when sessions began, where turns (session, time) were added before that."""
    first: dict[int, int] = {}
    for session_id, at_ms in said:
        if at_ms is not None and at_ms < first.get(session_id, at_ms + 1):
            first[session_id] = at_ms
    if not first:
        return
    db.exec_driver_sql(
        "UPDATE sessions SET started_at_ms = ? WHERE id = ? AND coalesce(started_at_ms > ?, 1)",
        [(at_ms, session_id, at_ms) for session_id, at_ms in first.items()],
    )


def note_starts(db: Connection, session_ids: Sequence[int]) -> None:
    """Write down again when sessions began, after turns of them were erased."""
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
