"""Which sequence of the cache holds which tokens: prefixes are kept, shared, and forgotten.

Shared tokens occupy the cache once. To know how full it really is, each computed token gets a cell
number; a sequence holds the numbers of its cells, shared ones included.
"""

from collections.abc import Sequence as ListLike
from dataclasses import dataclass, field

from apexmem_desktop.inference.llama import Llama, Logits, Row

MOST_LENT = 1


def sequences_of(active: int, kept: int) -> int:
    """Count the sequences a cache must have for so many replies at once and prefixes kept."""
    return active + kept + MOST_LENT + 1


@dataclass(slots=True, eq=False)
class CachedTokens:
    """One sequence and what it has in the cache, decoded with the adapter or without it."""

    id: int
    adapted: bool = False
    tokens: list[int] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Feed:
    """Tokens to append to a sequence; `wants_logits` asks for those after the last of them."""

    sequence: CachedTokens
    tokens: ListLike[int]
    wants_logits: bool


class SequencePool:
    """Opens sequences on the longest kept prefix and keeps the most recently used prefixes."""

    def __init__(self, llama: Llama, *, active: int, kept: int) -> None:
        self._llama = llama
        self._free = list(range(sequences_of(active, kept)))
        self._kept_most = kept
        self._kept: list[CachedTokens] = []  # least recently used first
        self._lent: list[CachedTokens] = []
        self._open: list[CachedTokens] = []
        self._next_cell = 0
        self._adapted = False

    def adapt(self, on: bool) -> None:
        """Work with the model's adapter from now on, or without; nothing may be open.

        Prefixes stay kept, and are shared only with sequences of their own kind.
        """
        if on is not self._adapted:
            self._llama.adapt(on)
            self._adapted = on

    def used_cells(self) -> int:
        """Count the tokens in the cache, shared ones once."""
        return _count_cells([*self._kept, *self._lent, *self._open])

    def reusable(self, tokens: ListLike[int]) -> int:
        """Count how many of the first tokens are kept already."""
        return self._longest(tokens)[1]

    def open(self, tokens: ListLike[int]) -> CachedTokens:
        """Start a sequence with as many of these tokens as are kept; the caller feeds the rest."""
        opened = CachedTokens(self._free.pop(), self._adapted)
        self._open.append(opened)
        source, length = self._longest(tokens)
        if source is not None:
            self._llama.share(source.id, opened.id, length)
            opened.tokens = source.tokens[:length]
            opened.cells = source.cells[:length]
            self._touch(source)
        return opened

    def keep(self, sequence: CachedTokens) -> None:
        """Keep an open sequence as a prefix for later ones; the oldest go when it is too much.

        Kept prefixes may fill half the cache, so that there is always room to work.
        """
        self._open.remove(sequence)
        self._kept.append(sequence)
        while len(self._kept) > self._kept_most or (
            len(self._kept) > 1 and _count_cells(self._kept) > self._llama.cells // 2
        ):
            self._release(self._kept.pop(0))

    def lend(self, sequence: CachedTokens) -> None:
        """Keep an open sequence as a prefix until the loans end, whatever else is kept."""
        self._open.remove(sequence)
        self._lent.append(sequence)

    @property
    def may_lend(self) -> bool:
        """Whether there is room for one more prefix of a batch."""
        return len(self._lent) < MOST_LENT

    def end_loans(self) -> None:
        """Forget what was lent."""
        while self._lent:
            self._release(self._lent.pop())

    def close(self, sequence: CachedTokens) -> None:
        """Forget an open sequence."""
        self._open.remove(sequence)
        self._release(sequence)

    def forget_oldest(self) -> bool:
        """Forget the prefix that was not used for longest, loans first; False when none is kept."""
        if self._lent:
            self.end_loans()
            return True
        if not self._kept:
            return False
        self._release(self._kept.pop(0))
        return True

    def feed(self, feeds: ListLike[Feed]) -> list[Logits]:
        """Run tokens of several sequences through the model as one batch.

        Gives the logits of those that want them, in their order; the next feed overwrites them.
        """
        rows: list[Row] = []
        wanted: list[int] = []
        for feed in feeds:
            start = len(feed.sequence.tokens)
            last = len(feed.tokens) - 1
            rows.extend(
                Row(token, start + at, feed.sequence.id, feed.wants_logits and at == last)
                for at, token in enumerate(feed.tokens)
            )
            if feed.wants_logits:
                wanted.append(len(rows) - 1)
        self._llama.decode(rows)
        for feed in feeds:
            self._note(feed)
        return [self._llama.logits(row) for row in wanted]

    def truncate(self, sequence: CachedTokens, length: int) -> None:
        """Take a sequence back to its first tokens."""
        self._llama.truncate(sequence.id, length)
        del sequence.tokens[length:]
        del sequence.cells[length:]

    def _note(self, feed: Feed) -> None:
        feed.sequence.tokens.extend(feed.tokens)
        feed.sequence.cells.extend(range(self._next_cell, self._next_cell + len(feed.tokens)))
        self._next_cell += len(feed.tokens)

    def _longest(self, tokens: ListLike[int]) -> tuple[CachedTokens | None, int]:
        best: CachedTokens | None = None
        best_length = 0
        for kept in (*self._kept, *self._lent):
            if kept.adapted is not self._adapted:
                continue
            length = common_length(kept.tokens, tokens)
            if length > best_length:
                best, best_length = kept, length
        return best, best_length

    def _touch(self, kept: CachedTokens) -> None:
        if kept in self._kept:
            self._kept.remove(kept)
            self._kept.append(kept)

    def _release(self, sequence: CachedTokens) -> None:
        self._llama.truncate(sequence.id, 0)
        self._free.append(sequence.id)


def _count_cells(sequences: ListLike[CachedTokens]) -> int:
    cells: set[int] = set()
    for one in sequences:
        cells.update(one.cells)
    return len(cells)


def common_length(left: ListLike[int], right: ListLike[int]) -> int:
    """Count the first tokens that two have in common."""
    length = min(len(left), len(right))
    for at in range(length):
        if left[at] != right[at]:
            return at
    return length
