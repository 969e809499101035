"""Who and what stands beside one person or thing, by the facts that name both."""

from apexmem_desktop.domain.graph import FactStatus
from apexmem_desktop.domain.reports import Neighbour
from apexmem_desktop.recall.holding import judge
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, facts
from apexmem_desktop.storage.rulings import find_rulings

_SHOWN = (FactStatus.CURRENT, FactStatus.CONTESTED, FactStatus.PLANNED)


def neighbours_of(ws: Workspace, entity_id: int, *, limit: int = 10) -> tuple[Neighbour, ...]:
    """Find what holds between an entity and others, each other one once, the surest first."""
    with ws.vault.read() as db:
        about = facts.find_facts(db, subject_ids=[entity_id])
        naming = facts.find_facts(db, value_entity_ids=[entity_id])
        every = {fact.id: fact for fact in (*about, *naming)}
        ruled = find_rulings(db, list(every))
        judged = judge(list(every.values()), as_of_ms=ws.now_ms(), rulings=ruled)
        kept = [f for f in judged if f.status in _SHOWN and f.polarity and f.value_entity_id]
        kept.sort(key=lambda fact: (-fact.confidence, fact.id))
        own_ids = {one.id for one in entities.find_entities_by_ids(db, [entity_id])} | {entity_id}
        found: dict[int, Neighbour] = {}
        for fact in kept:
            outgoing = fact.subject_id in own_ids
            other = fact.value_entity_id if outgoing else fact.subject_id
            for one in entities.find_entities_by_ids(db, [other or 0]):
                if one.id not in own_ids:
                    made = Neighbour(one.id, one.name, fact.property, outgoing)
                    found.setdefault(one.id, made)
            if len(found) == limit:
                break
    return tuple(found.values())
