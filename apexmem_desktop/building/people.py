"""Senders become entities when they come in: no model is needed to know that somebody spoke."""

from collections.abc import Iterable
from dataclasses import dataclass

from apexmem_desktop.building.resolution import ensure_speaker
from apexmem_desktop.domain.names import normalise
from apexmem_desktop.domain.owner import means_owner
from apexmem_desktop.storage import entities, namesakes, senders
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class Met:
    """A sender of an import whose very name the memory knew already, from other apps."""

    name: str
    families: tuple[str, ...]


def meet_senders(
    db: Connection,
    *,
    after_turn_id: int,
    owner: str,
    aliases: Iterable[tuple[str, str]],
    recorded_at_ms: int,
) -> list[Met]:
    """Give every sender of the turns just stored an entity, with all it is called.

    A name that was known from other apps only is somebody new: whether they are one is proposed,
    and the user says so. The owner is one everywhere.

    The first and the last turn of each note that it speaks, so that its times are known and it
    goes with the last import of its turns.

    Args:
        after_turn_id: Turns with greater numbers came in now.
        owner: Who the user said they are; "" when unknown.
        aliases: Further names and numbers: (sender, other name).

    Returns:
        Those whose names were known, but only from other apps; the user should hear of it.
    """
    met: list[Met] = []
    others: dict[str, list[str]] = {}
    for name, other in aliases:
        others.setdefault(name, []).append(other)
    for sender, turn_id, last_id in senders.find_senders(db, after_turn_id):
        is_owner = means_owner(sender) or normalise(sender) == normalise(owner)
        known = entities.find_ids_named(db, sender)
        number = ensure_speaker(
            db,
            sender,
            turn_id=turn_id,
            recorded_at_ms=recorded_at_ms,
            known_anywhere=is_owner,
        )
        entities.append_mentions(db, {(number, turn, "speaker") for turn in (turn_id, last_id)})
        for name in (sender, *others.get(sender, ())):
            entities.append_name(db, number, name, turn_id)
        if known and number not in known:
            met.append(Met(sender, _others_families(db, number)))
    return met


def _others_families(db: Connection, number: int) -> tuple[str, ...]:
    """Tell in which apps somebody else of the very same name speaks, who may be the same."""
    alike = namesakes.find_namesakes(db, entities.get_entity(db, number))[1:]
    theirs = [same for one in alike for same in entities.same_ids(db, one)]
    return tuple(sorted(set[str]().union(*namesakes.find_families_at_ends(db, theirs).values())))
