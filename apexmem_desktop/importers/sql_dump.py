"""A database written out as SQL text, taken apart into the statements that make tables and rows."""

import re
from collections.abc import Iterator

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


def statements(text: str) -> Iterator[str]:
    """Give the statements that make tables and rows; all others are passed over."""
    in_trigger = False
    for statement in _split(text):
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


def _split(text: str) -> Iterator[str]:
    start = 0
    for found in _PIECE.finditer(text):
        if found[0] == ";":
            yield text[start : found.start()]
            start = found.end()
    if text[start:].strip():
        yield text[start:]
