"""Plans: what is still to come, and which of it cannot be kept together, or perhaps not."""

from apexmem_desktop.chronology.overlaps import find_overlaps
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.interval import Validity
from apexmem_desktop.domain.reports import PlanOverlap, TimelineItem
from apexmem_desktop.services.browsing import find_entity, timeline_of
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import planned


def find_planners(ws: Workspace, name: str = "") -> tuple[Entity, ...]:
    """Give those whose plans are asked for: the one of this name, or all who have some.

    Raises:
        NotFoundError: Nothing is called so.
    """
    if name:
        return (find_entity(ws, name),)
    with ws.vault.read() as db:
        numbers = planned.find_planners(db)
    return tuple(find_entity(ws, str(number)) for number in numbers)


def plans_of(
    ws: Workspace,
    name: str,
    *,
    from_ms: int | None = None,
    to_ms: int | None = None,
    as_of_ms: int | None = None,
) -> tuple[Entity, tuple[TimelineItem, ...]]:
    """List an entity's plans that have not come true and were not called off, the next first.

    Args:
        from_ms: Leave out what is over before this UTC instant.
        to_ms: Leave out what begins at or after this UTC instant.
        as_of_ms: UTC instant to judge for, so what counts as still to come; None for now.
    """
    entity, items = timeline_of(ws, name, from_ms=from_ms, to_ms=to_ms, as_of_ms=as_of_ms)
    return entity, tuple(_each_once([item for item in items if item.planned and not item.denied]))


def plan_overlaps(
    ws: Workspace,
    name: str,
    *,
    from_ms: int | None = None,
    to_ms: int | None = None,
    as_of_ms: int | None = None,
) -> tuple[Entity, tuple[PlanOverlap, ...]]:
    """Give the pairs of an entity's plans whose times certainly or possibly overlap.

    Args:
        from_ms: Leave out what is over before this UTC instant.
        to_ms: Leave out what begins at or after this UTC instant.
        as_of_ms: UTC instant to judge facts for; None for now.
    """
    entity, plans = plans_of(ws, name, from_ms=from_ms, to_ms=to_ms, as_of_ms=as_of_ms)
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
