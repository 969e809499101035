"""Counts kept as things are added (step 006): who speaks how often, what speaks of an entity.

Where something was removed the row is gone, and the readers count anew; `rebuild` brings it back.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from sqlalchemy import text

from apexmem_desktop.storage import stretches
from apexmem_desktop.storage.columns import Columns
from apexmem_desktop.storage.vault import Connection

_SPEAKERS = """
INSERT INTO chat_speakers (conversation_id, speaker, turns, first_at_ms, last_at_ms)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT (conversation_id, speaker) DO UPDATE SET
    turns = turns + excluded.turns,
    first_at_ms = coalesce(
        min(first_at_ms, excluded.first_at_ms), first_at_ms, excluded.first_at_ms),
    last_at_ms = coalesce(
        max(last_at_ms, excluded.last_at_ms), last_at_ms, excluded.last_at_ms)
"""
_SPEAKERS_OF_ALL = """
INSERT INTO chat_speakers (conversation_id, speaker, turns, first_at_ms, last_at_ms)
SELECT v.conversation_id, v.speaker, count(*), min(t.said_at_ms), max(t.said_at_ms)
FROM stretches s CROSS JOIN turns t ON t.id BETWEEN s.first_id AND s.last_id
CROSS JOIN voices v ON v.id = t.voice_id
WHERE s.conversation_id = :conversation_id
GROUP BY v.speaker
"""
_EVERY_SPEAKER = """
SELECT v.conversation_id, v.speaker, count(*) AS turns, min(t.said_at_ms) AS first_at_ms,
    max(t.said_at_ms) AS last_at_ms
FROM turns t CROSS JOIN voices v ON v.id = t.voice_id GROUP BY v.conversation_id, v.speaker
"""
_EVERY_WAITING = """
SELECT t.session_id, count(*) AS turns FROM turns t CROSS JOIN voices v ON v.id = t.voice_id
WHERE v.is_read AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.turn_id = t.id) GROUP BY t.session_id
"""
_WAITING = """
INSERT INTO waiting VALUES (?, ?)
ON CONFLICT (session_id) DO UPDATE SET turns = turns + excluded.turns
"""
_EVERY_STATE = "SELECT state, count(*) AS jobs FROM jobs GROUP BY state"
_EVERY_USE = """
SELECT e.id AS entity_id, coalesce(f.n, 0) AS facts, coalesce(m.n, 0) AS mentions,
    m.first_at_ms, m.last_at_ms, m.first_local_ms, m.last_local_ms
FROM entities e
LEFT JOIN (
    SELECT entity_id, count(*) AS n FROM (
        SELECT subject_id AS entity_id FROM facts
        UNION ALL SELECT value_entity_id FROM facts
            WHERE value_entity_id IS NOT NULL AND value_entity_id <> subject_id
    ) GROUP BY entity_id
) f ON f.entity_id = e.id
LEFT JOIN (
    SELECT m.entity_id, count(DISTINCT m.turn_id) AS n,
        min(t.said_at_ms) AS first_at_ms, max(t.said_at_ms) AS last_at_ms,
        min(t.said_at_ms + 60000 * v.offset_minutes) AS first_local_ms,
        max(t.said_at_ms + 60000 * v.offset_minutes) AS last_local_ms
    FROM mentions m JOIN turns t ON t.id = m.turn_id JOIN voices v ON v.id = t.voice_id
    GROUP BY m.entity_id
) m ON m.entity_id = e.id
"""
# Each a table, what it is made of, and which of its rows tell something.
_KEPT = {
    "chat_speakers": (_EVERY_SPEAKER, "1"),
    "entity_uses": (_EVERY_USE, "1"),
    "waiting": (_EVERY_WAITING, "turns <> 0"),
    "job_counts": (_EVERY_STATE, "jobs <> 0"),
}


def add_speakers(db: Connection, conversation_id: int, new: Columns) -> None:
    """Count in the turns of a chat that were just stored: who spoke, and when."""
    kept = text("SELECT 1 FROM chat_speakers WHERE conversation_id = :conversation_id LIMIT 1")
    here = {"conversation_id": conversation_id}
    if not db.execute(kept, here).first():
        # The chat is new, or turns of it were erased: all of it is counted.
        db.execute(text(_SPEAKERS_OF_ALL), here)
        return
    db.exec_driver_sql(_SPEAKERS, _spoken(conversation_id, new))


def add_new_speakers(db: Connection, chats: Iterable[tuple[int, Columns]]) -> None:
    """Count in the turns of chats that had none before."""
    rows = [row for conversation_id, new in chats for row in _spoken(conversation_id, new)]
    if rows:
        db.exec_driver_sql(_SPEAKERS, rows)


def _spoken(
    conversation_id: int, new: Columns
) -> list[tuple[int, str, int, int | None, int | None]]:
    """Count each voice's turns, and find when the first and the last of them were said."""
    timed = [pair for pair in zip(new.said, new.spoken, strict=True) if pair[0] is not None]
    timed.sort()
    # Of what has the same voice, the last stays.
    last_ms = {voice: at_ms for at_ms, voice in timed}
    first_ms = {voice: at_ms for at_ms, voice in reversed(timed)}
    return [
        (conversation_id, new.voices[voice][0], count, first_ms.get(voice), last_ms.get(voice))
        for voice, count in Counter(new.spoken).items()
    ]


def add_waiting(db: Connection, turns: Mapping[int, int]) -> None:
    """Count turns that were just stored among those that wait: how many of which session."""
    if turns:
        db.exec_driver_sql(_WAITING, list(turns.items()))


def are_right(db: Connection) -> bool:
    """Tell whether all that is kept is there and says what counting anew says."""
    differing = (
        f"SELECT (SELECT count(*) FROM (SELECT * FROM {table} WHERE {telling} EXCEPT {anew}))"  # noqa: S608 - ours
        f" + (SELECT count(*) FROM ({anew} EXCEPT SELECT * FROM {table}))"
        for table, (anew, telling) in _KEPT.items()
    )
    wrong = any(db.execute(text(sql)).scalar_one() for sql in differing)
    return not wrong and stretches.count_misplaced(db) == 0


def rebuild(db: Connection) -> None:
    """Count everything anew."""
    for table, (anew, _) in _KEPT.items():
        db.execute(text(f"DELETE FROM {table}"))  # noqa: S608 - our own name
        db.execute(text(f"INSERT INTO {table} {anew}"))
    if stretches.count_misplaced(db):
        stretches.rebuild(db)
