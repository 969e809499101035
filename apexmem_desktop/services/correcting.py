"""A correction: the user's statement, the fact it proves, and its place before the old one."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from apexmem_desktop.building.resolution import AmbiguousNameError, ensure_entity
from apexmem_desktop.domain.denied import denied_words
from apexmem_desktop.domain.errors import RulingRefusedError
from apexmem_desktop.domain.graph import (
    Fact,
    LinkKind,
    Modality,
    NewEvent,
    NewFact,
    Quote,
    ValueType,
)
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.values import normalised_text, parse
from apexmem_desktop.recall.holding import LIFELONG, order_ms
from apexmem_desktop.services.notes import append_note
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, events, facts
from apexmem_desktop.storage.vault import Connection

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SURE = 1.0  # the user said so


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction added."""

    fact_id: int
    turn_id: int
    says: str


def append_correction(
    db: Connection,
    ws: Workspace,
    old: Fact,
    value: str,
    *,
    valid_from: Bound | None,
    reason: str,
    at_ms: int,
) -> Corrected:
    """Store the right value of a fact, proved by the user's own words.

    Raises:
        RulingRefusedError: The value is empty, or is what the fact says already.
    """
    value = " ".join(value.split())
    if not value:
        raise RulingRefusedError(
            "A correction needs the right value.", hint="To say that it is wrong, reject it."
        )
    if valid_from is None and _is_same(old, value):
        raise RulingRefusedError(
            f"{spell_fact(old)} is what the memory has already.", hint="To back it, confirm it."
        )
    # Told of whom the fact was told of: after a split the words must not name the other one.
    subject_id = facts.get_own_subject_id(db, old.id)
    own_name = dict(entities.find_members(db, subject_id))[subject_id]
    text = (
        spell_fact(replace(old, subject=own_name), value)
        + _spell_since(valid_from)
        + (f" ({reason})" if reason else "")
    )
    turn_id = append_note(db, ws, text, at_ms=at_ms)
    quote = Quote(turn_id, 0, len(text), text)
    event_id = _append_event(db, quote, at_ms)
    entity_id = _value_entity(db, old, value, turn_id, at_ms)
    new = NewFact(
        subject_id=subject_id,
        property_id=old.property_id,
        value=value,
        value_type=_value_type(old, value, entity_id),
        validity=Validity(valid_from or _start_of(old), old.valid_to, old.phrase),
        quotes=(quote,),
        confidence=_SURE,
        modality=old.modality,
        memory_type=old.memory_type,
        polarity=old.polarity,
        event_id=event_id,
        value_entity_id=entity_id,
    )
    number = facts.append_fact(db, new, recorded_at_ms=at_ms)
    why = reason or "the user corrected it"
    facts.append_link(db, number, old.id, LinkKind.SUPERSEDES, "user", why, at_ms)
    return Corrected(number, turn_id, text)


def spell_fact(fact: Fact, value: str = "") -> str:
    """Say a fact in plain words, or what it would say with another value."""
    denied = not fact.polarity or fact.modality is Modality.NEGATED
    if denied:
        return f"{fact.subject}, {denied_words(fact.property, value or fact.value)}"
    return f"{fact.subject}, {fact.property.replace('_', ' ')}: {value or fact.value}"


def _is_same(old: Fact, value: str) -> bool:
    return normalised_text(value, old.value_type) == normalised_text(old.value, old.value_type)


def _value_type(old: Fact, value: str, entity_id: int | None) -> ValueType:
    if entity_id is not None:
        return ValueType.ENTITY
    plain = ValueType.STRING if old.value_type is ValueType.ENTITY else old.value_type
    return parse(value, plain).type


def _value_entity(db: Connection, old: Fact, value: str, turn_id: int, at_ms: int) -> int | None:
    """Find or make what the value names; a name that several bear stays words."""
    if old.value_type is not ValueType.ENTITY or old.value_entity_id is None:
        return None
    kind = entities.get_entity(db, old.value_entity_id).type
    try:
        number = ensure_entity(db, value, kind, turn_id=turn_id, recorded_at_ms=at_ms, run_id=None)
    except AmbiguousNameError:
        return None
    entities.append_mention(db, number, turn_id, "mentioned")
    return number


def _start_of(old: Fact) -> Bound:
    """Give the old fact's start, so that the new one stands exactly where it stood.

    The old one was ordered by when its words were said, at the latest; the new one's words are of
    today, so what they meant for the order goes into its start.
    """
    start = old.valid_from
    if old.property in LIFELONG:
        return start
    by_ms = order_ms(old)
    earliest = start.earliest_ms
    if start.latest_ms is None or start.latest_ms > by_ms:
        start = replace(start, latest_ms=by_ms)
    return start if earliest is None or earliest <= by_ms else replace(start, earliest_ms=by_ms)


def _append_event(db: Connection, quote: Quote, at_ms: int) -> int:
    said = Bound(at_ms, at_ms, Precision.INSTANT, TimeSource.MESSAGE_TIME)
    event = NewEvent(
        type="statement",
        summary=quote.text,
        validity=Validity(said, said),
        quotes=(quote,),
    )
    return events.append_event(db, event, recorded_at_ms=at_ms)


def _spell_since(bound: Bound | None) -> str:
    known = [] if bound is None else [bound.earliest_ms, bound.latest_ms]
    days = dict.fromkeys(_day(ms) for ms in known if ms is not None)
    return f", since {' to '.join(days)}" if days else ""


def _day(ms: int) -> str:
    try:
        return (_EPOCH + timedelta(milliseconds=ms)).date().isoformat()
    except OverflowError:
        return "an unknown day"
