"""`ChatStorage.sqlite` as WhatsApp on an iPhone writes it."""

from collections.abc import Iterator
from itertools import groupby

from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.database_importer import (
    OWNER,
    Desk,
    cell_int,
    cell_text,
    left_out,
)
from apexmem_desktop.importers.local_clock import apple_ms
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, aliases, file_name, to_turns
from apexmem_desktop.importers.sqlite_file import ForeignDatabase, Join, Row
from apexmem_desktop.importers.whatsapp_people import (
    card_names,
    is_group,
    spoken_name,
    spoken_number,
)

NEEDS = {
    "ZWAMESSAGE": frozenset({"ZCHATSESSION", "ZISFROMME", "ZMESSAGEDATE", "ZTEXT"}),
    "ZWACHATSESSION": frozenset({"Z_PK", "ZCONTACTJID"}),
}
_COLUMNS = (
    "ZCHATSESSION",
    "ZISFROMME",
    "ZSTANZAID",
    "ZGROUPMEMBER",
    "ZFROMJID",
    "ZMESSAGEDATE",
    "ZMESSAGETYPE",
    "ZTEXT",
    "ZVCARDSTRING",
    "ZPUSHNAME",
    "ZWAMEDIAITEM.ZTITLE",
    "ZWAMEDIAITEM.ZMEDIALOCALPATH",
    "ZWAMEDIAITEM.ZVCARDSTRING",
    "ZWAMEDIAITEM.ZLATITUDE",
    "ZWAMEDIAITEM.ZLONGITUDE",
    "ZWAMEDIAITEM.ZVCARDNAME",
)
_JOINS = (Join("ZWAMEDIAITEM", "Z_PK", "ZMEDIAITEM"),)
_NOTICES = frozenset({6, 10})
_CONTACT, _LOCATION, _DELETED, _POLL, _CALL = 4, 5, 14, 46, 59
_WORDS = frozenset({0, 7})  # plain, and with a link in it
_CARD = "BEGIN:VCARD"


def read(database: ForeignDatabase, desk: Desk) -> Iterator[Item]:
    """Read chat by chat."""
    people = _People(database)
    skipped: dict[str, int] = {}
    ordered = ("ZCHATSESSION", "ZMESSAGEDATE", "ZSORT", "Z_PK")
    rows = desk.counted(database.rows("ZWAMESSAGE", _COLUMNS, joins=_JOINS, order_by=ordered))
    for chat_id, messages in groupby(rows, key=lambda row: cell_int(row[0])):
        jid, partner = people.chats.get(chat_id, ("", ""))
        said = []
        for row in messages:
            one = _said(row, people, jid, partner)
            if one is None:
                why = f"without words (type {cell_int(row[6])})"
                skipped[why] = skipped.get(why, 0) + 1
            else:
                said.append(one)
        if said:
            title = partner or spoken_name(jid) or "WhatsApp"
            turns = to_turns(said, desk.offsets)
            yield ImportedConversation(jid, title, turns, is_group(jid), aliases(said))
    yield from left_out(desk.where, skipped)


class _People:
    """Who is who in one database."""

    def __init__(self, database: ForeignDatabase) -> None:
        self.chats = {
            cell_int(number): (cell_text(jid), cell_text(partner).strip())
            for number, jid, partner in database.rows(
                "ZWACHATSESSION", ("Z_PK", "ZCONTACTJID", "ZPARTNERNAME")
            )
        }
        known = {jid: name for jid, name in self.chats.values() if name and not is_group(jid)}
        pushed = {
            cell_text(jid): cell_text(name).strip()
            for jid, name in database.rows("ZWAPROFILEPUSHNAME", ("ZJID", "ZPUSHNAME"))
        }
        self.members = {}
        self.numbers = {}
        columns = ("Z_PK", "ZMEMBERJID", "ZCONTACTNAME")
        for number, member, contact in database.rows("ZWAGROUPMEMBER", columns):
            jid = cell_text(member)
            name = cell_text(contact).strip() or known.get(jid) or pushed.get(jid)
            self.members[cell_int(number)] = name or spoken_name(jid)
            self.numbers[cell_int(number)] = spoken_number(jid)


def _speaker(row: Row, people: _People, jid: str, partner: str) -> str:
    _, mine, _, member, sender, *_ = row
    if cell_int(mine):
        return OWNER
    if name := people.members.get(cell_int(member)):
        return name
    if not is_group(jid):
        return partner or spoken_name(jid) or "Unknown"
    by = cell_text(sender)
    return spoken_name(by) if by and not is_group(by) else "Unknown"


def _said(row: Row, people: _People, jid: str, partner: str) -> Said | None:
    _, mine, stanza, _, _, stamp, type_, words, *_ = row
    at_ms, identity = apple_ms(stamp), cell_text(stanza)
    if cell_int(type_) in _NOTICES:
        text = cell_text(words).strip() or "The chat was changed."
        return Said("", text, at_ms, Role.SYSTEM, TurnKind.NOTICE, identity, identity=identity)
    kind, text, files = _content(row)
    if kind is TurnKind.MESSAGE and not text:
        return None
    role = Role.USER if cell_int(mine) else Role.PERSON
    speaker = _speaker(row, people, jid, partner)
    number = people.numbers.get(cell_int(row[3])) or spoken_number(jid)
    return Said(
        speaker, text, at_ms, role, kind, identity, attachments=files, identity=identity,
        also="" if cell_int(mine) else number,
    )  # fmt: skip


def _content(row: Row) -> tuple[TurnKind, str, tuple[str, ...]]:
    """Tell what a message is, its words and its files."""
    type_, text = cell_int(row[6]), cell_text(row[7]).strip()
    card, _, title, path, media_card, latitude, longitude, card_name = row[8:16]
    if type_ == _DELETED:
        return TurnKind.DELETED, "", ()
    cards = next(
        (one for cell in (card, media_card) if (one := cell_text(cell)).startswith(_CARD)), ""
    )
    if type_ == _CONTACT or cards:
        return TurnKind.CONTACT, card_names(cards) or cell_text(card_name) or text, ()
    if type_ == _LOCATION:
        where = f"({cell_text(latitude)}, {cell_text(longitude)})"
        return TurnKind.LOCATION, "\n".join(filter(None, (text, cell_text(card_name), where))), ()
    if type_ == _POLL:
        return TurnKind.POLL, text, ()
    if type_ == _CALL:
        return TurnKind.CALL, text or "call", ()
    if type_ in _WORDS and path is None:
        return TurnKind.MESSAGE, text, ()
    caption = text or cell_text(title).strip()
    return TurnKind.MEDIA, caption, (file_name(cell_text(path)) or "attachment",)
