"""E-mail: single `.eml` files, and mailboxes in one file (mbox) as many programs keep them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes
from email.errors import HeaderParseError, MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from typing import ClassVar

from apexmem_desktop.domain.progress import CancelToken, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.database_importer import left_out
from apexmem_desktop.importers.decoding import decode
from apexmem_desktop.importers.json_importer import Meter
from apexmem_desktop.importers.local_clock import Offsets, choose_zone, iso_ms
from apexmem_desktop.importers.mail_words import html_words, own_words
from apexmem_desktop.importers.mailbox import begins_as_mail, raw_mails
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item, Opened
from apexmem_desktop.importers.said import Said, aliases, to_turns

_MOST_HEADER_CHARS = 20_000
_MOST_TEXT_BYTES = 2 * 1024**2
_DEEPEST = 20
_MOST_PROBLEMS = 20
_MOST_OFFSET_MINUTES = 15 * 60
_ID = re.compile(r"<[^<>\s]{1,300}>")
_MAIL_ADDRESS = re.compile(r"[^\s<>@,;:\"]{1,100}@[^\s<>@,;:\"]{1,200}")
_PREFIXES = re.compile(
    r"(?:\s*(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|回复|转发|答复)\s*[:：]\s*)+", re.I
)
_MACHINES = re.compile(r"(?:no|do.?not).?reply|mailer-daemon|postmaster|bounces?\b", re.I)
_NOT_KEPT = frozenset({"spam", "trash", "drafts"})


@dataclass(slots=True)
class _Thread:
    """Mails that answer one another.

    Attributes:
        roots: By a mail's id the id of the first mail that it knows of.
        joined_to: The thread it turned out to be a part of.
    """

    title: str
    said: list[Said] = field(default_factory=list)
    people: set[str] = field(default_factory=set)
    roots: dict[str, str] = field(default_factory=dict)
    joined_to: "_Thread | None" = None


class MailImporter:
    """One conversation a thread; quoted words are not taken for the sender's own."""

    name: ClassVar[str] = "email"

    def recognises(self, part: Part) -> bool:
        """Tell by its headers."""
        return begins_as_mail(part.head)

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Nothing has to be decided beforehand; each mail says its zone."""
        zone = choose_zone(choices.zone)

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            threads = _Threads()
            meter = Meter(parts, progress, cancel)
            for part in parts:
                meter.begin(part)
                for number, raw in enumerate(raw_mails(part, meter.read), start=1):
                    meter.tick()
                    if problem := threads.add(raw, f"{part.name}, mail {number}"):
                        yield problem
            yield from left_out(export.file_name, threads.skipped)
            offsets = Offsets(zone)
            for thread in threads.all():
                cancel.check()
                yield _conversation(thread, offsets)

        return Opened(source, zone)


def _conversation(thread: _Thread, offsets: Offsets) -> ImportedConversation:
    thread.said.sort(key=lambda one: one.at_ms or 0)
    turns = to_turns(thread.said, offsets)
    root = thread.roots.get(thread.said[0].external_id, "")
    title = thread.title or ", ".join(sorted(thread.people)[:4]) or "E-mail"
    is_group = len(thread.people) > 2
    return ImportedConversation(root, title, turns, is_group, aliases(thread.said))


class _Threads:
    """Sorts mails into threads by the ids they name."""

    def __init__(self) -> None:
        self.skipped: dict[str, int] = {}
        self._seen: set[str] = set()
        self._of_id: dict[str, _Thread] = {}
        self._threads: list[_Thread] = []
        self._problems = 0

    def add(self, raw: bytes, where: str) -> ImportProblem | None:
        """Read one mail."""
        try:
            why = self._add(message_from_bytes(raw))
        except (MessageError, ValueError, LookupError, RecursionError, OverflowError, TypeError):
            # The library gives up in many ways; a mail that breaks it is one mail that is told of.
            self._problems += 1
            if self._problems <= _MOST_PROBLEMS:
                return ImportProblem(where, "could not be read")
            why = "could not be read"
        if why:
            self.skipped[why] = self.skipped.get(why, 0) + 1
        return None

    def all(self) -> Iterator[_Thread]:
        """Give the threads in the order of their first mail."""
        yield from (thread for thread in self._threads if thread.joined_to is None)

    def _add(self, mail: Message) -> str:
        """Put a mail into its thread, or say why not."""
        labels = {label.strip().casefold() for label in _header(mail, "X-Gmail-Labels").split(",")}
        if labels & _NOT_KEPT:
            return "spam, trash or drafts"
        said = _said(mail)
        if said is not None and said.external_id in self._seen:
            return "copies of a mail that is there"
        if said is None:
            return "nothing but quoted words, or empty"
        if said.external_id:
            self._seen.add(said.external_id)
        ids = _references(mail)
        thread = self._thread(ids, _PREFIXES.sub("", _header(mail, "Subject")).strip())
        thread.said.append(said)
        thread.people |= _addresses(mail)
        if ids:
            thread.roots.setdefault(said.external_id, ids[0])
        return ""

    def _thread(self, ids: list[str], title: str) -> _Thread:
        """Find the thread that names any of these ids; a mail may join two."""
        known = (_whole(thread) for one in ids if (thread := self._of_id.get(one)))
        found = list({id(thread): thread for thread in known}.values())
        if not found:
            found = [_Thread(title)]
            self._threads += found
        first = found[0]
        for other in found[1:]:
            first.said += other.said
            first.people |= other.people
            first.roots |= other.roots
            other.joined_to = first
        for one in ids:
            self._of_id[one] = first
        return first


def _whole(thread: _Thread) -> _Thread:
    while thread.joined_to is not None:
        thread = thread.joined_to
    return thread


def _header(mail: Message, name: str) -> str:
    """Read a header: as its encoded words say, or as raw bytes of some encoding."""
    wanted = name.lower()
    raw = next((value for key, value in mail.raw_items() if key.lower() == wanted), "")
    text = str(raw)[:_MOST_HEADER_CHARS]
    if text.isascii() and "=?" not in text:
        return " ".join(text.split())
    return " ".join(_decoded(decode(text.encode("utf-8", "surrogateescape"))).split())


def _decoded(text: str) -> str:
    try:
        return str(make_header(decode_header(text)))
    except (HeaderParseError, LookupError, ValueError, UnicodeError):
        return text


def _address(text: str) -> tuple[str, str]:
    """Read who stands in a From header: the name to show, and the address."""
    name, address = parseaddr(text)
    name = name.strip(" '\"")
    return name or address or text.strip() or "Unknown", address.casefold()


def _addresses(mail: Message) -> set[str]:
    """Name everybody who takes part, each by the address that does not change."""
    everyone = " ".join(_header(mail, name)[:4000] for name in ("From", "To", "Cc"))
    return {found.casefold() for found in _MAIL_ADDRESS.findall(everyone)}


def _references(mail: Message) -> list[str]:
    """List the ids from the thread's first mail to this one."""
    named = _ID.findall(_header(mail, "References"))
    named += _ID.findall(_header(mail, "In-Reply-To"))[:1] + _ID.findall(
        _header(mail, "Message-ID")
    )
    return list(dict.fromkeys(named))


def _said(mail: Message) -> Said | None:
    speaker, address = _address(_header(mail, "From"))
    texts, files = _content(mail)
    text = "\n\n".join(filter(None, texts))
    if not text and not files:
        return None
    at_ms, offset_minutes = _time(mail)
    own_id = next(iter(_ID.findall(_header(mail, "Message-ID"))), "")
    replied = _ID.findall(_header(mail, "In-Reply-To")) or _ID.findall(_header(mail, "References"))
    return Said(
        speaker=speaker,
        text=text,
        at_ms=at_ms,
        # Newsletters, receipts and bounces are nobody's words: found by a search, never believed.
        role=Role.TOOL if _is_machine(mail, address) else Role.PERSON,
        kind=TurnKind.MESSAGE if text else TurnKind.MEDIA,
        external_id=own_id,
        reply_to=replied[-1] if replied else "",
        attachments=files,
        offset_minutes=offset_minutes,
        identity=own_id,
        also=address,
    )


def _is_machine(mail: Message, address: str) -> bool:
    submitted = _header(mail, "Auto-Submitted").casefold()
    if submitted not in ("", "no") or _MACHINES.search(address):
        return True
    if _header(mail, "Precedence").casefold() in ("bulk", "junk"):
        return True
    is_list = bool(_header(mail, "List-Post")) or bool(_header(mail, "In-Reply-To"))
    return bool(_header(mail, "List-Unsubscribe")) and not is_list


def _time(mail: Message) -> tuple[int | None, int | None]:
    """Read when it was sent, and by which clock; the servers' stamps stand in for a missing one."""
    for text in (_header(mail, "Date"), _header(mail, "Received").rpartition(";")[2]):
        try:
            sent = parsedate_to_datetime(text.strip())
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        at_ms = iso_ms(sent.isoformat())
        if at_ms is not None and 1980 < sent.year < 2200:
            return at_ms, _offset(sent)
    return None, None


def _offset(sent: datetime) -> int | None:
    offset = sent.utcoffset()  # None for -0000: the sender's clock is not known
    minutes = round(offset / timedelta(minutes=1)) if offset is not None else None
    return minutes if minutes is None or abs(minutes) <= _MOST_OFFSET_MINUTES else None


def _content(mail: Message) -> tuple[list[str], tuple[str, ...]]:
    """Read the texts, plain ones before HTML, and the names of the files."""
    plain: list[str] = []
    rich: list[str] = []
    files: list[str] = []
    for part in _parts(mail, _DEEPEST):
        kind = part.get_content_type()
        name = _file(part)
        if name or kind not in ("text/plain", "text/html"):
            if part.get_content_disposition() != "inline" or name:
                files.append(name or kind)
        elif kind == "text/plain":
            flowed = str(part.get_param("format") or "").casefold() == "flowed"
            plain.append(own_words(_text(part), flowed=flowed))
        else:
            rich.append(html_words(_text(part)))
    return plain if any(plain) else rich, tuple(dict.fromkeys(files))


def _parts(mail: Message, depth: int) -> Iterator[Message]:
    """Give the parts that are not made of parts; a mail attached whole stays one."""
    inner = mail.get_payload()
    if mail.get_content_maintype() == "multipart" and isinstance(inner, list):
        for part in inner if depth else ():
            if isinstance(part, Message):
                yield from _parts(part, depth - 1)
    else:
        yield mail


def _file(part: Message) -> str:
    name = part.get_filename() or ""
    if part.get_content_maintype() == "message":
        return name or "attached mail"
    if not name and part.get_content_disposition() == "attachment":
        return part.get_content_type()
    return " ".join(_decoded(name).split()).rpartition("/")[2]


def _text(part: Message) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    data = data[:_MOST_TEXT_BYTES]
    charset = str(part.get_content_charset() or "")
    if not charset or charset in ("us-ascii", "ascii", "utf-8", "unknown-8bit"):
        return decode(data)
    try:
        return data.decode(charset, "replace")
    except (LookupError, ValueError):
        return decode(data)
