"""By which a turn is known again in another export: looked up in bulk."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from typing import cast

from apexmem_desktop.storage.functions import turn_key_text, turn_keys_bytes
from apexmem_desktop.storage.rows import append_tuples, read_column
from apexmem_desktop.storage.tables import turn_keys
from apexmem_desktop.storage.vault import Connection

Stored = str | bytes
_AT_ONCE = 5_000
_HELD = 300_000  # so many keys of a chat take some 25 MB of memory
_PROBES = 20_000  # look-ups one by one; more, and reading all keys of the chats is faster


def append_keys(db: Connection, rows: Iterable[tuple[int, Stored | bytearray, int]]) -> None:
    """Store the keys of turns that were just stored, in rows as `key_rows` makes them."""
    append_tuples(db, turn_keys, ("conversation_id", "key", "turn_id"), rows)


def key_rows(
    conversation_id: int, keys: Sequence[Stored], numbers: Sequence[int]
) -> Iterator[tuple[int, Stored | bytearray, int]]:
    """Make the rows of turns' keys, in the order of the table, so that its pages are full."""
    by_key = dict(zip(keys, numbers, strict=True))
    with_text = str in set(map(type, keys))  # texts stand before bytes
    in_order = sorted(
        by_key, key=(lambda key: (isinstance(key, bytes), key)) if with_text else None
    )
    stored: Iterable[Stored | bytearray] = in_order
    if not with_text:
        # The driver asks of each `bytes` whether somebody adapts it, and of no bytearray.
        stored = map(bytearray, cast(list[bytes], in_order))
    return zip(repeat(conversation_id), stored, map(by_key.__getitem__, in_order), strict=False)


def find_known_keys(db: Connection, conversation_id: int, keys: Iterable[str]) -> set[str]:
    """Find which of the keys are stored in this chat already."""
    if not _has_keys(db, conversation_id):
        return set()
    listed = list(dict.fromkeys(keys))
    wanted = dict(zip(turn_keys_bytes(listed), listed, strict=True))
    found = wanted.keys() & set(_stored(db, conversation_id, list(wanted), most=_PROBES))
    return {wanted[key] for key in found}


class ChatKeys:
    """The keys of one chat, asked for batch by batch.

    Where much is asked they are read once and held, which takes a sixth of the time.
    """

    def __init__(self, db: Connection, conversation_id: int, *, asked: int) -> None:
        """Begin.

        Args:
            asked: How many keys will be asked for, in all batches.
        """
        self._db = db
        self._conversation_id = conversation_id
        self._held: set[Stored] | None = None
        if asked > _PROBES:
            every = "SELECT key FROM turn_keys WHERE conversation_id = ? LIMIT ?"
            held = set(read_column(db, every, (conversation_id, _HELD + 1)))
            self._held = held if len(held) <= _HELD else None

    def find_known(self, keys: Iterable[str]) -> set[str]:
        """Find which of the keys are stored."""
        if self._held is None:
            return find_known_keys(self._db, self._conversation_id, keys)
        listed = list(keys)
        stored = zip(turn_keys_bytes(listed), listed, strict=True) if listed else ()
        return {key for stored_key, key in stored if stored_key in self._held}


def count_shared(
    db: Connection, conversation_ids: Sequence[int], keys: Sequence[str]
) -> dict[int, int]:
    """Count how many of the keys each of the chats has."""
    if not conversation_ids:
        return {}
    wanted = set(turn_keys_bytes(keys))
    listed = list(wanted)
    most = _PROBES // len(conversation_ids)
    return {
        number: len(wanted & set(_stored(db, number, listed, most=most)))
        for number in conversation_ids
    }


def count_walked(
    db: Connection, conversation_ids: Sequence[int], asked: Iterable[tuple[int, Sequence[str]]]
) -> dict[int, Counter[int]]:
    """Count the keys that chats share with many asked for, in few walks over all that is stored.

    Args:
        asked: Keys with a number of those whose they are, which may come again.

    Returns:
        For each number, how many of its keys each chat has.
    """
    shared: dict[int, Counter[int]] = {}
    whose: dict[Stored, list[int]] = {}
    for number, keys in asked:
        for key in turn_keys_bytes(keys) if keys else ():
            whose.setdefault(key, []).append(number)
        if len(whose) > _HELD:
            _walk(db, conversation_ids, whose, shared)
            whose = {}
    if whose:
        _walk(db, conversation_ids, whose, shared)
    return shared


def _walk(
    db: Connection,
    conversation_ids: Iterable[int],
    whose: Mapping[Stored, Sequence[int]],
    shared: dict[int, Counter[int]],
) -> None:
    every = "SELECT key FROM turn_keys WHERE conversation_id = ?"
    for chat in conversation_ids:
        for key in read_column(db, every, (chat,)):
            for number in whose.get(key, ()):
                shared.setdefault(number, Counter())[chat] += 1


def _has_keys(db: Connection, conversation_id: int) -> bool:
    some = "SELECT 1 FROM turn_keys WHERE conversation_id = ? LIMIT 1"
    return db.exec_driver_sql(some, (conversation_id,)).first() is not None


def _stored(
    db: Connection, conversation_id: int, keys: Sequence[Stored], *, most: int
) -> Iterator[Stored]:
    """Read those of the keys that a chat has, or all it has where they are many."""
    every = "SELECT key FROM turn_keys WHERE conversation_id = ?"
    if len(keys) > most:
        yield from read_column(db, every, (conversation_id,))
        return
    left = iter(keys)
    while probed := list(islice(left, _AT_ONCE)):
        sql = f"{every} AND key IN ({', '.join('?' * len(probed))})"
        yield from read_column(db, sql, (conversation_id, *probed))


def read_keys(db: Connection, turn_ids: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Give the chat and key of each of the turns; walks over all keys."""
    wanted = set(turn_ids)
    every = "SELECT conversation_id, key, turn_id FROM turn_keys"
    for conversation_id, key, number in db.exec_driver_sql(every):
        if number in wanted:
            yield conversation_id, turn_key_text(key)


def keys_between(
    db: Connection, conversation_id: int, first_id: int, last_id: int
) -> dict[int, str]:
    """Give the keys of a chat's turns with numbers from one to another, by number."""
    some = (
        "SELECT turn_id, key FROM turn_keys WHERE conversation_id = ? AND turn_id BETWEEN ? AND ?"
    )
    found = db.exec_driver_sql(some, (conversation_id, first_id, last_id))
    return {number: turn_key_text(key) for number, key in found}
