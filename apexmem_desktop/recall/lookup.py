"""EntityLookup: who or what a name can be, with what is known of each, newest first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from apexmem_desktop.domain.graph import Entity, Fact, FactStatus
from apexmem_desktop.recall.history import Change, changes
from apexmem_desktop.recall.holding import judge, order_ms, rival_names
from apexmem_desktop.recall.twins import fold_said_again
from apexmem_desktop.storage.entities import (
    find_entities,
    find_entities_by_ids,
    find_entities_named,
    find_names,
)
from apexmem_desktop.storage.facts import find_facts, find_rulings
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Connection

_EVERY_FACT = 100_000
_NEAR_ENOUGH = 0.72  # SequenceMatcher ratio: "Melany" is near "Melanie", "Bob" not near "Rob"
_MOST_NEAR = 5
_MOST_COMPARED = 50  # of the names most alike, those with most facts come first


@dataclass(frozen=True, slots=True)
class EntityCard:
    """One candidate for a name.

    Attributes:
        newest: Facts that hold at the time asked about, plans and contested ones too.
        earlier: Facts that had ended by then, the last ended first.
        changes: What changed, oldest first.
    """

    entity: Entity
    newest: tuple[Fact, ...]
    earlier: tuple[Fact, ...]
    changes: tuple[Change, ...] = ()


def lookup_entities(
    db: Connection,
    name: str,
    *,
    as_of_ms: int | None = None,
    known_at_ms: int | None = None,
    properties: Sequence[str] = (),
) -> list[EntityCard]:
    """Find who or what a name can be, with the newest and the earlier facts of each.

    Args:
        as_of_ms: Judge for this UTC instant; None for the end of all that is known.
        known_at_ms: Use only facts recorded by this UTC instant.
        properties: Give only facts of these properties; empty for all.
    """
    entities = find_entities_named(db, name, known_at_ms=known_at_ms) or near_entities(db, name)
    return [
        _card(db, entity, as_of_ms=as_of_ms, known_at_ms=known_at_ms, properties=properties)
        for entity in entities
    ]


def near_entities(db: Connection, name: str) -> list[Entity]:
    """Find entities whose names contain or resemble the name, the nearest first."""
    wanted = normalise(name)
    if not wanted:
        return []
    inside = find_entities(db, matching=name, limit=_MOST_NEAR)
    scored: dict[int, float] = {}
    for number, known in find_names(db):
        nearness = _nearness(wanted, known)
        if nearness >= _NEAR_ENOUGH:
            scored[number] = max(nearness, scored.get(number, 0.0))
    likest = sorted(scored, key=lambda i: (-scored[i], i))[:_MOST_COMPARED]
    near = {e.id: (scored[e.id], e) for e in find_entities_by_ids(db, likest)}
    near |= {e.id: (1.0, e) for e in inside}
    ranked = sorted(near.values(), key=lambda pair: (-pair[0], -pair[1].fact_count))
    return [entity for _, entity in ranked[:_MOST_NEAR]]


def judged_facts(
    db: Connection,
    entity_id: int,
    *,
    as_of_ms: int,
    known_at_ms: int | None = None,
    properties: Sequence[str] = (),
    with_words: bool = True,
) -> list[Fact]:
    """Read all facts of an entity, under every number it has, with their status; no fact twice.

    Args:
        as_of_ms: UTC instant to judge for.
        known_at_ms: Use only facts, merges and rulings recorded by this UTC instant.
        properties: Give only facts of these; empty for all.
        with_words: Without them proofs have no words: `quote_facts` gives those of a few.
    """
    facts = find_facts(
        db,
        subject_ids=[entity_id],
        property_names=rival_names(properties) if properties else None,
        known_at_ms=known_at_ms,
        limit=_EVERY_FACT,
        with_words=with_words,
    )
    rulings = find_rulings(db, [fact.id for fact in facts], known_at_ms=known_at_ms)
    judged = fold_said_again(
        judge(facts, as_of_ms=as_of_ms, rulings=rulings, known_at_ms=known_at_ms)
    )
    told = [replace(f, ruled=rulings[f.id]) if f.id in rulings else f for f in judged]
    return [f for f in told if not properties or f.property in properties]


def _card(
    db: Connection,
    entity: Entity,
    *,
    as_of_ms: int | None,
    known_at_ms: int | None,
    properties: Sequence[str],
) -> EntityCard:
    # Far in the future everything said has begun, and nothing but a next value has ended it.
    at_ms = as_of_ms if as_of_ms is not None else 2**53
    wanted = judged_facts(
        db, entity.id, as_of_ms=at_ms, known_at_ms=known_at_ms, properties=properties
    )
    wanted.sort(key=lambda f: (-order_ms(f), -f.id))
    return EntityCard(
        entity=entity,
        newest=tuple(f for f in wanted if f.status not in (FactStatus.PAST, FactStatus.REJECTED)),
        earlier=tuple(f for f in wanted if f.status is FactStatus.PAST),
        changes=tuple(changes(wanted)),
    )


def _nearness(wanted: str, own: str) -> float:
    """Compare normalised names, and each word of the known one; 0.0 where none can be near enough.

    Most of a large memory's names differ so much in length or letters that this is plain without
    aligning them.
    """
    best = 0.0
    for part in {own, *own.split()}:
        longest = len(wanted) + len(part)
        if 2 * min(len(wanted), len(part)) < _NEAR_ENOUGH * longest:
            continue
        matcher = SequenceMatcher(None, wanted, part)
        if matcher.quick_ratio() >= _NEAR_ENOUGH:
            best = max(best, matcher.ratio())
    return best
