"""Which stored chat an imported one is, by what was said when; for names and keys may differ."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, select

from apexmem_desktop.storage import keys as stored_keys
from apexmem_desktop.storage.lists import listed
from apexmem_desktop.storage.stretches import find_stretches
from apexmem_desktop.storage.tables import conversations, speakers_counted, turns
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class StoredChat:
    """A chat as far as it is needed to recognise it.

    Attributes:
        spoken: Turns that have a speaker.
        speakers: Those who speak, without the messenger itself.
    """

    id: int
    format: str
    external_id: str
    title: str
    spoken: int
    speakers: frozenset[str]
    first_at_ms: int | None
    last_at_ms: int | None


@dataclass(frozen=True, slots=True)
class StoredWords:
    """One stored turn: when, by whom, what; its `keys.known_by` where asked for, else ""."""

    said_at_ms: int
    speaker: str
    kind: str
    text: str
    key: str


def find_chats(db: Connection, formats: Collection[str]) -> list[StoredChat]:
    """List the stored chats of some formats, oldest first."""
    counted: dict[int, list[Row[Any]]] = {}
    wanted = select(conversations).where(conversations.c.format.in_(sorted(formats)))
    rows = db.execute(wanted.order_by(conversations.c.id)).all()
    ids = [row.id for row in rows]
    for row in db.execute(
        select(speakers_counted).where(speakers_counted.c.conversation_id.in_(listed(ids)))
    ):
        counted.setdefault(row.conversation_id, []).append(row)
    return [_chat(row, counted.get(row.id, [])) for row in rows]


def _chat(row: Row[Any], counted: Sequence[Row[Any]]) -> StoredChat:
    spoken = [one for one in counted if one.speaker]
    return StoredChat(
        id=row.id,
        format=row.format,
        external_id=row.external_id,
        title=row.title,
        spoken=sum(one.turns for one in spoken),
        speakers=frozenset(one.speaker for one in spoken),
        first_at_ms=min((t for o in counted if (t := o.first_at_ms) is not None), default=None),
        last_at_ms=max((t for o in counted if (t := o.last_at_ms) is not None), default=None),
    )


def count_shared(
    db: Connection, keys: Collection[str], chats: Sequence[int] | None = None
) -> list[tuple[int, int]]:
    """Count the equal turns in each chat that has any.

    Args:
        chats: Only in these; None for all.
    """
    if chats is None:
        chats = db.execute(select(conversations.c.id)).scalars().all()
    counted = stored_keys.count_shared(db, chats, list(keys))
    return [(chat_id, count) for chat_id, count in counted.items() if count]


def find_words(
    db: Connection,
    conversation_id: int,
    from_ms: int,
    before_ms: int,
    *,
    with_keys: bool = False,
) -> Iterator[StoredWords]:
    """Read what was said in a chat in a stretch of time, in order, one at a time.

    Args:
        with_keys: Give the turns' keys too, for which all keys of the chat are walked through.
    """
    near = find_stretches(db, conversation_id, from_ms=from_ms, to_ms=before_ms)
    if not near:
        return
    first, last = min(one.first_id for one in near), max(one.last_id for one in near)
    keys = stored_keys.keys_between(db, conversation_id, first, last) if with_keys else {}
    rows = db.execute(
        select(turns.c.id, turns.c.said_at_ms, turns.c.speaker, turns.c.kind, turns.c.text)
        .where(turns.c.id.between(first, last), turns.c.conversation_id == conversation_id)
        .where(turns.c.order_ms >= from_ms, turns.c.order_ms < before_ms)
        .where(turns.c.said_at_ms.is_not(None))
        .order_by(turns.c.order_ms, turns.c.id)
    )
    for number, said_at_ms, speaker, kind, said in rows:
        yield StoredWords(said_at_ms, speaker, kind, said, keys.get(number, ""))
