"""Chats, each one row however many exports it came in."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, func, select

from apexmem_desktop.domain.reports import ConversationSummary
from apexmem_desktop.storage.lists import listed
from apexmem_desktop.storage.rows import append_row, append_rows, read_pairs
from apexmem_desktop.storage.tables import conversations, speakers_counted, turns
from apexmem_desktop.storage.vault import Connection

_SHARED_TURNS = 3  # so many equal turns (speaker, clock, words) are no coincidence
_KEYS_AT_ONCE = 20_000
_KEY_DIGITS = 8  # as many as the index turns_by_key holds


class NewConversation(NamedTuple):
    """A chat to be stored; its fields are columns."""

    id: int
    format: str
    external_id: str
    title: str
    is_group: int


def find_conversation_id(
    db: Connection,
    *,
    format: str,  # noqa: A002 - the column's name
    external_id: str,
    keys: Iterable[str],
) -> int | None:
    """Find the stored chat that an imported one continues.

    Its own id decides where the export has one; otherwise the turns it shares with a stored chat.
    """
    chats = select(conversations.c.id).where(
        conversations.c.format == format, conversations.c.external_id == external_id
    )
    stored = set(db.execute(chats).scalars())
    if external_id or not stored:
        return min(stored, default=None)
    shared: Counter[int] = Counter()
    left, asked = iter(keys), 0
    while some := list(islice(left, _KEYS_AT_ONCE)):
        asked += len(some)
        counted = select(turns.c.conversation_id, func.count()).where(has_key(some))
        for chat, number in db.execute(counted.group_by(turns.c.conversation_id)):
            if chat in stored:
                shared[chat] += number
        if len(stored) == 1 and max(shared.values(), default=0) >= _SHARED_TURNS:
            break  # no other could share more
    best = max(sorted(shared), key=shared.__getitem__, default=None)
    enough = max(1, min(_SHARED_TURNS, asked))
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


def find_ids_by_external_id(db: Connection, format: str) -> dict[str, int]:  # noqa: A002
    """Map the ids that exports of a format gave their chats to our numbers."""
    named = select(conversations.c.external_id, conversations.c.id).where(
        conversations.c.format == format, conversations.c.external_id != ""
    )
    return read_pairs(db, named.order_by(conversations.c.id.desc()))


def next_conversation_id(db: Connection) -> int:
    """Give the number that the next new chat gets."""
    return (db.execute(select(func.max(conversations.c.id))).scalar() or 0) + 1


def append_conversations(db: Connection, new: Sequence[NewConversation]) -> None:
    """Store new chats under numbers from `next_conversation_id` on."""
    append_rows(db, conversations, [chat._asdict() for chat in new])


def has_key(keys: Collection[str]) -> ColumnElement[bool]:
    """Say that a turn has one of the keys, in words that its index understands."""
    short = func.substr(turns.c.turn_key, 1, _KEY_DIGITS)
    return short.in_(listed({key[:_KEY_DIGITS] for key in keys})) & turns.c.turn_key.in_(
        listed(keys)
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
