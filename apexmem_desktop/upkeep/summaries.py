"""Summaries: what holds of an entity, a line a fact, put together by rule."""

from collections.abc import Mapping, Sequence

from apexmem_desktop.chronology.spell import spell_bound
from apexmem_desktop.domain.derived import Summary
from apexmem_desktop.domain.graph import Fact, FactStatus
from apexmem_desktop.domain.wall import clock_of

MOST_LINES = 20


def summarise(facts: Sequence[Fact], importance: Mapping[int, float]) -> Summary | None:
    """Write what holds of one entity, the weightiest first, each line with its fact's number.

    Args:
        facts: Of one entity, judged.
    """
    holding = [
        fact
        for fact in facts
        if fact.polarity and fact.status in (FactStatus.CURRENT, FactStatus.CONTESTED)
    ]
    if not holding:
        return None
    holding.sort(key=lambda fact: (-importance.get(fact.id, 0.0), fact.property, fact.id))
    shown = holding[:MOST_LINES]
    return Summary(
        entity_id=shown[0].subject_id,
        text="\n".join(_line(fact) for fact in shown),
        fact_ids=tuple(fact.id for fact in shown),
    )


def _line(fact: Fact) -> str:
    said = f"{fact.property.replace('_', ' ')}: {fact.value}"
    contested = ", contested" if fact.status is FactStatus.CONTESTED else ""
    return f"{said}{_since(fact)}{contested} (fact {fact.id})"


def _since(fact: Fact) -> str:
    if fact.valid_from.earliest_ms is None:
        return ""
    return f", since {spell_bound(fact.valid_from, clock_of(fact.evidence))}"
