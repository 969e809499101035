"""Conversations kept aside between reading and storing.

So no transaction is held while a slow file is parsed, and all looks see the same data. What is kept
lies in columns: a batch of turns is packed, looked through and unpacked as a few lists.
"""

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, islice, repeat
from typing import Any

from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.turn import ImportedConversation, ImportedTurn, Role, TurnKind
from apexmem_desktop.importers.aside import Aside

TURNS_AT_ONCE = 10_000
_KEY_DIGITS = 32
_NO_TIME = -(2**63)
_ROLES, _KINDS = tuple(Role), tuple(TurnKind)
_ROLE_NUMBERS = {role: number for number, role in enumerate(_ROLES)}
_KIND_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}


@dataclass(frozen=True, slots=True)
class Kept:
    """A conversation of which the turns are kept aside.

    Attributes:
        turns: How many turns.
        distinct: How many of them differ from all others in their key.
        first: Number of its first batch in the spool.
        batches: How many batches.
        spoken: How many turns have a speaker.
        speakers: All who speak; "" for the messenger itself.
    """

    external_id: str
    title: str
    is_group: bool
    turns: int
    distinct: int
    first: int
    batches: int
    spoken: int
    speakers: frozenset[str]


class Batch:
    """Turns in columns."""

    def __init__(self, turns: Sequence[ImportedTurn]) -> None:
        columns = zip(*turns, strict=True)
        self.speakers, self._roles, self._kinds, self.texts = islice(columns, 4)
        self.said_at_ms, self.offsets, self.keys = islice(columns, 3)
        self._ids, self._replies, self._attachments = columns

    def span(self) -> tuple[int, int] | None:
        """Tell when its first and its last turn were said; None where no turn has a time."""
        times = [at_ms for at_ms in self.said_at_ms if at_ms is not None]
        return (min(times), max(times)) if times else None

    def packed(self) -> tuple[tuple[Any, ...], bytes]:
        """Give what of it can be put aside, its keys apart."""
        times: Sequence[int] = self.said_at_ms
        if None in times:
            times = [_NO_TIME if at_ms is None else at_ms for at_ms in self.said_at_ms]
        return (
            (
                self.speakers,
                bytes(map(_ROLE_NUMBERS.__getitem__, self._roles)),
                bytes(map(_KIND_NUMBERS.__getitem__, self._kinds)),
                self.texts,
                array("q", times).tobytes(),
                array("i", self.offsets).tobytes(),
                *(column if any(column) else None
                  for column in (self._ids, self._replies, self._attachments)),
            ),
            packed(self.keys),
        )  # fmt: skip


class Spool:
    """All conversations of a file. Whoever walks through them hears the cancel."""

    def __init__(self, cancel: CancelToken) -> None:
        self._cancel = cancel
        self.conversations: list[Kept] = []
        self._turns = Aside()
        self._keys = Aside()
        self._spans: list[tuple[int, int] | None] = []

    def append(self, conversation: ImportedConversation, look: Callable[[Batch], None]) -> Kept:
        """Keep one more; `look` sees all of its turns pass by."""
        first, turns, distinct, spoken = len(self._turns), 0, 0, 0
        speakers: set[str] = set()
        left = iter(conversation.turns)
        while some := list(islice(left, TURNS_AT_ONCE)):
            batch = Batch(some)
            look(batch)
            values, keys = batch.packed()
            self._turns.append(values)
            self._keys.append(keys)
            turns += len(some)
            distinct += len(set(batch.keys))
            spoken += len(some) - batch.speakers.count("")
            speakers.update(batch.speakers)
            self._spans.append(batch.span())
        kept = Kept(
            conversation.external_id, conversation.title, conversation.is_group,
            turns, distinct, first, len(self._turns) - first, spoken, frozenset(speakers),
        )  # fmt: skip
        self.conversations.append(kept)
        return kept

    def keys(self, kept: Kept, only: Container[int] | None = None) -> Iterator[list[str]]:
        """Give the keys of a conversation's turns, batch by batch.

        Args:
            only: Which of its batches, counted from 0; None for all.
        """
        return (unpacked(self._keys[number]) for number in self._numbers(kept, only))

    def spoken_keys(self, kept: Kept) -> Iterator[list[str]]:
        """Give the keys of the turns that have a speaker, batch by batch."""
        for number in self._numbers(kept):
            keys = unpacked(self._keys[number])
            yield list(compress(keys, self._turns[number][0]))

    def batches_between(self, kept: Kept, from_ms: int, before_ms: int) -> frozenset[int]:
        """Tell in which batches of a conversation something was said in a stretch of time."""
        spans = self._spans[kept.first : kept.first + kept.batches]
        return frozenset(
            batch
            for batch, span in enumerate(spans)
            if span is not None and span[0] < before_ms and span[1] >= from_ms
        )

    def words(self, kept: Kept) -> Iterator[Iterable[tuple[str, str, int | None]]]:
        """Give who said what when, batch by batch."""
        for number in self._numbers(kept):
            speakers, _, _, texts, times, *_ = self._turns[number]
            yield zip(speakers, texts, _times(times), strict=True)

    def turns(self, kept: Kept, only: Container[int] | None = None) -> Iterator[list[ImportedTurn]]:
        """Give the turns of a conversation, batch by batch.

        Args:
            only: Which of its batches, counted from 0; None for all.
        """
        for number in self._numbers(kept, only):
            speakers, roles, kinds, texts, times, offsets, *rest = self._turns[number]
            rare: Iterable[tuple[Any, Any]] = zip(("", "", ()), rest, strict=True)
            more = [repeat(nothing) if column is None else column for nothing, column in rare]
            columns = (
                speakers, map(_ROLES.__getitem__, roles), map(_KINDS.__getitem__, kinds), texts,
                _times(times), array("i", offsets), unpacked(self._keys[number]), *more,
            )  # fmt: skip
            # What is rare goes on for ever where it is empty.
            yield list(map(ImportedTurn._make, zip(*columns, strict=False)))

    def _numbers(self, kept: Kept, only: Container[int] | None = None) -> Iterator[int]:
        for batch in range(kept.batches):
            if only is None or batch in only:
                self._cancel.check()
                yield kept.first + batch


def _times(packed: bytes) -> Sequence[int | None]:
    times = array("q", packed)
    return [None if at_ms == _NO_TIME else at_ms for at_ms in times] if _NO_TIME in times else times


def packed(keys: Iterable[str]) -> bytes:
    """Write keys behind one another, in a quarter of the room or less."""
    return bytes.fromhex("".join(keys))


def unpacked(keys: bytes) -> list[str]:
    """Give back packed keys."""
    digits = keys.hex()
    return [digits[at : at + _KEY_DIGITS] for at in range(0, len(digits), _KEY_DIGITS)]
