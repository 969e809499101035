"""Which facts of an entity touch some words: by the index, so that only these are read."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, or_, select, text, union

from apexmem_desktop.storage.canon import same_as_any
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.tables import fact_rows, properties
from apexmem_desktop.storage.vault import Connection
from apexmem_desktop.storage.words import beginning_query

_WITH_WORDS = text("SELECT rowid FROM fact_words WHERE fact_words MATCH :query").columns(
    fact_rows.c.id
)


def find_touching_facts(
    db: Connection,
    entity_ids: Sequence[int],
    words: Sequence[str],
    property_names: Sequence[str],
    *,
    known_at_ms: int | None = None,
    limit: int,
) -> list[int]:
    """Find facts about entities, or with them as value, that hold a word or have a property.

    The newest recorded come first. A word is found too where it begins a longer one.

    Args:
        known_at_ms: Leave out facts and merges recorded after this instant.
    """
    same = list(db.execute(same_as_any(entity_ids, known_at_ms)).scalars())
    about = union(
        select(fact_rows.c.id).where(among(fact_rows.c.subject_id, same)),
        select(fact_rows.c.id).where(among(fact_rows.c.value_entity_id, same)),
    )
    kinds = select(properties.c.id).where(among(properties.c.name, property_names))
    touches: ColumnElement[bool] = fact_rows.c.property_id.in_(kinds)
    query = beginning_query(words)
    if query:
        touches = or_(touches, fact_rows.c.id.in_(_WITH_WORDS.bindparams(query=query)))
    wanted = select(fact_rows.c.id).where(fact_rows.c.id.in_(about), touches)
    if known_at_ms is not None:
        wanted = wanted.where(fact_rows.c.recorded_at_ms <= known_at_ms)
    return list(db.execute(wanted.order_by(fact_rows.c.id.desc()).limit(limit)).scalars())
