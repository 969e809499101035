"""Signal's desktop database in plain form: decrypted, or written out as SQL text."""

import json
from collections.abc import Iterator
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
from apexmem_desktop.importers.json_stream import Json, as_dict, as_list, as_text
from apexmem_desktop.importers.local_clock import epoch_ms
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, aliases, file_name, to_turns
from apexmem_desktop.importers.sqlite_file import Cell, ForeignDatabase, Row

_COLUMNS = (
    "conversationId",
    "id",
    "type",
    "sent_at",
    "body",
    "source",
    "sourceServiceId",
    "sourceUuid",
    "json",
    "isErased",
)
_WORDS = frozenset({"incoming", "outgoing"})
_PASSED_OVER = frozenset({"story"})
_NAMES = ("name", "profileFullName", "profileName", "e164")


class SignalImporter(DatabaseImporter):
    """Private chats and groups. Stories are left out."""

    name = "signal"
    needs = (
        {
            "messages": frozenset({"conversationId", "sent_at", "type", "body", "json"}),
            "conversations": frozenset({"id", "type", "name"}),
        },
    )

    def read(self, database: ForeignDatabase, desk: Desk) -> Iterator[Item]:
        """Read chat by chat."""
        people = _People(database)
        calls = _calls(database)
        skipped: dict[str, int] = {}
        ordered = ("conversationId", "sent_at", "received_at")
        rows = desk.counted(database.rows("messages", _COLUMNS, order_by=ordered))
        for chat_id, messages in groupby(rows, key=lambda row: cell_text(row[0])):
            is_group = people.is_group.get(chat_id, False)
            said = []
            for row in messages:
                one = _said(row, people, calls)
                if one is None:
                    why = f"without words ({cell_text(row[2]) or 'no type'})"
                    skipped[why] = skipped.get(why, 0) + 1
                else:
                    said.append(one)
            if said:
                title = people.names.get(chat_id) or "Signal"
                turns = to_turns(said, desk.offsets)
                chat = people.shared_id(chat_id)
                yield ImportedConversation(chat, title, turns, is_group, aliases(said))
        yield from left_out(desk.where, skipped)


class _People:
    """Who is who in one database, under every id that Signal gives a person."""

    def __init__(self, database: ForeignDatabase) -> None:
        self.names: dict[str, str] = {}
        self.is_group: dict[str, bool] = {}
        self.numbers: dict[str, str] = {}
        self._shared: dict[str, str] = {}
        columns = ("id", "type", "serviceId", "uuid", "groupId", *_NAMES)
        for number, type_, service, uuid, group, *names in database.rows("conversations", columns):
            name = next((text for cell in names if (text := written(cell))), "")
            ids = [cell_text(cell) for cell in (number, service, uuid)]
            for one in filter(None, (*ids, written(names[-1]))):
                self.names[one] = name or "Unknown"
                self.numbers[one] = written(names[-1])
            self.is_group[ids[0]] = cell_text(type_) == "group"
            self._shared[ids[0]] = cell_text(group) or ids[1] or ids[2] or ids[0]

    def shared_id(self, chat_id: str) -> str:
        """Give the id that a chat has on every computer of its owner."""
        return self._shared.get(chat_id) or chat_id

    def number(self, row: Row) -> str:
        """Give the phone number of who sent a message that came in."""
        chat_id, _, _, _, _, source, service, uuid, *_ = row
        ids = [cell_text(service), cell_text(uuid), written(source)]
        if not self.is_group.get(cell_text(chat_id), False):
            ids.append(cell_text(chat_id))
        return next((number for one in ids if (number := self.numbers.get(one))), "")

    def speaker(self, row: Row) -> str:
        """Name who sent a message that came in."""
        chat_id, _, _, _, _, source, service, uuid, *_ = row
        ids = [cell_text(service), cell_text(uuid), written(source)]
        found = next((self.names[one] for one in ids if one in self.names), "")
        if not found and not self.is_group.get(cell_text(chat_id), False):
            found = self.names.get(cell_text(chat_id), "")
        return found or written(source) or "Unknown"


def written(cell: Cell) -> str:
    """Write a name or number; a phone number's plus is lost where a column made a number of it."""
    text = cell_text(cell).strip()
    return f"+{text}" if not isinstance(cell, str) and len(text) > 6 else text


def _calls(database: ForeignDatabase) -> dict[str, str]:
    """Say of each call what it was, by its id."""
    columns = ("callId", "type", "direction", "status")
    return {
        cell_text(call_id): ", ".join(
            filter(None, (f"{cell_text(type_)} call".lower(), *map(_lower, rest)))
        )
        for call_id, type_, *rest in database.rows("callsHistory", columns)
    }


def _lower(cell: Cell) -> str:
    return cell_text(cell).lower()


def _details(cell: Cell) -> dict[str, Json]:
    """Read the message as Signal keeps it beside the columns; {} when it is damaged."""
    try:
        return as_dict(json.loads(cell)) if isinstance(cell, str) and cell else {}
    except (ValueError, RecursionError):
        return {}


def _said(row: Row, people: _People, calls: dict[str, str]) -> Said | None:
    _, number, type_, sent, body, _, _, _, text_of_json, erased = row
    what, details = cell_text(type_), _details(text_of_json)
    at_ms = epoch_ms(cell_int(sent) or None)
    external_id = cell_text(number)
    if what in _PASSED_OVER:
        return None
    if what == "call-history":
        words = calls.get(as_text(details.get("callId")), "call")
        by, role = _caller(words, row, people)
        return Said(by, words, at_ms, role, TurnKind.CALL, external_id)
    if what not in _WORDS:
        if not what:
            return None
        words = what.replace("-", " ")
        return Said("", words, at_ms, Role.SYSTEM, TurnKind.NOTICE, external_id)
    mine = what == "outgoing"
    text = (cell_text(body) or as_text(details.get("body"))).strip()
    kind, text, files = _content(text, details)
    if details.get("deletedForEveryone") is True or cell_int(erased):
        kind, text, files = TurnKind.DELETED, "", ()
    elif kind is TurnKind.MESSAGE and not text:
        return None
    quoted = as_dict(details.get("quote"))
    return Said(
        speaker=OWNER if mine else people.speaker(row),
        text=text,
        at_ms=at_ms,
        role=Role.USER if mine else Role.PERSON,
        kind=kind,
        external_id=external_id,
        reply_to=as_text(quoted.get("messageId")),
        attachments=files,
        also="" if mine else people.number(row),
    )


def _caller(words: str, row: Row, people: _People) -> tuple[str, Role]:
    if "outgoing" in words:
        return OWNER, Role.USER
    return people.speaker(row), Role.PERSON


def _content(text: str, details: dict[str, Json]) -> tuple[TurnKind, str, tuple[str, ...]]:
    """Tell what a message is, its words and its files."""
    files = tuple(_file(as_dict(entry)) for entry in as_list(details.get("attachments")))
    if details.get("sticker"):
        emoji = as_text(as_dict(details.get("sticker")).get("emoji"))
        return TurnKind.MEDIA, text, (f"sticker {emoji}".strip(),)
    if files or details.get("isViewOnce") is True:
        return TurnKind.MEDIA, text, files or ("view once",)
    if cards := as_list(details.get("contact")):
        names = [as_dict(as_dict(card).get("name")) for card in cards]
        shown = [
            as_text(name.get("displayName")) or as_text(name.get("givenName")) for name in names
        ]
        return TurnKind.CONTACT, text or ", ".join(filter(None, shown)), ()
    return TurnKind.MESSAGE, text, ()


def _file(entry: dict[str, Json]) -> str:
    names = (entry.get("fileName"), entry.get("path"), entry.get("contentType"))
    return next((file_name(text) for value in names if (text := as_text(value))), "attachment")
