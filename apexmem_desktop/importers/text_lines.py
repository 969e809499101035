"""The lines of a text of any size, without holding it."""

import codecs
import zipfile
import zlib
from collections.abc import Iterator
from itertools import chain

from apexmem_desktop.importers.decoding import find_encoding
from apexmem_desktop.importers.parts import Part, damaged


def read_lines(part: Part) -> Iterator[list[str]]:
    """Stream a part's lines, some thousands at a time; NUL becomes U+FFFD.

    Raises:
        ExportUnreadableError: It cannot be read to its end.
    """
    kept: list[str] = []  # of a line that goes on
    for text in read_text(part):
        if "\n" not in text and "\r" not in text:
            kept.append(text)
            continue
        lines, rest = _cut("".join((*kept, text)))
        kept = [rest]
        yield lines
    yield _unified("".join(kept)).split("\n")


def every_line(part: Part) -> Iterator[str]:
    """Stream a part's lines one by one, cut also at the rarer signs that end a line."""
    for line in chain.from_iterable(read_lines(part)):
        yield from line.splitlines() or ("",)


def read_text(part: Part) -> Iterator[str]:
    """Stream a part's text, in pieces that end anywhere.

    Raises:
        ExportUnreadableError: It cannot be read to its end.
    """
    encoding, skipped = _encoding(part)
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in part.chunks():
        yield decoder.decode(chunk[skipped:] if skipped else chunk)
        skipped = 0
    yield decoder.decode(b"", final=True)


def _encoding(part: Part) -> tuple[str, int]:
    try:
        with part.open() as stream:
            return find_encoding(stream)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        raise damaged(part.name) from error


def _cut(text: str) -> tuple[list[str], str]:
    """Give the finished lines and what is begun; a return at the end waits for its line feed."""
    waiting = "\r" if text.endswith("\r") else ""
    lines = _unified(text[: len(text) - len(waiting)]).split("\n")
    rest = lines.pop()
    return lines, rest + waiting


def _unified(text: str) -> str:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\x00", "\ufffd") if "\x00" in text else text
