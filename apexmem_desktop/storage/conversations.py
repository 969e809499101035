"""Chats, each one row however many exports it came in."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Row, func, select

from apexmem_desktop.domain.reports import ConversationSummary
from apexmem_desktop.storage.keys import count_shared
from apexmem_desktop.storage.rows import append_row, append_tuples, read_pairs
from apexmem_desktop.storage.tables import conversations, speakers_counted
from apexmem_desktop.storage.vault import Connection

_SHARED_TURNS = 3  # so many equal turns (speaker, clock, words) are no coincidence
_ASKED_OF_ONE = 20_000  # keys at once
_ASKED_OF_SOME = 100_000  # all their keys are read each time


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
    if external_id:
        return db.execute(
            select(conversations.c.id).where(
                conversations.c.format == format, conversations.c.external_id == external_id
            )
        ).scalar()
    like_it = select(conversations.c.id).where(
        conversations.c.format == format, conversations.c.external_id == ""
    )
    stored = list(db.execute(like_it.order_by(conversations.c.id)).scalars())
    return _find_most_alike(db, stored, keys) if stored else None


def _find_most_alike(db: Connection, stored: Sequence[int], keys: Iterable[str]) -> int | None:
    """Find which of the chats shares most keys, if any shares enough."""
    shared: Counter[int] = Counter()
    left, asked = iter(keys), 0
    at_once = _ASKED_OF_ONE if len(stored) == 1 else _ASKED_OF_SOME
    while some := list(islice(left, at_once)):
        asked += len(some)
        shared.update(count_shared(db, stored, some))
        if len(stored) == 1 and shared[stored[0]] >= _SHARED_TURNS:
            break  # no other could share more
    best = max(stored, key=shared.__getitem__)
    enough = max(1, min(_SHARED_TURNS, asked))
    return best if shared[best] >= enough else None


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
    append_tuples(db, conversations, NewConversation._fields, new)


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
