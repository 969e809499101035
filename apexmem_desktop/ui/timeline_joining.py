"""Statements of one lane that say the same of times that touch become one, with all their proof."""

import math
from collections.abc import Sequence
from dataclasses import replace

from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.reports import TimelineItem

_TOUCH_MS = 1000  # days end at their last millisecond


def join_alike(items: Sequence[TimelineItem]) -> list[TimelineItem]:
    """Join what was said more than once; what held twice with a gap between stays two."""
    alike: dict[tuple[str, bool, bool], list[TimelineItem]] = {}
    for item in items:
        alike.setdefault((item.label.casefold(), item.planned, item.denied), []).append(item)
    return [one for said in alike.values() for one in _join(sorted(said, key=_first_ms))]


def _join(said: Sequence[TimelineItem]) -> list[TimelineItem]:
    joined = [said[0]]
    for item in said[1:]:
        if _first_ms(item) <= _last_ms(joined[-1]) + _TOUCH_MS:
            joined[-1] = _both(joined[-1], item)
        else:
            joined.append(item)
    return joined


def _both(first: TimelineItem, second: TimelineItem) -> TimelineItem:
    return replace(
        first,
        end=first.end if _last_ms(first) >= _last_ms(second) else second.end,
        confidence=max(first.confidence, second.confidence),
        contested=first.contested or second.contested,
        evidence=tuple(dict.fromkeys(first.evidence + second.evidence)),
    )


def _first_ms(item: TimelineItem) -> float:
    bound = item.start
    known = bound.earliest_ms if bound.earliest_ms is not None else bound.latest_ms
    return math.inf if known is None else known


def _last_ms(item: TimelineItem) -> float:
    if item.end is not None:
        return _latest_ms(item.end)
    # A plan without an end is one for its own time; everything else holds on.
    return _latest_ms(item.start) if item.planned else math.inf


def _latest_ms(bound: Bound) -> float:
    known = bound.latest_ms if bound.latest_ms is not None else bound.earliest_ms
    return math.inf if known is None else known
