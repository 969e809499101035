"""Allen's thirteen relations between two stretches of time."""

from enum import StrEnum

from apexmem_desktop.domain.interval import TimeSpan


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
