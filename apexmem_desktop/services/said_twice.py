"""Which facts of a memory are shown as one with another, being the same said again."""

from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.topics import rival_names
from apexmem_desktop.recall.holding import judge
from apexmem_desktop.recall.twins import folded_into
from apexmem_desktop.storage import facts
from apexmem_desktop.storage.vault import Connection


def find_alike_facts(db: Connection, fact: Fact, at_ms: int) -> list[int]:
    """Find, by number, what is shown as one with a fact as long as nothing is ruled of it."""
    told = facts.find_facts(
        db, subject_ids=[fact.subject_id], property_names=rival_names([fact.property])
    )
    rulings = facts.find_rulings(db, [one.id for one in told if one.id != fact.id])
    into = folded_into(judge(told, as_of_ms=at_ms, rulings=rulings))
    first = into.get(fact.id, fact.id)
    alike = {first, *(number for number, shown in into.items() if shown == first)}
    return sorted(alike - {fact.id})
