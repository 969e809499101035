"""Possible causes by nearness in time and in meaning: deeds of one person, days apart.

`linking` knows which kinds of thing often lead to which. What is of no such kind may still have to
do with what was told shortly before, where the two are near in meaning: "lost my phone", and four
days later "bought a new phone". It is called possible, and no more.
"""

from collections.abc import Iterable

from apexmem_desktop.building.linking import MOST_DAYS_APART, Bond
from apexmem_desktop.domain.graph import Fact, LinkKind, MemoryType, Modality
from apexmem_desktop.storage.names import normalise

# Of invented pairs of deeds, 20 that belong together and 20 that do not, 15 and 3 are as near as
# this; those three are of one verb, and left out.
LEAST_COSINE = 0.65
# How many of the nearest facts are looked at.
MOST_NEAR = 12
POSSIBLE_BY_MEANING = 0.2

# No deeds of their own: a picture shown, a feeling, what one did once.
_NO_DEEDS = frozenset({"shows", "felt", "used_to"})
_DAY_MS = 86_400_000
_EXPLAINING = (LinkKind.CAUSES, LinkKind.POSSIBLY_CAUSES)


def near_causes(near: Iterable[tuple[Fact, Fact, float]]) -> list[Bond]:
    """Link each deed that nobody gave a reason for with the nearest before it, if one is near.

    Args:
        near: Pairs of facts in any order, and the cosine of their vectors, -1 to 1.
    """
    best: dict[int, tuple[float, Fact, Fact]] = {}
    for one, other, cosine in near:
        if cosine < LEAST_COSINE or not _may_belong_together(one, other):
            continue
        cause, effect = sorted((one, other), key=_said_ms)
        if _was_before(effect, cause):
            continue
        is_explained = any(
            link.kind in _EXPLAINING and link.to_id == effect.id for link in effect.links
        )
        if not is_explained and cosine > best.get(effect.id, (0.0,))[0]:
            best[effect.id] = cosine, cause, effect
    return [_possible(cause, effect) for _, cause, effect in best.values()]


def _may_belong_together(one: Fact, other: Fact) -> bool:
    """Whether two deeds of one person were told on different days, and soon after each other."""
    if not (_is_deed(one) and _is_deed(other)) or one.subject_id != other.subject_id:
        return False
    if one.property == other.property or normalise(one.value) == normalise(other.value):
        return False
    apart_ms = abs(_said_ms(one) - _said_ms(other))
    return _DAY_MS <= apart_ms <= MOST_DAYS_APART * _DAY_MS


def _was_before(effect: Fact, cause: Fact) -> bool:
    """Whether what was told later had been over, by its own words, when the other began."""
    over_ms, began_ms = effect.valid_from.latest_ms, cause.valid_from.earliest_ms
    if effect.valid_from.earliest_ms is None or over_ms is None:
        return False
    return over_ms <= (began_ms if began_ms is not None else _said_ms(cause) - _DAY_MS)


def _is_deed(fact: Fact) -> bool:
    if fact.property in _NO_DEEDS:
        return False
    is_told_as_so = fact.polarity and fact.modality is Modality.ASSERTED
    return is_told_as_so and fact.memory_type is MemoryType.ACTION and _said_ms(fact) > 0


def _said_ms(fact: Fact) -> int:
    """When it was first told, UTC; 0 where no message has a date."""
    said = [proof.said_at_ms for proof in fact.evidence if proof.said_at_ms is not None]
    return min(said, default=0)


def _possible(cause: Fact, effect: Fact) -> Bond:
    days = (_said_ms(effect) - _said_ms(cause)) // _DAY_MS
    why = (
        f"possible only ({POSSIBLE_BY_MEANING:.0%}): near in meaning and told {days} days before, "
        "nobody said that it was why"
    )
    return Bond(cause.id, effect.id, LinkKind.POSSIBLY_CAUSES, why)
