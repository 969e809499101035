"""People who bear the very same name, each known from another app.

They may be one or not: only the user says so. Until then what is asked by their name is read of all
of them.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Select, and_, func, or_, select

from apexmem_desktop.domain.families import family_of
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.storage.canon import same_ids
from apexmem_desktop.storage.entities import find_entities_named
from apexmem_desktop.storage.entity_links import find_standing
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.same_links import APART
from apexmem_desktop.storage.tables import MENTION_ROLES, conversations, mentions, turn_rows, voices
from apexmem_desktop.storage.vault import Connection

_PERSON = "person"
_SPEAKS = MENTION_ROLES["speaker"]


def find_namesakes(db: Connection, entity: Entity, *, known_at_ms: int | None = None) -> list[int]:
    """List who speaks and bears the very same name as a speaker, itself first.

    Whoever was told apart from it is none, nor is anybody of a name that is not a speaker's.
    """
    alike = [
        one for one in find_entities_named(db, entity.name, known_at_ms=known_at_ms)
        if one.id != entity.id and is_called(one, entity.name)
    ]  # fmt: skip
    if not alike or not is_called(entity, entity.name):
        return [entity.id]
    mine = same_ids(db, entity.id)
    apart = {number for link in find_standing(db, mine, kind=APART) for number in (link.a, link.b)}
    others = (one.id for one in alike if apart.isdisjoint(same_ids(db, one.id)))
    return [entity.id, *others]


def is_called(entity: Entity, name: str) -> bool:
    """Tell whether it is a person who speaks under exactly this name."""
    speaks = entity.is_speaker and entity.type == _PERSON
    return speaks and normalise(entity.name) == normalise(name)


def find_families(db: Connection, ids: Sequence[int]) -> dict[int, set[str]]:
    """Map those who speak to the families of formats they speak in.

    Args:
        ids: Numbers as they were given, whoever stands for them.
    """
    spoken = and_(among(mentions.c.entity_id, ids), mentions.c.role == _SPEAKS)
    return _by_entity(db.execute(_formats().where(spoken).distinct()))


def find_families_at_ends(db: Connection, ids: Sequence[int]) -> dict[int, set[str]]:
    """Map those who speak to the families of the first and the last turn that is noted of each.

    That is nearly always all of them, and takes no walk over what they said.
    """
    ends = (
        select(
            mentions.c.entity_id,
            func.min(mentions.c.turn_id).label("first_id"),
            func.max(mentions.c.turn_id).label("last_id"),
        )
        .where(among(mentions.c.entity_id, ids), mentions.c.role == _SPEAKS)
        .group_by(mentions.c.entity_id)
        .subquery()
    )
    at_an_end = or_(mentions.c.turn_id == ends.c.first_id, mentions.c.turn_id == ends.c.last_id)
    rows = db.execute(
        _formats().join(ends, and_(ends.c.entity_id == mentions.c.entity_id, at_an_end)).distinct()
    )
    return _by_entity(rows)


def family_of_turn(db: Connection, turn_id: int) -> str:
    """Name the family of the format that a turn came in; "" where there is no such turn."""
    wanted = (
        select(conversations.c.format)
        .join(voices, voices.c.conversation_id == conversations.c.id)
        .join(turn_rows, turn_rows.c.voice_id == voices.c.id)
        .where(turn_rows.c.id == turn_id)
    )
    return family_of(db.execute(wanted).scalar() or "")


def _formats() -> Select[Any]:
    return (
        select(mentions.c.entity_id, conversations.c.format)
        .join(turn_rows, turn_rows.c.id == mentions.c.turn_id)
        .join(voices, voices.c.id == turn_rows.c.voice_id)
        .join(conversations, conversations.c.id == voices.c.conversation_id)
    )


def _by_entity(rows: Iterable[Any]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for number, format in rows:
        found.setdefault(number, set()).add(family_of(format))
    return found
