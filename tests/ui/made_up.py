"""Hand-made values for the window's tests: two friends, a move, a plan, a contradiction."""

from dataclasses import replace
from datetime import UTC, datetime

from apexmem_desktop.domain.answers import (
    Answer,
    Citation,
    Conflict,
    SearchResult,
    Step,
    TurnHit,
    Usage,
)
from apexmem_desktop.domain.graph import (
    Entity,
    Evidence,
    Fact,
    FactStatus,
    MemoryType,
    Modality,
    ValueType,
)
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.reports import (
    ConversationSummary,
    FileReport,
    ImportProblem,
    ModelSummary,
    SourceSummary,
    TimelineItem,
    VaultStatus,
)
from apexmem_desktop.domain.turn import Role, Turn, TurnKind

DAY_MS = 86_400_000


def at(text: str) -> int:
    """UTC milliseconds of an ISO date."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


NOW_MS = at("2024-03-01T12:00")


def bound(first: str, last: str = "", precision: Precision = Precision.DAY) -> Bound:
    """A stated bound from a day, or somewhere between two days."""
    return Bound(at(first), at(last or first), precision, TimeSource.STATED)


def said_by(day: str) -> Bound:
    """Held when it was said; since when is not known."""
    return Bound(None, at(day), Precision.UNKNOWN, TimeSource.MESSAGE_TIME)


SAYINGS = (
    ("Nora Lind", "2023-02-11T09:12", "Morning! I finally signed the lease in Harbour Street 😀"),
    ("Ben Okafor", "2023-02-11T09:14", "So you are really leaving Millbrook?"),
    ("Nora Lind", "2023-02-11T09:15", "Yes. I moved to Eastport yesterday, boxes everywhere."),
    ("Nora Lind", "2023-02-11T09:15", "The kitchen is tiny but the light is lovely."),
    ("Ben Okafor", "2023-02-11T09:31", "Then we must try Blue Lantern, it is around the corner."),
    ("", "2023-02-11T09:40", "Nora changed the group's picture"),
    ("Nora Lind", "2023-02-12T19:02", "Blue Lantern is my new favourite restaurant!"),
    ("Ben Okafor", "2023-02-12T19:05", "שלום! אמרתי לך שזה טוב"),
    ("Nora Lind", "2023-02-12T19:06", "我下周要去上海，回来再聊。"),
    ("Ben Okafor", "2023-02-12T19:20", "Safe travels"),
)


def turns() -> tuple[Turn, ...]:
    """A short conversation of many kinds of text."""
    return tuple(
        Turn(
            id=number,
            session_id=1,
            conversation_id=1,
            speaker=speaker,
            role=Role.PERSON,
            kind=TurnKind.MESSAGE if speaker else TurnKind.NOTICE,
            text=text,
            said_at_ms=at(when),
            offset_minutes=60,
            position=number - 1,
            session_title="Nora & Ben",
        )
        for number, (speaker, when, text) in enumerate(SAYINGS, start=1)
    )


def evidence(number: int, quote: str) -> Evidence:
    """The proof in one of the sayings."""
    turn = turns()[number - 1]
    start = turn.text.index(quote)
    return Evidence(
        turn.id,
        1,
        "Nora & Ben",
        turn.speaker,
        turn.said_at_ms,
        turn.offset_minutes,
        quote,
        start,
        start + len(quote),
    )


def fact(
    number: int,
    prop: str,
    value: str,
    start: Bound,
    end: Bound | None = None,
    status: FactStatus = FactStatus.CURRENT,
    *,
    single: bool = True,
    confidence: float = 0.86,
    proof: Evidence | None = None,
) -> Fact:
    """A fact about Nora."""
    planned = status is FactStatus.PLANNED
    return Fact(
        id=number,
        subject_id=1,
        subject="Nora Lind",
        property_id=1,
        property=prop,
        value=value,
        value_type=ValueType.STRING,
        polarity=True,
        modality=Modality.PLANNED if planned else Modality.ASSERTED,
        memory_type=MemoryType.FACT,
        valid_from=start,
        valid_to=None,
        effective_to=end,
        confidence=confidence,
        holder="Nora Lind",
        recorded_at_ms=NOW_MS,
        phrase="",
        status=status,
        single_valued=single,
        evidence=(proof or evidence(3, "I moved to Eastport yesterday"),),
    )


FACTS = (
    fact(1, "lives_in", "Eastport", bound("2023-02-10")),
    fact(2, "lives_in", "Millbrook", said_by("2021-06-01"), bound("2023-02-10"), FactStatus.PAST),
    fact(
        3,
        "favourite_restaurant",
        "Blue Lantern",
        bound("2023-02-12"),
        bound("2023-11-01", "2023-12-01", Precision.MONTH),
        FactStatus.PAST,
        proof=evidence(7, "Blue Lantern is my new favourite restaurant"),
    ),
    fact(4, "favourite_restaurant", "Saffron", bound("2023-11-01", "2023-12-01", Precision.MONTH)),
    fact(
        5,
        "works_at",
        "Northwind Press",
        bound("2022-01-01", "2022-12-31", Precision.YEAR),
        status=FactStatus.CONTESTED,
        confidence=0.55,
    ),
    fact(
        6,
        "works_at",
        "Lumen Studio",
        bound("2023-05-01"),
        status=FactStatus.CONTESTED,
        confidence=0.6,
    ),
    fact(7, "visits", "Shanghai", bound("2024-05-01"), status=FactStatus.PLANNED, confidence=0.7),
    fact(8, "likes", "climbing", bound("2021-09-01"), bound("2022-12-01"), FactStatus.PAST),
    fact(9, "likes", "climbing", bound("2023-08-01"), single=False),
    fact(10, "likes", "strong coffee", said_by("2022-03-01"), single=False),
)

NORA = Entity(1, "Nora Lind", "person", ("Nora",), True, 10, 128, at("2021-06-01"), NOW_MS)
ENTITIES = (
    NORA,
    Entity(2, "Ben Okafor", "person", (), True, 4, 97, at("2021-06-01"), NOW_MS),
    Entity(3, "Eastport", "place", (), False, 2, 12, at("2023-02-11"), NOW_MS),
    Entity(4, "Blue Lantern", "organization", (), False, 1, 6, at("2023-02-12"), NOW_MS),
)


def timeline_items() -> tuple[TimelineItem, ...]:
    """Nora's facts as bars and some events as points."""
    items = [
        TimelineItem(
            kind="fact",
            lane=one.property,
            label=one.value,
            start=one.valid_from,
            end=one.effective_to,
            confidence=one.confidence,
            planned=one.status is FactStatus.PLANNED,
            contested=one.status is FactStatus.CONTESTED,
            fact_id=one.id,
            event_id=None,
            evidence=one.evidence,
        )
        for one in FACTS
    ]
    for number, (day, what) in enumerate(
        (
            ("2022-04-02", "Broke her ankle while climbing"),
            ("2023-02-10", "Moved to Eastport"),
            ("2023-06-20", "Ben's birthday dinner at Blue Lantern"),
            ("2023-07-01", "Bought a second-hand bicycle"),
        )
    ):
        item = TimelineItem(
            "event", "event", what, bound(day), None, 0.8, False, False, None, number, ()
        )
        items.append(replace(item, people=("Ben Okafor",) if "Ben" in what else ()))
    return tuple(items)


def hits() -> tuple[TurnHit, ...]:
    """What a search for a restaurant finds."""
    return tuple(
        TurnHit(
            turn.id,
            1,
            "Nora & Ben",
            turn.speaker,
            turn.said_at_ms,
            60,
            turn.text,
            1.0 / turn.id,
            ("words",),
        )
        for turn in turns()
        if turn.speaker
    )


def answer(question: str = "Where does Nora live now?") -> Answer:
    """An answer with two sources and a contradiction."""
    quote = "I moved to Eastport yesterday"
    first = evidence(3, quote)
    citations = (
        Citation(1, 3, 1, "Nora & Ben", "Nora Lind", first.said_at_ms, 60, quote, 5, 34),
        Citation(
            2, 1, 1, "Nora & Ben", "Nora Lind", first.said_at_ms, 60, "signed the lease", 21, 37
        ),
    )
    steps = (
        Step("EntityLookup", '{"name": "Nora"}', "Nora Lind (person): lives in Eastport", 14),
        Step(
            "GraphSQL", "SELECT value, valid_from FROM v_facts LIMIT 5", "Eastport | 2023-02-10", 3
        ),
    )
    return Answer(
        question,
        "Nora lives in Eastport; she moved there on 10 February 2023 [1], after signing a "
        "lease in Harbour Street [2].",
        abstained=False,
        summary="Eastport since 10 February 2023; Millbrook before.",
        citations=citations,
        facts=FACTS[:2],
        conflicts=(Conflict("works_at", (FACTS[4], FACTS[5])),),
        steps=steps,
        usage=Usage(2, 1840, 96, 180, 4200),
        evidence=hits()[:5],
        dropped=("Ben's question: asks, states nothing",),
        understood=(("Nora", "person Nora Lind"), ("now", "today")),
    )


def model(name: str, use: str, *, present: bool, in_use: bool) -> ModelSummary:
    """A model of the catalogue."""
    return ModelSummary(
        name=name,
        title=name.replace("-", " ").title(),
        use=use,
        file=f"{name}.gguf",
        bytes=1_117_320_768 if use == "language" else 91_000_000,
        sha256="0" * 64,
        licence="Apache-2.0",
        memory_bytes=2_400_000_000 if use == "language" else 0,
        present=present,
        verified=present,
        in_use=in_use,
        can_pull=True,
    )


MODELS = (
    model("small-writer-1.5b", "language", present=True, in_use=True),
    model("tiny-writer-0.5b", "language", present=False, in_use=False),
    model("finder-mini", "embedding", present=True, in_use=True),
)

CONVERSATIONS = (
    ConversationSummary(
        1, "Nora & Ben", "whatsapp", 10, at("2023-02-11"), NOW_MS, ("Nora Lind", "Ben Okafor")
    ),
    ConversationSummary(
        2, "Trip to the coast", "whatsapp", 340, at("2022-07-01"), NOW_MS, ("Ben Okafor", "Mia")
    ),
    ConversationSummary(
        3, "Ideas for a novel", "chatgpt", 56, at("2023-09-01"), NOW_MS, ("You", "ChatGPT")
    ),
)

PROBLEMS = (ImportProblem("line 14", "not the start of a message"),)
SOURCES = (
    SourceSummary(
        1, "Chat with Ben.txt", "whatsapp", "Europe/Oslo", "dmy", True, NOW_MS, 350, 0, ()
    ),
    SourceSummary(
        2, "Coast group.zip", "whatsapp", "Europe/Oslo", "mdy", False, NOW_MS, 340, 12, PROBLEMS
    ),
)

STATUS = VaultStatus(746, 41, 4, 10, 4, 120, 0, 1_843_200, MODELS)
EMPTY = VaultStatus(0, 0, 0, 0, 0, 0, 0, 90_112, MODELS)
FOUND = SearchResult(turns=hits(), facts=FACTS[:1], entities=(NORA,))


def report(
    *, new: int = 340, known: int = 0, certain: bool = False, order: str = "dmy"
) -> FileReport:
    """A file's preview, or its import."""
    return FileReport(
        file="Coast group.zip",
        format="whatsapp",
        sessions=12,
        turns_new=new,
        turns_known=known,
        first_at_ms=at("2022-07-01"),
        last_at_ms=at("2022-12-04"),
        speakers=("Ben Okafor", "Mia", "Nora Lind"),
        date_order=order,
        date_order_certain=certain,
        zone="Europe/Oslo",
        problems=PROBLEMS,
        titles=("Coast group",),
    )
