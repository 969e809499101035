"""What lanes of a timeline can be put together by: a part of life, who told it, with whom, when."""

import tomllib
from collections.abc import Callable
from functools import cache

from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.timeline_lanes import EVENT_LANE, GroupOf, lane_of
from apexmem_desktop.ui.translation import tr

GROUPINGS = ("none", "area", "teller", "person", "state")
PEOPLE_GROUPINGS = ("teller", "person")
_OTHER = "other"
# Groups that do not stand by how much is in them.
_ORDER = {
    "area": ("home", "work", "people", "tastes", "health", "doings", "plans", _OTHER),
    "state": ("holding", "planned", "over", "events"),
}


def group_of(grouping: str) -> GroupOf | None:
    """Give what tells an item's group; None where lanes stand by themselves."""
    tells: dict[str, Callable[[TimelineItem], str]] = {
        "area": _area,
        "teller": lambda item: item.evidence[0].speaker if item.evidence else "",
        "person": lambda item: item.people[0] if item.people else "",
        "state": _state,
    }
    return tells.get(grouping)


def group_order(grouping: str) -> tuple[str, ...]:
    """Give in which order groups stand; those not named come after, the largest first."""
    return _ORDER.get(grouping, ())


def group_name(grouping: str, group: str) -> str:
    """Write a group's name."""
    if grouping in PEOPLE_GROUPINGS:
        return group or tr(f"groups.no_{grouping}")
    return tr(f"groups.{grouping}_{group}")


def _state(item: TimelineItem) -> str:
    if item.kind == "event":
        return "events"
    if item.planned:
        return "planned"
    return "holding" if item.end is None else "over"


def _area(item: TimelineItem) -> str:
    lane = lane_of(item)
    if lane == EVENT_LANE:
        return "doings"
    if item.planned:
        return "plans"
    known = _areas()
    return known.get(lane) or known.get(f"{lane.partition('_')[0]}_") or _OTHER


@cache
def _areas() -> dict[str, str]:
    path = resources_dir() / "ontology" / "areas.toml"
    areas = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: area for area, names in areas.items() for name in names}
