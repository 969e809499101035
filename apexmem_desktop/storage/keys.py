"""By which a turn is known again in another export: stored many in a row, looked up in bulk.

A key is a digest of 16 bytes, of which 12 are kept. Few are none: they have rows of their own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

from apexmem_desktop.storage.packs import (
    DIGEST_BYTES,
    KEY_BYTES,
    KEYS_A_PACK,
    NO_KEY,
    Stored,
    stored_keys,
    unpack_keys,
)
from apexmem_desktop.storage.rows import append_tuples, read_column
from apexmem_desktop.storage.tables import key_packs, turn_keys
from apexmem_desktop.storage.vault import Connection

_HELD = 300_000  # so many keys of a chat take some 25 MB of memory in a set
_PACKS = "SELECT keys FROM key_packs WHERE conversation_id = ?"
_ODD = "SELECT key FROM turn_keys WHERE conversation_id = ?"


def known_by(key: str) -> str:
    """Write a key as one that was stored is given back: what is not kept of it is zeros."""
    return _text(stored_keys([key])[0])


def _text(stored: Stored) -> str:
    return stored.hex().ljust(2 * DIGEST_BYTES, "0") if isinstance(stored, bytes) else stored


def append_keys(
    db: Connection, conversation_id: int, stored: Sequence[Stored], first_id: int
) -> None:
    """Store the keys of turns that were just stored, numbered in a row from `first_id`."""
    odd = [
        (conversation_id, key, number)
        for number, key in enumerate(stored, first_id)
        if isinstance(key, str)
    ]
    digests = cast("Sequence[bytes]", stored)
    if odd:
        digests = [key if isinstance(key, bytes) else NO_KEY for key in stored]
        append_tuples(db, turn_keys, ("conversation_id", "key", "turn_id"), odd)
    if set(map(len, digests)) != {KEY_BYTES}:
        raise ValueError(f"keys of turns are stored with {KEY_BYTES} bytes each")
    packs = (
        (first_id + at, conversation_id, b"".join(digests[at : at + KEYS_A_PACK]))
        for at in range(0, len(digests), KEYS_A_PACK)
    )
    append_tuples(db, key_packs, ("id", "conversation_id", "keys"), packs)


def find_known_keys(db: Connection, conversation_id: int, keys: Iterable[str]) -> set[str]:
    """Find which of the keys are stored in this chat already; reads all that it has."""
    listed = list(dict.fromkeys(keys))
    wanted = dict(zip(stored_keys(listed), listed, strict=True))
    return {wanted[key] for key in wanted.keys() & set(_stored(db, conversation_id))}


class ChatKeys:
    """The keys of one chat, read once and asked for batch by batch.

    They are held in a set, or where they are many in one sorted array: a fifth of the memory.
    """

    def __init__(self, db: Connection, conversation_id: int) -> None:
        some = set(islice(_stored(db, conversation_id), _HELD + 1))
        self._many = ManyKeys(db, conversation_id) if len(some) > _HELD else None
        self._held = some if self._many is None else set(read_column(db, _ODD, (conversation_id,)))

    def find_known(self, keys: Iterable[str]) -> set[str]:
        """Find which of the keys are stored."""
        listed = list(keys)
        stored = stored_keys(listed)
        held = self._held if self._many is None else self._held | self._many.among(stored)
        return {key for key, one in zip(listed, stored, strict=True) if one in held}


class ManyKeys:
    """A chat's digests, sorted in one array."""

    def __init__(self, db: Connection, conversation_id: int) -> None:
        import numpy as np

        joined = b"".join(read_column(db, _PACKS, (conversation_id,)))
        self._sorted = np.sort(np.frombuffer(joined, dtype=f"S{len(NO_KEY)}"))

    def among(self, keys: Sequence[Stored]) -> set[Stored]:
        """Find which of the keys are here."""
        import numpy as np

        digests = [key for key in keys if isinstance(key, bytes)]
        asked = np.array(digests, dtype=self._sorted.dtype)
        places = np.searchsorted(self._sorted, asked).clip(max=len(self._sorted) - 1)
        found = self._sorted[places] == asked
        return {key for key, is_here in zip(digests, found.tolist(), strict=True) if is_here}


def count_shared(
    db: Connection, conversation_ids: Sequence[int], keys: Sequence[str]
) -> dict[int, int]:
    """Count how many of the keys each of the chats has; reads all that these have."""
    wanted = set(stored_keys(keys))
    return {number: len(wanted.intersection(_stored(db, number))) for number in conversation_ids}


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
        for key in stored_keys(keys):
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
    for chat in conversation_ids:
        for key in _stored(db, chat):
            for number in whose.get(key, ()):
                shared.setdefault(number, Counter())[chat] += 1


def _stored(db: Connection, conversation_id: int) -> Iterator[Stored]:
    """Read all keys of a chat; zeros, which are no digest of anything, stand for erased turns'."""
    for pack in read_column(db, _PACKS, (conversation_id,)):
        yield from unpack_keys(pack)
    yield from read_column(db, _ODD, (conversation_id,))


def read_keys(db: Connection, turn_ids: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Give the chat of each of the turns and what it is known by; walks over all keys."""
    wanted = set(turn_ids)
    for first_id, conversation_id, pack in db.exec_driver_sql(
        "SELECT id, conversation_id, keys FROM key_packs ORDER BY id"
    ):
        for number, key in enumerate(unpack_keys(pack), first_id):
            if number in wanted and key != NO_KEY:
                yield conversation_id, _text(key)
    for conversation_id, odd, number in db.exec_driver_sql("SELECT * FROM turn_keys"):
        if number in wanted:
            yield conversation_id, _text(odd)


def keys_between(
    db: Connection, conversation_id: int, first_id: int, last_id: int
) -> dict[int, str]:
    """Give what a chat's turns are known by, by their numbers from one to another."""
    packs = db.exec_driver_sql(
        "SELECT id, keys FROM key_packs WHERE conversation_id = ? AND id BETWEEN ? AND ?",
        (conversation_id, first_id - KEYS_A_PACK + 1, last_id),
    )
    odd = db.exec_driver_sql(
        "SELECT turn_id, key FROM turn_keys WHERE conversation_id = ? AND turn_id BETWEEN ? AND ?",
        (conversation_id, first_id, last_id),
    )
    found = [(at + i, key) for at, pack in packs for i, key in enumerate(unpack_keys(pack))]
    found += [(number, key) for number, key in odd]
    return {
        number: _text(key)
        for number, key in found
        if first_id <= number <= last_id and key != NO_KEY
    }
