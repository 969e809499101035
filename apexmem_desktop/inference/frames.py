"""Messages between the window's process and a child: JSON, with bytes behind it where needed.

A frame is two big-endian 32-bit lengths, the JSON text, and the bytes.
"""

import json
import struct
from typing import Any, BinaryIO

_HEAD = struct.Struct(">II")

Frame = tuple[dict[str, Any], bytes]


def write_frame(stream: BinaryIO, message: dict[str, Any], payload: bytes = b"") -> None:
    """Write one frame and flush it."""
    text = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    stream.write(_HEAD.pack(len(text), len(payload)) + text + payload)
    stream.flush()


def read_frame(stream: BinaryIO) -> Frame | None:
    """Read one frame; None when the other side has gone, even in the middle of one."""
    head = _read_exactly(stream, _HEAD.size)
    if head is None:
        return None
    text_bytes, payload_bytes = _HEAD.unpack(head)
    text = _read_exactly(stream, text_bytes)
    payload = _read_exactly(stream, payload_bytes)
    if text is None or payload is None:
        return None
    message: dict[str, Any] = json.loads(text.decode("utf-8", "surrogatepass"))
    return message, payload


def _read_exactly(stream: BinaryIO, count: int) -> bytes | None:
    parts: list[bytes] = []
    while count:
        part = stream.read(count)
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
