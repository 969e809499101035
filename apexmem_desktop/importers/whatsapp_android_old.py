"""`msgstore.db` as WhatsApp on Android wrote it until 2021: everything in one wide table."""

from collections.abc import Iterator
from itertools import groupby

from apexmem_desktop.domain.turn import ImportedConversation, Role, TurnKind
from apexmem_desktop.importers.database_importer import Desk, cell_int, cell_text, left_out
from apexmem_desktop.importers.local_clock import epoch_ms
from apexmem_desktop.importers.reading import Item
from apexmem_desktop.importers.said import Said, aliases, file_name, to_turns
from apexmem_desktop.importers.sqlite_file import ForeignDatabase, Row
from apexmem_desktop.importers.whatsapp_people import (
    card_names,
    contact_names,
    is_group,
    own_name,
    spoken_name,
    spoken_number,
)

NEEDS = {
    "messages": frozenset({"key_remote_jid", "key_from_me", "key_id", "data", "timestamp"}),
}
_COLUMNS = (
    "key_remote_jid",
    "key_from_me",
    "key_id",
    "remote_resource",
    "timestamp",
    "data",
    "status",
    "media_wa_type",
    "media_caption",
    "media_name",
    "media_mime_type",
    "latitude",
    "longitude",
)
_SYSTEM_STATUS = 6
_CONTACT, _LOCATION, _LIVE_LOCATION, _DELETED = 4, 5, 16, 15
_CALLS = frozenset({8, 10})


def read(database: ForeignDatabase, desk: Desk) -> Iterator[Item]:
    """Read chat by chat."""
    owner = own_name(database)
    names = contact_names(database, desk.export, desk.cancel)
    subjects = {
        cell_text(jid): cell_text(subject).strip()
        for jid, subject in database.rows("chat_list", ("key_remote_jid", "subject"))
    }
    skipped: dict[str, int] = {}
    rows = database.rows(
        "messages", _COLUMNS, order_by=("key_remote_jid", "timestamp", "_id", "key_id")
    )
    for jid, messages in groupby(desk.counted(rows), key=lambda row: cell_text(row[0])):
        if jid in ("", "-1"):  # a row of the app's own
            continue
        said = []
        for row in messages:
            one = _said(row, owner, names)
            if one is None:
                skipped["without words"] = skipped.get("without words", 0) + 1
            else:
                said.append(one)
        if said:
            title = subjects.get(jid) or names.get(jid) or spoken_name(jid) or "WhatsApp"
            turns = to_turns(said, desk.offsets)
            yield ImportedConversation(jid, title, turns, is_group(jid), aliases(said))
    yield from left_out(desk.where, skipped)


def _said(row: Row, owner: str, names: dict[str, str]) -> Said | None:
    jid, mine, key_id, sender, stamp, _, status, _ = row[:8]
    at_ms, external_id = epoch_ms(cell_int(stamp) or None), cell_text(key_id)
    by = cell_text(sender) or cell_text(jid)
    speaker = owner if cell_int(mine) else names.get(by) or spoken_name(by)
    kind, text, files = _content(row)
    if cell_int(status) == _SYSTEM_STATUS and kind is TurnKind.MESSAGE:
        what = f"{speaker} changed the chat {text}".strip()
        return Said(
            "", what, at_ms, Role.SYSTEM, TurnKind.NOTICE, external_id, identity=external_id
        )
    if kind is TurnKind.MESSAGE and not text:
        return None
    role = Role.USER if cell_int(mine) else Role.PERSON
    also = "" if cell_int(mine) else spoken_number(by)
    return Said(
        speaker, text, at_ms, role, kind, external_id, attachments=files, identity=external_id,
        also=also,
    )  # fmt: skip


def _content(row: Row) -> tuple[TurnKind, str, tuple[str, ...]]:
    """Tell what a message is, its words and its files."""
    words, _, type_, caption, name, mime, latitude, longitude = row[5:13]
    kind = int(text) if (text := cell_text(type_)).isdecimal() and len(text) < 4 else 0
    data = cell_text(words).strip()
    if kind == _DELETED:
        return TurnKind.DELETED, "", ()
    if kind in _CALLS:
        return TurnKind.CALL, "call", ()
    if kind == _CONTACT or data.startswith("BEGIN:VCARD"):
        return TurnKind.CONTACT, card_names(data) or cell_text(name), ()
    if kind in (_LOCATION, _LIVE_LOCATION):
        where = f"({cell_text(latitude)}, {cell_text(longitude)})"
        return TurnKind.LOCATION, "\n".join(filter(None, (cell_text(name), where))), ()
    if kind:
        file = file_name(cell_text(name)) or cell_text(mime) or "attachment"
        return TurnKind.MEDIA, cell_text(caption).strip(), (file,)
    return TurnKind.MESSAGE, data, ()
