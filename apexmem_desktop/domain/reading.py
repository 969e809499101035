"""What somebody sees who reads a conversation, or looks at the work that is still to be done."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TurnFilter:
    """Which turns of a conversation are shown; empty means all.

    Attributes:
        speaker: Only turns of this speaker, by the name that the turns bear.
        from_ms: Only turns said at or after this UTC instant.
        to_ms: Only turns said before this UTC instant.
        kind: Only turns of this kind, e.g. "media".
        with_facts: Only turns that prove a fact.
    """

    speaker: str = ""
    from_ms: int | None = None
    to_ms: int | None = None
    kind: str = ""
    with_facts: bool = False


ALL_TURNS = TurnFilter()


@dataclass(frozen=True, slots=True)
class MarginFact:
    """A fact that a turn proves, as it is told beside that turn.

    Attributes:
        start: Offset of the quote in the turn's text, in characters; `end` is behind its last.
    """

    fact_id: int
    subject_id: int
    subject: str
    property: str
    value: str
    polarity: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ChatQueue:
    """How far a conversation has been read into the graph.

    Attributes:
        pending: Turns that wait.
        read: Turns that were read.
        passed_over: Turns that hold nothing to read.
        failed: Turns whose reading failed.
        priority: The highest among the waiting turns; 0 where none waits.
    """

    conversation_id: int
    title: str
    pending: int
    read: int
    passed_over: int
    failed: int
    priority: int


@dataclass(frozen=True, slots=True)
class FailedTurn:
    """A turn whose reading failed, and why."""

    turn_id: int
    speaker: str
    said_at_ms: int | None
    offset_minutes: int
    text: str
    reason: str
    attempts: int


@dataclass(frozen=True, slots=True)
class DroppedCandidate:
    """What was read in a turn and not stored, and why.

    Attributes:
        candidate: Whom, which property and which value it told, parted by " | ".
    """

    turn_id: int
    speaker: str
    said_at_ms: int | None
    offset_minutes: int
    text: str
    candidate: str
    reason: str
    recorded_at_ms: int


@dataclass(frozen=True, slots=True)
class Drops:
    """Candidates that did not stand.

    Attributes:
        counts: How many there are for each reason, the most frequent first.
        newest: The newest of them, or of those with the reason that was asked for.
    """

    counts: dict[str, int]
    newest: tuple[DroppedCandidate, ...]


@dataclass(frozen=True, slots=True)
class QueueOverview:
    """How far the whole memory has been read into the graph.

    Attributes:
        passed_over: Turns that hold nothing to read.
        read_by_others: Turns that another model than the one in use has read; it may read more.
        failures: The newest of those that failed, each with its reason.
    """

    pending: int
    read: int
    passed_over: int
    failed: int
    read_by_others: int
    failures: tuple[FailedTurn, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """The computer that all this runs on; 0 stands for what it does not tell.

    Attributes:
        cores: Threads that can run at once.
        on_battery: Whether it runs on its battery now; no where it does not tell.
        tells_power: Whether it tells that at all.
        processor: What it calls its processor; "" where it does not tell.
    """

    memory_bytes: int
    free_bytes: int
    cores: int
    on_battery: bool
    tells_power: bool = True
    processor: str = ""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """How a model did on this machine.

    Attributes:
        right: Questions of a fixed few that it answered rightly.
        asked: How many there were.
        reading_per_s: Pieces of words that it reads a second.
        writing_per_s: Pieces of words that it writes a second.
        seconds: What the test took, loading included.
        at_ms: When that was; UTC milliseconds.
        machine: The processor and its threads, for a folder that moves to another computer.
    """

    model: str
    right: int
    asked: int
    reading_per_s: float
    writing_per_s: float
    seconds: float
    at_ms: int = 0
    machine: str = ""
