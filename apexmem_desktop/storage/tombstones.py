"""What is left of erased turns: that they were erased, and nothing that was said.

A turn is known again by a digest. It tells nothing to whom has not got the very export.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from sqlalchemy import delete, insert, select

from apexmem_desktop.storage.keys import known_by, read_keys
from apexmem_desktop.storage.lists import among, listed
from apexmem_desktop.storage.rows import append_row
from apexmem_desktop.storage.tables import conversations, erased_turns, erasures
from apexmem_desktop.storage.vault import Connection


def digest(format_name: str, chat_id: str, turn_key: str) -> str:
    """Know a turn again: by the format, the chat's own id in it ("" for none), and its key."""
    return sha256("\x1f".join((format_name, chat_id, turn_key)).encode()).hexdigest()[:32]


def _digests(format_name: str, chat_id: str, turn_key: str) -> tuple[str, str]:
    """Give what a turn is known again by, and what it was while whole keys were kept (step 11)."""
    return (
        digest(format_name, chat_id, known_by(turn_key)),
        digest(format_name, chat_id, turn_key),
    )


def append_erasure(
    db: Connection, scope: str, counted: Mapping[str, int], *, erased_at_ms: int
) -> int:
    """Record an erasure that is not finished yet, and return its number."""
    counts = {name: counted.get(name, 0) for name in ("turns", "facts", "events", "entities")}
    return append_row(db, erasures, scope=scope, erased_at_ms=erased_at_ms, finished=0, **counts)


def bury_turns(db: Connection, erasure_id: int, turn_ids: Iterable[int]) -> None:
    """Remember turns before they are erased."""
    chats = {
        number: (format_name, chat_id)
        for number, format_name, chat_id in db.execute(
            select(conversations.c.id, conversations.c.format, conversations.c.external_id)
        )
    }
    rows = [
        {"digest": digest(*chats[chat], key), "erasure_id": erasure_id}
        for chat, key in read_keys(db, turn_ids)
    ]
    if rows:
        db.execute(insert(erased_turns).prefix_with("OR REPLACE"), rows)


def has_erased_turns(db: Connection) -> bool:
    """Tell whether any turn was erased from this memory."""
    return db.execute(select(erased_turns.c.digest).limit(1)).first() is not None


def find_erased_keys(
    db: Connection, format_name: str, chat_id: str, keys: Iterable[str]
) -> set[str]:
    """Find which turns of a chat were erased, by their keys."""
    if not has_erased_turns(db):
        return set()
    digests = {one: key for key in keys for one in _digests(format_name, chat_id, key)}
    found = db.execute(
        select(erased_turns.c.digest).where(erased_turns.c.digest.in_(listed(digests)))
    )
    return {digests[one] for one in found.scalars()}


def unbury_turns(db: Connection, format_name: str, chat_id: str, keys: Iterable[str]) -> None:
    """Forget that turns were erased: the user brought them back."""
    digests = [one for key in keys for one in _digests(format_name, chat_id, key)]
    db.execute(delete(erased_turns).where(among(erased_turns.c.digest, digests)))


def is_unfinished(db: Connection) -> bool:
    """Tell whether an erasure was cut off before the file was written anew."""
    return db.execute(select(erasures.c.id).where(erasures.c.finished == 0)).first() is not None
