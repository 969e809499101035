"""Plans that cannot both be kept, or perhaps not: overlaps on an entity's timeline."""

from apexmem_desktop.chronology.overlaps import find_overlaps
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.interval import Validity
from apexmem_desktop.domain.reports import PlanOverlap, TimelineItem
from apexmem_desktop.services.browsing import timeline_of
from apexmem_desktop.services.workspace import Workspace


def plan_overlaps(
    ws: Workspace, name: str, *, as_of_ms: int | None = None
) -> tuple[Entity, tuple[PlanOverlap, ...]]:
    """Give the pairs of an entity's plans whose times certainly or possibly overlap.

    Args:
        as_of_ms: UTC instant to judge facts for; None for now.
    """
    entity, items = timeline_of(ws, name, as_of_ms=as_of_ms)
    plans = _each_once([item for item in items if item.planned and not item.denied])
    found = find_overlaps(Validity(plan.start, plan.end) for plan in plans)
    pairs = (
        PlanOverlap(plans[pair.first], plans[pair.second], pair.certainty)
        for pair in found
        if not _are_one(plans[pair.first], plans[pair.second])
    )
    return entity, tuple(pairs)


def _each_once(items: list[TimelineItem]) -> list[TimelineItem]:
    """Leave out the facts that hang on an event which is there itself."""
    shown = {item.event_id for item in items if item.kind == "event"}
    return [item for item in items if item.kind == "event" or item.event_id not in shown]


def _are_one(a: TimelineItem, b: TimelineItem) -> bool:
    """Tell whether two facts hang on one event."""
    return a.event_id is not None and a.event_id == b.event_id
