"""Chats, each one row however many exports it came in."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select

from apexmem_desktop.domain.reports import ConversationSummary
from apexmem_desktop.storage.keys import count_shared
from apexmem_desktop.storage.rows import append_row
from apexmem_desktop.storage.tables import conversations, speakers_counted
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
    like_it = select(conversations.c.id).where(
        conversations.c.format == format, conversations.c.external_id == ""
    )
    shared = count_shared(
        db, list(db.execute(like_it.order_by(conversations.c.id)).scalars()), keys
    )
    best = max(shared, key=shared.__getitem__, default=None)
    enough = max(1, min(_SHARED_TURNS, len(keys)))
    return best if best is not None and shared[best] >= enough else None


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
    speakers: dict[int, list[Row[Any]]] = {}
    for row in db.execute(select(speakers_counted)):
        speakers.setdefault(row.conversation_id, []).append(row)
    found = [
        _summary(row, speakers.get(row.id, []))
        for row in db.execute(
            select(conversations.c.id, conversations.c.title, conversations.c.format)
        )
    ]
    found.sort(
        key=lambda chat: (chat.last_at_ms is not None, chat.last_at_ms or 0, chat.id), reverse=True
    )
    return found


def _summary(chat: Any, speakers: Sequence[Row[Any]]) -> ConversationSummary:
    talkative = sorted(speakers, key=lambda row: (-row.turns, row.speaker))
    return ConversationSummary(
        id=chat.id,
        title=chat.title,
        format=chat.format,
        turns=sum(row.turns for row in speakers),
        first_at_ms=min(
            (t for row in speakers if (t := row.first_at_ms) is not None), default=None
        ),
        last_at_ms=max((t for row in speakers if (t := row.last_at_ms) is not None), default=None),
        speakers=tuple(row.speaker for row in talkative if row.speaker),
    )
