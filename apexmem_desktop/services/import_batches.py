"""Turns in batches, as they go from the reader of a file to the store: packed in columns.

A batch is packed, sent to another process, looked through and unpacked as a few lists.
"""

import marshal
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise, repeat
from typing import Any, NamedTuple, TypeAlias

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import SILENCE_MS, ImportedTurn, Role, TurnKind
from apexmem_desktop.storage.columns import Columns, alone, rewritten, voices_of
from apexmem_desktop.storage.packs import KEY_BYTES

TURNS_AT_ONCE = 10_000
_KEY_DIGITS = 32
_KEY_BYTES = _KEY_DIGITS // 2
_NO_TIME = -(2**63)
_ROLES, _KINDS = tuple(Role), tuple(TurnKind)
_ROLE_NUMBERS = {role: number for number, role in enumerate(_ROLES)}
_KIND_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}


class Chat(NamedTuple):
    """A conversation begins; its batches follow."""

    external_id: str
    title: str
    is_group: bool
    aliases: tuple[tuple[str, str], ...] = ()
    zone: str = ""


class Brief(NamedTuple):
    """What some turns are in short.

    Attributes:
        turns: How many there are.
        distinct: How many of them differ in their key.
        spoken: How many have a speaker.
        speakers: Each once, in the order of their first words; "" for the messenger itself.
        first: When the first was said, and the offset of its clock; None where none has a time.
        last: The same of the last.
        stretches: Between long silences: when each began and ended.
    """

    turns: int
    distinct: int
    spoken: int
    speakers: tuple[str, ...]
    first: tuple[int, int] | None
    last: tuple[int, int] | None
    stretches: tuple[tuple[int, int], ...]

    def span(self) -> tuple[int, int] | None:
        """Tell when the first and the last turn were said; None where no turn has a time."""
        return None if self.first is None or self.last is None else (self.first[0], self.last[0])


class Batch(NamedTuple):
    """Some turns of a conversation, packed.

    Attributes:
        values: Their columns but for the keys, by marshal.
        keys: Their keys, as `packed` gives them.
    """

    values: bytes
    keys: bytes
    brief: Brief

    def columns(self) -> Columns | None:
        """Give the turns back in columns; None where some have the same key."""
        if self.brief.distinct < self.brief.turns:
            return None
        return unpacked_columns(marshal.loads(self.values), self.keys)  # noqa: S302 - our own bytes

    def turns(self) -> list[ImportedTurn]:
        """Give the turns back."""
        return unpacked_turns(marshal.loads(self.values), self.keys)  # noqa: S302 - our own bytes


class Ended(NamedTuple):
    """There are no more turns of the conversation that was begun last."""


class Header(NamedTuple):
    """What a file says of itself before its first conversation, as `Reading` has it."""

    format: str
    date_order: str
    date_order_certain: bool
    zone: str
    wall_clock: bool = False


Frame: TypeAlias = Header | Chat | Batch | Ended | ImportProblem


def batch_of(turns: Sequence[ImportedTurn]) -> Batch:
    """Pack turns."""
    columns: Iterator[tuple[Any, ...]] = zip(*turns, strict=True)
    speakers, roles, kinds, texts = islice(columns, 4)
    said, offsets, keys = islice(columns, 3)
    times: Sequence[int] = said
    if None in said:
        times = [_NO_TIME if at_ms is None else at_ms for at_ms in said]
    each = (speakers, map(_ROLE_NUMBERS.__getitem__, roles), map(_KIND_NUMBERS.__getitem__, kinds))
    voices, spoken = voices_of(*each, offsets)
    values = (
        voices,
        array("i", spoken).tobytes(),
        texts,
        array("q", times).tobytes(),
        *(column if any(column) else None for column in columns),
        rewritten(texts),
        alone(texts),
    )
    return Batch(marshal.dumps(values), packed(keys), _brief(speakers, said, offsets, keys))


def _brief(
    speakers: Sequence[str], said: Sequence[int | None], offsets: Sequence[int], keys: Sequence[str]
) -> Brief:
    first = last = None
    stretches: tuple[tuple[int, int], ...] = ()
    pairs = zip(said, offsets, strict=True)
    timed = [(at_ms, offset) for at_ms, offset in pairs if at_ms is not None]
    if timed:
        times = [at_ms for at_ms, _ in timed]
        first_ms, last_ms = min(times), max(times)
        first = timed[times.index(first_ms)]
        last = timed[-1 - times[::-1].index(last_ms)]
        times.sort()
        cuts = [pair for pair in pairwise(times) if pair[1] - pair[0] > SILENCE_MS]
        begins = [first_ms, *(after for _, after in cuts)]
        ends = [*(before for before, _ in cuts), last_ms]
        stretches = tuple(zip(begins, ends, strict=True))
    heard = tuple(dict.fromkeys(speakers))
    spoken = len(speakers) - speakers.count("")
    return Brief(len(keys), len(set(keys)), spoken, heard, first, last, stretches)


def unpacked_columns(values: tuple[Any, ...], keys: bytes) -> Columns:
    """Give packed turns back in columns."""
    voices, spoken, texts, times, *rest = values
    known = [(who, _ROLES[role], _KINDS[kind], offset) for who, role, kind, offset in voices]
    stored = [keys[at : at + KEY_BYTES] for at in range(0, len(keys), _KEY_BYTES)]
    return Columns(known, array("i", spoken), texts, unpacked_times(times), stored, *rest)


def unpacked_turns(values: tuple[Any, ...], keys: bytes) -> list[ImportedTurn]:
    """Give packed turns back."""
    found = unpacked_columns(values, keys)
    rare: Iterable[tuple[Any, Any]] = zip(("", "", ()), found[5:8], strict=True)
    more = [repeat(nothing) if column is None else column for nothing, column in rare]
    who, roles, kinds, offsets = zip(*found.voices, strict=True)
    each = (map(column.__getitem__, found.spoken) for column in (who, roles, kinds))
    columns = (
        *each, found.texts, found.said, map(offsets.__getitem__, found.spoken), unpacked(keys),
        *more,
    )  # fmt: skip
    # What is rare goes on for ever where it is empty.
    return list(map(ImportedTurn._make, zip(*columns, strict=False)))


def unpacked_speakers(values: tuple[Any, ...]) -> list[str]:
    """Give back who said each of some packed turns; "" for the messenger itself."""
    who = [voice[0] for voice in values[0]]
    return list(map(who.__getitem__, array("i", values[1])))


def unpacked_words(values: tuple[Any, ...]) -> Iterator[tuple[str, str, int | None]]:
    """Give back who said what when."""
    return zip(unpacked_speakers(values), values[2], unpacked_times(values[3]), strict=True)


def unpacked_times(packed: bytes) -> Sequence[int | None]:
    """Give packed instants back; None where there was none."""
    times = array("q", packed)
    return [None if at_ms == _NO_TIME else at_ms for at_ms in times] if _NO_TIME in times else times


def packed(keys: Iterable[str]) -> bytes:
    """Write keys behind one another, in a quarter of the room or less."""
    return bytes.fromhex("".join(keys))


def unpacked(keys: bytes) -> list[str]:
    """Give back packed keys."""
    digits = keys.hex()
    return [digits[at : at + _KEY_DIGITS] for at in range(0, len(digits), _KEY_DIGITS)]
