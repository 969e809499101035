"""The temporal property graph: entities, events, properties, facts and their proof."""

from dataclasses import dataclass, field
from enum import StrEnum

from apexmem_desktop.domain.interval import Bound, Validity


class Modality(StrEnum):
    """In which sense something was said."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    HYPOTHETICAL = "hypothetical"
    NEGATED = "negated"
    ASKED = "asked"


class MemoryType(StrEnum):
    """What kind of memory a fact is."""

    FACT = "fact"
    PREFERENCE = "preference"
    GOAL = "goal"
    ACTION = "action"
    PLAN = "plan"
    HABIT = "habit"
    SUMMARY = "summary"


class ValueType(StrEnum):
    """The nine types a value can have, and a reference to an entity."""

    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"
    ENUM = "enum"
    URL = "url"
    LIST = "list"
    ENTITY = "entity"


class EntityRole(StrEnum):
    """What an entity is in the conversations it comes from."""

    SPEAKER = "speaker"
    LISTENER = "listener"
    AGENT = "agent"
    MENTIONED = "mentioned"


class FactStatus(StrEnum):
    """What a fact is at the time asked about."""

    CURRENT = "current"
    PAST = "past"
    PLANNED = "planned"
    CONTESTED = "contested"
    REJECTED = "rejected"


class LinkKind(StrEnum):
    """How one fact bears on another."""

    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    CORROBORATES = "corroborates"
    ELABORATES = "elaborates"
    CAUSES = "causes"
    POSSIBLY_CAUSES = "possibly_causes"
    PRECEDES = "precedes"
    PART_OF = "part_of"
    RESULT_OF = "result_of"


@dataclass(frozen=True, slots=True)
class Quote:
    """The words in a turn that prove something, by character offsets into its text."""

    turn_id: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote with what a reader needs to judge it.

    Attributes:
        zone: Time zone by whose calendar its words mean days; "" where only the offset is known.
        again_at_ms: When it was learned that these words say it again; None for the words that the
            fact or event was stored with. Each saying again proves the fact by itself.
    """

    turn_id: int
    session_id: int
    session_title: str
    speaker: str
    said_at_ms: int | None
    offset_minutes: int
    quote: str
    start: int
    end: int
    zone: str = ""
    again_at_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, place or thing."""

    id: int
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    is_speaker: bool = False
    fact_count: int = 0
    mention_count: int = 0
    first_at_ms: int | None = None
    last_at_ms: int | None = None
    role: EntityRole = EntityRole.MENTIONED


@dataclass(frozen=True, slots=True)
class Property:
    """A canonical property name. Only single-valued properties end their earlier values."""

    id: int
    name: str
    value_type: ValueType
    single_valued: bool
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact about to be appended; it must bring at least one quote.

    Attributes:
        holder_id: Entity who said or holds it; None when unknown.
        event_id: The event it hangs on (paper: every fact hangs on an event).
        confidence: 0.0 to 1.0, measured.
        value_entity_id: Set when value_type is ENTITY; `value` is then its name.
    """

    subject_id: int
    property_id: int
    value: str
    value_type: ValueType
    validity: Validity
    quotes: tuple[Quote, ...]
    confidence: float
    modality: Modality = Modality.ASSERTED
    memory_type: MemoryType = MemoryType.FACT
    polarity: bool = True
    holder_id: int | None = None
    event_id: int | None = None
    value_entity_id: int | None = None
    run_id: int | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A stored fact as a reader sees it.

    Attributes:
        status: As of the time asked about.
        effective_to: When it stopped holding: stated, or worked out from the next value of the
            same single-valued property; None while it holds.
        holder: Name of who said or holds it.
        ruled: What the user ruled of it and did not take back: "confirm", "pin" and so on, or "".
    """

    id: int
    subject_id: int
    subject: str
    property_id: int
    property: str
    value: str
    value_type: ValueType
    polarity: bool
    modality: Modality
    memory_type: MemoryType
    valid_from: Bound
    valid_to: Bound | None
    effective_to: Bound | None
    confidence: float
    holder: str
    recorded_at_ms: int
    phrase: str
    status: FactStatus
    single_valued: bool = True
    value_entity_id: int | None = None
    event_id: int | None = None
    evidence: tuple[Evidence, ...] = ()
    links: tuple["FactLink", ...] = ()
    ruled: str = ""

    def judged(self, status: FactStatus, effective_to: Bound | None) -> "Fact":
        """Give the same fact with what was found of it; itself where it says so already.

        Thousands are judged for one question, and `dataclasses.replace` takes three times as long.
        """
        if self.status is status and self.effective_to == effective_to:
            return self
        return Fact(
            self.id, self.subject_id, self.subject, self.property_id, self.property,
            self.value, self.value_type, self.polarity, self.modality, self.memory_type,
            self.valid_from, self.valid_to, effective_to, self.confidence, self.holder,
            self.recorded_at_ms, self.phrase, status, self.single_valued,
            self.value_entity_id, self.event_id, self.evidence, self.links, self.ruled,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class FactLink:
    """How one fact bears on another, by whom, and why."""

    from_id: int
    to_id: int
    kind: LinkKind
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class NewEvent:
    """Something that happened, or that a fact hangs on."""

    type: str
    summary: str
    validity: Validity
    quotes: tuple[Quote, ...]
    modality: Modality = Modality.ASSERTED
    participants: tuple[tuple[int, str], ...] = ()  # (entity id, role in the event)
    place_id: int | None = None
    run_id: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A stored event."""

    id: int
    type: str
    summary: str
    modality: Modality
    start: Bound
    end: Bound | None
    place: str = ""
    participants: tuple[tuple[int, str, str], ...] = ()  # (entity id, name, role)
    evidence: tuple[Evidence, ...] = field(default=())
