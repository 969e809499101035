"""When the bearer of a known name is somebody else: my cousin Alex is not my colleague Alex."""

import re
from dataclasses import dataclass

from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.storage import facts
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Connection

_RELATED = "|".join(sorted((one for one in RELATIONS if one[0].isascii()), key=len, reverse=True))
_RELATED_HAN = "|".join(
    sorted((one for one in RELATIONS if not one[0].isascii()), key=len, reverse=True)
)
# One is one of these to a person for life, and nothing else of them beside it.
_KIN = frozenset({"sibling", "parent", "child", "relative", "grandchild"})
# What two people do not share, unless they are kin themselves.
_OWN = _KIN | {"partner"}


@dataclass(frozen=True, slots=True)
class Told:
    """How a name was said, and by whom.

    Attributes:
        relation: What the named one is to the speaker, as a property: "sibling"; "" when untold.
        origin: Where the named one is from: "work" of "Alex from work".
        other: Whether it was said to be another of the name.
    """

    speaker_id: int
    relation: str = ""
    origin: str = ""
    other: bool = False


def how_told(name: str, sentence: str, speaker_id: int) -> Told:
    """Read from a sentence what tells its bearer of a name apart from others."""
    called = re.escape(name)
    mine = re.search(
        rf"\b[Mm]y (?:\w+ )?(?P<a>{_RELATED}),? (?:called |named )?{called}\b"
        rf"|\b{called},? (?:who is |who's |is )?my (?:\w+ )?(?P<b>{_RELATED})\b"
        rf"|我(?:的|们)?(?P<c>{_RELATED_HAN})(?:叫)?{called}|{called}是我(?:的)?(?P<d>{_RELATED_HAN})",
        sentence,
    )
    word = next((one for one in mine.groups() if one), "") if mine else ""
    origin = re.search(rf"\b{called} from (?:the |my |our )?(?P<from>[\w-]+)", sentence)
    other = re.search(
        rf"\b(?:another|a different|a second|some other|a new) (?:\w+ ){{0,2}}(?:called |named )?"
        rf"{called}\b|另(?:外)?一个(?:叫)?{called}",
        sentence,
        re.IGNORECASE,
    )
    return Told(
        speaker_id,
        relation=RELATIONS.get(word.casefold(), ""),
        origin=normalise(origin["from"]) if origin else "",
        other=other is not None,
    )


def why_another(db: Connection, known: Entity, name: str, told: Told) -> str:
    """Say why a known bearer of a name cannot be who was meant; "" when it can be."""
    if told.other:
        return f"another {name} was spoken of"
    origins = _origins(known, name)
    if told.origin and origins and told.origin not in origins:
        return f"one is from {told.origin}, the other from {', '.join(sorted(origins))}"
    return _why_other_relation(db, known, told) if told.relation else ""


def alias_of(name: str, told: Told) -> str:
    """Give the longer name that tells its bearer apart; "" when nothing does."""
    return f"{name} from {told.origin}" if told.origin else ""


def is_so_related(db: Connection, known: Entity, told: Told) -> bool:
    """Whether the speaker told before that a bearer of the name is just that to them."""
    found = facts.find_facts(
        db,
        subject_ids=[told.speaker_id],
        value_entity_ids=[known.id],
        property_names=[told.relation],
    )
    return any(fact.polarity for fact in found)


def _origins(known: Entity, name: str) -> set[str]:
    start = f"{normalise(name)} from "
    names = (normalise(one) for one in (known.name, *known.aliases))
    return {one.removeprefix(start) for one in names if one.startswith(start)}


def _why_other_relation(db: Connection, known: Entity, told: Told) -> str:
    relations = sorted(set(RELATIONS.values()))
    for fact in facts.find_facts(db, value_entity_ids=[known.id], property_names=relations):
        if not fact.polarity:
            continue
        if fact.subject_id == told.speaker_id:
            if fact.property != told.relation and {fact.property, told.relation} & _KIN:
                return f"one is a {told.relation}, the other a {fact.property}"
        elif {fact.property, told.relation} <= _OWN and not _are_kin(db, fact.subject_id, told):
            return f"one is {fact.subject}'s {fact.property}, the other another's {told.relation}"
    return ""


def _are_kin(db: Connection, one_id: int, told: Told) -> bool:
    """Whether two who both tell of a relative may tell of the same."""
    both = [one_id, told.speaker_id]
    found = facts.find_facts(
        db, subject_ids=both, value_entity_ids=both, property_names=sorted(_OWN)
    )
    return any(fact.polarity for fact in found)
