"""The work queue: each turn is read into the graph once, and the work survives a kill."""

from collections.abc import Sequence

from sqlalchemy import case, func, insert, literal_column, select, update

from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.tables import jobs, sessions, speakers_counted, turns
from apexmem_desktop.storage.vault import Connection

_READABLE_KINDS = {TurnKind.MESSAGE, TurnKind.MEDIA, TurnKind.POLL}
_READABLE_ROLES = {Role.PERSON, Role.USER}
_NEW = 1
_READ = literal_column("'read'")  # as the index jobs_unread has it


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
    db.execute(insert(jobs), rows)


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
    wanted = (
        select(jobs.c.turn_id)
        .join(turns, turns.c.id == jobs.c.turn_id)
        .join(sessions, sessions.c.id == turns.c.session_id)
        .where(jobs.c.state == state)
    )
    if state != "read":
        wanted = wanted.where(jobs.c.state != _READ)  # so that the index can be used
    if turn_ids is not None:
        wanted = wanted.where(among(jobs.c.turn_id, turn_ids))
    order = (
        jobs.c.priority.desc(),
        sessions.c.started_at_ms.desc(),
        sessions.c.id.desc(),
        turns.c.order_ms,
        turns.c.position,
    )
    return list(db.execute(wanted.order_by(*order).limit(limit)).scalars())


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
    unread = select(jobs.c.state, func.count()).where(jobs.c.state != _READ).group_by(jobs.c.state)
    found = dict.fromkeys(("pending", "gated", "failed"), 0) | read_pairs(db, unread)
    return found | {"read": int(total) - sum(found.values())}
