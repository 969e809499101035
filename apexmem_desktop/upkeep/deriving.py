"""Works out what is derived of entities from their facts, and compares it with what is stored."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from apexmem_desktop.domain.derived import Derived
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.recall.holding import judge
from apexmem_desktop.storage import derived, judged
from apexmem_desktop.storage.facts import find_facts
from apexmem_desktop.storage.rulings import find_rulings
from apexmem_desktop.storage.vault import Connection
from apexmem_desktop.upkeep.habits import find_habits
from apexmem_desktop.upkeep.importance import weigh
from apexmem_desktop.upkeep.summaries import summarise

_REFUSED = {"reject", "correct", "hide"}
_AT_ONCE = 200  # entities whose facts are held in memory together
_EVERY_FACT = 1_000_000


def work_out(db: Connection, entity_ids: Sequence[int]) -> Iterator[Derived]:
    """Work out what is derived of each entity that has facts.

    What holds is judged as of the last that was said of the entity: the same facts give the same
    result whenever it is worked out.
    """
    for start in range(0, len(entity_ids), _AT_ONCE):
        page = entity_ids[start : start + _AT_ONCE]
        known = find_facts(db, subject_ids=page, limit=_EVERY_FACT)
        rulings = find_rulings(db, [fact.id for fact in known])
        told: dict[int, list[Fact]] = defaultdict(list)
        for fact in known:
            told[fact.subject_id].append(fact)
        for entity_id, facts in sorted(told.items()):
            yield _of_one(entity_id, facts, {f.id: rulings[f.id] for f in facts if f.id in rulings})


def _of_one(entity_id: int, facts: Sequence[Fact], rulings: dict[int, str]) -> Derived:
    said_ms = [proof.said_at_ms or 0 for fact in facts for proof in fact.evidence]
    judged = judge(facts, as_of_ms=max(said_ms, default=0), rulings=rulings)
    importance = weigh(facts, rulings)
    refused = {number: kind for number, kind in rulings.items() if kind in _REFUSED}
    return Derived(
        entity_id, importance, find_habits(facts, refused), summarise(judged, importance)
    )


def refresh(db: Connection, entity_ids: Sequence[int], *, now_ms: int) -> None:
    """Store anew what is derived of these entities, and what is kept of judgements."""
    judged.refresh(db)
    derived.replace_derived(db, entity_ids, work_out(db, entity_ids), worked_out_at_ms=now_ms)


def is_right(db: Connection) -> bool:
    """Tell whether what is stored is what the facts give."""
    return derived.stored(db) == derived.as_stored(work_out(db, derived.find_subjects(db)))
