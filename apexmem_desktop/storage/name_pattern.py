"""Finding somebody's names in running text, and striking them out."""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import cast

from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Connection
from apexmem_desktop.storage.words import is_too_common

STRUCK_OUT = "[erased]"
_SHORTEST_LETTERS = 3  # of a name in a script with spaces; "Al" or "Bo" is found in too much else


def is_telling(name: str) -> bool:
    """Tell whether a name is rare enough in running text to mean the one who bears it."""
    known = normalise(name)
    if not known.isascii():
        return len(known) > 1
    return len(known) >= _SHORTEST_LETTERS and not is_too_common(known)


class NamePattern:
    """Names as they stand in texts: whole words, whatever their case, width or spaces."""

    def __init__(self, names: Iterable[str]) -> None:
        raw = {name.strip() for name in names if name.strip()}
        self._raw = _any_of(raw)
        self._normalised = _any_of({normalise(name) for name in raw})

    def is_in(self, text: str | None) -> bool:
        """Tell whether one of the names stands in a text."""
        if not text or self._raw is None or self._normalised is None:
            return False
        return bool(self._raw.search(text) or self._normalised.search(normalise(text)))

    def strike_out(self, text: str) -> str:
        """Put a mark in place of each name; of the whole text where they cannot be told apart."""
        if self._raw is None:
            return text
        struck = self._raw.sub(STRUCK_OUT, text)
        return STRUCK_OUT if self.is_in(struck) else struck


def _any_of(names: set[str]) -> re.Pattern[str] | None:
    parts = [_bounded(name) for name in sorted(names, key=lambda name: (-len(name), name)) if name]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def _bounded(name: str) -> str:
    """Ask for the end of a word where the name has one; Chinese or Thai names have none."""
    spaced = r"\s+".join(map(re.escape, name.split()))
    before = r"(?<![^\W_])" if _ends_words(name[0]) else ""
    after = r"(?![^\W_])" if _ends_words(name[-1]) else ""
    return f"{before}{spaced}{after}"


def _ends_words(sign: str) -> bool:
    """Tell whether a letter belongs to a script that puts spaces between words."""
    return sign.isalnum() and not re.match(
        "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\ud7a3]", sign
    )


@contextmanager
def lent(db: Connection, pattern: NamePattern) -> Iterator[None]:
    """Lend a connection the functions names_it(text) and struck_out(text) of a pattern."""
    raw = cast("sqlite3.Connection", db.connection.driver_connection)
    raw.create_function("names_it", 1, pattern.is_in)
    raw.create_function("struck_out", 1, pattern.strike_out)
    try:
        yield
    finally:
        raw.create_function("names_it", 1, None)
        raw.create_function("struck_out", 1, None)
