"""The plain text in Apple's archive of an attributed string, which NeXT invented in 1988."""

_STRING_CLASS = b"NSString"
_TEXT_BEGINS = b"\x84\x01+"  # a new object, one value, of the type "bytes with a length"
_TWO_BYTES, _FOUR_BYTES = 0x81, 0x82


def archived_text(archive: bytes) -> str:
    """Read the text; "" where there is none, or where the archive is of another making."""
    start = archive.find(_STRING_CLASS)
    begins = archive.find(_TEXT_BEGINS, start) if start >= 0 else -1
    if begins < 0:
        return ""
    at = begins + len(_TEXT_BEGINS)
    mark = archive[at] if at < len(archive) else 0
    width = {_TWO_BYTES: 2, _FOUR_BYTES: 4}.get(mark, 0)
    if mark >= 0x80 and not width:
        return ""
    length = int.from_bytes(archive[at + 1 : at + 1 + width], "little") if width else mark
    text = archive[at + 1 + width : at + 1 + width + length]
    return text.decode("utf-8", "replace")
