"""How far each chat has been read, what failed, and what is to be read first."""

from typing import Any

from sqlalchemy import func, select, text, update

from apexmem_desktop.domain.reading import ChatQueue, FailedTurn
from apexmem_desktop.storage.functions import wall_ms
from apexmem_desktop.storage.tables import conversations, jobs, speakers_counted, turns
from apexmem_desktop.storage.vault import Connection

ASKED_FOR = 3  # above what a question puts forward
_DONE = text("""
SELECT v.conversation_id AS chat, j.state AS state, count(*) AS number, max(j.priority) AS priority
FROM jobs j CROSS JOIN turns t ON t.id = j.turn_id CROSS JOIN voices v ON v.id = t.voice_id
GROUP BY v.conversation_id, j.state
""")
# What waits without a row of its own (step 007).
_WAITING = text("""
SELECT s.conversation_id AS chat, sum(w.turns) AS number
FROM waiting w CROSS JOIN sessions s ON s.id = w.session_id GROUP BY s.conversation_id
""")
_FIRST = text("""
INSERT INTO jobs (turn_id, state, priority, attempts, reason, changed_at_ms)
SELECT t.id, 'pending', :priority, 0, '', :now_ms
FROM stretches p CROSS JOIN turns t ON t.id BETWEEN p.first_id AND p.last_id
CROSS JOIN voices v ON v.id = t.voice_id LEFT JOIN jobs j ON j.turn_id = t.id
WHERE p.conversation_id = :chat AND coalesce(j.state = 'pending', v.is_read)
ON CONFLICT (turn_id) DO UPDATE SET priority = excluded.priority
""")


def find_queues(db: Connection) -> list[ChatQueue]:
    """Tell of each chat how many turns wait, were read, or failed; what waits comes first."""
    counted = select(speakers_counted.c.conversation_id, func.sum(speakers_counted.c.turns))
    totals = {
        row[0]: int(row[1])
        for row in db.execute(counted.group_by(speakers_counted.c.conversation_id))
    }
    by_chat: dict[int, dict[str, Any]] = {}
    for row in db.execute(_DONE):
        by_chat.setdefault(row.chat, {})[row.state] = row
    waits = {row.chat: int(row.number) for row in db.execute(_WAITING)}
    titles = db.execute(select(conversations.c.id, conversations.c.title)).all()
    found = [
        _queue(row, totals.get(row.id, 0), by_chat.get(row.id, {}), waits.get(row.id, 0))
        for row in titles
    ]
    return sorted(found, key=lambda one: (not one.pending, -one.priority, -one.pending, one.title))


def find_failed(db: Connection, *, limit: int) -> list[FailedTurn]:
    """List the turns whose reading failed, the newest failure first."""
    wanted = (
        select(turns, jobs.c.reason, jobs.c.attempts)
        .join(jobs, jobs.c.turn_id == turns.c.id)
        .where(jobs.c.state == "failed")
        .order_by(jobs.c.changed_at_ms.desc(), turns.c.id.desc())
    )
    return [
        FailedTurn(
            row.id,
            row.speaker,
            row.said_at_ms,
            row.offset_minutes,
            row.text,
            row.reason,
            row.attempts,
        )
        for row in db.execute(wanted.limit(limit))
    ]


def queue_failed_again(db: Connection, *, now_ms: int) -> int:
    """Let all that failed wait once more; return how many."""
    done = db.execute(
        update(jobs)
        .where(jobs.c.state == "failed")
        .values(state="pending", reason="", changed_at_ms=now_ms)
    )
    return done.rowcount


def put_chat_first(db: Connection, conversation_id: int) -> None:
    """Let the waiting turns of a chat be read before all others.

    Chats put first earlier stand behind it: they keep their place before what nobody asked for.
    """
    highest = db.execute(
        select(func.max(jobs.c.priority)).where(jobs.c.state == "pending")
    ).scalar()
    first = max(ASKED_FOR, (highest or 0) + 1)
    db.execute(_FIRST, {"priority": first, "now_ms": wall_ms(), "chat": conversation_id})


def _queue(chat: Any, total: int, states: dict[str, Any], waits: int) -> ChatQueue:
    pending, read, failed = (
        states[name].number if name in states else 0 for name in ("pending", "read", "failed")
    )
    return ChatQueue(
        conversation_id=chat.id,
        title=chat.title,
        pending=pending + waits,
        read=read,
        passed_over=max(0, total - pending - waits - read - failed),
        failed=failed,
        priority=states["pending"].priority if pending else int(waits > 0),
    )
