"""Writes what stood the checks: the event, the facts that hang on it, their proof, their links."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from apexmem_desktop.building import again, identity, joining, linking, reasons, resolution
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.dating import Dated, date_candidate
from apexmem_desktop.building.identity import Identity
from apexmem_desktop.building.linking import Bond, Stored
from apexmem_desktop.building.namesakes import Told, how_told, why_another
from apexmem_desktop.building.ontology import PropertyShape, load_shapes
from apexmem_desktop.building.together import named_with
from apexmem_desktop.domain.graph import (
    Evidence,
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
from apexmem_desktop.domain.topics import rival_names
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.storage import drops, entities, events, facts, properties, rulings
from apexmem_desktop.storage.evidence import Again, append_again
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.told import find_values
from apexmem_desktop.storage.vault import Connection

NEW_NAME = "a near name, taken for somebody or something new"
OPEN_NAME = "a near name, left open"


@dataclass(slots=True)
class Appended:
    """What a batch wrote.

    Attributes:
        again: Known facts that something was more proof of.
        found_again: Facts of earlier readings of these turns that this one read as well.
    """

    facts: list[int] = field(default_factory=list)
    again: list[int] = field(default_factory=list)
    events: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    found_again: set[int] = field(default_factory=set)


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
        self._of_turn: list[Stored] = []  # of the turn that is being appended
        self._heard: list[tuple[Turn, list[Stored]]] = []  # the newest turns, with their facts
        self._properties: dict[str, int] = {}
        self._speakers: dict[tuple[str, int], int] = {}  # by session, while no entity changes
        self.done = Appended()

    def speaker(self, turn: Turn) -> int:
        """Return the entity of a turn's speaker, and note that it spoke here."""
        key = (turn.speaker, turn.session_id)
        if key not in self._speakers:
            self._speakers[key] = resolution.ensure_speaker(
                self._db, turn.speaker, turn_id=turn.id, recorded_at_ms=self._recorded_at_ms
            )
        speaker_id = self._speakers[key]
        entities.append_mention(self._db, speaker_id, turn.id, "speaker")
        self._of_turn = []
        self._heard = [*self._heard[-2:], (turn, self._of_turn)]
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
            value_entity_id = self._value_entity(speaker_id, turn, candidate, shape)
        except resolution.AmbiguousNameError:
            self.drop(candidate, "several people have this name")
            return
        earlier = facts.find_facts(
            self._db, subject_ids=[subject_id], property_names=[candidate.property]
        )
        known_already = {one.id for one in earlier if _is_same(one, candidate)}
        if known_already:  # read again (a better model, a repeated build): nothing new
            self.done.found_again |= known_already
            return
        if self._is_refused(turn, candidate, earlier):
            self.drop(candidate, "you said that it is not so")
            return
        people = (subject_id, speaker_id)
        dated, fact = self._new_fact(turn, candidate, shape, people, value_entity_id)
        told = self._told_of_topic(subject_id, candidate.property, earlier)
        known = again.find_said_before(self._db, fact, turn.said_at_ms, told)
        if known is not None:
            again.append_proof(self._db, known, fact, recorded_at_ms=self._recorded_at_ms)
            self.done.again.append(known.id)
            self._link_within_turn(turn, Stored(known.id, fact, candidate, turn.said_at_ms))
            return
        event_id = self._event(turn, candidate, shape, dated, people, fact)
        fact = replace(fact, event_id=event_id)
        number = facts.append_fact(self._db, fact, recorded_at_ms=self._recorded_at_ms)
        self.done.facts.append(number)
        self._link(turn, Stored(number, fact, candidate, turn.said_at_ms), shape, told)
        self._part(number, subject_id, candidate.property, told)

    def _told_of_topic(self, subject_id: int, name: str, earlier: Sequence[Fact]) -> Sequence[Fact]:
        """What is known of a subject and topic; "hates" and "likes" are of one topic."""
        names = rival_names([name])
        if names == [name]:
            return earlier
        return facts.find_facts(self._db, subject_ids=[subject_id], property_names=names)

    def _part(self, number: int, subject_id: int, name: str, told: Sequence[Fact]) -> None:
        """Begin anew what was said again after something that is only read now took its place."""
        if not any(proof.again_at_ms for one in told for proof in one.evidence):
            return
        known = facts.find_facts(
            self._db, subject_ids=[subject_id], property_names=rival_names([name])
        )
        for fact, after in again.find_parted(number, known):
            part = again.renewed(self._db, fact, after, self._statement(after[0]))
            made = facts.append_fact(self._db, part, recorded_at_ms=self._recorded_at_ms)
            self.done.facts.append(made)
            why = "the same was said again, after something else"
            facts.append_link(
                self._db, made, fact.id, LinkKind.CORROBORATES, "rule", why, self._recorded_at_ms
            )
            for proof in after[1:]:
                quote = Quote(proof.turn_id, proof.start, proof.end, proof.quote)
                append_again(
                    self._db, made, Again(quote, fact.confidence),
                    recorded_at_ms=self._recorded_at_ms,
                )  # fmt: skip

    def _statement(self, proof: Evidence) -> int:
        """Append the event of a saying that begins a fact anew."""
        said = Bound(proof.said_at_ms, proof.said_at_ms, Precision.INSTANT, TimeSource.MESSAGE_TIME)
        quote = Quote(proof.turn_id, proof.start, proof.end, proof.quote)
        event = NewEvent("statement", proof.quote, Validity(said, said), (quote,))
        self.done.events += 1
        return events.append_event(self._db, event, recorded_at_ms=self._recorded_at_ms)

    def _is_refused(self, turn: Turn, candidate: Candidate, earlier: Sequence[Fact]) -> bool:
        """Whether the user has said no to it since it was said: it must not come back."""
        alike = [one.id for one in earlier if _says_the_same(one, candidate)]
        refused_at = rulings.find_refused_at(self._db, alike) if alike else {}
        said_ms = turn.said_at_ms
        return any(said_ms is None or said_ms <= ruled_ms for ruled_ms in refused_at.values())

    def _new_fact(
        self,
        turn: Turn,
        candidate: Candidate,
        shape: PropertyShape,
        people: tuple[int, int],
        value_entity_id: int | None,
    ) -> tuple[Dated, NewFact]:
        """Date a candidate; `people` are subject and speaker. It hangs on no event yet."""
        dated = date_candidate(turn, candidate)
        dated = replace(dated, validity=_finished(dated, shape, turn))
        quote = _quote(turn, candidate)
        return dated, NewFact(
            subject_id=people[0],
            property_id=self._property(candidate.property, shape),
            value=candidate.value,
            value_type=shape.value_type if value_entity_id else _plain(shape),
            validity=dated.validity,
            quotes=(quote, *candidate.beside),
            confidence=candidate.confidence,
            modality=dated.modality,
            memory_type=shape.memory_type,
            polarity=candidate.holds,
            holder_id=people[1],
            value_entity_id=value_entity_id,
            run_id=candidate.run_id,
        )

    def _property(self, name: str, shape: PropertyShape) -> int:
        """Return the property of a name, made now if there is none; none changes in a batch."""
        if name not in self._properties:
            self._properties[name] = properties.ensure_property(
                self._db,
                name=name,
                value_type=shape.value_type,
                single_valued=shape.single_valued,
                recorded_at_ms=self._recorded_at_ms,
            ).id
        return self._properties[name]

    def _subject(
        self, speaker_id: int, turn: Turn, candidate: Candidate, shape: PropertyShape
    ) -> int:
        if candidate.who == turn.speaker:
            return speaker_id
        if candidate.of_speaker:
            self._speakers.clear()
            return resolution.ensure_relation(
                self._db,
                candidate.who,
                speaker_id,
                turn_id=turn.id,
                recorded_at_ms=self._recorded_at_ms,
            )
        kind = {"status": "place", "took_place_on": "thing", "closed": "place"}
        meant = kind.get(shape.name, resolution.SOMEONE)
        return self.ensure(candidate.who, meant, turn, speaker_id, candidate)

    def _value_entity(
        self, speaker_id: int, turn: Turn, candidate: Candidate, shape: PropertyShape
    ) -> int | None:
        if shape.name == "pet" and _is_name(candidate.value):
            return self.ensure(candidate.value, "animal", turn, speaker_id, candidate)
        if shape.value_type is not ValueType.ENTITY:
            return None
        kind = shape.value_kind
        if kind == "place":
            kind = resolution.kind_of_place(candidate.value)
        return self.ensure(candidate.value, kind, turn, speaker_id, candidate)

    def ensure(
        self, name: str, kind: str, turn: Turn, speaker_id: int, candidate: Candidate
    ) -> int:
        """Return the entity that a name in a candidate's sentence means, and note where it stands.

        Raises:
            AmbiguousNameError: Several bear the name.
        """
        self._speakers.clear()  # a new name, or two that are one, may make a speaker another
        newest = entities.newest_id(self._db)
        entity_id = resolution.ensure_entity(
            self._db,
            name,
            kind,
            turn_id=candidate.turn_id,
            recorded_at_ms=self._recorded_at_ms,
            run_id=candidate.run_id,
            told=how_told(name, candidate.sentence, speaker_id),
        )
        entities.append_mention(self._db, entity_id, candidate.turn_id, "mentioned")
        decided = self._identities.get(name)
        if decided is not None and decided.type in ("", _living(kind)):
            del self._identities[name]
        else:  # what was decided of a town is nothing to a person of its name
            decided = None
        if entity_id > newest:
            told = how_told(name, candidate.sentence, speaker_id)
            decided = self._by_rule(entity_id, name, kind, turn, candidate, told) or decided
        if decided is not None:
            self._join(entity_id, kind, decided, candidate.turn_id)
        return entity_id

    def _by_rule(
        self, entity_id: int, name: str, kind: str, turn: Turn, candidate: Candidate, told: Told
    ) -> Identity | None:
        """Find whose name a new entity bears, by a rule alone."""
        found = entities.find_entities(self._db, type=_living(kind), limit=identity.MAX_KNOWN)
        known = [one for one in found if one.id != entity_id]
        if kind in resolution.LIVING:
            known = [one for one in known if not why_another(self._db, one, name, told)]
        return identity.find_by_rule(known, name, turn, candidate.sentence)

    def _note_apart(self, decided: Identity, turn_id: int) -> None:
        """Keep why a near name was given an entity of its own, beside what did not stand.

        It is no fact that was dropped, so it is not counted among those.
        """
        drops.append_drop(
            self._db,
            turn_id=turn_id,
            reason=NEW_NAME if decided.choice is identity.Choice.PROPOSE_NEW else OPEN_NAME,
            candidate=(
                f"{decided.name} | {decided.choice.value} | {decided.type} | "
                f"{decided.confidence:.2f} | {decided.reason}"
            ),
            recorded_at_ms=self._recorded_at_ms,
        )

    def _join(self, entity_id: int, kind: str, decided: Identity, turn_id: int) -> None:
        """Link an entity with the one that it was decided to be."""
        if decided.choice is not identity.Choice.CHOOSE_EXISTING:
            self._note_apart(decided, turn_id)
            return
        other = decided.entity_id or self._find_named(decided.name, _living(kind))
        if other and other != entity_id:
            joining.join(self._db, entity_id, other, decided, self._recorded_at_ms)

    def _find_named(self, name: str, kind: str) -> int:
        try:
            found = resolution.find_entity(self._db, name, kind)
        except resolution.AmbiguousNameError:
            return 0
        return found.id if found else 0

    def _event(
        self,
        turn: Turn,
        candidate: Candidate,
        shape: PropertyShape,
        dated: Dated,
        people: tuple[int, int],
        fact: NewFact,
    ) -> int:
        """Return the event a fact hangs on; facts of one sentence share its statement."""
        happened = bool(shape.event_type) and candidate.holds
        key = (turn.id, candidate.sentence_start, shape.event_type if happened else "statement")
        subject_id, speaker_id = people
        if key in self._events:
            if happened:  # "Lena and I went": one trip of two
                events.append_participant(self._db, self._events[key], subject_id, "subject")
            return self._events[key]
        said = Bound(turn.said_at_ms, turn.said_at_ms, Precision.INSTANT, TimeSource.MESSAGE_TIME)
        thing = fact.value_entity_id if happened else None
        took_part = [(subject_id, "subject"), (speaker_id, "speaker")]
        if thing and shape.value_kind == "person" and thing not in people:
            took_part.append((thing, "mentioned"))
        if happened:
            beside = self._companions(turn, speaker_id, candidate)
            took_part += [(one, "with") for one in beside if one not in (*people, thing)]
        event = NewEvent(
            type=key[2],
            summary=_summary(shape, candidate) if happened else fact.quotes[0].text,
            validity=dated.validity if happened else Validity(said, said),
            quotes=fact.quotes[:1],
            modality=dated.modality if happened else Modality.ASSERTED,
            # Who takes part in a statement is told by the facts that it carries.
            participants=tuple(took_part) if happened else (),
            place_id=thing if shape.value_kind == "place" else None,
            run_id=candidate.run_id,
        )
        number = events.append_event(self._db, event, recorded_at_ms=self._recorded_at_ms)
        self._events[key] = number
        self.done.events += 1
        return number

    def _companions(self, turn: Turn, speaker_id: int, candidate: Candidate) -> list[int]:
        """Return whom "with Lena" behind a deed or its place names; an open name is left out."""
        found: list[int] = []
        for name, of_speaker in named_with(candidate):
            beside = replace(candidate, who=name, of_speaker=of_speaker)
            try:
                found.append(self._subject(speaker_id, turn, beside, load_shapes()["did"]))
            except resolution.AmbiguousNameError:
                continue
        return list(dict.fromkeys(found))

    def _link(self, turn: Turn, new: Stored, shape: PropertyShape, known: Sequence[Fact]) -> None:
        """Note how a fact bears on what else was told."""
        name = new.candidate.property
        bonds = [*linking.with_same_property(new, shape, known)]
        if name in linking.BEARS_ON_PLANS:
            bonds += linking.with_plans(new, self._told_alike(new, linking.BEARS_ON_PLANS))
        if name in linking.MAY_FOLLOW | linking.MAY_LEAD:
            related = linking.MAY_FOLLOW | linking.MAY_LEAD
            bonds += linking.possible_causes(new, self._told_soon(new, related))
        said = self._link_within_turn(turn, new)
        self._append_links(
            bond
            for bond in bonds
            if bond.kind is not LinkKind.POSSIBLY_CAUSES or (bond.from_id, bond.to_id) not in said
        )

    def _link_within_turn(self, turn: Turn, new: Stored) -> set[tuple[int, int]]:
        """Link what one message says by the words between; return which causes which."""
        others = [one for one in self._of_turn if one.id != new.id]
        bonds = list(reasons.within_turn(turn.text, new, others))
        bonds += reasons.in_answer(new, self._heard)
        self._append_links(bonds)
        self._of_turn.append(new)
        return {(one.from_id, one.to_id) for one in bonds if one.kind is LinkKind.CAUSES}

    def _append_links(self, bonds: Iterable[Bond]) -> None:
        for bond in bonds:
            facts.append_link(
                self._db, bond.from_id, bond.to_id, bond.kind, "rule", bond.reason,
                self._recorded_at_ms,
            )  # fmt: skip

    def _told_alike(self, new: Stored, names: frozenset[str]) -> list[Fact]:
        """Find what else was told of the subject of a fact, in words that both have."""
        values = find_values(
            self._db, subject_ids=[new.fact.subject_id], property_names=sorted(names)
        )
        alike = linking.sharing_words(new.fact.value, values)
        return self._others(new, alike)

    def _told_soon(self, new: Stored, names: frozenset[str]) -> list[Fact]:
        """Find what else was told of the subject of a fact shortly before it or after it."""
        if new.said_ms is None:
            return []
        values = find_values(
            self._db,
            subject_ids=[new.fact.subject_id],
            property_names=sorted(names),
            said_from_ms=new.said_ms - linking.MOST_MS_APART,
            said_to_ms=new.said_ms + linking.MOST_MS_APART,
        )
        return self._others(new, values)

    def _others(self, new: Stored, ids: Iterable[int]) -> list[Fact]:
        wanted = [number for number in ids if number != new.id]
        return facts.find_facts(self._db, ids=wanted) if wanted else []


def _is_of_leaving(candidate: Candidate) -> bool:
    """Whether it says of a job that it was left: "I left Harrow" is said of towns as well."""
    return candidate.shape == "left_job" or (candidate.shape == "works_at" and not candidate.holds)


def _living(kind: str) -> str:
    return "person" if kind == resolution.SOMEONE else kind


def _is_name(value: str) -> bool:
    """Whether a pet's value is its name: "a cat" is none."""
    return value[:1].isupper() and len(value.split()) == 1


def _quote(turn: Turn, candidate: Candidate) -> Quote:
    """Cut the proof from the turn itself: links and code were blanked out for reading."""
    start, end = candidate.sentence_start, candidate.sentence_end
    return Quote(turn.id, start, end, turn.text[start:end])


def _is_same(known: Fact, new: Candidate) -> bool:
    """Whether the very same reading of the same turn is stored already."""
    proven_here = any(one.turn_id == new.turn_id for one in known.evidence)
    return proven_here and _says_the_same(known, new)


def _says_the_same(known: Fact, new: Candidate) -> bool:
    return normalise(known.value) == normalise(new.value) and known.polarity == new.holds


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
