"""Which facts hold at a time. Decided when a question gives the time, never when a fact is stored.

Facts are ordered by when they were true, not by when they were read (an old export imported late
must not win). Two facts are rivals when they cannot both hold: the same value said and denied, or
two values of a single-valued property. A fact holds from its start until its next rival's start,
or until somebody said that it ended. Rivals with the same start are contested.

A plan ends nothing. It is itself over once what was told after it settles it: the same value came
true, not before the time that the plan was made for, or it was denied.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

from apexmem_desktop.domain.answers import Conflict
from apexmem_desktop.domain.graph import Fact, FactStatus, LinkKind, Modality
from apexmem_desktop.domain.interval import Bound, TimeSource
from apexmem_desktop.domain.topics import (
    ALWAYS_MS,
    LIFELONG,
    OPPOSITES,
    is_positive,
    order_ms,
    order_told_ms,
    rival_names,
    said_ms,
    topic_of,
)
from apexmem_desktop.domain.values import normalised_text
from apexmem_desktop.storage.names import normalise

__all__ = [
    "LIFELONG", "OPPOSITES", "find_conflicts", "is_positive", "judge", "order_ms", "rival_names",
    "said_ms", "stop_ms", "topic_of",
]  # fmt: skip

_REFUSED = {"reject", "correct", "hide"}
_BACKED = {"confirm", "prefer", "pin"}


@dataclass(slots=True)
class _Place:
    """A fact's place in the order of its rivals; every instant is UTC milliseconds.

    Attributes:
        key_ms: By when it had surely begun; the order of facts is the order of these.
        begins_ms: From when it counts as holding.
        ends_ms: From when it does not any more; None while nothing ends it.
        said_ms: When it was first told.
    """

    fact: Fact
    value: str
    positive: bool
    backed: bool
    key_ms: int
    begins_ms: int
    earliest_ms: int | None
    said_ms: int
    ends_ms: int | None = None
    effective_to: Bound | None = None
    lost: bool = False

    @property
    def order(self) -> tuple[int, int]:
        """Valid time first; the row number only makes the order total."""
        return self.key_ms, self.fact.id

    def holds_at(self, as_of_ms: int) -> bool:
        """Whether it has begun and not ended."""
        return (
            self.begins_ms <= as_of_ms
            and not self.lost
            and (self.ends_ms is None or as_of_ms < self.ends_ms)
        )


def judge(
    facts: Sequence[Fact],
    *,
    as_of_ms: int,
    rulings: Mapping[int, str],
    known_at_ms: int | None = None,
) -> list[Fact]:
    """Set `status` and `effective_to` of each fact, as of an instant.

    Give all facts of the subjects and properties in question: a rival left out ends nothing.

    Args:
        facts: In any order.
        as_of_ms: UTC instant to judge for.
        rulings: The user's standing ruling by fact id ("confirm", "reject", …).
        known_at_ms: Leave out what was recorded after this UTC instant; None for all.

    Returns:
        The facts known by then, in the order given. An asserted fact that begins only after
        `as_of_ms`, and what was only imagined, is PLANNED: not so yet.
    """
    known = [f for f in facts if known_at_ms is None or f.recorded_at_ms <= known_at_ms]
    standing = [f for f in known if rulings.get(f.id) not in _REFUSED]
    judged: dict[int, Fact] = {}
    for topic in _topics(standing):
        judged |= _judge_topic(topic, as_of_ms, rulings)
    return [
        judged[f.id] if f.id in judged else f.judged(FactStatus.REJECTED, f.valid_to) for f in known
    ]


def find_conflicts(facts: Sequence[Fact]) -> list[Conflict]:
    """Find the judged facts that contest each other, one conflict a subject and property."""
    sides: dict[tuple[int, str], dict[tuple[str, bool], Fact]] = defaultdict(dict)
    for fact in facts:
        if fact.status is not FactStatus.CONTESTED:
            continue
        by_value = sides[fact.subject_id, topic_of(fact)]
        side = (normalised_text(fact.value, fact.value_type), is_positive(fact))
        if side not in by_value or fact.confidence > by_value[side].confidence:
            by_value[side] = fact
    return [
        Conflict(property=next(iter(group.values())).property, sides=tuple(group.values()))
        for group in sides.values()
        if len(group) > 1
    ]


def _topics(facts: Iterable[Fact]) -> Iterable[list[Fact]]:
    """Group what is about the same thing of the same subject, whatever its modality."""
    topics: dict[tuple[int, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        topics[fact.subject_id, topic_of(fact)].append(fact)
    return topics.values()


def _judge_topic(facts: list[Fact], as_of_ms: int, rulings: Mapping[int, str]) -> dict[int, Fact]:
    """Judge each modality by itself (a plan ends nothing), then see which plans are settled."""
    values = _value_keys(facts)
    groups: dict[Modality, list[_Place]] = defaultdict(list)
    for fact in facts:
        modality = Modality.ASSERTED if _is_told_as_so(fact) else fact.modality
        groups[modality].append(_place(fact, values[fact.id], rulings))
    rivals = {k: v for group in groups.values() for k, v in _order_group(group).items()}
    for plan in groups[Modality.PLANNED]:
        _settle(plan, groups[Modality.ASSERTED])
    places = chain.from_iterable(groups.values())
    return {
        place.fact.id: place.fact.judged(
            _status(place, rivals[place.fact.id], as_of_ms), place.effective_to
        )
        for place in places
    }


def _order_group(places: list[_Place]) -> dict[int, list[_Place]]:
    """Work out when each fact of one modality began and ended; return its rivals."""
    places.sort(key=lambda place: place.order)
    rivals = _rivals(places)
    for place in places:
        _begin(place, rivals[place.fact.id])
    ends = _said_ends(places)
    for place in places:
        said_ends = ends.get((place.value, place.positive), ())
        _end(place, rivals[place.fact.id], said_ends)
    return rivals


def _said_ends(places: Sequence[_Place]) -> dict[tuple[str, bool], list[Bound]]:
    """List, by what was said, when it was said to end, the first end first."""
    ends: dict[tuple[str, bool], list[Bound]] = defaultdict(list)
    for place in places:
        if place.fact.valid_to is not None and stop_ms(place.fact.valid_to) is not None:
            ends[place.value, place.positive].append(place.fact.valid_to)
    for told in ends.values():
        told.sort(key=lambda end: stop_ms(end) or 0)
    return ends


def stop_ms(end: Bound) -> int | None:
    """Tell from when on a fact with this end has surely ended, UTC milliseconds."""
    return end.latest_ms if end.latest_ms is not None else end.earliest_ms


def _is_told_as_so(fact: Fact) -> bool:
    """Tell what is said of the world, as it is or is not, from plans and imaginings."""
    return fact.modality is Modality.ASSERTED or fact.modality is Modality.NEGATED


def _value_keys(facts: Sequence[Fact]) -> dict[int, str]:
    """Give equal values equal keys: the same entity is the same value, however it is spelt."""
    spelt: dict[int, str] = {}
    for fact in sorted(facts, key=lambda f: f.id):
        if fact.value_entity_id is not None:
            spelt.setdefault(fact.value_entity_id, normalise(fact.value))
    return {
        f.id: spelt[f.value_entity_id]
        if f.value_entity_id is not None
        else normalised_text(f.value, f.value_type)
        for f in facts
    }


def _place(fact: Fact, value: str, rulings: Mapping[int, str]) -> _Place:
    said = said_ms(fact)
    key_ms = order_told_ms(fact, said)
    earliest_ms = None if fact.property in LIFELONG else fact.valid_from.earliest_ms
    begins_ms = key_ms if earliest_ms is None else min(earliest_ms, key_ms)
    return _Place(
        fact=fact,
        value=value,
        positive=is_positive(fact),
        backed=rulings.get(fact.id) in _BACKED,
        key_ms=key_ms,
        begins_ms=begins_ms,
        earliest_ms=None if earliest_ms is None else begins_ms,
        said_ms=key_ms if said is None else said,
    )


def _rivals(places: Sequence[_Place]) -> dict[int, list[_Place]]:
    """List for each fact, in the order of the places, those that cannot hold together with it."""
    partners = _superseding(places)
    by_value: dict[str, list[_Place]] = defaultdict(list)
    for place in places:
        by_value[place.value].append(place)

    def near(place: _Place) -> Sequence[_Place]:
        # Most groups are many-valued ("likes"); there only the same value can be a rival.
        many_valued = not place.fact.single_valued and place.fact.id not in partners
        return by_value[place.value] if many_valued else places

    return {a.fact.id: _excluded(a, near(a), partners.get(a.fact.id, set())) for a in places}


def _superseding(places: Sequence[_Place]) -> dict[int, set[int]]:
    """Map each fact that was said outright to take another's place, or to yield it, to those."""
    partners: dict[int, set[int]] = defaultdict(set)
    for place in places:
        for link in place.fact.links:
            if link.kind is LinkKind.SUPERSEDES:
                partners[link.from_id].add(link.to_id)
                partners[link.to_id].add(link.from_id)
    return partners


def _excluded(a: _Place, near: Sequence[_Place], partners: set[int]) -> list[_Place]:
    """List who cannot hold together with a: by a link, denied, or the other value of a property.

    A property told a thousand times makes a million pairs, so each case is one plain walk.
    """
    value, positive = a.value, a.positive
    races = _is_told_as_so(a.fact) and positive and a.fact.single_valued
    if partners:
        return [
            b
            for b in near
            if b.fact.id in partners
            or (b.positive != positive if b.value == value else races and b.positive)
        ]
    if races:
        return [b for b in near if b.positive != (b.value == value)]
    return [b for b in near if b.value == value and b.positive != positive]


_BY_KEY = attrgetter("key_ms")  # the order of every list of rivals
_BY_BEGIN = attrgetter("begins_ms")


def _begun_together(place: _Place, rivals: Sequence[_Place]) -> Sequence[_Place]:
    left = bisect_left(rivals, place.key_ms, key=_BY_KEY)
    return rivals[left : bisect_right(rivals, place.key_ms, left, key=_BY_KEY)]


def _begin(place: _Place, rivals: Sequence[_Place]) -> None:
    """Narrow a vague start: while a rival was said to hold, this one had not begun."""
    earlier = bisect_left(rivals, place.key_ms, key=_BY_KEY)
    if earlier == 0:
        return
    before = rivals[earlier - 1].key_ms
    if place.earliest_ms is not None:
        place.begins_ms = max(place.begins_ms, before)
    place.earliest_ms = before if place.earliest_ms is None else max(place.earliest_ms, before)


def _end(place: _Place, rivals: Sequence[_Place], said_ends: Sequence[Bound]) -> None:
    """End a fact where it was said to end, or where a later rival begins; whichever is first.

    Args:
        said_ends: When the same value was said to end, by any fact: "I worked there until May"
            ends what was told before as well.
    """
    stated = place.fact.valid_to
    if stated is None:
        stated = next((end for end in said_ends if (stop_ms(end) or 0) >= place.key_ms), None)
    place.effective_to = stated
    if stated is not None:
        place.ends_ms = stop_ms(stated)
    later = rivals[bisect_right(rivals, place.key_ms, key=_BY_KEY) :]
    following = min(later, key=_BY_BEGIN, default=None) if later else None  # of equals the first
    if following is not None and (place.ends_ms is None or following.begins_ms < place.ends_ms):
        place.ends_ms = following.begins_ms
        place.effective_to = _ended_by(following)
    place.lost = any(_outranks(r, place) for r in _begun_together(place, rivals))
    if place.lost:  # it gave way as it began: it never held
        place.effective_to = _ended_by(place)


def _settle(plan: _Place, told: Sequence[_Place]) -> None:
    """End a plan where what was told after it made it come true or called it off."""
    after = (t for t in told if t.value == plan.value and t.key_ms > plan.said_ms)
    settling = min(
        (t for t in after if t.positive != plan.positive or t.key_ms >= _due_ms(plan)),
        key=lambda t: t.order,
        default=None,
    )
    if settling is None or (plan.ends_ms is not None and plan.ends_ms <= settling.key_ms):
        return
    plan.ends_ms = settling.key_ms
    before = [ms for ms in (settling.earliest_ms, plan.said_ms) if ms is not None]
    plan.effective_to = replace(_ended_by(settling), earliest_ms=min(max(before), settling.key_ms))


def _due_ms(plan: _Place) -> int:
    """From when the same value means that the plan came true.

    A state ("lives in Lyon") may come about early; one trip to Rome is not the next one.
    """
    stated = None if plan.fact.single_valued else plan.fact.valid_from.earliest_ms
    if stated is None or plan.fact.property in LIFELONG:
        return plan.said_ms
    return stated


def _outranks(a: _Place, b: _Place) -> bool:
    """Tell whether a wins against a rival b of the same start: the user's word, then a link."""
    if a.backed != b.backed:
        return a.backed
    links = {
        (link.from_id, link.to_id)
        for link in (*a.fact.links, *b.fact.links)
        if link.kind is LinkKind.SUPERSEDES
    }
    return (a.fact.id, b.fact.id) in links and (b.fact.id, a.fact.id) not in links


def _ended_by(following: _Place) -> Bound:
    # What held from ever is no time that anything can be said to have ended at.
    held_ever = following.key_ms == ALWAYS_MS
    return Bound(
        earliest_ms=following.earliest_ms,
        latest_ms=following.said_ms if held_ever else following.key_ms,
        precision=following.fact.valid_from.precision,
        source=TimeSource.NEXT_VALUE,
    )


def _status(place: _Place, rivals: Sequence[_Place], as_of_ms: int) -> FactStatus:
    if place.lost or (place.ends_ms is not None and as_of_ms >= place.ends_ms):
        return FactStatus.PAST
    if not _is_told_as_so(place.fact):
        return FactStatus.PLANNED
    if not place.holds_at(as_of_ms):
        return FactStatus.PLANNED
    if any(r.holds_at(as_of_ms) for r in _begun_together(place, rivals)):
        return FactStatus.CONTESTED
    return FactStatus.CURRENT
