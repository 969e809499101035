"""The words of turns and the keys of turns, many packed into one row.

Short messages are alike and hardly shrink alone; 64 together take a third of the room. A key has
nothing to shrink, but in a row of its own it takes twice its bytes.
"""

import re
import sqlite3
import zlib
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, cast

TURNS_A_PACK = 64
# Of the 16 of a digest: two of a chat's million turns share them in one of some 10^17 chats.
KEY_BYTES = 12
DIGEST_BYTES = 16
NO_KEY = bytes(KEY_BYTES)
KEYS_A_PACK = 336  # they fill a page of 4096 bytes
ALONE_CHARS = 500  # a longer text shrinks well alone, and would slow its neighbours' reading
_FEWEST = 16  # a pack that erasures or an end left with fewer is not worth a row
_SHIFT = TURNS_A_PACK.bit_length() - 1
_BETWEEN = "\0"
_WINDOW = 12  # 4 KB: as long as a pack of short messages
_MEMORY_LEVEL, _LEVEL = 5, 6
_ALONE_LEVEL = 4  # a long text gets less than a hundredth longer by it, in a tenth less time
_READ_BYTES = 8_192
_KEPT_PACKS = 256  # about 64 texts of 50 letters each
DAMAGED = "\ufffd"  # what is read where a pack is not whole; `verify` tells of it
_DIGEST, _DIGESTS = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]*")
Own = str | bytes | None
Stored = str | bytes


def pack_texts(
    first_id: int, texts: Sequence[str], rows: Sequence[Own] | None = None
) -> tuple[list[Own], list[tuple[int, bytes]]]:
    """Pack the texts of turns numbered in a row from `first_id`.

    Only whole packs are made, so that none is ever added to; what is left stands by itself.

    Args:
        rows: What the row of each would hold outside of a pack; None to work it out.

    Returns:
        What each turn's row holds (None: it is in a pack; "" never is), and the packs with their
        numbers.
    """
    if rows is None:
        rows = [shrunk(text) if len(text) > ALONE_CHARS else text for text in texts]
    own = list(rows)
    packs = []
    for at in range(-first_id % TURNS_A_PACK, len(own) - TURNS_A_PACK + 1, TURNS_A_PACK):
        end = at + TURNS_A_PACK
        if (pack := _pack(texts[at:end])) is not None:
            packs.append((first_id + at >> _SHIFT, pack))
            own[at:end] = [
                kept if len(text) > ALONE_CHARS or not text else None
                for text, kept in zip(texts[at:end], own[at:end], strict=True)
            ]
    return own, packs


def _pack(texts: Sequence[str]) -> bytes | None:
    """Pack the short ones of 64 texts; None where they are few, or one holds what parts them."""
    short = ["" if len(text) > ALONE_CHARS else text for text in texts]
    joined = _BETWEEN.join(short)
    if joined.count(_BETWEEN) != len(short) - 1 or short.count("") > len(short) - _FEWEST:
        return None
    return _pack_bytes(joined.encode())


def _pack_bytes(joined: bytes) -> bytes:
    packing = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY_LEVEL)
    return packing.compress(joined) + packing.flush()


def shrunk(text: str) -> str | bytes:
    """Compress one text, if that makes it shorter."""
    data = text.encode()
    alone = zlib.compress(data, _ALONE_LEVEL)
    return alone if len(alone) < len(data) else text


@lru_cache(_KEPT_PACKS)
def _unpacked(pack: bytes) -> list[bytes]:
    return zlib.decompress(pack, _WINDOW, _READ_BYTES).split(_BETWEEN.encode())


def forget_unpacked() -> None:
    """Keep no words in memory that were erased."""
    _unpacked.cache_clear()


def turn_text(own: Own, pack: bytes | None, number: int) -> str | None:
    """Give what a turn says, of what its row and its pack hold; None where it is in neither."""
    if isinstance(own, str):
        return own
    if own is None and pack is None:
        return None
    try:
        if own is not None:
            return zlib.decompress(own).decode()
        return _unpacked(pack or b"")[number % TURNS_A_PACK].decode()
    except (zlib.error, IndexError, UnicodeDecodeError):
        return DAMAGED


class TextsAtHand:
    """Gives turns' words from the pack that was unpacked last, without its bytes."""

    def __init__(self) -> None:
        self._number = -1
        self._texts: list[bytes] = []

    def turn_text(self, own: Own, pack: bytes | None, number: int) -> str | None:
        """Give what `turn_text` gives, and keep the pack at hand for the next turns of it."""
        if own is None and pack is not None and is_whole(pack):
            self._number, self._texts = number >> _SHIFT, _unpacked(pack)
        return turn_text(own, pack, number)

    def text_at_hand(self, number: int) -> str | None:
        """Give the words of a turn whose row has none; None where its pack is not at hand."""
        if number >> _SHIFT != self._number:
            return None
        try:
            return self._texts[number % TURNS_A_PACK].decode()
        except UnicodeDecodeError:
            return DAMAGED


def is_whole(pack: bytes) -> bool:
    """Tell whether a pack of texts can be read; its checksum is looked at."""
    try:
        return len(_unpacked(pack)) == TURNS_A_PACK
    except zlib.error:
        return False


def add_packing(db: sqlite3.Connection) -> None:
    """Give a connection what brings an older vault to packs."""
    db.create_function("shrunk", 1, shrunk, deterministic=True)
    # typeshed knows only aggregates of one number.
    db.create_aggregate("packed_texts", 2, cast("Any", _TextPack))
    db.create_aggregate("packed_keys", 2, cast("Any", _KeyPack))


class _TextPack:
    """Packs the texts of a group of turns; NULL where they are not to be packed."""

    def __init__(self) -> None:
        self._texts = [""] * TURNS_A_PACK

    def step(self, number: int, text: str) -> None:
        self._texts[number % TURNS_A_PACK] = text

    def finalize(self) -> bytes | None:
        return _pack(self._texts)


class _KeyPack:
    """Joins the keys of turns numbered in a row."""

    def __init__(self) -> None:
        self._keys: dict[int, bytes] = {}

    def step(self, number: int, key: bytes) -> None:
        self._keys[number] = key

    def finalize(self) -> bytes:
        return b"".join(self._keys[number] for number in sorted(self._keys))


def stored_keys(keys: Sequence[str]) -> list[Stored]:
    """Give keys as they are stored; nearly always all are digests."""
    if set(map(len, keys)) == {2 * DIGEST_BYTES} and _DIGESTS.fullmatch(joined := "".join(keys)):
        data = bytes.fromhex(joined)
        return [data[at : at + KEY_BYTES] for at in range(0, len(data), DIGEST_BYTES)]
    return [bytes.fromhex(key)[:KEY_BYTES] if _DIGEST.fullmatch(key) else key for key in keys]


def unpack_keys(pack: bytes) -> list[bytes]:
    """Give the keys of a pack, in the order of their turns; zeros stand for an erased turn's."""
    return [pack[at : at + KEY_BYTES] for at in range(0, len(pack), KEY_BYTES)]


def without(pack: bytes, places: Collection[int]) -> bytes | None:
    """Pack texts anew without some of them; None where nothing is left."""
    if not is_whole(pack):
        return None  # nobody can read it, and what goes may stand in it
    kept = [b"" if at in places else text for at, text in enumerate(_unpacked(pack))]
    return _pack_bytes(_BETWEEN.encode().join(kept)) if any(kept) else None


def without_keys(pack: bytes, places: Collection[int]) -> bytes | None:
    """Write zeros for the keys of some turns; None where nothing is left."""
    kept = [NO_KEY if at in places else key for at, key in enumerate(unpack_keys(pack))]
    return b"".join(kept) if any(map(NO_KEY.__ne__, kept)) else None
