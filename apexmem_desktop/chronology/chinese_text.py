"""A Chinese text under the eyes of the grammar, which reads it by offset."""

from collections.abc import Callable, Iterable

from apexmem_desktop.chronology.clock import Clock, Stretch
from apexmem_desktop.chronology.tense import Tense, tense_at

Found = tuple[Stretch, int]  # what was meant, and the offset after it


Reader = Callable[["ChineseText", int], Found | None]


def any_of(words: Iterable[str]) -> str:
    """Write a pattern that matches any of some words, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))


class ChineseText:
    """A Chinese text under the eyes of the grammar, read by offset."""

    def __init__(self, text: str, clock: Clock) -> None:
        self.text = text
        self.clock = clock

    def tense(self, start: int, end: int) -> Tense:
        """Read the tense around a stretch of the text."""
        return tense_at(self.text, start, end, "zh")
