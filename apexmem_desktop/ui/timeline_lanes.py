"""Where each fact and event of a timeline stands: lanes, rows, soft and solid ends. No drawing."""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeVar

from apexmem_desktop.domain.interval import Bound, TimeSource
from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.ui.timeline_joining import join_alike

HEADER_ROWS = 0.8
GROUP_ROWS = 1.15
_GAP_ROWS = 0.35
_EVENT_ROWS = 4
_MS = 1000.0
_LONE_PLAN_S = 14 * 86_400.0
_LEAST_SPAN_S = 30 * 86_400.0
_NOW_IS_NEAR = 0.15  # now is shown at once where it comes so soon after the last evidence
_MARK_SHARE = 0.3  # a bar shorter than this part of its label is a mark with words beside it
EVENT_LANE = ""

# How much of the whole view's width an item's words take up: 0.5 is half of it.
LabelShare = Callable[[TimelineItem], float]
# Which group an item's lane stands in.
GroupOf = Callable[[TimelineItem], str]


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
    """Something that happened, in seconds since 1970.

    Attributes:
        from_s: It may have been as early as this.
        at_s: Where its mark stands.
        end_s: It may have been, or have lasted, as late as this.
    """

    item: TimelineItem
    from_s: float
    at_s: float
    end_s: float
    top: float
    lane: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A property's band, or as much of it as belongs to one group."""

    name: str
    top: float
    height: float
    number: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """The head above lanes that belong together.

    Attributes:
        count: How many entries are in it.
        folded: Whether its lanes are hidden.
    """

    name: str
    top: float
    count: int
    folded: bool


@dataclass(frozen=True, slots=True)
class Grouping:
    """How lanes are put together.

    Attributes:
        order: Groups in the order they stand; others come after, the largest first.
        folded: Groups whose lanes are hidden.
    """

    of: GroupOf
    order: tuple[str, ...] = ()
    folded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Layout:
    """All of a picture. Heights are in rows, times in seconds since 1970.

    Attributes:
        bar_rows: The bars of each row, by its upper edge, in the order they begin.
        first_s: Where what is known begins.
        last_s: Where what is known ends; values that hold reach on to now.
    """

    bars: tuple[Bar, ...] = ()
    points: tuple[Point, ...] = ()
    lanes: tuple[Lane, ...] = ()
    groups: tuple[Group, ...] = ()
    height: float = 0.0
    first_s: float = 0.0
    last_s: float = _LEAST_SPAN_S
    bar_rows: dict[float, list[Bar]] = field(default_factory=dict)
    point_rows: dict[float, list[Point]] = field(default_factory=dict)


def lay_out(
    items: Sequence[TimelineItem],
    now_ms: int,
    label_share: LabelShare = lambda _: 0.0,
    pinned: Sequence[str] = (),
    grouping: Grouping | None = None,
) -> Layout:
    """Put items into lanes: properties that changed first, what happened last.

    Args:
        label_share: How wide an item's words are, so that the neighbour of a short bar leaves
            them room.
        pinned: Lanes that stand above all others of their group, in this order.
        grouping: What lanes are put together by; None where each stands by itself.
    """
    sorted_in = _sort_in(items, pinned, grouping)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(n for _, n in sorted_in))}
    unplaced: dict[_Key, list[Bar]] = {}
    happened: dict[_Key, list[Point]] = {}
    for key, inside in sorted_in.items():
        number = numbers[key[1]]
        if key[1] == EVENT_LANE:
            happened[key] = [_point(item, number, now_ms) for item in inside]
        else:
            unplaced[key] = [_bar(item, number, now_ms) for item in join_alike(inside)]
    bars, points = [*chain(*unplaced.values())], [*chain(*happened.values())]
    first_s, last_s = _extent(items, bars, points, now_ms)
    pile = _Pile(_Packing(label_share, last_s - first_s), grouping)
    for key in sorted_in:
        pile.begin(key[0], sum(len(sorted_in[one]) for one in sorted_in if one[0] == key[0]))
        pile.add(key, numbers[key[1]], unplaced.get(key, ()), happened.get(key, ()))
    return pile.layout(first_s, last_s)


_Key = tuple[str, str]  # group, lane


def _sort_in(
    items: Sequence[TimelineItem], pinned: Sequence[str], grouping: Grouping | None
) -> dict[_Key, list[TimelineItem]]:
    """Sort items into lanes, and the lanes into the order in which they stand."""
    by_lane: dict[_Key, list[TimelineItem]] = {}
    for item in items:
        group = "" if grouping is None else grouping.of(item)
        by_lane.setdefault((group, lane_of(item)), []).append(item)
    sizes: dict[str, int] = {}
    for (group, _), inside in by_lane.items():
        sizes[group] = sizes.get(group, 0) + len(inside)
    order = () if grouping is None else grouping.order

    def rank(key: _Key) -> tuple[object, ...]:
        group, name = key
        named = order.index(group) if group in order else len(order)
        upper = pinned.index(name) if name in pinned else len(pinned)
        return named, -sizes[group], group, upper, _lane_order(name, by_lane[key])

    return {key: by_lane[key] for key in sorted(by_lane, key=rank)}


class _Pile:
    """Puts group upon group and lane upon lane."""

    def __init__(self, packing: "_Packing", grouping: Grouping | None) -> None:
        self._packing = packing
        self._folded = frozenset() if grouping is None else grouping.folded
        self._grouped = grouping is not None
        self._top = 0.0
        self._lanes: list[Lane] = []
        self._groups: list[Group] = []
        self._bars: list[Bar] = []
        self._points: list[Point] = []

    def begin(self, group: str, count: int) -> None:
        """Set a group's head, where it has none yet."""
        if self._grouped and (not self._groups or self._groups[-1].name != group):
            self._groups.append(Group(group, self._top, count, group in self._folded))
            self._top += GROUP_ROWS

    def add(self, key: _Key, number: int, bars: Sequence[Bar], points: Sequence[Point]) -> None:
        """Set a lane."""
        group, name = key
        if group in self._folded:
            return
        inside = self._top + HEADER_ROWS
        if name == EVENT_LANE:
            placed_points, rows = self._packing.points(points, inside)
            self._points += placed_points
        else:
            placed, rows = self._packing.bars(bars, inside)
            self._bars += placed
        height = HEADER_ROWS + rows + _GAP_ROWS
        self._lanes.append(Lane(name, self._top, height, number, group))
        self._top += height

    def layout(self, first_s: float, last_s: float) -> Layout:
        """Give all that was set."""
        return Layout(
            bars=tuple(self._bars),
            points=tuple(self._points),
            lanes=tuple(self._lanes),
            groups=tuple(self._groups),
            height=self._top,
            first_s=first_s,
            last_s=last_s,
            bar_rows=_by_row(self._bars),
            point_rows=_by_row(self._points),
        )


def lane_of(item: TimelineItem) -> str:
    """Name the lane that an item stands in."""
    return EVENT_LANE if item.kind == "event" else item.lane


def count_successions(items: Sequence[TimelineItem]) -> int:
    """Count how often one value of a lane gave way to another."""
    return sum(
        item.end is not None and item.end.source is TimeSource.NEXT_VALUE and not item.denied
        for item in items
    )


def _lane_order(name: str, items: Sequence[TimelineItem]) -> tuple[bool, int, bool, int, str]:
    """What changed from value to value comes first; then the lanes with most to tell."""
    follows = len(items) > 1 and sum(item.end is None for item in items) <= 1
    return name == EVENT_LANE, -count_successions(items), not follows, -len(items), name


P = TypeVar("P", Bar, Point)


def _by_row(placed: Sequence[P]) -> dict[float, list[P]]:
    rows: dict[float, list[P]] = {}
    for one in placed:
        rows.setdefault(one.top, []).append(one)
    return dict(sorted(rows.items()))


class _Packing:
    """Gives bars and points their rows."""

    def __init__(self, label_share: LabelShare, span_s: float) -> None:
        self._label_share = label_share
        self._span_s = span_s

    def bars(self, bars: Sequence[Bar], top: float) -> tuple[list[Bar], int]:
        """Give each bar the uppermost row that is free when it begins."""
        taken: list[tuple[float, int]] = []  # until when, which row
        free: list[int] = []
        rows = 0
        placed: list[Bar] = []
        for bar in sorted(bars, key=lambda one: one.start_s):
            while taken and taken[0][0] <= bar.start_s:
                heapq.heappush(free, heapq.heappop(taken)[1])
            if free:
                row = heapq.heappop(free)
            else:
                row, rows = rows, rows + 1
            heapq.heappush(taken, (self._taken_until_s(bar), row))
            placed.append(replace(bar, top=top + row))
        return placed, rows

    def points(self, points: Sequence[Point], top: float) -> tuple[list[Point], int]:
        """Spread points over a few rows, so that neighbours' words have room."""
        free_from: list[float] = []
        placed = []
        for point in sorted(points, key=lambda one: one.at_s):
            free = (n for n, free_s in enumerate(free_from) if free_s <= point.at_s)
            row = next(free, len(free_from))
            if row == _EVENT_ROWS:  # none has room: the one that is free soonest
                row = free_from.index(min(free_from))
            free_from[row : row + 1] = [point.at_s + max(1.0, self._words_s(point.item))]
            placed.append(replace(point, top=top + row))
        return placed, len(free_from)

    def _taken_until_s(self, bar: Bar) -> float:
        """When the next bar may begin in this row: behind the words that stand beside a mark."""
        words_s = self._words_s(bar.item)
        is_mark = bar.soft_end_s - bar.soft_start_s < words_s * _MARK_SHARE
        return max(bar.end_s, bar.start_s + 1) + (words_s if is_mark else 0.0)

    def _words_s(self, item: TimelineItem) -> float:
        return self._label_share(item) * self._span_s


def _bar(item: TimelineItem, lane: int, now_ms: int) -> Bar:
    soft_start_s, start_s, open_start = _start(item.start, now_ms)
    if item.end is None and item.denied:  # it is gone: a mark where it ended, and nothing after
        return Bar(item, soft_start_s, start_s, start_s, start_s, open_start, True, 0.0, lane)
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


def _point(item: TimelineItem, lane: int, now_ms: int) -> Point:
    at_s = _at_s(item.start, now_ms)
    earliest, latest = item.start.earliest_ms, item.start.latest_ms
    from_s = at_s if earliest is None else min(at_s, earliest / _MS)
    end_s = at_s if latest is None else latest / _MS
    if item.end is not None:
        end_s = max(end_s, _end(item.end, at_s)[1])
    return Point(item, from_s, at_s, max(at_s, end_s), 0.0, lane)


def _at_s(bound: Bound, now_ms: int) -> float:
    """The middle of when it may have happened."""
    known = [ms for ms in (bound.earliest_ms, bound.latest_ms) if ms is not None]
    return (sum(known) / len(known) if known else now_ms) / _MS


def _extent(
    items: Sequence[TimelineItem], bars: Sequence[Bar], points: Sequence[Point], now_ms: int
) -> tuple[float, float]:
    """Tell from when to when something is known: what merely holds on makes nothing longer."""
    now_s = now_ms / _MS
    times = [bar.soft_start_s for bar in bars] + [bar.start_s for bar in bars]
    times += [bar.soft_end_s for bar in bars if not bar.open_end]
    times += [point.at_s for point in points]
    if not times:
        return now_s - _LEAST_SPAN_S, now_s
    said = (proof.said_at_ms for item in items for proof in item.evidence[-1:])
    times += [said_at_ms / _MS for said_at_ms in said if said_at_ms is not None]
    first_s, last_s = min(times), max(times)
    if 0 < now_s - last_s < (last_s - first_s) * _NOW_IS_NEAR:
        last_s = now_s
    if last_s - first_s < _LEAST_SPAN_S:
        first_s = last_s - _LEAST_SPAN_S
    return first_s, last_s
