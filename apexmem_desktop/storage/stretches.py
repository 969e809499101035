"""Where a turn stands in time: few rows tell it for all (step 007), instead of an index over each.

A stretch is some turns with numbers in a row that are of one session and in order of time. Nearly
every export is in order, so a stretch is as long as it may be; one that is not has more stretches.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import func, select, text

from apexmem_desktop.storage.rows import append_tuples
from apexmem_desktop.storage.tables import stretches
from apexmem_desktop.storage.vault import Connection

MOST_TURNS = 256  # what is read to find one turn of a stretch; step 007 has the same number
_COLUMNS = ("conversation_id", "first_ms", "first_id", "last_ms", "last_id", "session_id")
# Turns in no stretch, in one of another session, or at another time than it tells.
_MISPLACED = """
SELECT count(*) FROM turns_said t WHERE 1 <> (
    SELECT count(*) FROM stretches s
    WHERE s.session_id = t.session_id AND t.id BETWEEN s.first_id AND s.last_id
        AND t.order_ms BETWEEN s.first_ms AND s.last_ms AND s.conversation_id = t.conversation_id)
"""

_EVERY = """
SELECT conversation_id, min(order_ms), min(id), max(order_ms), max(id), session_id
FROM (
    SELECT *, (row_number() OVER (PARTITION BY part ORDER BY id) - 1) / 256 AS piece
    FROM (
        SELECT id, conversation_id, session_id, order_ms, sum(is_first) OVER (ORDER BY id) AS part
        FROM (
            SELECT id, conversation_id, session_id, order_ms,
                lag(id) OVER w IS NOT id - 1 OR lag(session_id) OVER w <> session_id
                    OR lag(order_ms) OVER w > order_ms AS is_first
            FROM turns_said WINDOW w AS (ORDER BY id)
        )
    )
) GROUP BY part, piece
"""


class Stretch(NamedTuple):
    """Turns first_id to last_id, said between first_ms and last_ms."""

    first_ms: int
    first_id: int
    last_ms: int
    last_id: int
    session_id: int

    def numbers(self) -> range:
        """List the turns in it; some may have been erased."""
        return range(self.first_id, self.last_id + 1)


def append_stretches(db: Connection, rows: Iterable[tuple[int, ...]]) -> None:
    """Note where turns stand that were just stored, in rows as `cut` makes them."""
    append_tuples(db, stretches, _COLUMNS, rows)


def cut(
    conversation_id: int, first_id: int, sessions: Sequence[int], times: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Cut turns of a chat, numbered from `first_id` on, into the rows of their stretches."""
    start, last = 0, len(times) - 1
    for end in range(len(times)):
        if (
            end == last
            or end - start == MOST_TURNS - 1
            or times[end + 1] < times[end]
            or sessions[end + 1] != sessions[end]
        ):
            yield (
                conversation_id, times[start], first_id + start,
                times[end], first_id + end, sessions[end],
            )  # fmt: skip
            start = end + 1


def find_stretches(
    db: Connection,
    conversation_id: int | None = None,
    *,
    from_ms: int | None = None,
    to_ms: int | None = None,
) -> list[Stretch]:
    """Find the stretches of a chat, or of all, that reach into [from_ms, to_ms), earliest first."""
    of = stretches.c
    wanted = select(of.first_ms, of.first_id, of.last_ms, of.last_id, of.session_id)
    if conversation_id is not None:
        wanted = wanted.where(of.conversation_id == conversation_id)
    if from_ms is not None:
        wanted = wanted.where(of.last_ms >= from_ms)
    if to_ms is not None:
        wanted = wanted.where(of.first_ms < to_ms)
    found = db.execute(wanted.order_by(of.first_ms, of.first_id))
    return [Stretch(*row) for row in found]


def find_near_stretches(
    db: Connection, conversation_id: int, from_ms: int, to_ms: int
) -> list[Stretch]:
    """Find the stretches of a chat that reach into [from_ms, to_ms], without a walk through all.

    Sessions do not overlap: none before the one that `from_ms` is in reaches beyond it.
    """
    of = stretches.c
    here = of.conversation_id == conversation_id
    in_it = select(of.session_id).where(here, of.first_ms <= from_ms)
    in_it = in_it.order_by(of.first_ms.desc(), of.first_id.desc()).limit(1)
    since = select(func.min(of.first_ms)).where(of.session_id == in_it.scalar_subquery())
    since_ms = db.execute(since).scalar()
    wanted = select(of.first_ms, of.first_id, of.last_ms, of.last_id, of.session_id)
    wanted = wanted.where(here, of.first_ms >= (from_ms if since_ms is None else since_ms))
    wanted = wanted.where(of.first_ms <= to_ms, of.last_ms >= from_ms)
    return [Stretch(*row) for row in db.execute(wanted.order_by(of.first_ms, of.first_id))]


class Part(NamedTuple):
    """Turns that all stand before those of the next part; counted without being listed."""

    stretches: tuple[Stretch, ...]

    def size(self) -> int:
        """Count its turns, erased ones too."""
        return sum(len(one.numbers()) for one in self.stretches)

    def holds(self, turn_id: int) -> bool:
        """Tell whether a turn is in it."""
        return any(turn_id in one.numbers() for one in self.stretches)

    def numbers(self) -> list[int]:
        """List its turns, erased ones too."""
        return [number for one in self.stretches for number in one.numbers()]


def parted(found: Sequence[Stretch], *, one_chat: bool = True) -> Iterator[list[int]]:
    """Give the turns' numbers in parts, as `parts_of` makes them."""
    return (part.numbers() for part in parts_of(found, one_chat=one_chat))


def parts_of(found: Sequence[Stretch], *, one_chat: bool = True) -> Iterator[Part]:
    """Put stretches together: all turns of a part stand before all of the next.

    Args:
        found: Earliest first.
        one_chat: All are of one chat, where of two turns at once the lower number stands first.
    """
    part: list[Stretch] = []
    until_ms = until_id = 0
    for one in found:
        follows = one.first_ms > until_ms or (
            one_chat and one.first_ms == until_ms and one.first_id > until_id
        )
        if part and follows:
            yield Part(tuple(part))
            part = []
        until_ms = max(until_ms, one.last_ms) if part else one.last_ms
        until_id = max(until_id, one.last_id) if part else one.last_id
        part.append(one)
    if part:
        yield Part(tuple(part))


def count_misplaced(db: Connection) -> int:
    """Count the turns that would not be found where they stand."""
    return int(db.execute(text(_MISPLACED)).scalar_one())


def rebuild(db: Connection) -> None:
    """Work all stretches out anew."""
    db.execute(text("DELETE FROM stretches"))
    db.execute(text(f"INSERT INTO stretches {_EVERY}"))
