"""Messages on an iPhone or a Mac: `sms.db` of a phone's backup, or `chat.db`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.database_importer import (
    OWNER,
    DatabaseImporter,
    Desk,
    cell_int,
    cell_text,
    left_out,
)
from apexmem_desktop.importers.local_clock import apple_ms
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, file_name, made_up_title, to_turns
from apexmem_desktop.importers.sqlite_file import ForeignDatabase, Join, Row
from apexmem_desktop.importers.typedstream import archived_text

_COLUMNS = (
    "ROWID",
    "guid",
    "text",
    "attributedBody",
    "handle_id",
    "date",
    "is_from_me",
    "associated_message_type",
    "item_type",
    "date_retracted",
    "date_edited",
    "group_title",
    "thread_originator_guid",
    "cache_has_attachments",
    "chat.ROWID",
    "chat.chat_identifier",
)
_JOINS = (
    Join("chat_message_join", "message_id", "ROWID"),
    Join("chat", "ROWID", "chat_message_join.chat_id"),
)
_ATTACHMENT_MARK = "\ufffc"
_FIRST_TAPBACK, _LAST_TAPBACK = 2000, 3999  # put on, and from 3000 taken off
_GROUP_STYLE = 43
_NOTICES = {
    1: "added or removed somebody",
    2: "named the conversation",
    3: "left the conversation or changed its picture",
    4: "shared or stopped sharing a location",
    5: "kept an audio message",
    6: "started a FaceTime call",
}


@dataclass(frozen=True, slots=True)
class _Chat:
    """One conversation as the list of a phone shows it."""

    identifier: str
    title: str
    members: tuple[str, ...]
    is_group: bool


class IMessageImporter(DatabaseImporter):
    """iMessage and SMS. Reactions are no messages and are left out."""

    name = "imessage"
    needs = (
        {
            "message": frozenset({"guid", "text", "handle_id", "date", "is_from_me"}),
            "handle": frozenset({"ROWID", "id"}),
            "chat": frozenset({"ROWID", "chat_identifier"}),
        },
    )

    def read(self, database: ForeignDatabase, desk: Desk) -> Iterator[Item]:
        """Read chat by chat; one person's iMessage and SMS are one chat, as the phone shows it."""
        reader = _Reader(database)
        ordered = ("chat.chat_identifier", "date", "ROWID")
        rows = desk.counted(database.rows("message", _COLUMNS, joins=_JOINS, order_by=ordered))
        for identifier, messages in groupby(rows, key=lambda row: cell_text(row[-1])):
            if identifier:
                yield from reader.conversation(reader.chat(identifier), messages, desk)
            else:
                yield from _without_chat(reader, messages, desk)
        yield from left_out(desk.where, reader.left_out)


def _without_chat(reader: "_Reader", messages: Iterable[Row], desk: Desk) -> Iterator[Item]:
    """Messages whose chat was removed are still somebody's."""
    by_person: dict[str, list[Row]] = {}
    for row in messages:
        by_person.setdefault(reader.handles.get(cell_int(row[4]), ""), []).append(row)
    for person, rows in by_person.items():
        yield from reader.conversation(reader.chat(person), rows, desk)


class _Reader:
    """Knows who is who in one database."""

    def __init__(self, database: ForeignDatabase) -> None:
        self.left_out: dict[str, int] = {}
        self.handles = {
            cell_int(number): cell_text(address)
            for number, address in database.rows("handle", ("ROWID", "id"))
        }
        self._files = _attachments(database)
        self._members: dict[int, list[str]] = {}
        for chat_id, handle_id in database.rows("chat_handle_join", ("chat_id", "handle_id")):
            if address := self.handles.get(cell_int(handle_id)):
                self._members.setdefault(cell_int(chat_id), []).append(address)
        self._chats: dict[str, _Chat] = {}
        wanted = ("ROWID", "chat_identifier", "display_name", "style", "room_name")
        for row in database.rows("chat", wanted):
            self._add_chat(row)

    def _add_chat(self, row: Row) -> None:
        number, identifier, name, style, room = row
        members = tuple(dict.fromkeys(self._members.get(cell_int(number), ())))
        is_group = cell_int(style) == _GROUP_STYLE or bool(cell_text(room)) or len(members) > 1
        address = cell_text(identifier)
        title = cell_text(name).strip() or (", ".join(members[:4]) if is_group else address)
        known = self._chats.get(address)
        if known is None or len(known.members) < len(members):
            self._chats[address] = _Chat(address, title, members, is_group)

    def chat(self, identifier: str) -> _Chat:
        """Give a chat, also one that stands in no list."""
        return self._chats.get(identifier) or _Chat(identifier, identifier, (), False)

    def conversation(self, chat: _Chat, rows: Iterable[Row], desk: Desk) -> Iterator[Item]:
        """Make one conversation of its messages."""
        said = [one for row in rows if (one := self._said(row, chat)) is not None]
        if not said:
            return
        turns = to_turns(said, desk.offsets)
        yield ImportedConversation(
            external_id=chat.identifier,
            title=chat.title or made_up_title(turns),
            turns=turns,
            is_group=chat.is_group,
        )

    def _said(self, row: Row, chat: _Chat) -> Said | None:
        number, guid, text, body, handle, date, mine, reaction, item, retracted, edited = row[:11]
        if _FIRST_TAPBACK <= cell_int(reaction) <= _LAST_TAPBACK:
            self._leave_out("reactions to a message")
            return None
        role = Role.USER if cell_int(mine) else Role.PERSON
        speaker = OWNER if cell_int(mine) else self.handles.get(cell_int(handle), "")
        speaker = speaker or ("" if chat.is_group else chat.identifier) or "Unknown"
        at_ms, identity = apple_ms(date), cell_text(guid)
        if item_type := cell_int(item):
            what = f"{speaker} {_NOTICES.get(item_type, 'changed the conversation')}"
            what = f"{what}: {title}" if (title := cell_text(row[11])) else what
            return Said("", what, at_ms, Role.SYSTEM, TurnKind.NOTICE, identity, identity=identity)
        words = cell_text(text) or (archived_text(body) if isinstance(body, bytes) else "")
        files = self._files.get(cell_int(number), ())
        if not files and (_ATTACHMENT_MARK in words or cell_int(row[13])):
            files = ("attachment",)
        words = words.replace(_ATTACHMENT_MARK, "").strip()
        kind = TurnKind.MEDIA if files else TurnKind.MESSAGE
        if not words and not files:
            if not cell_int(retracted) and not cell_int(edited):
                self._leave_out("messages without words or files (taken back, or of an app)")
                return None
            kind = TurnKind.DELETED
        return Said(
            speaker, words, at_ms, role, kind, identity, cell_text(row[12]), files,
            identity=identity,
        )  # fmt: skip

    def _leave_out(self, why: str) -> None:
        self.left_out[why] = self.left_out.get(why, 0) + 1


def _attachments(database: ForeignDatabase) -> dict[int, tuple[str, ...]]:
    files: dict[int, tuple[str, ...]] = {}
    rows = database.rows(
        "message_attachment_join",
        ("message_id", "attachment.transfer_name", "attachment.filename", "attachment.mime_type"),
        joins=(Join("attachment", "ROWID", "attachment_id"),),
    )
    for number, name, path, mime in rows:
        known = cell_text(name) or file_name(cell_text(path)) or cell_text(mime) or "attachment"
        files[cell_int(number)] = (*files.get(cell_int(number), ()), known)
    return files
