"""Chats, each one row however many exports it came in."""

from collections.abc import Sequence

from sqlalchemy import func, select

from apexmem_desktop.domain.reports import ConversationSummary
from apexmem_desktop.storage.lists import listed
from apexmem_desktop.storage.rows import append_row
from apexmem_desktop.storage.tables import conversations, turns
from apexmem_desktop.storage.vault import Connection

_SHARED_TURNS = 3  # so many equal turns (speaker, clock, words) are no coincidence


def find_conversation_id(
    db: Connection,
    *,
    format: str,  # noqa: A002 - the column's name
    external_id: str,
    keys: Sequence[str],
) -> int | None:
    """Find the stored chat that an imported one continues.

    Its own id decides where the export has one; otherwise the turns it shares with a stored chat.
    """
    if external_id:
        return db.execute(
            select(conversations.c.id).where(
                conversations.c.format == format, conversations.c.external_id == external_id
            )
        ).scalar()
    shared = func.count()
    return db.execute(
        select(turns.c.conversation_id)
        .join(conversations, conversations.c.id == turns.c.conversation_id)
        .where(conversations.c.format == format, conversations.c.external_id == "")
        .where(turns.c.turn_key.in_(listed(keys)))
        .group_by(turns.c.conversation_id)
        .having(shared >= max(1, min(_SHARED_TURNS, len(keys))))
        .order_by(shared.desc(), turns.c.conversation_id)
        .limit(1)
    ).scalar()


def append_conversation(
    db: Connection,
    *,
    format: str,  # noqa: A002 - the column's name
    external_id: str,
    title: str,
    is_group: bool,
) -> int:
    """Store a new chat and return its number."""
    return append_row(
        db,
        conversations,
        format=format,
        external_id=external_id,
        title=title,
        is_group=int(is_group),
    )


def find_conversations(db: Connection) -> list[ConversationSummary]:
    """List all chats, the one with the newest turn first."""
    speakers = _speakers(db)
    last_at_ms = func.max(turns.c.said_at_ms)
    rows = db.execute(
        select(
            conversations.c.id,
            conversations.c.title,
            conversations.c.format,
            func.count(turns.c.id).label("turns"),
            func.min(turns.c.said_at_ms).label("first_at_ms"),
            last_at_ms.label("last_at_ms"),
        )
        .outerjoin(turns, turns.c.conversation_id == conversations.c.id)
        .group_by(conversations.c.id)
        .order_by(last_at_ms.desc(), conversations.c.id.desc())
    )
    return [
        ConversationSummary(
            id=row.id,
            title=row.title,
            format=row.format,
            turns=row.turns,
            first_at_ms=row.first_at_ms,
            last_at_ms=row.last_at_ms,
            speakers=tuple(speakers.get(row.id, ())),
        )
        for row in rows
    ]


def _speakers(db: Connection) -> dict[int, list[str]]:
    """List who speaks in each chat, the most talkative first."""
    rows = db.execute(
        select(turns.c.conversation_id, turns.c.speaker)
        .where(turns.c.speaker != "")
        .group_by(turns.c.conversation_id, turns.c.speaker)
        .order_by(func.count().desc(), turns.c.speaker)
    )
    found: dict[int, list[str]] = {}
    for conversation_id, speaker in rows:
        found.setdefault(conversation_id, []).append(speaker)
    return found
