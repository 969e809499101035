"""The same thing said again is more proof of the fact that is known, not another fact.

It is another fact where it tells a time of its own, where something else held in between, or where
what was done may have been done twice.
"""

from collections.abc import Sequence

from apexmem_desktop.domain.graph import Evidence, Fact, MemoryType, Modality, NewFact, Quote
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.topics import is_positive, order_ms
from apexmem_desktop.domain.values import normalised_text
from apexmem_desktop.storage import facts, rulings
from apexmem_desktop.storage.evidence import Again, append_again
from apexmem_desktop.storage.vault import Connection

# What was done is told of for some hours; later the same words may well tell of another time.
_ONE_DEED_MS = 24 * 3_600_000


def find_said_before(
    db: Connection, new: NewFact, said_ms: int | None, told: Sequence[Fact]
) -> Fact | None:
    """Find the fact that something is more proof of; None where it is a fact of its own.

    Args:
        told: What is known of the same subject and topic, whatever stands for it now.
    """
    if said_ms is None or len(new.quotes) > 1:  # a joint proof stands or falls with both turns
        return None
    alike = [one for one in told if _says_the_same(one, new) and _same_time(one, new, said_ms)]
    if not alike:
        return None
    own = facts.find_own_entities(db, [one.id for one in alike])
    ruled = rulings.find_rulings(db, [one.id for one in told])
    standing = [one for one in told if ruled.get(one.id) not in _REFUSED]
    for one in alike:
        is_own = own[one.id] == (new.subject_id, new.value_entity_id)
        if is_own and one in standing and not _something_between(one, said_ms, standing):
            return one
    return None


_REFUSED = {"reject", "correct", "hide"}


def append_proof(db: Connection, known: Fact, new: NewFact, *, recorded_at_ms: int) -> None:
    """Add what proves a new fact to the known one that says the same."""
    again = Again(
        new.quotes[0],
        new.confidence,
        not _tells_no_time(new.validity.start),
        new.holder_id,
        new.run_id,
    )
    append_again(db, known.id, again, recorded_at_ms=recorded_at_ms)


def find_parted(number: int, told: Sequence[Fact]) -> list[tuple[Fact, list[Evidence]]]:
    """Find facts between whose sayings a new fact lies, each with the sayings after it.

    They held, did not, and held again: the later sayings begin a fact of their own.

    Args:
        told: What is known of its subject and topic, the new fact among it.
    """
    new = next(one for one in told if one.id == number)
    at_ms = order_ms(new)
    found = []
    for one in told:
        if _are_rivals(one, new) and order_ms(one) < at_ms:
            after = [e for e in _sayings(one) if e.said_at_ms is not None and e.said_at_ms > at_ms]
            if after:
                found.append((one, sorted(after, key=lambda e: e.said_at_ms or 0)))
    return found


def renewed(db: Connection, fact: Fact, after: Sequence[Evidence], event_id: int | None) -> NewFact:
    """Give the fact that later sayings begin: the same, from when it was said again."""
    first = after[0]
    subject_id, value_entity_id = facts.find_own_entities(db, [fact.id])[fact.id]
    said = Bound(None, first.said_at_ms, Precision.UNKNOWN, TimeSource.MESSAGE_TIME)
    return NewFact(
        subject_id=subject_id,
        property_id=fact.property_id,
        value=fact.value,
        value_type=fact.value_type,
        validity=Validity(said, None),
        quotes=(Quote(first.turn_id, first.start, first.end, first.quote),),
        confidence=fact.confidence,
        modality=fact.modality,
        memory_type=fact.memory_type,
        polarity=fact.polarity,
        event_id=event_id,
        value_entity_id=value_entity_id,
    )


def _says_the_same(known: Fact, new: NewFact) -> bool:
    return (
        known.property_id == new.property_id
        and (known.polarity, known.modality) == (new.polarity, new.modality)
        and normalised_text(known.value, known.value_type)
        == normalised_text(new.value, new.value_type)
    )


def _same_time(known: Fact, new: NewFact, said_ms: int) -> bool:
    start, end = new.validity.start, new.validity.end
    if not _tells_no_time(start):
        same = (known.valid_from, known.valid_to) == (start, end)
        return same and known.phrase == new.validity.phrase
    if new.memory_type is MemoryType.ACTION:
        return any(abs(said_ms - one) < _ONE_DEED_MS for one in _said(known))
    return known.valid_to is None and (
        known.valid_from.earliest_ms is None or known.valid_from.earliest_ms <= said_ms
    )


def _something_between(known: Fact, said_ms: int, told: Sequence[Fact]) -> bool:
    """Whether something that cannot hold together with it was so between its sayings and this."""
    sayings = [*_said(known), order_ms(known), said_ms]
    first, last = min(sayings), max(sayings)
    return any(_are_rivals(known, one) and first <= order_ms(one) <= last for one in told)


def _are_rivals(a: Fact, b: Fact) -> bool:
    if a.id == b.id:
        return False
    same = normalised_text(a.value, a.value_type) == normalised_text(b.value, b.value_type)
    if same and a.modality is Modality.PLANNED and b.modality is not Modality.PLANNED:
        return True  # it came true, or was called off
    if a.modality is not b.modality and not _of_the_world(a, b):
        return False
    if same:
        return is_positive(a) != is_positive(b)
    return a.single_valued and _of_the_world(a, b) and is_positive(a) and is_positive(b)


def _of_the_world(*told: Fact) -> bool:
    return all(one.modality in (Modality.ASSERTED, Modality.NEGATED) for one in told)


def _sayings(fact: Fact) -> list[Evidence]:
    """List what each proves that it held then, of a fact that was said again."""
    again = [one for one in fact.evidence if one.again_at_ms is not None]
    return [*fact.evidence[:1], *again] if again and _tells_no_time(fact.valid_from) else again


def _tells_no_time(start: Bound) -> bool:
    return start.earliest_ms is None and start.source is TimeSource.MESSAGE_TIME


def _said(fact: Fact) -> list[int]:
    return [one.said_at_ms for one in fact.evidence if one.said_at_ms is not None]
