"""Mails as bytes: one file that is one mail, or one file that is many behind one another."""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator

from apexmem_desktop.importers.parts import Part, damaged

_FIRST_LINE = re.compile(rb"From [^\r\n]{1,300}\r?\n(?=[!-9;-~]+:)")
_HEADER = re.compile(rb"([!-9;-~]{1,60}):[ \t]?.*(?:\r?\n[ \t].*)*(?:\r?\n|\Z)")
_WHO_AND_WHEN = frozenset({b"from", b"date"})
_TELLING = frozenset(
    {b"message-id", b"mime-version", b"received", b"to", b"subject", b"return-path", b"cc"}
)
_LONGEST_LINE_BYTES = 1 << 20
_LARGEST_MAIL_BYTES = 24 * 1024**2
_BYTES_A_REPORT = 1 << 16
_SEPARATOR = re.compile(rb"From \S+.*\d")
_ESCAPED = re.compile(rb">+From ")


def begins_as_mail(head: bytes) -> bool:
    """Tell whether bytes begin with headers of a mail, or with a mailbox's line before them."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if first := _FIRST_LINE.match(start):
        start = start[first.end() :]
    names: set[bytes] = set()
    at = 0
    while found := _HEADER.match(start, at):
        names.add(found[1].lower())
        at = found.end()
    return names >= _WHO_AND_WHEN and len(names & _TELLING) >= 2


def raw_mails(part: Part, on_bytes: Callable[[int], None]) -> Iterator[bytes]:
    """Give one mail after the other.

    Raises:
        ExportUnreadableError: It cannot be read to its end.
    """
    is_mailbox = _FIRST_LINE.match(part.head.lstrip(b"\xef\xbb\xbf\r\n")) is not None
    lines: list[bytes] = []
    size = unreported = 0
    after_blank = True
    try:
        with part.open() as stream:
            while line := stream.readline(_LONGEST_LINE_BYTES):
                unreported += len(line)
                if unreported > _BYTES_A_REPORT:
                    on_bytes(unreported)
                    unreported = 0
                if is_mailbox and after_blank and _SEPARATOR.match(line):
                    if size:
                        yield b"".join(lines)
                    lines, size = [], 0
                    continue
                after_blank = not line.strip()
                if size < _LARGEST_MAIL_BYTES:  # what follows then is the inside of an attachment
                    lines.append(line[1:] if is_mailbox and _ESCAPED.match(line) else line)
                    size += len(line)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise damaged(part.name) from error
    if size:
        yield b"".join(lines)
