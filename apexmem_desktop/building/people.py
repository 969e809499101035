"""Senders become entities when they come in: no model is needed to know that somebody spoke."""

from collections.abc import Iterable
from dataclasses import dataclass

from apexmem_desktop.building.resolution import ensure_speaker
from apexmem_desktop.storage import entities, senders
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class Met:
    """A sender of an import whom the memory knew already, from exports of other formats."""

    name: str
    formats: tuple[str, ...]


def meet_senders(
    db: Connection,
    *,
    after_turn_id: int,
    format: str,  # noqa: A002
    aliases: Iterable[tuple[str, str]],
    recorded_at_ms: int,
) -> list[Met]:
    """Give every sender of the turns just stored an entity, with all it is called.

    The first and the last turn of each note that it speaks, so that its times are known and it
    goes with the last import of its turns.

    Args:
        after_turn_id: Turns with greater numbers came in now.
        aliases: Further names and numbers: (sender, other name).

    Returns:
        Those who were known, but only from other formats; the user should hear of it.
    """
    met: list[Met] = []
    others: dict[str, list[str]] = {}
    for name, other in aliases:
        others.setdefault(name, []).append(other)
    for sender, turn_id, last_id in senders.find_senders(db, after_turn_id):
        known_from = senders.find_formats(db, sender, up_to_turn_id=after_turn_id)
        number = ensure_speaker(db, sender, turn_id=turn_id, recorded_at_ms=recorded_at_ms)
        entities.append_mentions(db, {(number, turn, "speaker") for turn in (turn_id, last_id)})
        for name in (sender, *others.get(sender, ())):
            entities.append_name(db, number, name, turn_id)
        if known_from and format not in known_from:
            met.append(Met(sender, tuple(known_from)))
    return met
