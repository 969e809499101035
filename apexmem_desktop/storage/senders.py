"""Who sent turns: the people behind the names of exports."""

from sqlalchemy import func, select

from apexmem_desktop.domain.turn import Role
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.tables import (
    MENTION_ROLES,
    conversations,
    entity_canon,
    mentions,
    turns,
)
from apexmem_desktop.storage.vault import Connection

_PEOPLE = (str(Role.PERSON), str(Role.USER))
_SPEAKS = MENTION_ROLES["speaker"]


def last_turn_id(db: Connection) -> int:
    """Give the number of the newest turn, 0 in an empty memory."""
    return db.execute(select(func.max(turns.c.id))).scalar() or 0


def find_senders(db: Connection, after_turn_id: int) -> list[tuple[str, int, int]]:
    """List the people who sent later turns, each with the first and the last of these turns."""
    rows = db.execute(
        select(turns.c.speaker, func.min(turns.c.id), func.max(turns.c.id))
        .where(turns.c.id > after_turn_id, turns.c.speaker != "", turns.c.role.in_(_PEOPLE))
        .group_by(turns.c.speaker)
        .order_by(func.min(turns.c.id))
    )
    return [(speaker, first, last) for speaker, first, last in rows]


def find_speaking(db: Connection) -> dict[int, set[int]]:
    """Map those who speak, by the number that stands for them, to the chats they speak in."""
    rows = db.execute(
        select(entity_canon.c.canonical_id, turns.c.conversation_id)
        .join(mentions, mentions.c.entity_id == entity_canon.c.entity_id)
        .join(turns, turns.c.id == mentions.c.turn_id)
        .where(mentions.c.role == _SPEAKS)
        .distinct()
    )
    found: dict[int, set[int]] = {}
    for entity_id, chat_id in rows:
        found.setdefault(entity_id, set()).add(chat_id)
    return found


def find_chat_formats(db: Connection) -> dict[int, str]:
    """Map chats to their formats."""
    return read_pairs(db, select(conversations.c.id, conversations.c.format))
