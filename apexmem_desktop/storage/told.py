"""What was told of somebody, as little of it as is needed to choose among much."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Select, select

from apexmem_desktop.storage.canon import same_as_any
from apexmem_desktop.storage.lists import among, as_list, later
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.tables import fact_rows, facts, properties, turns
from apexmem_desktop.storage.vault import Connection

_SUBJECTS, _PROPERTIES = "subject_ids", "property_names"
_FROM, _TO, _LIMIT = "from_ms", "to_ms", "most_rows"


def find_values(
    db: Connection,
    *,
    subject_ids: Sequence[int],
    property_names: Sequence[str],
    said_from_ms: int | None = None,
    said_to_ms: int | None = None,
    limit: int = 1000,
) -> dict[int, str]:
    """Find facts of these properties and their values, those first that were recorded last.

    `facts.find_facts` gives all of a fact, and takes ten times as long.

    Args:
        said_from_ms: Leave out what was first said before this UTC instant, or nobody knows when.
        said_to_ms: Leave out what was first said at or after it; both are given, or neither.
    """
    asked = {
        _SUBJECTS: as_list(subject_ids),
        _PROPERTIES: as_list(property_names),
        _FROM: said_from_ms,
        _TO: said_to_ms,
        _LIMIT: limit,
    }
    return read_pairs(db, _statement(timed=said_from_ms is not None), asked)


@cache
def _statement(*, timed: bool) -> Select[Any]:
    wanted = (
        select(facts.c.id, facts.c.value)
        .join(properties, properties.c.id == facts.c.property_id)
        .where(facts.c.subject_id.in_(same_as_any(later(_SUBJECTS), None)))
        .where(among(properties.c.name, later(_PROPERTIES)))
    )
    if timed:
        said = turns.c.said_at_ms
        wanted = wanted.join(fact_rows, fact_rows.c.id == facts.c.id)
        wanted = wanted.join(turns, turns.c.id == fact_rows.c.turn_id)
        wanted = wanted.where(said >= later(_FROM), said < later(_TO))
    return wanted.order_by(facts.c.id.desc()).limit(later(_LIMIT))
