"""A database written out as SQL text, taken apart into the statements that make tables and rows."""

import re
from collections.abc import Iterable, Iterator

_LONGEST_CHARS = 32 * 1024**2  # SQLite takes no longer statement of us
_BEGINS = re.compile(
    r"(?:[\s\ufeff]++|--[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)*+"
    r"(?:PRAGMA\s+\w|BEGIN\s+TRANSACTION\s*;|CREATE\s+TABLE\s)",
    re.IGNORECASE,
)
# What may hold a semicolon that ends nothing; one that is never closed reaches to the end.
_PIECE = re.compile(
    r"'[^']*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z)|`[^`]*+(?:`|\Z)|--[^\n]*+|/\*.*?(?:\*/|\Z)|;",
    re.DOTALL,
)
_COMMENTS = re.compile(r"(?:\s++|--[^\n]*+(?:\n|\Z)|/\*.*?\*/)*+", re.DOTALL)
_TRIGGER = re.compile(r"CREATE\s+(?:TEMP(?:ORARY)?\s+)?TRIGGER\b", re.IGNORECASE)
_WANTED = re.compile(
    r"CREATE\s+TABLE\s|INSERT\s+INTO\s+(?![\"'`\[]?(?:sqlite_|main\b))", re.IGNORECASE
)


def begins_as_dump(head: str) -> bool:
    """Tell whether a text begins as a dump does."""
    return _BEGINS.match(head) is not None


def statements(pieces: Iterable[str]) -> Iterator[str]:
    """Give the statements that make tables and rows; all others are passed over.

    Args:
        pieces: The text, in pieces that end anywhere: a dump is larger than what may be held.
    """
    in_trigger = False
    for statement in _split(pieces):
        begun = statement[_end_of_comments(statement) :]
        if in_trigger:  # its own statements end in semicolons too, until END
            in_trigger = begun.strip().upper() != "END"
        elif _TRIGGER.match(begun):
            in_trigger = True
        elif _WANTED.match(begun):
            yield begun


def _end_of_comments(statement: str) -> int:
    found = _COMMENTS.match(statement)
    return found.end() if found else 0


def _split(pieces: Iterable[str]) -> Iterator[str]:
    held: list[str] = []  # of a statement that goes on
    length = next_look = 0
    for piece in pieces:
        held.append(piece)
        length += len(piece)
        if length < next_look:
            continue
        text = "".join(held)
        start = 0
        for end in _ends(text):
            yield text[start:end]
            start = end + 1
        held = [text[start:]]
        length = len(held[0])
        # Looked through from its beginning again only when twice as much of it is there.
        next_look = 2 * length
        if length > _LONGEST_CHARS:
            break  # a quotation mark that nothing closes: what follows is no statement either
    text = "".join(held)
    start = 0
    for end in _ends(text):
        yield text[start:end]
        start = end + 1
    if text[start:].strip():
        yield text[start:]


def _ends(text: str) -> Iterator[int]:
    return (found.start() for found in _PIECE.finditer(text) if found[0] == ";")
