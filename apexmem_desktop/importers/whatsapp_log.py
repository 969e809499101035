"""One WhatsApp text taken apart, message by message, and kept aside: it is read once, walked often.

What must be known of a whole chat before its first turn can be made is gathered on the way: the
dates, who speaks, and what they say first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from apexmem_desktop.importers.aside import Aside
from apexmem_desktop.importers.parts import Part
from apexmem_desktop.importers.phrases import without_marks
from apexmem_desktop.importers.text_lines import read_lines
from apexmem_desktop.importers.whatsapp_heads import REFUSED, HeadReader, Stamp
from apexmem_desktop.importers.whatsapp_senders import split_sender, tight_sender

_MESSAGES_AT_ONCE = 5_000
_MESSAGES_TO_JUDGE = 50
_LONGEST_PLACEHOLDER_CHARS = 60

Raw = tuple[int, int, int, int, int, int, str]
"""A message as the file has it: number of its stamp, minute of the day, second or -1, number of its
sender or -1, number of its line from 0, where in its text its words begin, and the text itself:
its first line with the header, and the lines that follow."""


class Run(NamedTuple):
    """Messages behind one another with the same date, written in the same way."""

    stamp: int
    first_minute: int
    last_minute: int
    messages: int


class Senders:
    """Who speaks in a chat, numbered in the order of first words, and what they say first."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.first_texts: list[list[str]] = []
        self._marked: Counter[str] = Counter()

    def number(self, sender: str) -> int:
        """Give a sender's number."""
        found = self.numbers.get(sender)
        if found is None:
            found = self.numbers[sender] = len(self.first_texts)
            self.first_texts.append([])
        return found

    def hear(self, sender: int, cut: int, text: str) -> None:
        """Take note of what a sender says."""
        said = self.first_texts[sender]
        if len(said) < _MESSAGES_TO_JUDGE:
            said.append(text[cut:])
        if text.startswith("\u200e", cut) and len(text) - cut < _LONGEST_PLACEHOLDER_CHARS:
            self._marked[without_marks(text[cut:]).strip()] += 1

    def repeated_marked(self) -> frozenset[str]:
        """Short texts behind a direction mark that come again and again: left-out photos."""
        return frozenset(text for text, count in self._marked.items() if count > 2)


class Log:
    """One text, taken apart.

    Attributes:
        unsplit: What stands before the first colon of the messages that name no sender.
    """

    def __init__(self, part: Part) -> None:
        self.name = part.name
        self.runs: list[Run] = []
        self.senders = Senders()
        self.unsplit: set[str] = set()
        self._aside = Aside()
        self._watch = part.watch
        self._reader = HeadReader()
        self.messages = self._take_apart(part)
        self._reader.settle(run.stamp for run in self.runs)

    @property
    def stamps(self) -> list[Stamp]:
        """All dates of the text, each once."""
        return self._reader.stamps

    def dates(self) -> Iterator[Stamp]:
        """Give the dates in their order, without repeats behind one another."""
        stamps = (self.stamps[run.stamp] for run in self.runs)
        return (stamp for stamp in stamps if stamp.style.separator != REFUSED)

    def __iter__(self) -> Iterator[Raw]:
        """Give all messages."""
        return chain.from_iterable(self._batches())

    def _batches(self) -> Iterator[list[Raw]]:
        for some in self._aside:
            self._watch(0)
            yield some

    def _take_apart(self, part: Part) -> int:
        some: list[Raw] = []
        messages = 0
        for raw in self._read(part):
            some.append(raw)
            if raw[3] >= 0:
                self.senders.hear(raw[3], raw[5], raw[6])
            if len(some) == _MESSAGES_AT_ONCE:
                messages += len(some)
                self._put_aside(some)
                some = []
        self._put_aside(some)
        return messages + len(some)

    def _put_aside(self, some: list[Raw]) -> None:
        if some:
            self.runs = _with_runs(self.runs, some)
            self._aside.append(some)

    def _read(self, part: Part) -> Iterator[Raw]:
        read, number = self._reader.read, self.senders.number
        begun: Raw | None = None
        more: list[str] = []
        for at, line in enumerate(chain.from_iterable(read_lines(part))):
            head = read(line)
            if head is None:
                if begun is not None:
                    more.append(line)
                continue
            if begun is not None:
                yield _joined(begun, more) if more else begun
                more = []
            stamp, minute, second, cut = head
            sender, words_at = split_sender(line, cut)
            if sender is None:
                self.unsplit.add(tight_sender(line, cut))
            speaker = -1 if sender is None else number(sender)
            begun = (stamp, minute, second, speaker, at, words_at, line)
        while more and not more[-1].strip("\x1a \t"):
            more.pop()
        if begun is not None:
            yield _joined(begun, more) if more else begun


def _joined(begun: Raw, more: list[str]) -> Raw:
    """Add the lines that follow a message's first."""
    return (*begun[:6], "\n".join((begun[6], *more)))


def _with_runs(runs: list[Run], some: Iterable[Raw]) -> list[Run]:
    """Add messages to the runs."""
    stamp, first, last, messages = runs.pop() if runs else (-1, 0, 0, 0)
    for raw in some:
        if raw[0] != stamp:
            if messages:
                runs.append(Run(stamp, first, last, messages))
            stamp, first, messages = raw[0], raw[1], 0
        last = raw[1]
        messages += 1
    runs.append(Run(stamp, first, last, messages))
    return runs
