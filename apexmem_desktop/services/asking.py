"""Asks the memory: an answer with its proof, kept with every step that led to it."""

import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace

from pydantic import TypeAdapter

from apexmem_desktop.agent.answering import Agent
from apexmem_desktop.agent.inquiry import Asked
from apexmem_desktop.agent.tools import QueryChange, as_written
from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.answers import (
    Answer,
    AnswerPart,
    AskNews,
    AskOptions,
    DialogueSummary,
    EvidenceFound,
)
from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.services import building
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import traces
from apexmem_desktop.storage.turns import count_turns_to_embed

# Turns whose vectors are computed before an answer: more would make the asker wait.
EMBED_BEFORE_ANSWER = 512

# Turns of the sessions that bear on a question, read before it where nothing was read so far.
READ_ON_UNBUILT = 24

RemovedDialogue = tuple[traces.Trace, ...]
_ANSWER = TypeAdapter(Answer)


def _ignore_news(_: AskNews) -> None:
    return


class _Timed:
    """Passes news on, and keeps when the first evidence and the first words were told."""

    def __init__(self, on_news: Callable[[AskNews], None]) -> None:
        self._on_news = on_news
        self._started_s = time.monotonic()
        self._evidence_ms: int | None = None
        self._words_ms: int | None = None

    def __call__(self, news: AskNews) -> None:
        if isinstance(news, EvidenceFound):
            if self._evidence_ms is None:
                self._evidence_ms = self._ms()
            news = replace(news, ms=self._evidence_ms)
        elif isinstance(news, AnswerPart) and self._words_ms is None:
            self._words_ms = self._ms()
        self._on_news(news)

    def timed(self, answer: Answer) -> Answer:
        """Give the answer with the times that its asker waited, all from the question on."""
        usage = replace(
            answer.usage,
            ms_first_evidence=self._evidence_ms or 0,
            ms_first_words=self._words_ms or 0,
            ms_total=self._ms(),
        )
        return replace(answer, usage=usage)

    def _ms(self) -> int:
        return int((time.monotonic() - self._started_s) * 1000)


def ask(
    ws: Workspace,
    question: str,
    options: AskOptions,
    *,
    on_news: Callable[[AskNews], None] = _ignore_news,
    cancel: CancelToken | None = None,
    read_first: int | None = 0,
    change_query: QueryChange = as_written,
) -> Answer:
    """Answer a question from the memory, or say that it does not know.

    What bears on the question and was not read yet is read first at the next build.

    Args:
        read_first: Read up to so many turns of the sessions that bear on it before answering; None
            for a few where nothing of the memory was read so far, and none later.
        on_news: Hears of the evidence, each tool's step, the short answer once it is checked, and
            then of each sentence behind it. No word of an answer is taken back. Where vectors are
            still to be computed, what words alone find is told first.
        change_query: For the benches alone, which break queries to see them mended.

    Raises:
        ModelMissingError: A model is wanted and not on this machine.
        ModelCrashedError: Its process ended; the next question starts a new one.
    """
    token = cancel or CancelToken()
    language = ws.language_for("answering") if options.use_model else None
    told = _Timed(on_news)
    now_ms = options.now_ms if options.now_ms is not None else ws.now_ms()
    zone = options.zone or ws.zone
    asked = Asked(question.strip(), options, now_ms, zones.offset_at(now_ms, zone), zone)
    if _must_wait_for_vectors(ws):
        _tell_what_words_find(ws, asked, told, token)
    building.embed_pending(ws, limit=EMBED_BEFORE_ANSWER, cancel=token)
    most = _few_where_unbuilt(ws, options) if read_first is None else read_first
    if most:
        _tell_what_words_find(ws, asked, told, token)
        # Where another program builds it just now, what was asked about comes first there.
        with suppress(VaultError) if read_first is None else nullcontext():
            building.build(ws, about=question, limit=most, cancel=token)
    agent = Agent(
        ws.vault,
        ws.searching_embedder(),
        language,
        on_news=told,
        cancel=token,
        change_query=change_query,
    )
    answer = told.timed(agent.answer(asked))
    if not options.is_kept:
        return answer
    with ws.vault.write() as db:
        number = traces.append_trace(
            db,
            question=answer.question,
            answer_json=_ANSWER.dump_json(answer).decode(),
            asked_at_ms=ws.now_ms(),
            dialogue_id=options.dialogue_id,
        )
    building.put_forward(ws, asked.question)
    return replace(answer, number=number, dialogue_id=options.dialogue_id or number)


def _few_where_unbuilt(ws: Workspace, options: AskOptions) -> int:
    return READ_ON_UNBUILT if options.use_model and building.is_unbuilt(ws) else 0


def _must_wait_for_vectors(ws: Workspace) -> bool:
    """Whether the embedder must first be started, or turns be given vectors."""
    embedder = ws.embedder()
    if embedder is None:
        return False
    if embedder.pid is None:
        return True
    with ws.vault.read() as db:
        return count_turns_to_embed(db, embedder.embedder_id) > 0


def _tell_what_words_find(ws: Workspace, asked: Asked, told: _Timed, cancel: CancelToken) -> None:
    def only_evidence(news: AskNews) -> None:
        if isinstance(news, EvidenceFound):
            told(news)

    Agent(ws.vault, None, None, on_news=only_evidence, cancel=cancel).answer(asked)


def list_dialogues(ws: Workspace, *, limit: int = 500) -> tuple[DialogueSummary, ...]:
    """List what was asked, question and follow-ups together, the last asked first."""
    with ws.vault.read() as db:
        return tuple(traces.find_dialogues(db, limit))


def get_dialogue(ws: Workspace, dialogue_id: int) -> tuple[Answer, ...]:
    """Return the answers of a dialogue in the order they were given; () where there is none."""
    with ws.vault.read() as db:
        return tuple(map(_answer_of, traces.find_traces(db, dialogue_id)))


def remove_dialogue(ws: Workspace, dialogue_id: int) -> RemovedDialogue:
    """Take a dialogue out of the memory; what this returns is enough to bring it back."""
    with ws.vault.write() as db:
        return tuple(traces.remove_dialogue(db, dialogue_id))


def bring_back_dialogue(ws: Workspace, removed: RemovedDialogue) -> None:
    """Put a dialogue back where it was."""
    with ws.vault.write() as db:
        traces.put_back(db, removed)


def get_trace(ws: Workspace, number: int | None = None) -> Answer:
    """Return a kept answer with its steps; None for the newest.

    Raises:
        NotFoundError: There is no such answer.
    """
    with ws.vault.read() as db:
        return _answer_of(traces.get_trace(db, number))


def _answer_of(trace: traces.Trace) -> Answer:
    kept = _ANSWER.validate_json(trace.answer_json)
    return replace(kept, number=trace.id, dialogue_id=trace.dialogue_id)
