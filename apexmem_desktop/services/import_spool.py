"""Conversations kept aside between reading and storing.

So all looks see the same data, and no file is read twice or held whole.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import compress

from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.turn import ImportedTurn
from apexmem_desktop.importers.aside import Aside
from apexmem_desktop.services.import_batches import (
    Batch,
    Brief,
    Chat,
    unpacked,
    unpacked_speakers,
    unpacked_turns,
    unpacked_words,
)


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


class Spool:
    """All conversations of a file. Whoever walks through them hears the cancel."""

    def __init__(self, cancel: CancelToken) -> None:
        self._cancel = cancel
        self.conversations: list[Kept] = []
        self._turns = Aside()
        self._keys = Aside()
        self._spans: list[tuple[int, int] | None] = []
        self._begun: Chat | None = None
        self._briefs: list[Brief] = []

    def begin(self, chat: Chat) -> None:
        """Begin a conversation; its batches follow."""
        self._begun, self._briefs = chat, []

    def add(self, batch: Batch) -> None:
        """Keep some turns of the conversation that was begun."""
        self._turns.append_dumped(batch.values)
        self._keys.append(batch.keys)
        self._spans.append(batch.brief.span())
        self._briefs.append(batch.brief)

    def end(self) -> Kept:
        """Say that there are no more turns of the conversation."""
        if self._begun is None:
            raise RuntimeError("no conversation was begun")
        some = self._briefs
        kept = Kept(
            external_id=self._begun.external_id,
            title=self._begun.title,
            is_group=self._begun.is_group,
            turns=sum(one.turns for one in some),
            distinct=sum(one.distinct for one in some),
            first=len(self._turns) - len(some),
            batches=len(some),
            spoken=sum(one.spoken for one in some),
            speakers=frozenset(speaker for one in some for speaker in one.speakers),
        )
        self.conversations.append(kept)
        self._begun = None
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
            yield list(compress(keys, unpacked_speakers(self._turns[number])))

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
            yield unpacked_words(self._turns[number])

    def turns(self, kept: Kept, only: Container[int] | None = None) -> Iterator[list[ImportedTurn]]:
        """Give the turns of a conversation, batch by batch.

        Args:
            only: Which of its batches, counted from 0; None for all.
        """
        for number in self._numbers(kept, only):
            yield unpacked_turns(self._turns[number], self._keys[number])

    def _numbers(self, kept: Kept, only: Container[int] | None = None) -> Iterator[int]:
        for batch in range(kept.batches):
            if only is None or batch in only:
                self._cancel.check()
                yield kept.first + batch
