"""Writes what stood the checks: the event, the facts that hang on it, their proof, their links."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from apexmem_desktop.building import resolution
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.dating import Dated, date_candidate
from apexmem_desktop.building.identity import Identity
from apexmem_desktop.building.ontology import PropertyShape, load_shapes
from apexmem_desktop.domain.graph import (
    Fact,
    LinkKind,
    MemoryType,
    Modality,
    NewEvent,
    NewFact,
    Quote,
    ValueType,
)
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.storage import drops, entities, events, facts, properties
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Connection


@dataclass(slots=True)
class Appended:
    """What a batch wrote."""

    facts: list[int] = field(default_factory=list)
    events: int = 0
    dropped: dict[str, int] = field(default_factory=dict)


class Appender:
    """Appends the candidates of one batch inside one transaction.

    Attributes:
        done: What was written so far.
    """

    def __init__(
        self,
        db: Connection,
        *,
        recorded_at_ms: int,
        identities: Mapping[str, Identity] | None = None,
    ) -> None:
        self._db = db
        self._identities = dict(identities or {})
        self._recorded_at_ms = recorded_at_ms
        self._events: dict[tuple[int, int, str], int] = {}
        self.done = Appended()

    def speaker(self, turn: Turn) -> int:
        """Return the entity of a turn's speaker, and note that it spoke here."""
        speaker_id = resolution.ensure_speaker(
            self._db, turn.speaker, turn_id=turn.id, recorded_at_ms=self._recorded_at_ms
        )
        entities.append_mention(self._db, speaker_id, turn.id, "speaker")
        return speaker_id

    def drop(self, candidate: Candidate, reason: str) -> None:
        """Keep a candidate that did not stand, with the reason, to be looked at."""
        drops.append_drop(
            self._db,
            turn_id=candidate.turn_id,
            reason=reason,
            candidate=f"{candidate.who} | {candidate.property} | {candidate.value}",
            recorded_at_ms=self._recorded_at_ms,
            run_id=candidate.run_id,
        )
        self.done.dropped[reason] = self.done.dropped.get(reason, 0) + 1

    def append(self, turn: Turn, speaker_id: int, candidate: Candidate) -> None:
        """Append one candidate as a fact on its event; an open name drops it."""
        shape = load_shapes()[candidate.shape]
        if _is_of_leaving(candidate) and resolution.is_place(self._db, candidate.value):
            self.drop(candidate, "a place was left, not a job")
            return
        try:
            subject_id = self._subject(speaker_id, turn, candidate, shape)
            value_entity_id = self._value_entity(candidate, shape)
        except resolution.AmbiguousNameError:
            self.drop(candidate, "several people have this name")
            return
        earlier = facts.find_facts(
            self._db, subject_ids=[subject_id], property_names=[candidate.property]
        )
        if any(_is_same(one, candidate) for one in earlier):
            return  # read again (a better model, a repeated build): nothing new
        fact = self._new_fact(turn, candidate, shape, (subject_id, speaker_id), value_entity_id)
        number = facts.append_fact(self._db, fact, recorded_at_ms=self._recorded_at_ms)
        self.done.facts.append(number)
        self._link(number, fact, shape, earlier)

    def _new_fact(
        self,
        turn: Turn,
        candidate: Candidate,
        shape: PropertyShape,
        people: tuple[int, int],
        value_entity_id: int | None,
    ) -> NewFact:
        """Date a candidate and hang it on its event; `people` are subject and speaker."""
        dated = date_candidate(turn, candidate)
        dated = replace(dated, validity=_finished(dated, shape, turn))
        quote = _quote(turn, candidate)
        event_id = self._event(turn, candidate, shape, dated, people, quote)
        known = properties.ensure_property(
            self._db,
            name=candidate.property,
            value_type=shape.value_type,
            single_valued=shape.single_valued,
            recorded_at_ms=self._recorded_at_ms,
        )
        return NewFact(
            subject_id=people[0],
            property_id=known.id,
            value=candidate.value,
            value_type=shape.value_type if value_entity_id else _plain(shape),
            validity=dated.validity,
            quotes=(quote, *candidate.beside),
            confidence=candidate.confidence,
            modality=dated.modality,
            memory_type=shape.memory_type,
            polarity=candidate.holds,
            holder_id=people[1],
            event_id=event_id,
            value_entity_id=value_entity_id,
            run_id=candidate.run_id,
        )

    def _subject(
        self, speaker_id: int, turn: Turn, candidate: Candidate, shape: PropertyShape
    ) -> int:
        if candidate.who == turn.speaker:
            return speaker_id
        if candidate.of_speaker:
            return resolution.ensure_relation(
                self._db,
                candidate.who,
                speaker_id,
                turn_id=turn.id,
                recorded_at_ms=self._recorded_at_ms,
            )
        kind = {"status": "place", "took_place_on": "thing", "closed": "place"}
        return self._ensure(candidate.who, kind.get(shape.name, "person"), candidate)

    def _value_entity(self, candidate: Candidate, shape: PropertyShape) -> int | None:
        if shape.value_type is not ValueType.ENTITY:
            return None
        return self._ensure(candidate.value, shape.value_kind, candidate)

    def _ensure(self, name: str, kind: str, candidate: Candidate) -> int:
        entity_id = resolution.ensure_entity(
            self._db,
            name,
            kind,
            turn_id=candidate.turn_id,
            recorded_at_ms=self._recorded_at_ms,
            run_id=candidate.run_id,
        )
        entities.append_mention(self._db, entity_id, candidate.turn_id, "mentioned")
        known = self._identities.pop(name, None)
        if known is not None and known.entity_id != entity_id:
            entities.append_link(
                self._db,
                entity_id,
                known.entity_id,
                "same_as",
                "model",
                known.reason,
                self._recorded_at_ms,
            )
        return entity_id

    def _event(
        self,
        turn: Turn,
        candidate: Candidate,
        shape: PropertyShape,
        dated: Dated,
        people: tuple[int, int],
        quote: Quote,
    ) -> int:
        """Return the event a fact hangs on; facts of one sentence share its statement."""
        happened = bool(shape.event_type) and candidate.holds
        key = (turn.id, candidate.sentence_start, shape.event_type if happened else "statement")
        if key in self._events:
            return self._events[key]
        subject_id, speaker_id = people
        said = Bound(turn.said_at_ms, turn.said_at_ms, Precision.INSTANT, TimeSource.MESSAGE_TIME)
        event = NewEvent(
            type=key[2],
            summary=_summary(shape, candidate) if happened else quote.text,
            validity=dated.validity if happened else Validity(said, said),
            quotes=(quote,),
            modality=dated.modality if happened else Modality.ASSERTED,
            # Who takes part in a statement is told by the facts that it carries.
            participants=((subject_id, "subject"), (speaker_id, "speaker")) if happened else (),
            run_id=candidate.run_id,
        )
        number = events.append_event(self._db, event, recorded_at_ms=self._recorded_at_ms)
        self._events[key] = number
        self.done.events += 1
        return number

    def _link(self, number: int, fact: NewFact, shape: PropertyShape, earlier: list[Fact]) -> None:
        """Note which earlier facts say the same, and which cannot be true beside it."""
        for one in earlier:
            same_value = normalise(one.value) == normalise(fact.value)
            if same_value and one.polarity == fact.polarity:
                kind, reason = LinkKind.CORROBORATES, "the same was said again"
            elif shape.fixed and not same_value:
                kind, reason = LinkKind.CONTRADICTS, "this cannot change, and two values were said"
            else:
                continue
            facts.append_link(self._db, number, one.id, kind, "rule", reason, self._recorded_at_ms)


def _is_of_leaving(candidate: Candidate) -> bool:
    """Whether it says of a job that it was left: "I left Harrow" is said of towns as well."""
    return candidate.shape == "left_job" or (candidate.shape == "works_at" and not candidate.holds)


def _quote(turn: Turn, candidate: Candidate) -> Quote:
    """Cut the proof from the turn itself: links and code were blanked out for reading."""
    start, end = candidate.sentence_start, candidate.sentence_end
    return Quote(turn.id, start, end, turn.text[start:end])


def _is_same(known: Fact, new: Candidate) -> bool:
    """Whether the very same reading of the same turn is stored already."""
    return (
        normalise(known.value) == normalise(new.value)
        and known.polarity == new.holds
        and any(one.turn_id == new.turn_id for one in known.evidence)
    )


def _summary(shape: PropertyShape, candidate: Candidate) -> str:
    return shape.sentence(candidate.who, candidate.value, candidate.property)


def _plain(shape: PropertyShape) -> ValueType:
    return ValueType.STRING if shape.value_type is ValueType.ENTITY else shape.value_type


def _finished(dated: Dated, shape: PropertyShape, turn: Turn) -> Validity:
    """Give something done its end: it was over within the span told, or when it was told."""
    told = dated.validity
    if shape.memory_type is not MemoryType.ACTION or dated.modality is not Modality.ASSERTED:
        return told
    if told.end is not None:
        return told
    if told.start.earliest_ms is None:
        over = Bound(None, turn.said_at_ms, Precision.UNKNOWN, TimeSource.MESSAGE_TIME)
        return replace(told, end=over)
    return replace(told, end=told.start)
