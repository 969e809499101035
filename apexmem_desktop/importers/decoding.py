"""Bytes to text: byte order marks, UTF-16 without one, old one-byte code pages, broken bytes."""

import codecs
import re
from typing import IO

_CHUNK_BYTES = 1 << 20  # not less than four bytes for each character that is judged
_JUDGED_CHARS = 200_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with that one's
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def decode(data: bytes) -> str:
    """Decode text of unknown encoding; what cannot be read becomes U+FFFD, nothing raises."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if encoding := _utf16_without_mark(data[:4096]):
        return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_broken(data)


def find_encoding(stream: IO[bytes]) -> tuple[str, int]:
    """Tell how `decode` would read a whole stream, without holding it.

    Returns:
        The name of the encoding, and the length in bytes of the mark before the text.
    """
    first = stream.read(_CHUNK_BYTES)
    for mark, encoding in _BOMS:
        if first.startswith(mark):
            return encoding, len(mark)
    if encoding := _utf16_without_mark(first[:4096]):
        return encoding, 0
    decoder = codecs.getincrementaldecoder("utf-8")()
    chunk = first
    try:
        while chunk:
            decoder.decode(chunk)
            chunk = stream.read(_CHUNK_BYTES)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        # Whether few or many bytes are broken is told by the beginning, as in `decode`.
        return ("utf-8" if _is_utf8_with_faults(first) else "cp1252"), 0
    return "utf-8", 0


def decode_head(head: bytes) -> str:
    """Decode the first bytes of a part; a character cut in half at the end does no harm."""
    return decode(head).rstrip("\ufffd")


def looks_binary(head: bytes) -> bool:
    """Tell whether these are the first bytes of something that is no text."""
    text = decode_head(head[:4096])
    if not text:
        return True
    return len(_CONTROL.findall(text)) + text.count("\ufffd") > len(text) * 0.05


def clean(text: str) -> str:
    """Replace what a database cannot hold: NUL and lone surrogates."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return _UNSTORABLE.sub("\ufffd", text)
    return text.replace("\x00", "\ufffd") if "\x00" in text else text


def _utf16_without_mark(head: bytes) -> str:
    """Guess UTF-16 from where the zero bytes stand: text is mostly of the first 256 characters."""
    half = len(head) // 2
    if half < 4 or b"\x00" not in head:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > half * 0.4 and even < half * 0.1:
        return "utf-16-le"
    if even > half * 0.4 and odd < half * 0.1:
        return "utf-16-be"
    return ""


def _decode_broken(data: bytes) -> str:
    """A few broken bytes in UTF-8 stay broken; many mean an old Western code page."""
    return data.decode("utf-8" if _is_utf8_with_faults(data) else "cp1252", "replace")


def _is_utf8_with_faults(data: bytes) -> bool:
    text = data[: 4 * _JUDGED_CHARS].decode("utf-8", "replace")[:_JUDGED_CHARS]
    foreign = sum(1 for char in text if char > "\x7f")
    return text.count("\ufffd") * 2 <= foreign
