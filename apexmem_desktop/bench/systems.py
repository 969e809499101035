"""The memory, its ablations, and the plain alternatives that it has to beat."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from apexmem_desktop.bench.cases import Cited, Question, Reply
from apexmem_desktop.bench.scoring import declines
from apexmem_desktop.bench.vaults import ZONE, Export, Shelf, day_after
from apexmem_desktop.domain.answers import ALL_TOOLS, Answer, AskOptions, Step, TurnHit, Usage
from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.reports import BuildReport
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services import asking, browsing, completing
from apexmem_desktop.services.completing import Completion
from apexmem_desktop.services.inspecting import external_ids
from apexmem_desktop.services.workspace import Workspace

# The paper's ablations: a memory that may only look up facts, then with SQL, then with search.
TOOLS_OF = {
    "apex": ALL_TOOLS,
    "facts-only": ("SchemaViewer", "EntityLookup"),
    "no-search": ("SchemaViewer", "EntityLookup", "GraphSQL"),
    "no-sql": ("SchemaViewer", "EntityLookup", "Search"),
}
SYSTEMS = ("apex", "full-context", "rag", "facts-only", "no-sql", "no-search")
RAG_TURNS = 12
MAX_FOUND = 25
FULL_CONTEXT_TOKENS = 32_768
MAX_ANSWER_TOKENS = 64
_PAGE_TURNS = 500


class Asker(Protocol):
    """One system with one vault open."""

    @property
    def built(self) -> BuildReport | None:
        """What reading the vault cost; None when this system reads nothing beforehand."""

    def ask(self, question: Question) -> Reply:
        """Answer one question."""


@contextmanager
def asker(
    system: str, shelf: Shelf, export: Export, *, build: bool, about: str = ""
) -> Iterator[Asker]:
    """Open one system on one data set's conversation.

    Args:
        build: Whether the memory reads the turns first; the alternatives never do.
        about: Read only what is relevant to this text.
    """
    if system == "full-context":
        with shelf.bare(export, context_tokens=FULL_CONTEXT_TOKENS) as ws:
            yield FullContext(ws, shelf.cancel)
    elif system == "rag":
        with shelf.bare(export) as ws:
            yield Rag(ws, shelf.cancel)
    elif build:
        with shelf.built(export, about=about) as (ws, report):
            yield Memory(ws, TOOLS_OF[system], shelf.cancel, report)
    else:
        with shelf.bare(export) as ws:
            yield Memory(ws, TOOLS_OF[system], shelf.cancel, None)


@dataclass
class _Opened:
    """A vault with the data set's own names of its turns."""

    ws: Workspace
    cancel: CancelToken
    names: dict[int, str] = field(init=False)
    today_ms: int = field(init=False)

    def __post_init__(self) -> None:
        self.names = external_ids(self.ws)
        self.today_ms = day_after(self.ws)

    def now_ms(self, question: Question) -> int:
        return question.now_ms if question.now_ms is not None else self.today_ms


class Memory:
    """This program, with all of its tools or fewer."""

    def __init__(
        self,
        ws: Workspace,
        tools: tuple[str, ...],
        cancel: CancelToken,
        built: BuildReport | None,
    ) -> None:
        self._opened = _Opened(ws, cancel)
        self._tools = tools
        self.built = built

    def ask(self, question: Question) -> Reply:
        """Answer one question, as `apexmem ask` does."""
        opened = self._opened
        options = AskOptions(now_ms=opened.now_ms(question), zone=ZONE, tools=self._tools)
        try:
            answer = asking.ask(opened.ws, question.text, options, cancel=opened.cancel)
        except UserError as error:
            return Reply("", True, Usage(), error=str(error))
        if "Search" not in self._tools:
            return _told(answer, opened.names, None)
        found = [opened.names[hit.turn_id] for hit in answer.evidence]
        found += self._ranked_next(question)
        return _told(answer, opened.names, tuple(dict.fromkeys(found))[:MAX_FOUND])

    def _ranked_next(self, question: Question) -> list[str]:
        """Rank on behind the few that the model was shown, with the same search, not timed."""
        opened = self._opened
        hits = browsing.search(
            opened.ws, question.text, limit=MAX_FOUND, now_ms=opened.now_ms(question)
        ).turns
        return [opened.names[hit.turn_id] for hit in hits]


class Rag:
    """Hybrid search over the turns, the best twelve to the model, each with its date in front."""

    built = None

    def __init__(self, ws: Workspace, cancel: CancelToken) -> None:
        self._opened = _Opened(ws, cancel)

    def ask(self, question: Question) -> Reply:
        """Search, then answer in one call."""
        opened = self._opened
        started = datetime.now(UTC)
        hits = browsing.search(
            opened.ws, question.text, limit=MAX_FOUND, now_ms=opened.now_ms(question)
        ).turns
        searched_ms = int((datetime.now(UTC) - started).total_seconds() * 1000)
        best = sorted(hits[:RAG_TURNS], key=lambda hit: (hit.said_at_ms or 0, hit.turn_id))
        try:
            done = completing.complete(
                opened.ws,
                "bench_rag",
                max_tokens=MAX_ANSWER_TOKENS,
                cancel=opened.cancel,
                today=_day(opened.now_ms(question)),
                question=question.text,
                turns="\n".join(_hit_line(hit) for hit in best),
            )
        except UserError as error:
            return Reply("", True, Usage(), error=str(error))
        found = tuple(opened.names[hit.turn_id] for hit in hits)
        return _plain_reply(done, found, searched_ms)


class FullContext:
    """The whole conversation in the prompt; what the model computed for it is kept."""

    built = None

    def __init__(self, ws: Workspace, cancel: CancelToken) -> None:
        self._opened = _Opened(ws, cancel)
        self._conversation = "\n".join(_conversation_lines(ws))

    def ask(self, question: Question) -> Reply:
        """Answer in one call."""
        opened = self._opened
        try:
            done = completing.complete(
                opened.ws,
                "bench_full_context",
                context=self._conversation,
                max_tokens=MAX_ANSWER_TOKENS,
                cancel=opened.cancel,
                today=_day(opened.now_ms(question)),
                question=question.text,
            )
        except UserError as error:
            return Reply("", True, Usage(), error=str(error))
        return _plain_reply(done, None, 0)


def _told(answer: Answer, names: dict[int, str], found: tuple[str, ...] | None) -> Reply:
    return Reply(
        answer="" if answer.abstained else answer.answer,
        abstained=answer.abstained,
        usage=answer.usage,
        found=found,
        cited=tuple(Cited(names[one.turn_id], one.quote) for one in answer.citations),
        steps=tuple(_step(step) for step in answer.steps),
        dropped=answer.dropped,
    )


def _step(step: Step) -> dict[str, Any]:
    return {
        "tool": step.tool,
        "arguments": step.arguments,
        "result_chars": len(step.result),
        "ms": step.ms,
        "error": step.error,
    }


def _plain_reply(done: Completion, found: tuple[str, ...] | None, searched_ms: int) -> Reply:
    usage = Usage(1, done.prompt_tokens, done.output_tokens, searched_ms, searched_ms + done.ms)
    abstained = declines(done.text)
    return Reply("" if abstained else done.text, abstained, usage, found)


def _hit_line(hit: TurnHit) -> str:
    return f"{_day(hit.said_at_ms)}, {hit.speaker}: {' '.join(hit.text.split())}"


def _conversation_lines(ws: Workspace) -> Iterator[str]:
    """Give the turns of all conversations in order, a line with the time before each sitting."""
    for conversation in browsing.conversations(ws):
        said_at: int | None = None
        for turn in _turns(ws, conversation.id):
            if turn.said_at_ms != said_at:
                said_at = turn.said_at_ms
                yield f"\n{_day(said_at)}"
            yield f"{turn.speaker}: {' '.join(turn.text.split())}"


def _turns(ws: Workspace, conversation_id: int) -> Iterator[Turn]:
    after = -1
    while page := browsing.conversation_turns(
        ws, conversation_id, limit=_PAGE_TURNS, after_position=after
    ):
        yield from page
        after = page[-1].position


def _day(at_ms: int | None) -> str:
    if at_ms is None:
        return "no date"
    on = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{on.day} {on:%B %Y}"
