"""Sessions: a chat cut where it was silent for long, also when older turns arrive late."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, islice, pairwise
from math import inf
from operator import le, sub
from typing import cast

from sqlalchemy import func, select, update

from apexmem_desktop.domain.turn import SILENCE_MS, Session
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.rows import append_tuples
from apexmem_desktop.storage.stretches import Stretch, find_near_stretches
from apexmem_desktop.storage.tables import conversations, sessions, stretches, turns
from apexmem_desktop.storage.vault import Connection

_COLUMNS = ("id", "conversation_id", "source_id", "started_at_ms")


def order_times(said: Sequence[int | None], before_ms: int | None = None) -> Sequence[int]:
    """Give each turn a time to be ordered by: its own, else that of the turn before or after.

    Args:
        said: When each was said; None where the export gives no time.
        before_ms: Of the turn before the first; None where there is none.
    """
    if None not in said:
        return cast(Sequence[int], said)
    known = [at_ms for at_ms in said if at_ms is not None]
    last = before_ms if before_ms is not None else known[0] if known else 0
    times = []
    for at_ms in said:
        last = at_ms if at_ms is not None else last
        times.append(last)
    return times


def place_in_sessions(
    db: Connection,
    conversation_id: int,
    source_id: int,
    said: Sequence[int | None],
    times: Sequence[int],
) -> list[int]:
    """Find or make the session of each new turn; they may come in any order.

    Args:
        said: When they were said, as far as the export tells.
        times: What the turns are ordered by.
    """
    # What is further away is in no session that a new turn could be in.
    near_ms = min(times) - SILENCE_MS, max(times) + SILENCE_MS
    stored = _Stored(find_near_stretches(db, conversation_id, *near_ms))
    next_id = (db.execute(select(func.max(sessions.c.id))).scalar() or 0) + 1
    placed = [0] * len(times)
    began: dict[int, int | None] = {}  # of each session that got turns: when the first was said
    made = 0
    before: tuple[int, int] | None = None  # the new turn before: its time and session
    for start, end in _steps(said, times, stored.until_ms):
        at_ms = times[start]
        if before is None or at_ms <= stored.until_ms or at_ms - before[0] > SILENCE_MS:
            near = [before] if before is not None else []
            session_id = _nearest(at_ms, [*near, *stored.beside(at_ms)])
            if session_id is None:
                session_id = next_id + made
                made += 1
        else:
            session_id = before[1]
        placed[start:end] = [session_id] * (end - start)
        before = (times[end - 1], session_id)
        if began.get(session_id) is None:
            began[session_id] = said[start]
    same = (conversation_id, source_id)
    rows = ((number, *same, began[number]) for number in range(next_id, next_id + made))
    append_tuples(db, sessions, _COLUMNS, rows)
    _note_earlier_starts(db, {n: ms for n, ms in began.items() if n < next_id})
    return placed


def _steps(
    said: Sequence[int | None], times: Sequence[int], until_ms: float
) -> Iterable[tuple[int, int]]:
    """Cut turns, the earliest first, into runs (from, to) that are of one session each.

    Args:
        until_ms: Each turn up to here is looked at alone: it may be in a stored session.
    """
    order = _earliest_first(times)
    if not isinstance(order, range) or None in said:
        return ((index, index + 1) for index in order)
    alone = min(len(times), max(1, bisect_right(times, until_ms)))
    gaps = map(sub, islice(times, alone, None), islice(times, alone - 1, None))
    late = (index for index, gap in enumerate(gaps, start=alone) if gap > SILENCE_MS)
    return pairwise((*range(alone), *late, len(times)))


class NewSessions:
    """Makes the sessions of chats that have none yet, and stores them all at once."""

    def __init__(self, db: Connection, source_id: int) -> None:
        self._db = db
        self._source_id = source_id
        self._next_id = (db.execute(select(func.max(sessions.c.id))).scalar() or 0) + 1
        self._rows: list[tuple[int, int, int, int | None]] = []

    def place(self, conversation_id: int, times: Sequence[int]) -> list[int]:
        """Give the session of each turn of a chat, given their order times."""
        placed = [0] * len(times)
        number = 0
        reached: float = -inf
        for start, end in _steps((), times, -inf):
            at_ms = times[start]
            if at_ms - reached > SILENCE_MS:
                number = self._next_id + len(self._rows)
                self._rows.append((number, conversation_id, self._source_id, at_ms or None))
            placed[start:end] = [number] * (end - start)
            reached = times[end - 1]
        return placed

    def store(self) -> None:
        """Store what was made."""
        append_tuples(self._db, sessions, _COLUMNS, self._rows)


def _earliest_first(times: Sequence[int]) -> Iterable[int]:
    in_order = all(map(le, times, islice(times, 1, None)))
    return range(len(times)) if in_order else sorted(range(len(times)), key=times.__getitem__)


class _Stored:
    """The turns that a chat has already, by their stretches."""

    def __init__(self, found: Sequence[Stretch]) -> None:
        # No turn after that is in a session with any of them.
        self.until_ms = max((one.last_ms + SILENCE_MS for one in found), default=-inf)
        self._starts = [one.first_ms for one in found]
        self._found = found
        # The stretch that reaches furthest, among those up to each.
        self._furthest = list(accumulate(found, _further))

    def beside(self, at_ms: int) -> list[tuple[int, int]]:
        """Give the time and session of what stands nearest, before and after an instant.

        Between two turns of one session an instant belongs to it, however long the silence is:
        sessions never overlap.
        """
        here = bisect_right(self._starts, at_ms)
        after = [(one.first_ms, one.session_id) for one in self._found[here : here + 1]]
        if not here:
            return after
        one = self._furthest[here - 1]
        return [(min(one.last_ms, at_ms), one.session_id), *after]


def _further(one: Stretch, other: Stretch) -> Stretch:
    return other if other.last_ms > one.last_ms else one


def _nearest(at_ms: int, near: Sequence[tuple[int, int]]) -> int | None:
    reachable = [
        (abs(at_ms - ms), session) for ms, session in near if abs(at_ms - ms) <= SILENCE_MS
    ]
    return min(reachable, key=lambda pair: pair[0])[1] if reachable else None


def _note_earlier_starts(db: Connection, began: Mapping[int, int | None]) -> None:
    """Write down that sessions began earlier than was known, after turns were added to them."""
    sql = (
        "UPDATE sessions SET started_at_ms = ?1 "
        "WHERE id = ?2 AND (started_at_ms IS NULL OR started_at_ms > ?1)"
    )
    for number, ms in began.items():
        if ms is not None:
            db.exec_driver_sql(sql, (ms, number))


def note_starts(db: Connection, session_ids: Sequence[int]) -> None:
    """Write down again when sessions began, after turns were removed from them."""
    began = (
        select(func.min(turns.c.said_at_ms))
        .join_from(stretches, turns, turns.c.id.between(stretches.c.first_id, stretches.c.last_id))
        .where(stretches.c.session_id == sessions.c.id)
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
        .join(stretches, stretches.c.session_id == sessions.c.id)
        .join(turns, turns.c.id.between(stretches.c.first_id, stretches.c.last_id))
        .where(sessions.c.conversation_id == conversation_id)
        .group_by(sessions.c.id)
        .order_by(func.min(turns.c.order_ms), sessions.c.id)
    )
    return [Session(*row) for row in rows]
