"""For how long, around what, and how often: worked out from judged facts and their bounds.

Pure. Every bound is itself an interval, so each answer says what is certain and what is possible.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from apexmem_desktop.domain.graph import Fact, FactStatus, Modality
from apexmem_desktop.domain.held import Around, Certainty, Count, Held, HeldAt, Length
from apexmem_desktop.domain.interval import Bound, TimeSource
from apexmem_desktop.domain.values import value_key
from apexmem_desktop.domain.wall import WallClock, clock_of
from apexmem_desktop.recall.history import Run, runs
from apexmem_desktop.recall.holding import is_positive, order_ms, topic_of


def held_spans(facts: Sequence[Fact]) -> list[Held]:
    """Join judged facts into the stretches that each value held, oldest first."""
    topics: dict[tuple[int, str], list[Run]] = defaultdict(list)
    for run in runs(facts):
        topics[run.first.subject_id, topic_of(run.first)].append(run)
    spans = [
        _span(run, group[:index]) for group in topics.values() for index, run in enumerate(group)
    ]
    return sorted(spans, key=lambda span: (order_ms(span.facts[0]), span.facts[0].id))


def held_at(facts: Sequence[Fact], at_ms: int) -> list[HeldAt]:
    """Find what held, certainly or possibly, at a UTC instant; the certain first."""
    found = [HeldAt(span, span.certainty_at(at_ms)) for span in held_spans(facts)]
    kept = [one for one in found if one.certainty is not Certainty.IMPOSSIBLE]
    return sorted(kept, key=lambda one: one.certainty is not Certainty.CERTAIN)


def certainty_of(fact: Fact, at_ms: int) -> Certainty:
    """Tell whether what one judged fact says was so at a UTC instant, by its own bounds."""
    return Held((fact,), _start(fact), fact.effective_to).certainty_at(at_ms)


def held_around(facts: Sequence[Fact], when: Bound) -> Around:
    """Find what held just before something began to happen, and what once it surely had.

    Args:
        when: Between which instants it happened; an open end gives nothing on its side.
    """
    before = () if when.earliest_ms is None else tuple(held_at(facts, when.earliest_ms - 1))
    after = () if when.latest_ms is None else tuple(held_at(facts, when.latest_ms + 1))
    return Around(before, after)


def length_of(held: Held, *, until_ms: int) -> Length:
    """Measure how long something held, up to a UTC instant while it has not ended by then."""
    start, end = held.start, held.end
    wall = clock_of(held.facts[0].evidence)
    ongoing = end is None or (end.earliest_ms is not None and end.earliest_ms > until_ms)
    last = Bound(until_ms, until_ms, start.precision, start.source)
    stop = last if end is None or ongoing else end
    least = _between(start.latest_ms, _capped(stop.earliest_ms, until_ms), wall)
    latest = _capped(stop.latest_ms, until_ms)
    most = None if start.earliest_ms is None else _between(start.earliest_ms, latest, wall)
    return Length(least or 0, most, ongoing)


def count_in(facts: Iterable[Fact], from_ms: int | None, to_ms: int | None) -> Count:
    """Count how many times what was told happened in [from_ms, to_ms), UTC.

    Told twice it may still be one time: what could be the same day of the same thing counts once
    at least. Plans, imaginings, denials and what the user rejected are no times at all.
    """
    inside = [(fact, _inside(fact, from_ms, to_ms)) for fact in facts if _happened(fact)]
    certain = [fact for fact, how in inside if how is Certainty.CERTAIN]
    possible = [fact for fact, how in inside if how is Certainty.POSSIBLE]
    told = (*_ordered(certain), *_ordered(possible))
    return Count(_least(certain), len({f.event_id or -f.id for f in told}), told)


def _span(run: Run, earlier: Sequence[Run]) -> Held:
    """Give a run its bounds; while another value was said to hold, this one had not begun."""
    first = run.first
    start = _start(first)
    taken = [r.last for r in earlier if _gave_way_to(r.last, first)]
    limits = [order_ms(fact) for fact in taken if order_ms(fact) < order_ms(first)]
    if limits:
        least = max(limits) if start.earliest_ms is None else max(*limits, start.earliest_ms)
        start = replace(start, earliest_ms=least)
    return Held(run.facts, start, run.ended)


def _start(fact: Fact) -> Bound:
    """Give the bound that a fact began in: surely by when it is ordered."""
    latest, earliest = order_ms(fact), fact.valid_from.earliest_ms
    if earliest is not None:
        earliest = min(earliest, latest)
    return replace(fact.valid_from, earliest_ms=earliest, latest_ms=latest)


def _gave_way_to(before: Fact, after: Fact) -> bool:
    ended = before.effective_to
    by_next = ended is not None and ended.source is TimeSource.NEXT_VALUE
    return by_next and (after.single_valued or value_key(before) == value_key(after))


def _capped(ms: int | None, limit_ms: int) -> int | None:
    return None if ms is None else min(ms, limit_ms)


def _between(start_ms: int | None, end_ms: int | None, wall: WallClock) -> int | None:
    if start_ms is None or end_ms is None:
        return None
    return max(0, wall.local_ms(end_ms) - wall.local_ms(start_ms))


def _happened(fact: Fact) -> bool:
    real = fact.modality is Modality.ASSERTED and fact.status is not FactStatus.REJECTED
    return real and is_positive(fact)


def _reach(fact: Fact) -> tuple[float, float]:
    """Between which instants it happened; without time words, somewhen before it was told."""
    start = fact.valid_from
    earliest = float("-inf") if start.earliest_ms is None else start.earliest_ms
    return earliest, max(earliest, order_ms(fact) if start.latest_ms is None else start.latest_ms)


def _inside(fact: Fact, from_ms: int | None, to_ms: int | None) -> Certainty:
    earliest, latest = _reach(fact)
    begin = float("-inf") if from_ms is None else from_ms
    end = float("inf") if to_ms is None else to_ms
    if latest < begin or earliest >= end:
        return Certainty.IMPOSSIBLE
    return Certainty.CERTAIN if earliest >= begin and latest < end else Certainty.POSSIBLE


def _ordered(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(facts, key=lambda fact: (order_ms(fact), fact.id))


def _least(facts: Iterable[Fact]) -> int:
    """Count the times that cannot be one another: the fewest instants that explain all."""
    reaches: dict[tuple[int, str, str], list[tuple[float, float]]] = defaultdict(list)
    for fact in facts:
        key = (fact.subject_id, topic_of(fact), value_key(fact))
        reaches[key].append(_reach(fact))
    return sum(map(_fewest_instants, reaches.values()))


def _fewest_instants(reaches: Iterable[tuple[float, float]]) -> int:
    count, last = 0, None
    for earliest, latest in sorted(reaches, key=lambda reach: reach[1]):
        if last is None or earliest > last:
            count, last = count + 1, latest
    return count
