"""Which of some uncertain stretches overlap: two plans for one evening."""

from collections.abc import Iterable
from dataclasses import dataclass

from apexmem_desktop.chronology.uncertain import Limit, of_happening, overlap
from apexmem_desktop.domain.interval import Certainty, UncertainSpan, Validity

_ALWAYS_MS = -(2**62)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two of the given times, by their place in the list, that certainly or possibly overlap."""

    first: int
    second: int
    certainty: Certainty


def find_overlaps(times: Iterable[Validity]) -> list[Overlap]:
    """Find the pairs of happenings that overlap, certainly or possibly, in the order given.

    A time of which nothing is known, or that contradicts itself, overlaps nothing: to say that
    it is possible would tell nobody anything.
    """
    spans = [(place, span) for place, one in enumerate(times) if (span := _placed(one))]
    spans.sort(key=lambda pair: _or_always(pair[1].start_earliest_ms))
    found, running = [], list[tuple[int, UncertainSpan]]()
    for place, span in spans:
        begun = _or_always(span.start_earliest_ms)
        running = [
            pair
            for pair in running
            if pair[1].end_latest_ms is None or pair[1].end_latest_ms > begun
        ]
        for other, before in running:
            certainty = overlap(before, span)
            if certainty is not Certainty.IMPOSSIBLE:
                found.append(Overlap(min(place, other), max(place, other), certainty))
        running.append((place, span))
    return sorted(found, key=lambda pair: (pair.first, pair.second))


def _placed(validity: Validity) -> UncertainSpan | None:
    try:
        return of_happening(validity)
    except ValueError:
        return None


def _or_always(limit: Limit) -> int:
    return _ALWAYS_MS if limit is None else limit
