"""Conversations kept aside between reading and storing.

So no transaction is held while a slow file is parsed, and all looks see the same data. What is kept
lies in columns: a batch of turns is packed, looked through and unpacked as a few lists.
"""

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
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
    """

    external_id: str
    title: str
    is_group: bool
    turns: int
    distinct: int
    first: int
    batches: int


class Batch:
    """Turns in columns."""

    def __init__(self, turns: Sequence[ImportedTurn]) -> None:
        columns = zip(*turns, strict=True)
        self.speakers, self._roles, self._kinds, self.texts = islice(columns, 4)
        self.said_at_ms, self.offsets, self.keys = islice(columns, 3)
        self._ids, self._replies, self._attachments = columns

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
            bytes.fromhex("".join(self.keys)),
        )  # fmt: skip


class Spool:
    """All conversations of a file. Whoever walks through them hears the cancel."""

    def __init__(self, cancel: CancelToken) -> None:
        self._cancel = cancel
        self.conversations: list[Kept] = []
        self._turns = Aside()
        self._keys = Aside()

    def append(self, conversation: ImportedConversation, look: Callable[[Batch], None]) -> Kept:
        """Keep one more; `look` sees all of its turns pass by."""
        first, turns, distinct = len(self._turns), 0, 0
        left = iter(conversation.turns)
        while some := list(islice(left, TURNS_AT_ONCE)):
            batch = Batch(some)
            look(batch)
            values, keys = batch.packed()
            self._turns.append(values)
            self._keys.append(keys)
            turns += len(some)
            distinct += len(set(batch.keys))
        kept = Kept(
            conversation.external_id, conversation.title, conversation.is_group,
            turns, distinct, first, len(self._turns) - first,
        )  # fmt: skip
        self.conversations.append(kept)
        return kept

    def keys(self, kept: Kept) -> Iterator[list[str]]:
        """Give the keys of a conversation's turns, batch by batch."""
        return (_keys(self._keys[number]) for number in self._numbers(kept))

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
        for number in self._numbers(kept):
            if only is not None and number - kept.first not in only:
                continue
            speakers, roles, kinds, texts, times, offsets, *rest = self._turns[number]
            rare: Iterable[tuple[Any, Any]] = zip(("", "", ()), rest, strict=True)
            more = [repeat(nothing) if column is None else column for nothing, column in rare]
            columns = (
                speakers, map(_ROLES.__getitem__, roles), map(_KINDS.__getitem__, kinds), texts,
                _times(times), array("i", offsets), _keys(self._keys[number]), *more,
            )  # fmt: skip
            # What is rare goes on for ever where it is empty.
            yield list(map(ImportedTurn._make, zip(*columns, strict=False)))

    def _numbers(self, kept: Kept) -> Iterator[int]:
        for number in range(kept.first, kept.first + kept.batches):
            self._cancel.check()
            yield number


def _times(packed: bytes) -> Sequence[int | None]:
    times = array("q", packed)
    return [None if at_ms == _NO_TIME else at_ms for at_ms in times] if _NO_TIME in times else times


def _keys(packed: bytes) -> list[str]:
    digits = packed.hex()
    return [digits[at : at + _KEY_DIGITS] for at in range(0, len(digits), _KEY_DIGITS)]
