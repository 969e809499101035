"""How much is in a vault."""

from sqlalchemy import func, select

from apexmem_desktop.storage.tables import entity_canon, events, fact_rows, sessions, turn_rows
from apexmem_desktop.storage.vault import Connection


def count_all(db: Connection) -> dict[str, int]:
    """Count turns, sessions, entities (those that are the same as one), facts and events."""
    wanted = {
        "turns": select(func.count()).select_from(turn_rows),
        "sessions": select(func.count()).select_from(sessions),
        "entities": select(func.count(entity_canon.c.canonical_id.distinct())),
        "facts": select(func.count()).select_from(fact_rows),
        "events": select(func.count()).where(events.c.type != "statement"),
    }
    row = db.execute(select(*(query.scalar_subquery() for query in wanted.values()))).one()
    return dict(zip(wanted, row, strict=True))
