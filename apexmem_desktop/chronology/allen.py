"""Allen's thirteen relations between two stretches of time, known exactly or within limits."""

from enum import StrEnum

from apexmem_desktop.domain.interval import Certainty, TimeSpan, UncertainSpan


class Relation(StrEnum):
    """How one stretch lies to another, read "a … b"."""

    BEFORE = "before"
    MEETS = "meets"
    OVERLAPS = "overlaps"
    STARTS = "starts"
    DURING = "during"
    FINISHES = "finishes"
    EQUALS = "equals"
    FINISHED_BY = "finished_by"
    CONTAINS = "contains"
    STARTED_BY = "started_by"
    OVERLAPPED_BY = "overlapped_by"
    MET_BY = "met_by"
    AFTER = "after"

    @property
    def inverse(self) -> "Relation":
        """The relation of b to a, when this one is that of a to b."""
        ordered = list(Relation)
        return ordered[len(ordered) - 1 - ordered.index(self)]


def relation(a: TimeSpan, b: TimeSpan) -> Relation:
    """Tell which of the thirteen holds; exactly one does, for empty stretches too."""
    if a.start_ms == b.start_ms or a.end_ms == b.end_ms:
        return _sharing_an_end(a, b)
    if a.start_ms > b.start_ms:
        return _starting_first(b, a).inverse
    return _starting_first(a, b)


def _sharing_an_end(a: TimeSpan, b: TimeSpan) -> Relation:
    if a.start_ms == b.start_ms and a.end_ms == b.end_ms:
        return Relation.EQUALS
    if a.start_ms == b.start_ms:
        return Relation.STARTS if a.end_ms < b.end_ms else Relation.STARTED_BY
    return Relation.FINISHES if a.start_ms > b.start_ms else Relation.FINISHED_BY


def _starting_first(a: TimeSpan, b: TimeSpan) -> Relation:
    if a.end_ms < b.start_ms:
        return Relation.BEFORE
    if a.end_ms == b.start_ms:
        return Relation.MEETS
    return Relation.OVERLAPS if a.end_ms < b.end_ms else Relation.CONTAINS


# Each relation as the one order that it puts the four ends in, those that fall together in one
# group: "a" begins the first stretch and "A" ends it, "b" and "B" the second.
_ORDERS: dict[Relation, tuple[str, ...]] = {
    Relation.BEFORE: ("a", "A", "b", "B"),
    Relation.MEETS: ("a", "Ab", "B"),
    Relation.OVERLAPS: ("a", "b", "A", "B"),
    Relation.STARTS: ("ab", "A", "B"),
    Relation.DURING: ("b", "a", "A", "B"),
    Relation.FINISHES: ("b", "a", "AB"),
    Relation.EQUALS: ("ab", "AB"),
    Relation.FINISHED_BY: ("a", "b", "AB"),
    Relation.CONTAINS: ("a", "b", "B", "A"),
    Relation.STARTED_BY: ("ab", "B", "A"),
    Relation.OVERLAPPED_BY: ("b", "a", "B", "A"),
    Relation.MET_BY: ("b", "Ba", "A"),
    Relation.AFTER: ("b", "B", "a", "A"),
}
_NEVER_MS = 2**62  # farther than any date, for an open limit

Limits = dict[str, tuple[int, int]]


def possible_relations(a: UncertainSpan, b: UncertainSpan) -> tuple[Relation, ...]:
    """List the relations that can hold, at least one; a single one holds for certain."""
    limits = _limits("a", "A", a) | _limits("b", "B", b)
    return tuple(name for name, order in _ORDERS.items() if _can_stand(order, limits))


def certainty_of(name: Relation, a: UncertainSpan, b: UncertainSpan) -> Certainty:
    """Tell whether a relation of a to b holds in every case, in some or in none."""
    possible = possible_relations(a, b)
    if name not in possible:
        return Certainty.IMPOSSIBLE
    return Certainty.CERTAIN if len(possible) == 1 else Certainty.POSSIBLE


def _limits(start: str, end: str, span: UncertainSpan) -> Limits:
    return {
        start: _closed(span.start_earliest_ms, span.start_latest_ms),
        end: _closed(span.end_earliest_ms, span.end_latest_ms),
    }


def _closed(low: int | None, high: int | None) -> tuple[int, int]:
    return -_NEVER_MS if low is None else low, _NEVER_MS if high is None else high


def _can_stand(order: tuple[str, ...], limits: Limits) -> bool:
    """Tell whether the ends can stand in this order: place each as early as it may be."""
    reached = -2 * _NEVER_MS
    for together in order:
        reached = max(reached + 1, *(limits[end][0] for end in together))
        if any(reached > limits[end][1] for end in together):
            return False
    return True
