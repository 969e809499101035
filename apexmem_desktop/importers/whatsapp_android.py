"""`msgstore.db` as WhatsApp on Android writes it since 2021."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.database_importer import Desk, cell_int, cell_text, left_out
from apexmem_desktop.importers.local_clock import epoch_ms
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, aliases, file_name, to_turns
from apexmem_desktop.importers.sqlite_file import ForeignDatabase, Join, Row
from apexmem_desktop.importers.whatsapp_people import (
    card_names,
    contact_names,
    is_group,
    own_name,
    spoken_name,
    spoken_number,
)

NEEDS = {
    "message": frozenset(
        {"chat_row_id", "from_me", "key_id", "timestamp", "message_type", "text_data"}
    ),
    "chat": frozenset({"_id", "jid_row_id"}),
    "jid": frozenset({"_id", "raw_string"}),
}
_COLUMNS = (
    "chat_row_id",
    "_id",
    "from_me",
    "key_id",
    "sender_jid_row_id",
    "timestamp",
    "message_type",
    "text_data",
    "message_media.media_caption",
    "message_media.media_name",
    "message_media.file_path",
    "message_media.mime_type",
    "message_location.latitude",
    "message_location.longitude",
    "message_location.place_name",
    "message_quoted.key_id",
    "message_revoked.revoked_key_id",
    "message_edit_info.original_key_id",
    "message_system.action_type",
    "message_product.title",
    "message_product.description",
    "message_order.order_title",
)
_JOINED = (
    "media", "location", "quoted", "revoked", "edit_info", "system", "product", "order",
)  # fmt: skip
_JOINS = tuple(Join(f"message_{name}", "message_row_id", "_id") for name in _JOINED)
_SYSTEM, _MISSED_CALL, _CALL, _ALBUM = 7, 10, 90, 99
_DELETED = frozenset({15, 64})
_LOCATIONS = frozenset({5, 16})
_CONTACTS = frozenset({4, 14})
_POLLS = frozenset({66, 68})
_MEDIA = frozenset({1, 2, 3, 9, 13, 20, 23, 42, 43, 44, 62, 81, 82})
_ACTIONS = {
    1: "changed the group's name",
    5: "left",
    6: "changed the group's picture",
    7: "was removed",
    10: "changed the phone number",
    11: "created the group",
    12: "added",
    13: "left",
    14: "removed",
    15: "made an admin of",
    18: "security code changed",
    19: "messages are encrypted",
    20: "joined by a link",
    27: "changed the group's description",
    28: "changed the phone number",
    56: "set messages to disappear",
    58: "blocked or unblocked",
    67: "messages are encrypted",
}


def read(database: ForeignDatabase, desk: Desk) -> Iterator[Item]:
    """Read chat by chat, with the calls among the messages."""
    reader = _Reader(database, desk)
    rows = database.rows(
        "message", _COLUMNS, joins=_JOINS, order_by=("chat_row_id", "timestamp", "_id")
    )
    for chat_id, messages in groupby(desk.counted(rows), key=lambda row: cell_int(row[0])):
        yield from reader.chat(chat_id, messages)
    yield from reader.calls_without_chat()
    yield from left_out(desk.where, reader.left_out)


class _Reader:
    """Knows the people, and what stands beside the messages, of one database."""

    def __init__(self, database: ForeignDatabase, desk: Desk) -> None:
        self.left_out: dict[str, int] = {}
        self._desk = desk
        self._owner = own_name(database)
        self._names = contact_names(database, desk.export, desk.cancel)
        self._jids = _jids(database)
        self._chats = {
            cell_int(number): (self._jids.get(cell_int(jid), ""), cell_text(subject).strip())
            for number, jid, subject in database.rows("chat", ("_id", "jid_row_id", "subject"))
        }
        self._cards = _texts(database, "message_vcard", "vcard")
        self._options = _texts(database, "message_poll_option", "option_name")
        people = database.rows(
            "message_system_chat_participant", ("message_row_id", "user_jid_row_id")
        )
        self._people: dict[int, list[str]] = {}
        for number, jid in people:
            self._people.setdefault(cell_int(number), []).append(self._name(cell_int(jid)))
        self._calls = self._read_calls(database)
        self._has_calls = bool(self._calls)

    def chat(self, chat_id: int, messages: Iterable[Row]) -> Iterator[Item]:
        """Make one conversation."""
        jid, subject = self._chats.get(chat_id, ("", ""))
        said = [one for row in messages if (one := self._said(row, jid)) is not None]
        yield from self._conversation(jid, subject, said + self._calls.pop(jid, []))

    def calls_without_chat(self) -> Iterator[Item]:
        """Calls with people to whom nobody ever wrote."""
        for jid, calls in self._calls.items():
            yield from self._conversation(jid, "", calls)

    def _conversation(self, jid: str, subject: str, said: list[Said]) -> Iterator[Item]:
        if not said:
            return
        said.sort(key=lambda one: one.at_ms or 0)
        title = subject or self._names.get(jid) or spoken_name(jid) or "WhatsApp"
        turns = to_turns(said, self._desk.offsets)
        yield ImportedConversation(jid, title, turns, is_group(jid), aliases(said))

    def _name(self, jid_id: int) -> str:
        jid = self._jids.get(jid_id, "")
        return self._names.get(jid) or spoken_name(jid)

    def _speaker(self, mine: bool, sender: int, jid: str) -> str:
        if mine:
            return self._owner
        if sender and (name := self._name(sender)):
            return name
        return (self._names.get(jid) or spoken_name(jid) if not is_group(jid) else "") or "Unknown"

    def _number(self, mine: bool, sender: int, jid: str) -> str:
        by = self._jids.get(sender, "") or (jid if not is_group(jid) else "")
        return "" if mine else spoken_number(by)

    def _said(self, row: Row, jid: str) -> Said | None:
        number, mine, key_id, sender, stamp, type_, words = row[1:8]
        kind_number, at_ms = cell_int(type_), epoch_ms(cell_int(stamp) or None)
        speaker = self._speaker(bool(cell_int(mine)), cell_int(sender), jid)
        external_id = cell_text(key_id)
        identity = cell_text(row[17]) or cell_text(row[16]) or external_id
        if kind_number == _SYSTEM or row[18] is not None:
            what = self._notice(speaker, cell_int(number), cell_int(row[18]), cell_text(words))
            return Said(
                "", what, at_ms, Role.SYSTEM, TurnKind.NOTICE, external_id, identity=identity
            )
        if kind_number in (_CALL, _MISSED_CALL) and self._has_calls:
            return None  # it stands in the log of calls, with its length
        kind, text, files = self._content(row)
        if kind is TurnKind.MESSAGE and not text:
            why = "heads of albums" if kind_number == _ALBUM else f"without words ({kind_number})"
            self.left_out[why] = self.left_out.get(why, 0) + 1
            return None
        role = Role.USER if cell_int(mine) else Role.PERSON
        return Said(
            speaker, text, at_ms, role, kind, external_id, cell_text(row[15]), files,
            identity=identity, also=self._number(bool(cell_int(mine)), cell_int(sender), jid),
        )  # fmt: skip

    def _content(self, row: Row) -> tuple[TurnKind, str, tuple[str, ...]]:
        """Tell what a message is, its words and its files."""
        number, type_ = cell_int(row[1]), cell_int(row[6])
        caption, name, path, mime, latitude, longitude, place = row[8:15]
        text = (cell_text(row[7]) or cell_text(caption)).strip()
        if type_ in _DELETED or row[16] is not None:
            return TurnKind.DELETED, text, ()
        if type_ in (_CALL, _MISSED_CALL):
            return TurnKind.CALL, text or "call", ()
        if type_ in _LOCATIONS or latitude is not None:
            where = f"({cell_text(latitude)}, {cell_text(longitude)})"
            return TurnKind.LOCATION, "\n".join(filter(None, (text, cell_text(place), where))), ()
        if type_ in _CONTACTS:
            cards = "\n".join(self._cards.get(number, ()))
            return TurnKind.CONTACT, card_names(cards) or text, ()
        if type_ in _POLLS:
            return TurnKind.POLL, "\n- ".join((text, *self._options.get(number, ()))), ()
        file = cell_text(name) or file_name(cell_text(path)) or cell_text(mime)
        if type_ in _MEDIA or file:
            goods = "\n".join(filter(None, map(cell_text, row[19:22])))
            return TurnKind.MEDIA, text or goods, (file or "attachment",)
        return TurnKind.MESSAGE, text, ()

    def _notice(self, speaker: str, number: int, action: int, words: str) -> str:
        people = ", ".join(filter(None, self._people.get(number, ())))
        what = _ACTIONS.get(action, "changed the chat")
        return " ".join(filter(None, (speaker, what, people, words.strip())))

    def _read_calls(self, database: ForeignDatabase) -> dict[str, list[Said]]:
        columns = (
            "jid_row_id", "group_jid_row_id", "from_me", "call_id", "timestamp", "video_call",
            "duration",
        )  # fmt: skip
        calls: dict[str, list[Said]] = {}
        for jid_id, group_id, mine, call_id, stamp, video, seconds in database.rows(
            "call_log", columns
        ):
            jid = self._jids.get(cell_int(group_id) or cell_int(jid_id), "")
            words = "video call" if cell_int(video) else "voice call"
            duration = cell_int(seconds)
            text = f"{words}, {duration / 60:.0f} min" if duration else f"{words}, not answered"
            by = self._speaker(bool(cell_int(mine)), cell_int(jid_id), jid)
            role = Role.USER if cell_int(mine) else Role.PERSON
            at_ms, identity = epoch_ms(cell_int(stamp) or None), cell_text(call_id)
            one = Said(by, text, at_ms, role, TurnKind.CALL, identity, identity=identity)
            calls.setdefault(jid, []).append(one)
        return calls


def _jids(database: ForeignDatabase) -> dict[int, str]:
    """Read the addresses; a hidden one (@lid) is taken for the number it stands for."""
    jids = {
        cell_int(number): cell_text(raw)
        for number, raw in database.rows("jid", ("_id", "raw_string"))
    }
    for hidden, number in database.rows("jid_map", ("lid_row_id", "jid_row_id")):
        if cell_int(number) in jids:
            jids[cell_int(hidden)] = jids[cell_int(number)]
    return jids


def _texts(database: ForeignDatabase, table: str, column: str) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for number, text in database.rows(table, ("message_row_id", column)):
        if cell_text(text):
            found.setdefault(cell_int(number), []).append(cell_text(text))
    return found
