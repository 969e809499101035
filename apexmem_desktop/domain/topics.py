"""What facts are about, and in which order they were true: shared by those who write and judge."""

from collections.abc import Iterable

from apexmem_desktop.domain.graph import Fact, Modality

# What is about the same thing under another name: "hates tofu" denies "likes tofu".
OPPOSITES = {
    "dislikes": "likes",
    "hates": "likes",
    "loves": "likes",
    "enjoys": "likes",
    "does_not_like": "likes",
}
DENYING = {"dislikes", "hates", "does_not_like"}
# What a life has once and from its first day: two values never mean that it changed.
LIFELONG = frozenset(
    {"birthday", "birth_date", "date_of_birth", "born_on", "born_in", "birthplace", "birth_year"}
    | {"comes_from", "took_place_on"}
)
ALWAYS_MS = -(2**53)


def topic_of(fact: Fact) -> str:
    """Name what a fact is about, so that "hates" and "likes" meet."""
    return OPPOSITES.get(fact.property, fact.property)


def rival_names(properties: Iterable[str]) -> list[str]:
    """List the properties whose facts can bear on facts of these: they themselves and opposites."""
    topics = {OPPOSITES.get(name, name) for name in properties}
    return sorted(topics | {name for name, topic in OPPOSITES.items() if topic in topics})


def is_positive(fact: Fact) -> bool:
    """Tell whether a fact says that something is so, rather than that it is not."""
    denied = not fact.polarity or fact.modality is Modality.NEGATED
    return denied if fact.property in DENYING else not denied


def order_ms(fact: Fact) -> int:
    """Tell by when a fact had surely begun, UTC milliseconds: what orders facts in valid time.

    What is asserted had begun when it was said, and before it ended; so a vague start ("in 2023")
    is not later than the words that told it.
    """
    return order_told_ms(fact, said_ms(fact))


def order_told_ms(fact: Fact, said: int | None) -> int:
    """Give `order_ms` of a fact of which is known when it was first told."""
    if fact.property in LIFELONG:
        return ALWAYS_MS
    start, end = fact.valid_from, fact.valid_to
    begun = start.latest_ms
    if said is not None and (start.earliest_ms is None or said >= start.earliest_ms):
        begun = said if begun is None or said < begun else begun
    if end is not None:
        ended = end.earliest_ms if end.earliest_ms is not None else end.latest_ms
        begun = ended if begun is None or (ended is not None and ended < begun) else begun
    if begun is not None:
        return begun
    return fact.recorded_at_ms if start.earliest_ms is None else start.earliest_ms


def said_ms(fact: Fact) -> int | None:
    """Tell when a fact was first told, UTC milliseconds; None where no proof has a time."""
    proof = fact.evidence
    if len(proof) == 1:  # as nearly all have
        return proof[0].said_at_ms
    return min((e.said_at_ms for e in proof if e.said_at_ms is not None), default=None)
