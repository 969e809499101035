"""What a service tells when it is done."""

from dataclasses import dataclass, field

from apexmem_desktop.domain.graph import Evidence, Fact
from apexmem_desktop.domain.interval import Bound, Certainty

YEAR_ASKED = "some of its dates name no year"
"""How the problem begins that asks for one."""


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """What the user decided about an import; empty means: find out.

    Attributes:
        zone: IANA name of the zone whose clock wrote the times; "" for the computer's.
        date_order: "dmy", "mdy", "ymd" or "" to decide from the file.
        format: Importer name or "" to recognise it by content.
        erased_too: Bring back turns that the user erased.
        keep_branches: Keep the branches of AI chats that were left, as alternatives.
        owner: Who the user is, for exports that call them only "You"; "" for what is remembered.
        chat_zones: Chats with a clock of their own: (title or id, IANA name of its zone).
        year: The last year of dates that name none; 0 to find out.
    """

    zone: str = ""
    date_order: str = ""
    format: str = ""
    erased_too: bool = False
    keep_branches: bool = False
    owner: str = ""
    chat_zones: tuple[tuple[str, str], ...] = ()
    year: int = 0


@dataclass(frozen=True, slots=True)
class ReadChat:
    """One chat of an export.

    Attributes:
        external_id: The export's own id; "" where it has none.
        zone: IANA name of the zone whose clock it was written by; "" when the export says it.
    """

    external_id: str
    title: str
    zone: str


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """Something in an export that could not be read, or was left out on purpose; the rest was.

    Attributes:
        turns: How many messages it kept out, where that is known.
        expected: Left out on purpose, as thoughts are and hidden texts: no fault of the file.
    """

    where: str
    what: str
    turns: int = 0
    expected: bool = False


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file's import, or its preview.

    Attributes:
        offset_minutes: Offset from UTC of the clock of the last turn.
        first_offset_minutes: Offset from UTC of the clock of the first turn.
        turns_erased: Turns that stayed out because the user erased them earlier.
        skipped: What was left out on purpose, each with its reason and count.
        turns_skipped: Messages that were read and are neither new, known nor erased.
        owner: Whom "You" of the export stands for; "" when nobody said so.
        owner_asked: The export does not tell who of it is the user, and nobody ever said it.
        people: How speakers relate to whom the memory knew already.
        chats: Every chat in it, in the order of the export.
    """

    file: str
    format: str
    sessions: int
    turns_new: int
    turns_known: int
    first_at_ms: int | None
    last_at_ms: int | None
    speakers: tuple[str, ...]
    date_order: str
    date_order_certain: bool
    zone: str
    problems: tuple[ImportProblem, ...] = ()
    source_id: int | None = None
    titles: tuple[str, ...] = ()
    offset_minutes: int = 0
    first_offset_minutes: int = 0
    turns_erased: int = 0
    skipped: tuple[ImportProblem, ...] = ()
    turns_skipped: int = 0
    owner: str = ""
    owner_asked: bool = False
    people: tuple[str, ...] = ()
    chats: tuple[ReadChat, ...] = ()

    @property
    def turns_read(self) -> int:
        """Every message that the export holds: what is not stored now has a reason."""
        return self.turns_new + self.turns_known + self.turns_erased + self.turns_skipped


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What reading turns into the graph gave and cost.

    Attributes:
        turns_failed: Turns of which the model gave nothing usable, by reason.
        waited_s: Of the seconds, those waited for the model's process, its loading included.
        decode_s: Of these, those inside llama_decode.
        decoded_tokens: Tokens computed there: prompts without their kept parts, and replies.
    """

    turns_read: int = 0
    turns_gated_out: int = 0
    facts_new: int = 0
    facts_dropped: dict[str, int] = field(default_factory=dict)
    turns_failed: dict[str, int] = field(default_factory=dict)
    events_new: int = 0
    entities_new: int = 0
    model_calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    waited_s: float = 0.0
    decode_s: float = 0.0
    decoded_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Changes:
    """What a write touched; views refresh from this alone."""

    turns: bool = False
    entities: bool = False
    facts: bool = False
    sources: bool = False
    models: bool = False


@dataclass(frozen=True, slots=True)
class TimelineItem:
    """One line of an entity's timeline.

    Attributes:
        kind: "fact" or "event".
        lane: Property name of a fact, type of an event.
        planned: Whether it is a plan that nobody has said came true.
        denied: Whether it says that the value does not hold, or no longer; the label begins
            with "not ".
        people: Names of the people it names besides the one whose timeline it is.
        deed: The property of what was done once, with which the label begins; else "".
    """

    kind: str
    lane: str
    label: str
    start: Bound
    end: Bound | None
    confidence: float
    planned: bool
    contested: bool
    fact_id: int | None
    event_id: int | None
    evidence: tuple[Evidence, ...]
    denied: bool = False
    people: tuple[str, ...] = ()
    deed: str = ""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Somebody or something that a fact joins with another.

    Attributes:
        property_name: Of the fact.
        outgoing: Whether the fact is about the one asked for, and this its value.
    """

    entity_id: int
    name: str
    property_name: str
    outgoing: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """One change of a property between two days.

    Attributes:
        before: What held; None where something began.
        after: What followed; None where something ended.
        when: Between which instants it changed.
    """

    property_name: str
    before: Fact | None
    after: Fact | None
    when: Bound


@dataclass(frozen=True, slots=True)
class PlanOverlap:
    """Two plans of one entity whose times overlap, for certain or possibly."""

    first: TimelineItem
    second: TimelineItem
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class SqlResult:
    """Rows of one GraphSQL query."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    truncated: bool
    ms: int


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the vault's integrity."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """One copy of a memory file that can be restored.

    Attributes:
        path: The whole path, as text.
        automatic: The program made it by itself, beside the memory file.
    """

    path: str
    bytes: int
    made_at_ms: int
    automatic: bool


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What a restore did.

    Attributes:
        restored_from: Path of the backup.
        kept_aside: Path of the memory file as it was before; "" when there was none.
    """

    restored_from: str
    kept_aside: str
    turns: int
    facts: int


@dataclass(frozen=True, slots=True)
class EraseScope:
    """What the user wants erased.

    Attributes:
        kind: "entity", "source" or "all".
        id: Number of the entity or the source.
        with_mentions: For an entity: turns of others that speak of it go too. Without them its
            name is still found in those.
    """

    kind: str
    id: int = 0
    with_mentions: bool = True


@dataclass(frozen=True, slots=True)
class EraseReport:
    """What an erasure took, or would take.

    Attributes:
        what: The name of the entity or the file; "everything".
        turns_by_others: Of the turns, those that others said and that speak of the entity.
        answers: Past answers with their steps; they may quote what goes.
        copies: The program's own copies of the memory, which go too.
        backups_kept: Backups that the user made; they still hold all of it.
        not_sought: Names of the entity that were not looked for in the words of others, since
            somebody else has them too or they are too common.
        finished: Whether the file was written anew, so that no byte is left.
        bytes_freed: What the memory file shrank by.
    """

    what: str
    turns: int
    turns_by_others: int
    facts: int
    events: int
    entities: int
    sources: int
    conversations: int
    answers: int
    copies: tuple[str, ...]
    backups_kept: tuple[str, ...]
    not_sought: tuple[str, ...] = ()
    finished: bool = False
    bytes_freed: int = 0


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote.

    Attributes:
        counted: How many of each kind.
    """

    folder: str
    form: str
    counted: dict[str, int]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """One import as the Imports place lists it."""

    id: int
    file: str
    format: str
    zone: str
    date_order: str
    date_order_certain: bool
    imported_at_ms: int
    turns_new: int
    turns_known: int
    problems: tuple[ImportProblem, ...]


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """One model of the catalogue, and whether it is here.

    Attributes:
        stages: Which of "extraction", "resolution" and "answering" it does.
        pulled_bytes: What a fetch that was stopped has left here; the next one goes on with it.
    """

    name: str
    title: str
    use: str  # "language" or "embedding"
    file: str
    bytes: int
    sha256: str
    licence: str
    memory_bytes: int
    present: bool
    verified: bool
    in_use: bool
    can_pull: bool
    stages: tuple[str, ...] = ()
    pulled_bytes: int = 0


@dataclass(frozen=True, slots=True)
class VaultStatus:
    """Counts and sizes."""

    turns: int
    sessions: int
    entities: int
    facts: int
    events: int
    pending: int
    failed: int
    vault_bytes: int
    models: tuple[ModelSummary, ...] = ()
    encrypted: bool = False


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """One conversation as the Conversations place lists it."""

    id: int
    title: str
    format: str
    turns: int
    first_at_ms: int | None
    last_at_ms: int | None
    speakers: tuple[str, ...]
