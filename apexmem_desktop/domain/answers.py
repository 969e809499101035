"""What asking gives back: the answer, its proof, and how it was found."""

from dataclasses import dataclass

from apexmem_desktop.domain.graph import Entity, Event, Fact
from apexmem_desktop.domain.turn import Role


@dataclass(frozen=True, slots=True)
class TurnHit:
    """A turn that a search found.

    Attributes:
        score: Fused score, higher is better; comparable within one search only.
        zone: Time zone of the clock it was said by; "" where only the offset is known.
        role: Who the speaker is in the conversation: an assistant tells nothing of the user.
        why: The signals that found it, e.g. ("words", "meaning", "neighbour").
    """

    turn_id: int
    session_id: int
    session_title: str
    speaker: str
    said_at_ms: int | None
    offset_minutes: int
    text: str
    score: float
    why: tuple[str, ...] = ()
    zone: str = ""
    role: Role = Role.PERSON


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found among turns, facts, entities and events."""

    turns: tuple[TurnHit, ...] = ()
    facts: tuple[Fact, ...] = ()
    entities: tuple[Entity, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A turn that proves part of an answer. `number` is the [n] in the answer's text."""

    number: int
    turn_id: int
    session_id: int
    session: str
    speaker: str
    said_at_ms: int | None
    offset_minutes: int
    quote: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Conflict:
    """Facts that cannot all hold and were said with equal right."""

    property: str
    sides: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call on the way to an answer."""

    tool: str
    arguments: str
    result: str
    ms: int
    error: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer cost.

    Attributes:
        ms_first_evidence: From the question to the first evidence that was shown.
        ms_first_words: From the question to the first words of the answer.
    """

    model_calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    ms_first_evidence: int = 0
    ms_total: int = 0
    ms_first_words: int = 0


ALL_TOOLS = ("SchemaViewer", "EntityLookup", "GraphSQL", "Search")
"""The agent's four tools, by the names that the model and the trace see."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a question is to be understood.

    Attributes:
        as_of_ms: Answer with what held at this UTC instant; None for "now".
        known_at_ms: Use only what had been recorded by then; None for everything.
        now_ms: What "today" is for the question; None for the clock.
        zone: IANA zone whose calendar the question's words mean; "" for the computer's.
        use_model: False stops at the evidence.
        earlier: Questions and answers before in the same dialogue, oldest first.
        dialogue_id: The dialogue that this question goes on with; None begins one.
        is_kept: False leaves no trace: the same question is asked in earnest elsewhere.
        tools: Names of the tools that may be used; fewer only to measure what each is worth.
    """

    as_of_ms: int | None = None
    known_at_ms: int | None = None
    now_ms: int | None = None
    zone: str = ""
    use_model: bool = True
    earlier: tuple[tuple[str, str], ...] = ()
    dialogue_id: int | None = None
    is_kept: bool = True
    tools: tuple[str, ...] = ALL_TOOLS


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, or an honest "not in your memory".

    Attributes:
        understood: How the question was read: (what, as what).
        read_as: The question with what was asked before, where it does not stand alone.
        as_of_ms: The instant that it was asked for; None for "now".
        number: What it is kept under; 0 where it is not.
        dialogue_id: The dialogue that it belongs to, by the number of its first answer.
    """

    question: str
    answer: str
    abstained: bool
    summary: str
    citations: tuple[Citation, ...]
    facts: tuple[Fact, ...]
    conflicts: tuple[Conflict, ...]
    steps: tuple[Step, ...]
    usage: Usage
    evidence: tuple[TurnHit, ...] = ()
    dropped: tuple[str, ...] = ()
    understood: tuple[tuple[str, str], ...] = ()
    read_as: str = ""
    as_of_ms: int | None = None
    number: int = 0
    dialogue_id: int = 0


@dataclass(frozen=True, slots=True)
class DialogueSummary:
    """Questions that were asked one after the other, each knowing those before it.

    Attributes:
        title: The first question.
    """

    id: int
    title: str
    questions: int
    last_asked_at_ms: int


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """Sent while asking: evidence is there, before the model has said a word."""

    hits: tuple[TurnHit, ...]
    facts: tuple[Fact, ...]
    ms: int


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """Sent while asking: the short answer, once all of its checks are passed. It stays."""

    text: str


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """Sent while asking: one more sentence behind the answer, with what it cites. It stays."""

    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingTurns:
    """Sent while asking: the model begins to read so many of the turns found."""

    turns: int


@dataclass(frozen=True, slots=True)
class StepDone:
    """Sent while asking: one tool has answered."""

    step: Step


AskNews = EvidenceFound | ReadingTurns | AnswerPart | SummaryPart | StepDone
