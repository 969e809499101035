"""The four tools of the paper: name, signature and the docstring's first line go to the model."""

import inspect
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from apexmem_desktop.agent.board import Board
from apexmem_desktop.agent.wording import fact_line, one_line
from apexmem_desktop.domain.answers import ALL_TOOLS, Step
from apexmem_desktop.domain.errors import QueryRefusedError
from apexmem_desktop.domain.reports import SqlResult
from apexmem_desktop.inference.embedder import EmbedderHost
from apexmem_desktop.recall.lookup import lookup_entities
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.search import hybrid_search
from apexmem_desktop.storage import graphsql
from apexmem_desktop.storage.vault import Vault

# As many as tell whose deed a question is about; the model is shown fewer.
SEARCH_LIMIT = 25
MAX_CARDS = 3
MAX_CARD_FACTS = 12
MAX_RESULT_CHARS = 4000
MAX_SQL_ROWS = 30


QueryChange = Callable[[str], str]
"""Changes a query of GraphSQL before it runs."""


def as_written(sql: str) -> str:
    """Leave a query as it was written."""
    return sql


@dataclass(frozen=True, slots=True)
class Frame:
    """What the tools of one question work on.

    Attributes:
        as_of_ms: UTC instant to judge facts for.
        known_at_ms: Use only what was recorded by then; None for all.
        allowed: Names of the tools that may be used.
        change_query: What a query goes through before it runs: a bench breaks some, to measure how
            the agent mends them.
    """

    vault: Vault
    embedder: EmbedderHost | None
    read: Understood
    as_of_ms: int
    known_at_ms: int | None
    board: Board
    allowed: tuple[str, ...] = ALL_TOOLS
    change_query: QueryChange = as_written


def search(frame: Frame, words: str) -> str:
    """Find turns, facts and events by words and by meaning."""
    own = words == frame.read.question
    found = hybrid_search(
        frame.vault,
        frame.embedder,
        words,
        understood=frame.read if own else None,
        limit=SEARCH_LIMIT,
        as_of_ms=frame.as_of_ms,
        known_at_ms=frame.known_at_ms,
    )
    hits = [hit for hit in found.turns if hit.turn_id not in frame.board.unfit]
    facts = frame.board.fitting(found.facts)
    frame.board.add_hits(hits)
    frame.board.add_facts(facts)
    lines = [f"{hit.score:.3f} {'+'.join(hit.why)} | {frame.board.said(hit)}" for hit in hits]
    lines += [one_line(fact_line(fact, frame.read.language)) for fact in facts]
    return "\n".join(lines) or "nothing found"


def entity_lookup(frame: Frame, name: str) -> str:
    """Find who or what a name means, with the newest and the earlier facts."""
    with frame.vault.read() as db:
        cards = lookup_entities(db, name, as_of_ms=frame.as_of_ms, known_at_ms=frame.known_at_ms)[
            :MAX_CARDS
        ]
    lines = []
    for card in cards:
        frame.board.add_facts((*card.newest, *card.earlier))
        lines.append(one_line(f"{card.entity.name} ({card.entity.type})"))
        own = (*card.newest, *card.earlier)[:MAX_CARD_FACTS]
        told = [f"{fact.status}: {fact_line(fact, frame.read.language)}" for fact in own]
        lines += [f"  {one_line(line)}" for line in told]
    return "\n".join(lines) or "nobody and nothing has that name"


def graph_sql(frame: Frame, sql: str) -> str:
    """Run one read-only SELECT over the views v_facts, v_events, v_turns, v_entities, v_history."""
    found = select(frame, sql)
    rows = [
        " | ".join("" if cell is None else one_line(str(cell)) for cell in row)
        for row in found.rows
    ]
    return "\n".join([" | ".join(found.columns), *rows])


def select(frame: Frame, sql: str) -> SqlResult:
    """Run one read-only SELECT as of the question's time.

    Raises:
        QueryRefusedError: It is wrong, or wants something forbidden.
    """
    return graphsql.run_select(
        frame.vault,
        sql,
        max_rows=MAX_SQL_ROWS,
        now_ms=frame.as_of_ms,
        known_at_ms=frame.known_at_ms,
    )


def schema_viewer(_: Frame, __: str) -> str:
    """Show the views, their columns, example queries and advice on time."""
    return graphsql.schema_text()


Tool = Callable[[Frame, str], str]
# In the order in which the model is told of them.
TOOLS: dict[str, Tool] = {
    "Search": search,
    "EntityLookup": entity_lookup,
    "GraphSQL": graph_sql,
    "SchemaViewer": schema_viewer,
}


def described(allowed: Collection[str]) -> list[str]:
    """Describe the allowed tools as the model sees them, a line each."""
    return [_described(name, tool) for name, tool in TOOLS.items() if name in allowed]


def _described(name: str, tool: Tool) -> str:
    """Give what the model writes: the frame is ours, and a parameter without a name is unused."""
    _, *own = inspect.signature(tool).parameters.values()
    given = ", ".join(str(one) for one in own if not one.name.startswith("_"))
    first = (inspect.getdoc(tool) or "").partition("\n")[0]
    return f"{name}({given}): {first}"


def use(frame: Frame, tool: str, argument: str) -> Step:
    """Call a tool; a refused query is a step with an error, for the model to mend."""
    started = time.monotonic()
    error = ""
    if tool == "GraphSQL":
        argument = frame.change_query(argument)
    try:
        result = TOOLS[tool](frame, argument)
    except QueryRefusedError as refused:
        result, error = "", f"{refused} Views: {graphsql.views_line()}."
    ms = int((time.monotonic() - started) * 1000)
    return Step(tool, argument, result[:MAX_RESULT_CHARS], ms, error)
