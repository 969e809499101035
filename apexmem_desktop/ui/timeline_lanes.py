"""Where each fact and event of a timeline stands: lanes, rows, soft and solid ends. No drawing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.reports import TimelineItem

HEADER_ROWS = 0.8
_GAP_ROWS = 0.35
_EVENT_ROWS = 3
_MS = 1000.0
_LONE_PLAN_S = 14 * 86_400.0
_LEAST_SPAN_S = 30 * 86_400.0
EVENT_LANE = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A value from its start to its end, in seconds since 1970.

    Attributes:
        soft_start_s: It may have begun as early as this.
        start_s: It held from here on for sure.
        end_s: It held up to here for sure.
        soft_end_s: It may have held as late as this.
        open_start: Nobody said how early it began.
        open_end: It has not ended.
        top: Upper edge in rows from the top of the picture; a bar is one row high.
        lane: Number of its lane, for the colour.
    """

    item: TimelineItem
    soft_start_s: float
    start_s: float
    end_s: float
    soft_end_s: float
    open_start: bool
    open_end: bool
    top: float
    lane: int

    def holds_at(self, at_s: float) -> bool:
        """Whether the value held then, or may have."""
        after_start = at_s >= self.soft_start_s or (self.open_start and at_s >= self.start_s)
        return after_start and (self.open_end or at_s < max(self.soft_end_s, self.start_s + 1))


@dataclass(frozen=True, slots=True)
class Point:
    """Something that happened."""

    item: TimelineItem
    at_s: float
    end_s: float
    top: float
    lane: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A property's band."""

    name: str
    top: float
    height: float
    number: int


@dataclass(frozen=True, slots=True)
class Layout:
    """All of a picture. Heights are in rows, times in seconds since 1970."""

    bars: tuple[Bar, ...] = ()
    points: tuple[Point, ...] = ()
    lanes: tuple[Lane, ...] = ()
    height: float = 0.0
    first_s: float = 0.0
    last_s: float = _LEAST_SPAN_S


def lay_out(items: Sequence[TimelineItem], now_ms: int) -> Layout:
    """Put items into lanes: properties that changed first, what happened last."""
    by_lane: dict[str, list[TimelineItem]] = {}
    for item in items:
        by_lane.setdefault(EVENT_LANE if item.kind == "event" else item.lane, []).append(item)
    names = sorted(by_lane, key=lambda name: _lane_order(name, by_lane[name]))
    bars: list[Bar] = []
    points: list[Point] = []
    lanes: list[Lane] = []
    top = 0.0
    for number, name in enumerate(names):
        inside = top + HEADER_ROWS
        if name == EVENT_LANE:
            made, rows = _points(by_lane[name], inside, number, now_ms)
            points += made
        else:
            packed, rows = _bars(by_lane[name], inside, number, now_ms)
            bars += packed
        height = HEADER_ROWS + rows + _GAP_ROWS
        lanes.append(Lane(name, top, height, number))
        top += height
    first_s, last_s = _extent(bars, points, now_ms)
    return Layout(tuple(bars), tuple(points), tuple(lanes), top, first_s, last_s)


def _lane_order(name: str, items: Sequence[TimelineItem]) -> tuple[bool, bool, int, str]:
    """What changed from value to value comes first; then the lanes with most to tell."""
    follows = len(items) > 1 and sum(item.end is None for item in items) <= 1
    return name == EVENT_LANE, not follows, -len(items), name


def _bars(
    items: Sequence[TimelineItem], top: float, lane: int, now_ms: int
) -> tuple[list[Bar], int]:
    """Give each bar the first row that is free when it begins."""
    free_from: list[float] = []
    bars: list[Bar] = []
    for bar in sorted((_bar(item, lane, now_ms) for item in items), key=lambda b: b.start_s):
        row = next((n for n, free in enumerate(free_from) if free <= bar.start_s), len(free_from))
        free_from[row : row + 1] = [max(bar.end_s, bar.start_s + 1)]
        bars.append(replace(bar, top=top + row))
    return bars, len(free_from)


def _bar(item: TimelineItem, lane: int, now_ms: int) -> Bar:
    soft_start_s, start_s, open_start = _start(item.start, now_ms)
    if item.end is None:
        lone_end_s = start_s + _LONE_PLAN_S if item.planned else start_s + 1
        end_s = max(now_ms / _MS, lone_end_s) if not item.planned else lone_end_s
        return Bar(
            item, soft_start_s, start_s, end_s, end_s, open_start, not item.planned, 0.0, lane
        )
    end_s, soft_end_s = _end(item.end, start_s)
    if end_s < start_s:  # both ends are vague and overlap: meet in the middle
        start_s = end_s = (max(end_s, soft_start_s) + min(start_s, soft_end_s)) / 2
        soft_start_s, soft_end_s = min(soft_start_s, start_s), max(soft_end_s, end_s)
    return Bar(item, soft_start_s, start_s, end_s, soft_end_s, open_start, False, 0.0, lane)


def _start(bound: Bound, now_ms: int) -> tuple[float, float, bool]:
    latest = bound.latest_ms if bound.latest_ms is not None else bound.earliest_ms
    solid_s = (latest if latest is not None else now_ms) / _MS
    if bound.earliest_ms is None:
        return solid_s, solid_s, True
    return bound.earliest_ms / _MS, solid_s, False


def _end(bound: Bound, start_s: float) -> tuple[float, float]:
    earliest = bound.earliest_ms if bound.earliest_ms is not None else bound.latest_ms
    latest = bound.latest_ms if bound.latest_ms is not None else earliest
    end_s = earliest / _MS if earliest is not None else start_s
    return end_s, max(end_s, latest / _MS if latest is not None else end_s)


def _points(
    items: Sequence[TimelineItem], top: float, lane: int, now_ms: int
) -> tuple[list[Point], int]:
    """Spread points over a few rows, so that neighbours' labels have room."""
    points = []
    for number, item in enumerate(sorted(items, key=lambda one: _at_s(one.start, now_ms))):
        at_s = _at_s(item.start, now_ms)
        end_s = _end(item.end, at_s)[1] if item.end is not None else at_s
        points.append(Point(item, at_s, max(at_s, end_s), top + number % _EVENT_ROWS, lane))
    return points, min(len(points), _EVENT_ROWS)


def _at_s(bound: Bound, now_ms: int) -> float:
    """The middle of when it may have happened."""
    known = [ms for ms in (bound.earliest_ms, bound.latest_ms) if ms is not None]
    return (sum(known) / len(known) if known else now_ms) / _MS


def _extent(bars: Sequence[Bar], points: Sequence[Point], now_ms: int) -> tuple[float, float]:
    times = [bar.soft_start_s for bar in bars] + [bar.soft_end_s for bar in bars]
    times += [point.at_s for point in points]
    if not times:
        return now_ms / _MS - _LEAST_SPAN_S, now_ms / _MS
    first_s, last_s = min(times), max(times)
    if last_s - first_s < _LEAST_SPAN_S:
        first_s = last_s - _LEAST_SPAN_S
    return first_s, last_s
