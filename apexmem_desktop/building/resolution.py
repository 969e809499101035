"""Which entity a name means: exact, alias and normalised match first; never by likeness alone.

A first name belongs to the one known person who bears it; where two bear it, it stays open and the
candidate is dropped rather than given to the wrong one (fault 56).
"""

import re
from functools import lru_cache
from zoneinfo import available_timezones

from apexmem_desktop.building.namesakes import Told, alias_of, is_so_related, why_another
from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.building.pets import ANIMAL, is_told_as_pet
from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.ontology import OTHER_TYPE, load_ontology
from apexmem_desktop.storage import entities, facts, namesakes
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.same_links import APART
from apexmem_desktop.storage.vault import Connection

# Words for the same relation; "my mum" is never the parent who was called "dad".
_SAME_RELATION = (
    ("mum", "mom", "mother"), ("dad", "father"), ("grandma", "grandmother"),
    ("grandpa", "grandfather"), ("flatmate", "roommate", "housemate"),
    ("妈妈", "妈"), ("爸爸", "爸"), ("姐姐", "姐"), ("妹妹", "妹"), ("哥哥", "哥"), ("弟弟", "弟"),
)  # fmt: skip


SOMEONE = "someone"  # who does something: a person, or a pet that is known by name
LIVING = frozenset({"person", SOMEONE})
_APART = frozenset({"person", "place", "organization", "animal"})
_CONTINENTS = frozenset({"Africa", "America", "Asia", "Australia", "Europe", "Pacific"})


class AmbiguousNameError(Exception):
    """Two or more known entities bear the name."""


def find_entity(
    db: Connection,
    name: str,
    kind: str = "person",
    told: Told | None = None,
    *,
    turn_id: int | None = None,
) -> Entity | None:
    """Find the one entity that a name means; None when nobody bears it.

    Args:
        kind: What is meant: a person is never a place or a pet of the same name; SOMEONE may be a
            person or a pet.
        told: How the name was said, where that may tell its bearer from a namesake.
        turn_id: Where it is named.

    Raises:
        AmbiguousNameError: Several do.
    """
    known = [one for one in entities.find_entities_named(db, name) if _may_be(one.type, kind)]
    whole = [one for one in known if normalise(one.name) == normalise(name)]
    if told is not None and kind in LIVING:
        longer = normalise(alias_of(name, told))
        exact = [one for one in known if longer and longer in map(normalise, one.aliases)]
        whole = exact or [one for one in whole if not why_another(db, one, name, told)]
        if len(whole) > 1 and told.relation:
            whole = [one for one in whole if is_so_related(db, one, told)] or whole
        known = [one for one in known if one in whole or normalise(one.name) != normalise(name)]
    if not whole and kind in LIVING and " " not in name.strip():
        # That one Alex was once called so by the first name alone does not rule out another.
        longer_named = [o for o in _first_name_bearers(db, name) if " " in normalise(o.name)]
        known += [one for one in longer_named if one not in known]
    found = whole or known
    if len(found) > 1:
        return _namesake(db, name, found, turn_id)
    return found[0] if found else None


def _namesake(db: Connection, name: str, found: list[Entity], turn_id: int | None) -> Entity:
    """Choose among people of several apps who may be one: the one of the app it is said in.

    Raises:
        AmbiguousNameError: They are not alike, or were told apart.
    """
    alike = namesakes.find_namesakes(db, found[0])
    if not {one.id for one in found} <= set(alike):
        raise AmbiguousNameError(name)
    family = namesakes.family_of_turn(db, turn_id) if turn_id is not None else ""
    for one in found if family else ():
        families = namesakes.find_families_at_ends(db, entities.same_ids(db, one.id))
        if any(family in some for some in families.values()):
            return one
    return found[0]


def is_place(db: Connection, name: str) -> bool:
    """Whether the name is known as a place's, and as nothing else's; else a large town's."""
    known = entities.find_entities_named(db, name)
    return all(one.type == "place" for one in known) if known else normalise(name) in _towns()


@lru_cache(maxsize=1)
def _towns() -> frozenset[str]:
    """Give the towns that a time zone is named after: a few hundred, all over the world."""
    zones = (zone.split("/") for zone in available_timezones())
    return frozenset(
        normalise(parts[-1].replace("_", " ")) for parts in zones if parts[0] in _CONTINENTS
    )


def _may_be(known: str, meant: str) -> bool:
    """Whether what is known as one kind may be meant as another: a café is a place and a firm."""
    if meant == SOMEONE:
        return known not in {"place", "organization"}
    both = {known, meant}
    return len(both & _APART) < 2 or both == {"place", "organization"}


def _first_name_bearers(db: Connection, name: str) -> list[Entity]:
    return [
        one
        for one in entities.find_entities(db, matching=name, limit=50)
        if one.type == "person" and normalise(one.name).split()[:1] == [normalise(name)]
    ]


def ensure_entity(
    db: Connection,
    name: str,
    kind: str,
    *,
    turn_id: int,
    recorded_at_ms: int,
    run_id: int | None,
    told: Told | None = None,
) -> int:
    """Return the entity a name means, making it when nobody bears the name yet.

    Raises:
        AmbiguousNameError: Several bear it.
    """
    known = find_entity(db, name, kind, told, turn_id=turn_id)
    alias = alias_of(name, told) if told is not None else ""
    if known is not None:
        # Whoever bears the name keeps it: what is told of a merged one must part at a split.
        number = entities.own_id(db, known.id, name)
        for form in filter(None, (name, alias)):
            entities.append_name(db, number, form, turn_id)
        return number
    namesakes = [] if told is None else entities.find_entities_named(db, name)
    number = entities.append_entity(
        db,
        name=name,
        type=ANIMAL if kind == SOMEONE and is_told_as_pet(db, name) else _type_of(kind),
        is_speaker=False,
        recorded_at_ms=recorded_at_ms,
        run_id=run_id,
        turn_id=turn_id,
    )
    if alias:
        entities.append_name(db, number, alias, turn_id)
    for one in namesakes:
        why = why_another(db, one, name, told) if told is not None else ""
        if why:
            entities.append_link(db, number, one.id, APART, "rule", why, recorded_at_ms)
    return number


_OCCASION = re.compile(
    r"\b(?:conference|parade|workshop|festival|concert|wedding|party|meeting|convention|retreat|"
    r"race|marathon|tournament|ceremony|exhibition|fundraiser|gala|reunion|event|meetup)s?$",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\b(?:group|club|team|choir|band)s?$", re.IGNORECASE)


def kind_of_place(name: str) -> str:
    """Tell what one goes to: a place, or by its last word an occasion or a group."""
    if _OCCASION.search(name):
        return "event"
    return "group" if _GROUP.search(name) else "place"


def _type_of(kind: str) -> str:
    if kind == SOMEONE:
        return "person"
    return kind if kind in load_ontology().entity_types else OTHER_TYPE


def ensure_relation(
    db: Connection, relation: str, speaker_id: int, *, turn_id: int, recorded_at_ms: int
) -> int:
    """Return whom "my sister" means: the one sister known by name, else a person named by it.

    Raises:
        AmbiguousNameError: Two sisters are known.
    """
    same = next((words for words in _SAME_RELATION if relation in words), (relation,))
    told = facts.find_facts(
        db, subject_ids=[speaker_id], property_names=[RELATIONS[relation.casefold()]]
    )
    named = {
        fact.value_entity_id
        for fact in told
        if fact.value_entity_id is not None and fact.polarity and _is_told_as(fact, same)
    }
    if len(named) > 1:
        raise AmbiguousNameError(relation)
    if named:
        return named.pop()
    speaker = entities.get_entity(db, speaker_id)
    return ensure_entity(
        db,
        f"{speaker.name}'s {same[0]}",
        "person",
        turn_id=turn_id,
        recorded_at_ms=recorded_at_ms,
        run_id=None,
    )


def _is_told_as(fact: Fact, words: tuple[str, ...]) -> bool:
    """Whether the proof has the relation's own word: a sibling may be a brother or a sister."""
    either = "|".join(word if not word.isascii() else rf"\b{word}\b" for word in words)
    return any(re.search(either, shown.quote, re.IGNORECASE) for shown in fact.evidence)


def ensure_speaker(
    db: Connection,
    speaker: str,
    *,
    turn_id: int,
    recorded_at_ms: int,
    known_anywhere: bool = True,
) -> int:
    """Return the entity of who speaks; speakers are matched by their whole name only.

    Of those who share a name it is the one who speaks in the same app.

    Args:
        known_anywhere: Whether somebody who is known from other apps only will do; if not, the
            speaker is somebody of their own, until the user says that they are one.
    """
    known = [one for one in entities.find_entities_named(db, speaker) if one.type == "person"]
    whole = [one for one in known if normalise(one.name) == normalise(speaker)]
    # A merged person bears the names of all; another alias may be no more than a first name.
    merged = [one for one in known if len(entities.same_ids(db, one.id)) > 1]
    found = [one for one in whole if one.is_speaker] or whole or merged
    bearers = [number for one in found for number in _bearers(db, one, speaker)]
    number = None
    if not known_anywhere or len(bearers) > 1:
        number = _of_family(db, bearers, namesakes.family_of_turn(db, turn_id))
    if number is None and found and known_anywhere:
        number = entities.own_id(db, found[0].id, speaker)
    if number is not None:
        return number
    return entities.append_entity(
        db,
        name=speaker,
        type="person",
        is_speaker=True,
        recorded_at_ms=recorded_at_ms,
        turn_id=turn_id,
    )


def _bearers(db: Connection, one: Entity, name: str) -> list[int]:
    """List the numbers of one person that bear a name themselves; all, where none does."""
    same = entities.same_ids(db, one.id)
    return [number for number in entities.find_ids_named(db, name) if number in same] or same


def _of_family(db: Connection, ids: list[int], family: str) -> int | None:
    """Find who speaks in an app; else one who was only spoken of so far."""
    for look in (namesakes.find_families_at_ends, namesakes.find_families):
        families = look(db, ids)
        for number in ids:
            if family in families.get(number, ()):
                return number
    return next((number for number in ids if number not in families), None)
