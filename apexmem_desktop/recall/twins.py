"""What was said again and is kept as a fact of its own is shown once, with all its proof.

Today the same thing said again is more proof of one fact. Memories of before, and facts whose
subjects were merged later, hold it as several, joined by a link.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from apexmem_desktop.domain.confidence import said_again
from apexmem_desktop.domain.graph import Fact, LinkKind
from apexmem_desktop.domain.interval import TimeSource
from apexmem_desktop.domain.topics import is_positive, order_ms, topic_of
from apexmem_desktop.storage.names import normalise


def fold_said_again(judged: Sequence[Fact]) -> list[Fact]:
    """Join judged facts that say the same of the same time and are linked so, into the first.

    What tells a time of its own stays, and so does what was said after something else held.
    """
    into = folded_into(judged)
    by_id = {fact.id: fact for fact in judged} if into else {}
    folded: dict[int, list[Fact]] = defaultdict(list)
    for number, first_id in into.items():
        folded[first_id].append(by_id[number])
    return [_joined(one, folded.get(one.id, ())) for one in judged if one.id not in into]


def folded_into(judged: Sequence[Fact]) -> dict[int, int]:
    """Map each fact that is not shown by itself to the one that is shown for it, by number."""
    linked = _linked(judged)
    by_id = {fact.id: fact for fact in judged} if linked else {}
    into: dict[int, int] = {}
    if not linked:
        return into
    for fact in sorted(judged, key=lambda one: (order_ms(one), one.id)):
        if not _tells_no_time(fact):
            continue
        earlier = (by_id[number] for number in sorted(linked.get(fact.id, ())))
        first = next((one for one in earlier if _says_the_same(one, fact)), None)
        if first is not None:
            into[fact.id] = into.get(first.id, first.id)
    return into


def _linked(judged: Sequence[Fact]) -> dict[int, set[int]]:
    known = {fact.id for fact in judged}
    linked: dict[int, set[int]] = defaultdict(set)
    for fact in judged:
        for link in fact.links:
            if link.kind is LinkKind.CORROBORATES and {link.from_id, link.to_id} <= known:
                linked[link.from_id].add(link.to_id)
                linked[link.to_id].add(link.from_id)
    return linked


def _tells_no_time(fact: Fact) -> bool:
    start = fact.valid_from
    return start.earliest_ms is None and start.source is TimeSource.MESSAGE_TIME


def _says_the_same(first: Fact, later: Fact) -> bool:
    return (
        (order_ms(first), first.id) < (order_ms(later), later.id)
        and (first.subject_id, topic_of(first)) == (later.subject_id, topic_of(later))
        and is_positive(first) == is_positive(later)
        and first.modality is later.modality
        and _value_of(first) == _value_of(later)
        and first.status is later.status
        and first.effective_to == later.effective_to
    )


def _value_of(fact: Fact) -> int | str:
    return normalise(fact.value) if fact.value_entity_id is None else fact.value_entity_id


def _joined(first: Fact, others: Sequence[Fact]) -> Fact:
    if not others:
        return first
    own = {first.id, *(one.id for one in others)}
    links = dict.fromkeys(link for one in (first, *others) for link in one.links)
    return replace(
        first,
        confidence=said_again(max(one.confidence for one in (first, *others))),
        evidence=tuple(dict.fromkeys(e for one in (first, *others) for e in one.evidence)),
        links=tuple(link for link in links if not {link.from_id, link.to_id} <= own),
    )
