"""Which entity a name means: exact, alias and normalised match first; never by likeness alone.

A first name belongs to the one known person who bears it; where two bear it, it stays open and the
candidate is dropped rather than given to the wrong one (fault 56).
"""

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.storage import entities, facts
from apexmem_desktop.storage.vault import Connection

_TYPES = {"place": "place", "organization": "organization", "person": "person"}


class AmbiguousNameError(Exception):
    """Two or more known entities bear the name."""


def find_entity(db: Connection, name: str) -> Entity | None:
    """Find the one entity that a name means; None when nobody bears it.

    Raises:
        AmbiguousNameError: Several do.
    """
    exact = entities.find_entities_named(db, name)
    if len(exact) == 1:
        return exact[0]
    if len(exact) > 1:
        raise AmbiguousNameError(name)
    if " " in name.strip():
        return None
    bearers = [
        one
        for one in entities.find_entities(db, matching=name, limit=50)
        if one.type == "person" and one.name.casefold().split()[0] == name.casefold()
    ]
    if len(bearers) > 1:
        raise AmbiguousNameError(name)
    return bearers[0] if bearers else None


def ensure_entity(
    db: Connection, name: str, kind: str, *, turn_id: int, recorded_at_ms: int, run_id: int | None
) -> int:
    """Return the entity a name means, making it when nobody bears the name yet.

    Raises:
        AmbiguousNameError: Several bear it.
    """
    known = find_entity(db, name)
    if known is not None:
        entities.append_name(db, known.id, name, turn_id)
        return known.id
    return entities.append_entity(
        db,
        name=name,
        type=_TYPES.get(kind, "thing"),
        is_speaker=False,
        recorded_at_ms=recorded_at_ms,
        run_id=run_id,
        turn_id=turn_id,
    )


def ensure_relation(
    db: Connection,
    relation: str,
    relation_property: str,
    speaker_id: int,
    *,
    turn_id: int,
    recorded_at_ms: int,
) -> int:
    """Return whom "my sister" means: the one sister known by name, else a person named by it."""
    told = facts.find_facts(db, subject_ids=[speaker_id], property_names=[relation_property])
    named = {f.value_entity_id for f in told if f.value_entity_id is not None and f.polarity}
    if len(named) == 1:
        return int(next(iter(named)))
    speaker = entities.get_entity(db, speaker_id)
    return ensure_entity(
        db,
        f"{speaker.name}'s {relation}",
        "person",
        turn_id=turn_id,
        recorded_at_ms=recorded_at_ms,
        run_id=None,
    )


def ensure_speaker(db: Connection, speaker: str, *, turn_id: int, recorded_at_ms: int) -> int:
    """Return the entity of who speaks; speakers are matched by their whole name only."""
    known = entities.find_entities_named(db, speaker)
    speakers = [one for one in known if one.is_speaker] or known
    if speakers:
        return speakers[0].id
    return entities.append_entity(
        db,
        name=speaker,
        type="person",
        is_speaker=True,
        recorded_at_ms=recorded_at_ms,
        turn_id=turn_id,
    )
