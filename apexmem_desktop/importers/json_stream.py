"""JSON of any size: recognised by the keys at its beginning, read one item at a time."""

import codecs
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate, islice
from typing import IO

import ijson

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.importers.json_items import ArrayItems
from apexmem_desktop.importers.parts import Part, damaged

Json = object
_DEEPEST = 200  # real exports stay under 20; the parser's cost grows with the square
_KEY_DEPTH = 5
_BUFFER_BYTES = 1 << 20
_NO_MARKS = bytes(set(range(256)) - set(b'[]{}"'))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_ROUNDS = 5


class _TooDeepError(Exception):
    """Brackets are nested as no export nests them."""


class _GuardedStream:
    """Passes bytes on: as valid UTF-8, and only while the nesting stays sane."""

    def __init__(
        self,
        raw: IO[bytes],
        on_bytes: Callable[[int], None] | None = None,
        encoding: str = "utf-8-sig",
    ) -> None:
        self._raw = raw
        self._on_bytes = on_bytes
        self._is_utf8 = encoding == "utf-8-sig"
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._depth = 0
        self._in_string = False
        self._cut = b""  # a backslash at the end of the last chunk
        self.bytes_read = 0

    def read_text(self) -> str:
        """Read at least one letter unless at the end."""
        while True:
            chunk = self._raw.read(_BUFFER_BYTES)
            self.bytes_read += len(chunk)
            if self._on_bytes is not None:
                self._on_bytes(len(chunk))
            text = self._decoder.decode(chunk, final=not chunk)
            # A byte of a letter beyond ASCII is none of the marks; broken ones swallow no mark.
            self._look(chunk if self._is_utf8 else text.encode())
            if text or not chunk:
                return text

    def read(self, size: int = -1) -> bytes:
        """Read at least one byte unless at the end."""
        return b"" if size == 0 else self.read_text().encode()

    def _look(self, chunk: bytes) -> None:
        """Follow the brackets outside of strings; each step is linear in the chunk."""
        chunk = self._cut + chunk
        self._cut = b"\\" if _ends_in_escape(chunk) else b""
        if self._cut:
            chunk = chunk[:-1]
        if b"\\" in chunk:
            chunk = chunk.replace(b"\\\\", b"").replace(b'\\"', b"")
        pieces = chunk.translate(None, _NO_MARKS).split(b'"')
        outside = b"".join(pieces[1::2] if self._in_string else pieces[0::2])
        if len(pieces) % 2 == 0:
            self._in_string = not self._in_string
        self._depth = _depth_after(outside, self._depth)


def _depth_after(brackets: bytes, depth: int) -> int:
    """Give the nesting after some brackets.

    Raises:
        _TooDeepError: It is too deep somewhere.
    """
    few = brackets
    for _ in range(_ROUNDS):  # what is closed at once need not be counted one by one
        few = few.replace(b"{}", b"").replace(b"[]", b"")
    depths = list(accumulate(map(_STEPS.__getitem__, few), initial=depth))
    if max(depths) > _DEEPEST - 2 * _ROUNDS:
        depths = list(accumulate(map(_STEPS.__getitem__, brackets), initial=depth))
        if max(depths) > _DEEPEST:
            raise _TooDeepError
    return depths[-1]


def _ends_in_escape(data: bytes) -> bool:
    return (len(data) - len(data.rstrip(b"\\"))) % 2 == 1


def _guarded(
    head: bytes, raw: IO[bytes], on_bytes: Callable[[int], None] | None = None
) -> _GuardedStream:
    if head.startswith(codecs.BOM_UTF32_LE):  # begins as that of UTF-16 does
        return _GuardedStream(raw, on_bytes, "utf-32")
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return _GuardedStream(raw, on_bytes, "utf-16")
    return _GuardedStream(raw, on_bytes)


def is_json(part: Part) -> bool:
    """Tell whether a part begins as a JSON object or array does."""
    start = part.head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return start in (b"{", b"[") or part.head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def key_paths(part: Part) -> frozenset[str]:
    """List the paths of the keys that its beginning shows, such as "item.mapping".

    "item" alone stands for an array of anything.
    """
    if not is_json(part):
        return frozenset()
    return _key_paths(part.head)


@lru_cache(maxsize=64)
def _key_paths(head: bytes) -> frozenset[str]:
    paths: set[str] = set()
    guarded = _guarded(head, io.BytesIO(head))
    try:
        for prefix, event, value in ijson.parse(guarded, multiple_values=True):
            if event == "map_key" and prefix.count(".") < _KEY_DEPTH:
                paths.add(f"{prefix}.{value}" if prefix else value)
            elif prefix == "item":
                paths.add("item")
    except (ijson.JSONError, _TooDeepError):
        pass  # the head is cut somewhere; what came before the cut is what we asked for
    return frozenset(paths)


def stream(
    part: Part, prefix: str, on_bytes: Callable[[int], None] | None = None
) -> Iterator[Json]:
    """Read the values at a path one after the other; "item" is each of a top-level array.

    Several values behind one another, as in a file with one a line, are read too.

    Raises:
        ExportUnreadableError: It is no JSON to its end, or breaks off.
    """
    guarded: _GuardedStream | None = None
    try:
        with part.open() as raw:
            guarded = _guarded(part.head, raw, on_bytes)
            yield from _values(guarded, prefix)
    except ijson.JSONError as error:
        where = guarded.bytes_read if guarded is not None else 0
        raise ExportUnreadableError(
            f"{part.name} is not valid JSON: it is broken or breaks off before byte {where:,}.",
            hint="Unpack or download the export again, and do not edit it.",
        ) from error
    except _TooDeepError as error:
        raise ExportUnreadableError(
            f"{part.name} nests its data deeper than any export does.",
            hint="Choose the file that the app exported.",
        ) from error
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, UnicodeError) as error:
        raise damaged(part.name) from error


def _values(guarded: _GuardedStream, prefix: str) -> Iterator[Json]:
    left, given = "", 0
    if prefix == "item":
        items = ArrayItems(guarded.read_text)
        yield from items
        if items.left is None:
            return
        left, given = items.left, int(items.is_begun)
    rest = _Rest(left.encode(), guarded)
    values = ijson.items(rest, prefix, use_float=True, buf_size=_BUFFER_BYTES, multiple_values=True)
    yield from islice(values, given, None)


class _Rest:
    """What was read of a stream already, and what follows."""

    def __init__(self, first: bytes, then: _GuardedStream) -> None:
        self._first = first
        self._then = then

    def read(self, size: int = -1) -> bytes:
        """Read at least one byte unless at the end."""
        if not self._first or size == 0:
            return self._then.read(size)
        first, self._first = self._first, b""
        return first


def as_dict(value: Json) -> dict[str, Json]:
    """Take a value for an object; an empty one when it is none."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """Take a value for an array; an empty one when it is none."""
    return value if isinstance(value, list) else []


def as_text(value: Json) -> str:
    """Take a value for text; numbers are written out, anything else is ""."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def as_number(value: Json) -> float | None:
    """Take a value for a number, also one written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if abs(number) < 1e15 else None
