"""How much speaks of an entity: as kept (storage.tallies), or counted where nothing is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import FromClause, Select, Subquery, func, or_, select

from apexmem_desktop.storage.canon import standing
from apexmem_desktop.storage.lists import among, as_list, later
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.tables import (
    entities,
    entity_canon,
    entity_uses,
    fact_rows,
    mentions,
    turns,
)
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class Uses:
    """What speaks of an entity and of those that are the same.

    Attributes:
        facts: About it or with it as value.
        mentions: Turns that speak of it, or that it speaks.
        first_at_ms: UTC; None where no such turn has a time.
        last_at_ms: UTC.
    """

    facts: int = 0
    mentions: int = 0
    first_at_ms: int | None = None
    last_at_ms: int | None = None


def find_uses(
    db: Connection, canonical: Sequence[int], known_at_ms: int | None = None
) -> dict[int, Uses]:
    """Read the counts kept of entities that no other is the same as; count those of the rest.

    Args:
        known_at_ms: Merges recorded after this UTC instant have joined nobody; None for now.
    """
    given = {_CANONICAL: as_list(canonical), _KNOWN: known_at_ms}
    found = {
        row.entity_id: Uses(row.facts, row.mentions, row.first_at_ms, row.last_at_ms)
        for row in db.execute(_kept(at_present=known_at_ms is None), given)
    }
    rest = [number for number in canonical if number not in found]
    return found | _count(db, rest, standing(known_at_ms)) if rest else found


_CANONICAL, _KNOWN = "canonical_ids", "known_at_ms"


@cache
def _kept(*, at_present: bool) -> Select[Any]:
    stands = standing(None if at_present else later(_KNOWN))
    alone = (
        select(stands.c.canonical_id)
        .where(among(stands.c.canonical_id, later(_CANONICAL)))
        .group_by(stands.c.canonical_id)
        .having(func.count() == 1)
    )
    return select(entity_uses).where(entity_uses.c.entity_id.in_(alone))


def _count(db: Connection, canonical: Sequence[int], stands: FromClause) -> dict[int, Uses]:
    fact_counts = _fact_counts(db, canonical, stands)
    seen = {row.canonical_id: row for row in db.execute(_seen(canonical, stands))}
    return {
        number: Uses(
            facts=fact_counts.get(number, 0),
            mentions=seen[number].mention_count if number in seen else 0,
            first_at_ms=seen[number].first_at_ms if number in seen else None,
            last_at_ms=seen[number].last_at_ms if number in seen else None,
        )
        for number in canonical
    }


def ranked() -> Subquery:
    """Give (canonical_id, uses) of every entity, to be summed up over those that are the same."""
    anew = (
        select(func.count())
        .where(
            or_(
                fact_rows.c.subject_id == entities.c.id,
                fact_rows.c.value_entity_id == entities.c.id,
            )
        )
        .scalar_subquery()
        + select(func.count()).where(mentions.c.entity_id == entities.c.id).scalar_subquery()
    )
    kept = entity_uses.c.facts + entity_uses.c.mentions
    return (
        select(entity_canon.c.canonical_id, func.coalesce(kept, anew).label("uses"))
        .join(entities, entities.c.id == entity_canon.c.entity_id)
        .outerjoin(entity_uses, entity_uses.c.entity_id == entity_canon.c.entity_id)
        .subquery()
    )


def _fact_counts(db: Connection, canonical: Sequence[int], stands: FromClause) -> dict[int, int]:
    """Count the facts about each entity, or with it as value; a fact that is both counts once."""
    ways = [
        select(stands.c.canonical_id, fact_rows.c.id)
        .join(fact_rows, column == stands.c.entity_id)
        .where(among(stands.c.canonical_id, canonical))
        for column in (fact_rows.c.subject_id, fact_rows.c.value_entity_id)
    ]
    both = ways[0].union(ways[1]).subquery()
    counted = select(both.c.canonical_id, func.count()).group_by(both.c.canonical_id)
    return read_pairs(db, counted)


def _seen(canonical: Sequence[int], stands: FromClause) -> Select[Any]:
    """Select how often and when each entity was spoken of or spoke."""
    return (
        select(
            stands.c.canonical_id,
            func.count(mentions.c.turn_id.distinct()).label("mention_count"),
            func.min(turns.c.said_at_ms).label("first_at_ms"),
            func.max(turns.c.said_at_ms).label("last_at_ms"),
        )
        .join(mentions, mentions.c.entity_id == stands.c.entity_id)
        .join(turns, turns.c.id == mentions.c.turn_id)
        .where(among(stands.c.canonical_id, canonical))
        .group_by(stands.c.canonical_id)
    )
