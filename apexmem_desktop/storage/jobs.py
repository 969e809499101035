"""The work queue: each turn is read into the graph once, and the work survives a kill.

A turn that nothing happened to has no row in `jobs`: it waits where its voice is read, or else it
is passed over. `waiting` and `job_counts` keep how many there are; triggers keep them right.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

from sqlalchemy import func, select, text

from apexmem_desktop.storage import tallies
from apexmem_desktop.storage.columns import Columns
from apexmem_desktop.storage.functions import wall_ms
from apexmem_desktop.storage.rows import append_tuples, read_pairs
from apexmem_desktop.storage.tables import job_counts, jobs, speakers_counted, waiting
from apexmem_desktop.storage.vault import Connection
from apexmem_desktop.storage.voices import is_read

_OLD = 0
_NEW = 1  # the priority of a turn that waits without a row
_COLUMNS = ("turn_id", "state", "priority", "attempts", "reason", "changed_at_ms")


def queue_turns(
    db: Connection,
    stored: Iterable[tuple[Sequence[int], Sequence[int], Columns]],
    *,
    now_ms: int,
) -> None:
    """Queue turns that were just stored; those that tell nothing of a person are passed over.

    Args:
        stored: Of some turns their numbers, the session of each, and the turns.
    """
    waiting: Counter[int] = Counter()
    wordless: list[tuple[int, str, int, int, str, int]] = []
    for numbers, sessions, new in stored:
        read = [is_read(role, kind) for _, role, kind, _ in new.voices]
        waiting.update(
            sessions if all(read) else compress(sessions, map(read.__getitem__, new.spoken))
        )
        if not all(map(str.strip, new.texts)):
            wordless += _wordless(numbers, new, read, now_ms)
    tallies.add_waiting(db, waiting)
    append_tuples(db, jobs, _COLUMNS, wordless)


def _wordless(
    numbers: Sequence[int], new: Columns, read: Sequence[bool], now_ms: int
) -> Iterator[tuple[int, str, int, int, str, int]]:
    """Give the jobs of turns that would be read if they had words."""
    for number, words, voice in zip(numbers, new.texts, new.spoken, strict=True):
        if not words.strip() and read[voice]:
            yield number, "gated", _NEW, 0, "no words", now_ms


def find_jobs(
    db: Connection, *, state: str = "pending", limit: int, turn_ids: Sequence[int] | None = None
) -> list[int]:
    """Find the turns to read next: asked about first, newest session first, in order inside it."""
    if turn_ids is not None:
        return _find(db, _AMONG, state, limit,
                     ids=json.dumps(list(turn_ids)))  # fmt: skip
    if state == "failed":
        return _find(db, _WITH_JOB, state, limit)
    if state != "pending":
        return _find(db, _ALL, state, limit)
    found: list[int] = []
    for query in (f"{_WITH_JOB} AND j.priority > {_NEW}", _FROM_NEWEST,
                  f"{_WITH_JOB} AND j.priority < {_NEW}"):  # fmt: skip
        if len(found) < limit:
            found += _find(db, query, state, limit - len(found))
    return found


def _find(db: Connection, query: str, state: str, limit: int, **values: str) -> list[int]:
    ordered = query if "ORDER BY" in query else f"{query} {_ORDER}"
    given = {"state": state, "limit": limit, **values}
    return list(db.execute(text(f"{ordered} LIMIT :limit"), given).scalars())


_ORDER = """
ORDER BY coalesce(j.priority, 1) DESC, s.started_at_ms DESC, s.id DESC, t.order_ms, t.id
"""
# CROSS JOIN: in just this order.
_WITH_JOB = """
SELECT t.id FROM jobs j CROSS JOIN turns_said t ON t.id = j.turn_id
CROSS JOIN sessions s ON s.id = t.session_id
WHERE j.state = :state AND j.state IN ('pending', 'failed')
"""
_ALL = """
SELECT t.id FROM turns_said t CROSS JOIN sessions s ON s.id = t.session_id
CROSS JOIN voices v ON v.id = t.voice_id LEFT JOIN jobs j ON j.turn_id = t.id
WHERE coalesce(j.state, CASE WHEN v.is_read THEN 'pending' ELSE 'gated' END) = :state
"""
_AMONG = f"{_ALL} AND t.id IN (SELECT value FROM json_each(:ids))"  # noqa: S608 - ours
# Walks from the newest session back, through those where something waits, and stops at enough.
_FROM_NEWEST = """
SELECT t.id FROM sessions s
CROSS JOIN stretches p ON p.session_id = s.id
CROSS JOIN turns t ON t.id BETWEEN p.first_id AND p.last_id
CROSS JOIN voices v ON v.id = t.voice_id
LEFT JOIN jobs j ON j.turn_id = t.id
WHERE (EXISTS (SELECT 1 FROM waiting w WHERE w.session_id = s.id AND w.turns > 0)
        OR s.id IN (SELECT o.session_id FROM jobs q JOIN turns o ON o.id = q.turn_id
            WHERE q.state = 'pending' AND q.priority = 1))
    AND coalesce(j.state, CASE WHEN v.is_read THEN 'pending' END) = :state
    AND coalesce(j.priority, 1) = 1
ORDER BY s.started_at_ms DESC, s.id DESC, coalesce(t.apart_ms, t.said_at_ms, 0), t.id
"""


def set_state(
    db: Connection, turn_ids: Sequence[int], state: str, reason: str = "", *, now_ms: int
) -> None:
    """Note how the reading of turns went; each try (read or failed) is counted."""
    tries = 1 if state in {"read", "failed"} else 0
    given = {"ids": json.dumps(list(turn_ids)), "state": state, "tries": tries}
    db.execute(text(_SET), given | {"reason": reason, "now_ms": now_ms})


_SET = f"""
INSERT INTO jobs (turn_id, state, priority, attempts, reason, changed_at_ms)
SELECT id, :state, {_NEW}, :tries, :reason, :now_ms FROM turns
WHERE id IN (SELECT value FROM json_each(:ids))
ON CONFLICT (turn_id) DO UPDATE SET state = excluded.state, reason = excluded.reason,
    changed_at_ms = excluded.changed_at_ms, attempts = attempts + excluded.attempts
"""  # noqa: S608 - our own number
_RAISE = f"""
INSERT INTO jobs (turn_id, state, priority, attempts, reason, changed_at_ms)
SELECT t.id, 'pending', :priority, 0, '', :now_ms
FROM turns t JOIN voices v ON v.id = t.voice_id LEFT JOIN jobs j ON j.turn_id = t.id
WHERE t.id IN (SELECT value FROM json_each(:ids))
    AND CASE WHEN j.turn_id IS NULL THEN v.is_read AND :priority > {_NEW}
        ELSE j.state = 'pending' AND j.priority < :priority END
ON CONFLICT (turn_id) DO UPDATE SET priority = excluded.priority
"""  # noqa: S608 - our own number


def raise_priority(db: Connection, turn_ids: Sequence[int], priority: int) -> None:
    """Put pending turns forward; none is put back."""
    given = {"ids": json.dumps(list(turn_ids)), "priority": priority, "now_ms": wall_ms()}
    db.execute(text(_RAISE), given)


def queue_again(db: Connection, turn_ids: Sequence[int], *, now_ms: int) -> None:
    """Let turns that were read wait once more, behind all others."""
    given = {"ids": json.dumps(list(turn_ids)), "priority": _OLD, "now_ms": now_ms}
    db.execute(text(_AGAIN), given)


_AGAIN = """
UPDATE jobs SET state = 'pending', priority = :priority, reason = '', changed_at_ms = :now_ms
WHERE state = 'read' AND turn_id IN (SELECT value FROM json_each(:ids))
"""


def counts(db: Connection) -> dict[str, int]:
    """Count the turns in each state; every state is a key."""
    kept = read_pairs(db, select(job_counts.c.state, job_counts.c.jobs))
    plain = db.execute(select(func.coalesce(func.sum(waiting.c.turns), 0))).scalar_one()
    total = db.execute(select(func.coalesce(func.sum(speakers_counted.c.turns), 0))).scalar_one()
    read, failed = int(kept.get("read", 0)), int(kept.get("failed", 0))
    pending = int(kept.get("pending", 0)) + int(plain)
    gated = int(total) - pending - read - failed
    return {"pending": pending, "read": read, "gated": gated, "failed": failed}
