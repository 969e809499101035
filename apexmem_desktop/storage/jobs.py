"""The work queue: each turn is read into the graph once, and the work survives a kill."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    case,
    func,
    literal_column,
    select,
    text,
    update,
)

from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.rows import append_rows
from apexmem_desktop.storage.tables import jobs, sessions, speakers_counted, turns
from apexmem_desktop.storage.vault import Connection

_READABLE_KINDS = {TurnKind.MESSAGE, TurnKind.MEDIA, TurnKind.POLL}
_READABLE_ROLES = {Role.PERSON, Role.USER}
_NEW = 1
_READ: ColumnElement[str] = literal_column("'read'")  # as the index jobs_unread has it
_FEW = 2_000


def queue_turns(db: Connection, new: Sequence[tuple[int, ImportedTurn]], *, now_ms: int) -> None:
    """Queue turns that were just stored; those that tell nothing of a person are passed over."""
    rows = []
    for number, turn in new:
        reason = why_passed_over(turn)
        rows.append(
            {
                "turn_id": number,
                "state": "gated" if reason else "pending",
                "priority": _NEW,
                "attempts": 0,
                "reason": reason,
                "changed_at_ms": now_ms,
            }
        )
    append_rows(db, jobs, rows)


def why_passed_over(turn: ImportedTurn) -> str:
    """Say why a turn needs no reading; "" when it is to be read."""
    if turn.role not in _READABLE_ROLES:
        return f"role {turn.role}"
    if turn.kind not in _READABLE_KINDS:
        return f"kind {turn.kind}"
    return "" if turn.text.strip() else "no words"


def find_jobs(
    db: Connection, *, state: str = "pending", limit: int, turn_ids: Sequence[int] | None = None
) -> list[int]:
    """Find the turns to read next: asked about first, newest session first, in order inside it."""
    if turn_ids is not None:
        wanted = _in_order(state).where(among(jobs.c.turn_id, turn_ids))
        return list(db.execute(wanted.limit(limit)).scalars())
    found: list[int] = []
    priority = _next_priority(db, state, None)
    while priority is not None and len(found) < limit:
        left = limit - len(found)
        if _are_few(db, state, priority):
            wanted = _in_order(state).where(jobs.c.priority == priority)
            found += list(db.execute(wanted.limit(left)).scalars())
        else:
            found += db.execute(
                _FROM_NEWEST, {"state": state, "priority": priority, "limit": left}
            ).scalars()
        priority = _next_priority(db, state, priority)
    return found


# Walks from the newest session back and stops at enough. CROSS JOIN: in just this order.
_FROM_NEWEST = text("""
SELECT turns.id FROM sessions
CROSS JOIN turns ON turns.session_id = sessions.id
CROSS JOIN jobs ON jobs.turn_id = turns.id
WHERE jobs.state = :state AND jobs.priority = :priority
ORDER BY sessions.started_at_ms DESC, sessions.id DESC, turns.order_ms, turns.position
LIMIT :limit
""")
_ORDER = (
    sessions.c.started_at_ms.desc(),
    sessions.c.id.desc(),
    turns.c.order_ms,
    turns.c.position,
)


def _in(state: str) -> tuple[ColumnElement[bool], ...]:
    """Say that a job is in a state, in words that its index understands."""
    is_in = jobs.c.state == state
    return (is_in,) if state == "read" else (is_in, jobs.c.state != _READ)


def _in_order(state: str) -> Select[Any]:
    """Select by collecting all there are and sorting them."""
    wanted = select(jobs.c.turn_id).join(turns, turns.c.id == jobs.c.turn_id)
    wanted = wanted.join(sessions, sessions.c.id == turns.c.session_id)
    return wanted.where(*_in(state)).order_by(jobs.c.priority.desc(), *_ORDER)


def _next_priority(db: Connection, state: str, below: int | None) -> int | None:
    wanted = select(func.max(jobs.c.priority)).where(*_in(state))
    if below is not None:
        wanted = wanted.where(jobs.c.priority < below)
    return db.execute(wanted).scalar()


def _are_few(db: Connection, state: str, priority: int) -> bool:
    """Tell whether so few jobs are waiting that sorting them beats walking to them."""
    some = select(jobs.c.turn_id).where(*_in(state), jobs.c.priority == priority)
    counted = select(func.count()).select_from(some.limit(_FEW + 1).subquery())
    return db.execute(counted).scalar_one() <= _FEW


def set_state(
    db: Connection, turn_ids: Sequence[int], state: str, reason: str = "", *, now_ms: int
) -> None:
    """Note how the reading of turns went; each try (read or failed) is counted."""
    tries = 1 if state in {"read", "failed"} else 0
    db.execute(
        update(jobs)
        .where(among(jobs.c.turn_id, turn_ids))
        .values(state=state, reason=reason, changed_at_ms=now_ms, attempts=jobs.c.attempts + tries)
    )


def raise_priority(db: Connection, turn_ids: Sequence[int], priority: int) -> None:
    """Put pending turns forward; none is put back."""
    db.execute(
        update(jobs)
        .where(among(jobs.c.turn_id, turn_ids), jobs.c.state == "pending")
        .values(priority=case((jobs.c.priority > priority, jobs.c.priority), else_=priority))
    )


def counts(db: Connection) -> dict[str, int]:
    """Count the turns in each state; every state is a key."""
    # Each turn has one job. Those that were read are the many and stand in no index.
    total = db.execute(select(func.coalesce(func.sum(speakers_counted.c.turns), 0))).scalar_one()
    found = {
        state: db.execute(select(func.count()).select_from(jobs).where(*_in(state))).scalar_one()
        for state in ("pending", "gated", "failed")
    }
    return found | {"read": int(total) - sum(found.values())}
