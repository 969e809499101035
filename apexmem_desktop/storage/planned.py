"""Who has plans."""

from sqlalchemy import select, union

from apexmem_desktop.domain.graph import Modality
from apexmem_desktop.storage.tables import entity_canon, event_participants, events, facts
from apexmem_desktop.storage.vault import Connection


def find_planners(db: Connection) -> list[int]:
    """List the entities of whom something is told as a plan, by the number that stands for each."""
    planned = str(Modality.PLANNED)
    of_events = (
        select(event_participants.c.entity_id)
        .join(events, events.c.id == event_participants.c.event_id)
        .where(events.c.modality == planned)
    )
    of_facts = select(facts.c.subject_id).where(facts.c.modality == planned)
    known = select(entity_canon.c.canonical_id).where(
        entity_canon.c.entity_id.in_(union(of_events, of_facts))
    )
    return list(db.execute(known.distinct().order_by(entity_canon.c.canonical_id)).scalars())
