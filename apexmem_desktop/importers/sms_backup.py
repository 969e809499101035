"""SMS Backup & Restore on Android: sms-….xml with texts and picture messages, calls-….xml."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from apexmem_desktop.domain.progress import CancelToken, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.database_importer import OWNER, left_out
from apexmem_desktop.importers.decoding import decode_head
from apexmem_desktop.importers.json_importer import Meter
from apexmem_desktop.importers.local_clock import Offsets, choose_zone, epoch_ms
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item, Opened
from apexmem_desktop.importers.said import Said, aliases, to_turns
from apexmem_desktop.importers.xml_stream import Element, elements

_BEGINS = re.compile(
    r"\s*(?:<\?xml[^>]*>)?(?:\s|<!--.*?-->|<\?.*?\?>)*<(?:!DOCTYPE\s+)?(?:smses|calls)\b", re.DOTALL
)
_SAMPLE_CHARS = 8192
_NO_DIGITS = re.compile(r"[^0-9]+")
_TELLING_DIGITS = 9  # behind country and area codes, which are written or not
_DRAFT = "3"
_RECEIVED = "1"
_FROM = "137"
_CALLS = {
    "1": "incoming call",
    "2": "outgoing call",
    "3": "missed call",
    "4": "voicemail",
    "5": "rejected call",
    "6": "blocked call",
}
_OUTGOING = "2"


@dataclass(slots=True)
class _Chats:
    """What was read so far, by the numbers that take part."""

    said: dict[tuple[str, ...], list[Said]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)

    def learn(self, address: str, name: str) -> str:
        """Remember how a number is written and whose it is; return what tells it apart."""
        key = telling(address)
        self.numbers.setdefault(key, address)
        if name:
            self.names.setdefault(key, name)
        return key

    def name(self, key: str) -> str:
        """Give the name of a number, or the number."""
        return self.names.get(key) or self.numbers.get(key, key)

    def append(self, keys: tuple[str, ...], one: Said) -> None:
        """Add something said in the chat of these numbers."""
        self.said.setdefault(tuple(sorted(set(keys))), []).append(one)

    def skip(self, why: str) -> None:
        """Count what becomes no turn."""
        self.skipped[why] = self.skipped.get(why, 0) + 1


@dataclass(slots=True)
class _Picture:
    """A picture message while its parts are read."""

    attributes: dict[str, str]
    texts: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    sender: str = ""


class SmsBackupImporter:
    """Texts, picture messages and calls; one chat a number, or a set of them."""

    name: ClassVar[str] = "sms-backup"

    def recognises(self, part: Part) -> bool:
        """Tell by the name of the first element."""
        return _BEGINS.match(decode_head(part.head)[:_SAMPLE_CHARS]) is not None

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Nothing has to be decided beforehand; the times are absolute."""
        zone = choose_zone(choices.zone)

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            chats = _Chats()
            meter = Meter(parts, progress, cancel)
            for part in parts:
                meter.begin(part)
                yield from _read(part, chats, meter)
            yield from left_out(export.file_name, chats.skipped)
            offsets = Offsets(zone)
            for keys, said in chats.said.items():
                cancel.check()
                yield _conversation(keys, said, chats, offsets)

        return Opened(source, zone)


def telling(address: str) -> str:
    """Give what tells a number apart, however it is written; names of senders stay names."""
    digits = _NO_DIGITS.sub("", address)
    if len(digits) < _TELLING_DIGITS or "@" in address:
        return address.strip().casefold()
    return digits[-_TELLING_DIGITS:]


def _read(part: Part, chats: _Chats, meter: Meter) -> Iterator[ImportProblem]:
    said_to_hold = seen = 0
    picture: _Picture | None = None
    for element in elements(part, meter.read):
        meter.tick()
        if element.begins and element.name in ("smses", "calls"):
            said_to_hold = _number(element.attributes.get("count", ""))
        elif element.begins and element.name in ("sms", "mms", "call"):
            seen += 1
            if element.name == "mms":
                picture = _Picture(element.attributes)
            else:
                _plain(element, chats)
        elif element.name == "mms" and picture is not None:
            _finish(picture, chats)
            picture = None
        elif picture is not None and element.begins:
            _add(element, picture)
    if said_to_hold and said_to_hold != seen:
        yield ImportProblem(part.name, f"it says it holds {said_to_hold} entries; {seen} are there")


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 16 else 0


def _given(attributes: dict[str, str], name: str) -> str:
    """Read an attribute; the app writes "null" and "(Unknown)" for nothing."""
    value = attributes.get(name, "").strip()
    return "" if value in ("null", "(Unknown)") else value


def _at_ms(attributes: dict[str, str]) -> int | None:
    return epoch_ms(float(number)) if (number := _number(attributes.get("date", ""))) else None


def _plain(element: Element, chats: _Chats) -> None:
    """Take in a text or a call."""
    attributes = element.attributes
    address = _given(attributes, "number" if element.name == "call" else "address")
    key = chats.learn(address or "unknown number", _given(attributes, "contact_name"))
    type_, at_ms = attributes.get("type", ""), _at_ms(attributes)
    if element.name == "call":
        minutes = _number(attributes.get("duration", "")) / 60
        text = _CALLS.get(type_, "call") + (f", {minutes:.0f} min" if minutes else "")
        mine, kind = type_ == _OUTGOING, TurnKind.CALL
    else:
        text = "\n".join(filter(None, (_given(attributes, "subject"), _given(attributes, "body"))))
        mine, kind = type_ != _RECEIVED, TurnKind.MESSAGE
        if type_ == _DRAFT or not text:
            chats.skip("drafts" if type_ == _DRAFT else "without words")
            return
    role = Role.USER if mine else Role.PERSON
    chats.append((key,), Said("" if mine else key, text, at_ms, role, kind))


def _add(element: Element, picture: _Picture) -> None:
    """Take in a part or an address of a picture message."""
    attributes = element.attributes
    if element.name == "part":
        content = _given(attributes, "ct").lower()
        if content == "text/plain":
            picture.texts.append(_given(attributes, "text"))
        elif content and content != "application/smil":
            names = (_given(attributes, name) for name in ("cl", "name", "fn", "ct"))
            picture.files.append(next(filter(None, names), "attachment"))
    elif element.name == "addr" and attributes.get("type") == _FROM:
        picture.sender = _given(attributes, "address")


def _finish(picture: _Picture, chats: _Chats) -> None:
    attributes = picture.attributes
    box = attributes.get("msg_box", "")
    addresses = [one for one in _given(attributes, "address").split("~") if one.strip()]
    name = _given(attributes, "contact_name") if len(addresses) == 1 else ""
    keys = tuple(chats.learn(one, name) for one in addresses) or ("unknown number",)
    text = "\n".join(filter(None, (_given(attributes, "sub"), *picture.texts)))
    if box == _DRAFT or not (text or picture.files):
        chats.skip("drafts" if box == _DRAFT else "without words")
        return
    mine = box != _RECEIVED
    sender = telling(picture.sender)
    if sender not in keys:  # "insert-address-token" stands for the owner's own number
        sender = keys[0]
    kind = TurnKind.MEDIA if picture.files else TurnKind.MESSAGE
    role = Role.USER if mine else Role.PERSON
    speaker = "" if mine else sender
    files = tuple(picture.files)
    chats.append(keys, Said(speaker, text, _at_ms(attributes), role, kind, attachments=files))


def _conversation(
    keys: tuple[str, ...], said: list[Said], chats: _Chats, offsets: Offsets
) -> ImportedConversation:
    """Put names in the places of numbers, now that all are known."""
    said.sort(key=lambda one: one.at_ms or 0)
    named = [
        one._replace(speaker=chats.name(one.speaker), also=chats.numbers.get(one.speaker, ""))
        if one.speaker
        else one._replace(speaker=OWNER)
        for one in said
    ]
    return ImportedConversation(
        external_id="~".join(keys),
        title=", ".join(chats.name(key) for key in keys[:4]),
        turns=to_turns(named, offsets),
        is_group=len(keys) > 1,
        aliases=aliases(named),
    )
