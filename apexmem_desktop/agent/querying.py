"""Answers a question to the graph with GraphSQL: the model chooses, SQLite works it out.

What the query's rows rest on is read by a second query, and cited. A query that finds nothing is
mended once, and so is one that is refused; then the question goes to the other ways.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from apexmem_desktop.agent import query_text, tools
from apexmem_desktop.agent.events_named import find_event
from apexmem_desktop.agent.graph_question import GraphQuestion, Shape, read_graph_question
from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.proposal import Proposal
from apexmem_desktop.agent.wording import joined
from apexmem_desktop.domain.answers import Step
from apexmem_desktop.domain.errors import QueryRefusedError
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.inference.prompts import load_prompt
from apexmem_desktop.recall.lookup import judged_facts
from apexmem_desktop.storage.facts import find_facts

MAX_TOKENS = 60
MAX_LISTED = 12
_PROPERTY = re.compile(r"a\.property = '((?:[^']|'')*)'")


@dataclass(frozen=True, slots=True)
class _Found:
    """What its rows rest on: (fact, subject, value, day), oldest first; the facts of events."""

    rows: tuple[tuple[int, str, str, str], ...]
    events: tuple[int, ...]


def find_in_graph(inquiry: Inquiry) -> Proposal | None:
    """Answer from the graph by one query; None where it is no question to it, or finds nothing."""
    frame = inquiry.frame
    if "GraphSQL" not in frame.allowed:
        return None
    with frame.vault.read() as db:
        asked = read_graph_question(
            db, inquiry.read, lambda phrase, ids: find_event(frame, phrase, ids)
        )
    before = ""
    # A refusal told nothing of the facts: what then finds nothing is still to be loosened.
    mended: set[bool] = set()
    while asked is not None and inquiry.may_use_tools:
        query = _write(inquiry, asked, before)
        step = inquiry.use("GraphSQL", query_text.told(asked) + query)
        found = _proof(inquiry, asked, query) if not step.error else _Found((), ())
        if found.rows:
            return _answer(inquiry, asked, step, found)
        why = step.error or "no rows"
        ran = step.arguments.removeprefix(query_text.told(asked))
        inquiry.drop(ran, f"the query gave nothing: {why}")
        if bool(step.error) in mended:
            return None
        mended.add(bool(step.error))
        before, asked = f"\nFailed: {ran}\nError: {why}", _mended(asked, query, step)
    return None


def _write(inquiry: Inquiry, asked: GraphQuestion, before: str) -> str:
    """Write the query; the model is asked only where there is something to choose."""
    start, choices, end = query_text.fixed_parts(query_text.slots(asked))
    if not choices:
        return start
    prompt = load_prompt(f"query_{asked.shape}")
    reply = inquiry.generate(
        GenerateRequest(
            messages=prompt.render(
                question=inquiry.read.question,
                properties=", ".join(_properties(asked)),
                before=before,
            ),
            static_messages=len(prompt.static),
            grammar=query_text.grammar(choices),
            max_tokens=MAX_TOKENS,
            answer_start=start,
        )
    )
    return start + reply.text + end


def _properties(asked: GraphQuestion) -> Sequence[str]:
    beside = asked.beside.properties if asked.beside is not None else ()
    return list(dict.fromkeys((*asked.sought.properties, *beside)))


def _mended(asked: GraphQuestion, query: str, step: Step) -> GraphQuestion | None:
    """Loosen what was asked too narrowly: what holds no longer counts too, or another property."""
    if step.error:
        return asked
    if asked.events and asked.is_state and asked.is_after and not asked.is_now:
        return replace(asked, is_now=True)
    if asked.is_now and not asked.events:
        return replace(asked, is_now=False)
    chosen = _PROPERTY.search(query)
    left = tuple(p for p in asked.sought.properties if chosen is None or p != chosen.group(1))
    return replace(asked, sought=replace(asked.sought, properties=left)) if left else None


def _proof(inquiry: Inquiry, asked: GraphQuestion, query: str) -> _Found:
    try:
        found = tools.select(inquiry.frame, query_text.proof_query(asked, query))
    except QueryRefusedError as refused:
        inquiry.drop(query, f"its proof could not be read: {refused}")
        return _Found((), ())
    rows = dict.fromkeys(
        (int(str(row[0])), str(row[1]), str(row[2]), str(row[3])) for row in found.rows
    )
    beside = (int(str(row[4])) for row in found.rows) if asked.beside else ()
    events = dict.fromkeys((*beside, *(number for number, _ in asked.events)))
    return _Found(tuple(rows), tuple(events))


def _answer(inquiry: Inquiry, asked: GraphQuestion, step: Step, found: _Found) -> Proposal | None:
    results = [line.split(" | ") for line in step.result.splitlines()[1:]]
    place = 1 if asked.column == "subject" else 2
    given = list(dict.fromkeys(str(row[place]) for row in found.rows))
    if asked.counted:
        said = results[0][0]
    elif asked.shape is Shape.MOST:
        given = [name for name in given if [name, results[0][-1]] in results]
        said = joined(given, inquiry.read.language)
    else:
        if query_text.is_one(asked):
            given = [name for name in given if name == results[0][0]]
        said = joined(given[:MAX_LISTED], inquiry.read.language)
    numbers = [row[0] for row in found.rows if row[place] in given]
    if query_text.is_one(asked):
        on_day = [r[0] for r in found.rows if r[place] in given and r[3] == results[0][1]]
        numbers = on_day or numbers[:1]
    facts = judged(inquiry, [*numbers, *found.events])
    return Proposal(said, tuple(facts), f"asked of the graph: {asked.shape}") if facts else None


def judged(inquiry: Inquiry, numbers: Sequence[int]) -> list[Fact]:
    """Read facts as they are judged for the question's time, in the order given."""
    frame = inquiry.frame
    with frame.vault.read() as db:
        subjects = {fact.subject_id for fact in find_facts(db, ids=list(numbers))}
        known = {
            fact.id: fact
            for subject_id in sorted(subjects)
            for fact in judged_facts(
                db, subject_id, as_of_ms=frame.as_of_ms, known_at_ms=frame.known_at_ms
            )
        }
    return inquiry.board.fitting([known[n] for n in dict.fromkeys(numbers) if n in known])
