"""Asking a memory with a scripted model, and putting facts into it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from apexmem_desktop.agent.answering import Agent
from apexmem_desktop.agent.inquiry import Asked
from apexmem_desktop.agent.tools import QueryChange, as_written
from apexmem_desktop.domain.answers import Answer, AskNews, AskOptions
from apexmem_desktop.domain.graph import MemoryType, Modality, NewFact, Quote, ValueType
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.storage import turns
from apexmem_desktop.storage.facts import append_fact
from apexmem_desktop.storage.properties import ensure_property
from apexmem_desktop.storage.vault import Vault
from tests.fakes import HashEmbedder, Reply, ScriptedLanguage
from tests.recall.builders import ms, said
from tests.recall.chats import entity, store_chat

NOW = "2025-07-31T12:00"
ANA, BEN = "Ana Ruiz", "Ben Holt"
DAY_MS = 86_400_000
HASHING = HashEmbedder()


@dataclass
class Model:
    """What the model says: decisions in turn, and whether a proof tells an answer.

    Attributes:
        decisions: Replies to "answer or call a tool", in turn; the last one for ever.
        reads: What it copies from each turn that it is shown alone, or a function of its prompt.
        told: What it says to each proof, or a function of the prompt's last message.
        finds: What it copies when it is shown all turns, or a function of its prompt.
        whose: Whose name it puts into the gap of a question; None for the one that was named.
    """

    decisions: Iterable[Reply] = ("unknown",)
    told: Reply | Callable[[str], Reply] = "yes"
    reads: Reply | Callable[[str], Reply] = "none"
    finds: Reply | Callable[[str], Reply] = "none"
    whose: str | None = None

    def __post_init__(self) -> None:
        self._queue = list(self.decisions)
        self.language = ScriptedLanguage(self._reply)

    @property
    def decide_prompts(self) -> list[str]:
        """The last message of each "answer or call a tool"."""
        return [
            r.messages[-1].text
            for r in self.language.requests
            if not r.choices and not _is_reading(r) and not _is_finding(r)
        ]

    @property
    def support_prompts(self) -> list[str]:
        """The last message of each check of a proof."""
        return [r.messages[-1].text for r in self.language.requests if _is_check(r)]

    @property
    def gap_prompts(self) -> list[str]:
        """The last message of each question whose name was taken out."""
        return [r.messages[-1].text for r in self.language.requests if _is_gap(r)]

    def _reply(self, request: GenerateRequest) -> Reply:
        last = request.messages[-1].text
        if _is_gap(request):
            # It is asked twice, the one named first and then last.
            first = len(self.gap_prompts) % 2 == 1
            return self.whose or request.choices[0 if first else -1]
        if request.choices:
            return self.told(last) if callable(self.told) else self.told
        if _is_finding(request):
            return self.finds(last) if callable(self.finds) else self.finds
        if _is_reading(request):
            return self.reads(last) if callable(self.reads) else self.reads
        return self._queue.pop(0) if len(self._queue) > 1 else self._queue[0]


def _is_gap(request: GenerateRequest) -> bool:
    return bool(request.choices) and request.choices != ("yes", "no")


def _is_check(request: GenerateRequest) -> bool:
    return request.choices == ("yes", "no")


def _is_finding(request: GenerateRequest) -> bool:
    return request.messages[0].text.startswith("You find the answer")


def _is_reading(request: GenerateRequest) -> bool:
    return request.messages[0].text.startswith("Read one chat message")


def ask(
    vault: Vault,
    question: str,
    model: Model | None = None,
    *,
    now: str = NOW,
    options: AskOptions | None = None,
    on_news: Callable[[AskNews], None] = lambda _: None,
    cancel: CancelToken | None = None,
    change_query: QueryChange = as_written,
    embedder: HashEmbedder | None = HASHING,
) -> Answer:
    """Ask; with no model it stops at the evidence."""
    agent = Agent(
        vault,
        embedder,  # type: ignore[arg-type]
        model.language if model is not None else None,
        on_news=on_news,
        cancel=cancel or CancelToken(),
        change_query=change_query,
    )
    return agent.answer(Asked(question, options or AskOptions(), ms(now), 0))


def on(day: str) -> Bound:
    """A start on a day that the words told."""
    return Bound(ms(day), ms(day) + DAY_MS - 1, Precision.DAY, TimeSource.STATED)


def know(
    vault: Vault,
    turn_id: int,
    subject: str,
    property_name: str,
    value: str,
    *,
    start: Bound | None = None,
    phrase: str = "",
    single_valued: bool = True,
    polarity: bool = True,
    modality: Modality = Modality.ASSERTED,
    memory_type: MemoryType = MemoryType.FACT,
    is_entity: bool = False,
    recorded_at_ms: int = 0,
) -> int:
    """Store a fact proved by the whole text of a turn."""
    with vault.write() as db:
        turn = turns.get_turn(db, turn_id)
        assert turn.said_at_ms is not None
        value_type = ValueType.ENTITY if is_entity else ValueType.STRING
        known = ensure_property(
            db,
            name=property_name,
            value_type=value_type,
            single_valued=single_valued,
            recorded_at_ms=0,
        )
        return append_fact(
            db,
            NewFact(
                subject_id=entity(db, subject),
                property_id=known.id,
                value=value,
                value_type=value_type,
                validity=Validity(start=start or said(turn.said_at_ms), phrase=phrase),
                quotes=(Quote(turn_id, 0, len(turn.text), turn.text),),
                confidence=0.9,
                modality=modality,
                memory_type=memory_type,
                polarity=polarity,
                value_entity_id=entity(db, value) if is_entity else None,
            ),
            recorded_at_ms=recorded_at_ms,
        )


def store_two_friends(vault: Vault) -> None:
    """Store a talk in which each does something, and speaks of what the other did."""
    store_chat(
        vault,
        [
            (ANA, "2024-03-01T10:00", "my cello lesson was long"),
            (BEN, "2024-03-01T10:01", "I repaired the garden gate with my aunt"),
            (ANA, "2024-03-01T10:02", "that gate squeaked for years, well done"),
            (BEN, "2024-03-02T10:00", "the lesson must have been fun"),
        ],
    )
