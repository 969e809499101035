"""XML as a stream of elements: nothing of it is kept, nothing in it is expanded or fetched."""

import codecs
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.parsers import expat

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.importers.parts import Part, damaged

_CHUNK_BYTES = 1 << 18
_DEEPEST = 60
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_REFERENCES = re.compile(r"(?:&#(?:[0-9]{1,9}|x[0-9A-Fa-f]{1,8});)+")
_REFERENCE = re.compile(r"&#(?:([0-9]+)|x([0-9A-Fa-f]+));")
# Where a chunk can be cut: no reference and no packed file goes on over these.
_ENDS = " \n\"'<>"
_MOST_HELD_CHARS = 1 << 16
_LONGEST_PAIR_CHARS = 24
# A picture or film as text. The parser would look at the whole of it again with each chunk.
_PACKED = re.compile(r"(?<=\sdata=\")[A-Za-z0-9+/=\s]{2048,}")
_PACKED_GOES_ON = re.compile(r"[A-Za-z0-9+/=\s]*")
_OPENED = re.compile(r"\sdata=\"[A-Za-z0-9+/=\s]{0,2048}\Z")


@dataclass(frozen=True, slots=True)
class Element:
    """The beginning or the end of an element.

    Attributes:
        attributes: Empty at its end.
    """

    name: str
    begins: bool
    attributes: dict[str, str]


class _RefusedError(Exception):
    """It declares a document type, as no export does, or nests absurdly."""


def elements(part: Part, on_bytes: Callable[[int], None]) -> Iterator[Element]:
    """Read the elements in order.

    Raises:
        ExportUnreadableError: It is no XML to its end, or declares entities.
    """
    found: list[Element] = []
    parser = _parser(found)
    mender = _Mender()
    try:
        with part.open() as stream:
            decoder = codecs.getincrementaldecoder(_encoding(part.head))("replace")
            while chunk := stream.read(_CHUNK_BYTES):
                on_bytes(len(chunk))
                parser.Parse(mender.mended(decoder.decode(chunk)).encode("utf-8"), False)
                yield from found
                found.clear()
            rest = mender.mended(decoder.decode(b"", True)) + mender.rest()
            parser.Parse(rest.encode("utf-8"), True)
            yield from found
    except expat.ExpatError as error:
        raise ExportUnreadableError(
            f"{part.name} is not valid XML: it is broken or breaks off in line {error.lineno}.",
            hint="Make the backup again, or copy it again from the phone.",
        ) from error
    except _RefusedError as error:
        raise ExportUnreadableError(
            f"{part.name} declares or nests what no export does; nothing of it was read.",
            hint="Make the backup again from the app itself.",
        ) from error
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise damaged(part.name) from error


def _encoding(head: bytes) -> str:
    return "utf-16" if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"


def _parser(found: list[Element]) -> expat.XMLParserType:
    parser = expat.ParserCreate(encoding="utf-8")
    depth = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise _RefusedError
        found.append(Element(name, True, attributes))

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        found.append(Element(name, False, {}))

    def refuse(*_: object) -> None:
        # Entities can only be declared in a document type: without one there is nothing to expand.
        raise _RefusedError

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    return parser


class _Mender:
    """Mends what Android apps write and XML forbids, chunk by chunk.

    They write an emoji as two references to the halves of a surrogate pair.
    """

    def __init__(self) -> None:
        self._held = ""
        self._in_packed = False

    def mended(self, text: str) -> str:
        """Mend what can be mended of all so far; an unclear end is held back."""
        if self._in_packed:
            going_on = _PACKED_GOES_ON.match(text)
            text = text[going_on.end() :] if going_on else text
            self._in_packed = not text
        text = self._held + text
        text = _PACKED.sub(self._without_packed, text)
        text, self._held = _cut(text)
        return _mended(text)

    def rest(self) -> str:
        """Give what was held back last."""
        return _mended(self._held)

    def _without_packed(self, found: re.Match[str]) -> str:
        self._in_packed = found.end() == len(found.string)
        return ""


def _cut(text: str) -> tuple[str, str]:
    tail = text[-_MOST_HELD_CHARS:]
    start = len(text) - len(tail)
    if opened := _OPENED.search(tail):
        return text[: start + opened.start()], text[start + opened.start() :]
    last = max(map(tail.rfind, _ENDS)) + 1
    if last == 0 and start > 0:  # a very long word; a reference near its end may be cut
        reference = tail.rfind("&", -_LONGEST_PAIR_CHARS)
        last = reference if reference >= 0 else len(tail)
    return text[: start + last], text[start + last :]


def _mended(text: str) -> str:
    return _REFERENCES.sub(_characters, _FORBIDDEN.sub("\ufffd", text))


def _characters(run: re.Match[str]) -> str:
    """Join halves of surrogate pairs; what is no character becomes U+FFFD."""
    units = bytearray()
    for found in _REFERENCE.finditer(run[0]):
        number = int(found[1] or int(found[2], 16))
        allowed = number < 0x110000 and not (number < 32 and number not in (9, 10, 13))
        units += (chr(number) if allowed else "\ufffd").encode("utf-16-le", "surrogatepass")
    characters = units.decode("utf-16-le", "replace")
    return "".join(
        char if char not in "&<>\"'\t\r\n\ufffe\uffff" else f"&#{ord(char)};"
        for char in characters.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
    )
