"""What the user settled once for this memory: who they are, and by which clock a chat was written.

It stands among the rulings, so it goes wherever the memory file goes. The newest row of a kind
stands; none is in the log of decisions, since saying something else is how it is taken back.
"""

import json
from collections.abc import Iterable

from sqlalchemy import select

from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.rulings import append_ruling
from apexmem_desktop.storage.tables import conversations, rulings, sources, voices
from apexmem_desktop.storage.vault import Connection

_OWNER, _CHAT_ZONE = "owner", "chat_zone"
_NO_DECISION = {"part_of": 0}


def settle_owner(db: Connection, name: str, *, at_ms: int) -> None:
    """Keep who the user is, unless that is known already; erasing that person forgets it.

    Args:
        at_ms: UTC, when the user said it.
    """
    if name and name != find_settled_owner(db):
        detail = {**_NO_DECISION, "name": name, "normalised": normalise(name)}
        append_ruling(db, kind=_OWNER, ruled_at_ms=at_ms, detail=detail)


def find_settled_owner(db: Connection) -> str:
    """Tell who the user said they are; "" when nobody said it."""
    newest = select(rulings.c.detail).where(rulings.c.kind == _OWNER)
    detail = db.execute(newest.order_by(rulings.c.id.desc()).limit(1)).scalar()
    return str(json.loads(detail)["name"]) if detail else ""


def settle_chat_zone(db: Connection, conversation_id: int, zone: str, *, at_ms: int) -> None:
    """Keep by which clock a chat was written, unless that is known already.

    Args:
        zone: IANA name.
        at_ms: UTC, when the user said it.
    """
    if find_chat_zones(db).get(conversation_id) != zone:
        detail = {**_NO_DECISION, "conversation_id": conversation_id, "zone": zone}
        append_ruling(db, kind=_CHAT_ZONE, ruled_at_ms=at_ms, detail=detail)


def find_chat_zones(db: Connection) -> dict[int, str]:
    """Map the chats that have a zone of their own to it."""
    rows = select(rulings.c.detail).where(rulings.c.kind == _CHAT_ZONE).order_by(rulings.c.id)
    details = map(json.loads, db.execute(rows).scalars())
    return {one["conversation_id"]: one["zone"] for one in details}


def find_imported_zone(db: Connection, conversation_id: int) -> str:
    """Tell the zone of the last import that brought something of a chat; "" when it had none."""
    read_with = (
        select(sources.c.zone)
        .join(voices, voices.c.source_id == sources.c.id)
        .where(voices.c.conversation_id == conversation_id)
    )
    return db.execute(read_with.order_by(sources.c.id.desc()).limit(1)).scalar() or ""


def find_chats_named(db: Connection, source_id: int, names: Iterable[str]) -> dict[int, str]:
    """Map the chats of an import that bear one of these titles or ids to that name."""
    wanted = list(names)
    mine = select(voices.c.conversation_id).where(voices.c.source_id == source_id)
    found: dict[int, str] = {}
    for column in (conversations.c.title, conversations.c.external_id):
        named = select(conversations.c.id, column)
        named = named.where(among(column, wanted), conversations.c.id.in_(mine))
        found |= read_pairs(db, named)
    return found
