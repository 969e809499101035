"""The ReAct loop: the model answers or calls a tool, until it answers or has nothing new to try."""

from apexmem_desktop.agent import deciding
from apexmem_desktop.agent.deciding import Decision
from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.verifying import Proved, prove
from apexmem_desktop.chronology import spell
from apexmem_desktop.domain.wall import WallClock
from apexmem_desktop.recall.kinds import Kind

MAX_MODEL_CALLS_TO_DECIDE = 4
# A query that failed is shown to the model with the schema once; a second failure ends its calls.
MAX_FAILED_CALLS = 2
# Facts and properties found whose words a query may quote.
MAX_QUOTED_FACTS = 8


def decide(inquiry: Inquiry) -> Proved | None:
    """Let the model answer from the evidence; None when it cannot, or its answer is not proved.

    The last call, and the one after a call that was made before, may not be a tool: it must be
    an answer from what there is, or "unknown".
    """
    first_own = len(inquiry.steps)
    may_call, new = True, 0
    for turn in range(MAX_MODEL_CALLS_TO_DECIDE):
        last = turn == MAX_MODEL_CALLS_TO_DECIDE - 1
        may_call = may_call and not last and inquiry.may_use_tools
        decision = _ask(inquiry, first_own, may_call=may_call, new=new)
        if decision.answer:
            return prove(inquiry, decision)
        if not decision.tool or not may_call:
            return None
        if _was_called(inquiry, decision):
            may_call = False
            continue
        before = len(inquiry.board.hits)
        inquiry.use(decision.tool, decision.argument)
        new = len(inquiry.board.hits) - before
        failed = sum(bool(step.error) for step in inquiry.steps[first_own:])
        may_call = failed < MAX_FAILED_CALLS
    return None


def _ask(inquiry: Inquiry, first_own: int, *, may_call: bool, new: int) -> Decision:
    asked, read = inquiry.asked, inquiry.read
    request = deciding.decide_request(
        inquiry.question,
        spell.spell_instant(asked.now_ms, asked.offset_minutes, read.language),
        inquiry.board,
        inquiry.steps[first_own:],
        may_call=may_call,
        yes_no=read.kind is Kind.YES_NO,
        new=new,
        subject_ids=inquiry.about.entity_ids,
        allowed=inquiry.frame.allowed,
        literals=_literals(inquiry),
    )
    return deciding.read_decision(inquiry.generate(request))


def _literals(inquiry: Inquiry) -> list[str]:
    """Give what a query may quote: whom and what the question names, and what was found of it."""
    read, facts = inquiry.read, inquiry.board.facts[:MAX_QUOTED_FACTS]
    names = [name for one in read.entities for name in (one.name, one.words)]
    found = [text for fact in facts for text in (fact.subject, fact.property, fact.value)]
    days = [
        WallClock(span.offset_minutes, span.zone).day(at_ms).isoformat()
        for span in read.spans
        for at_ms in (span.start_ms, span.end_ms)
    ]
    told = ["asserted", "planned", "current", "past"]
    likes = [f"%{text}%" for text in (*names, *read.words)]
    return [*names, *read.property_hints[:MAX_QUOTED_FACTS], *found, *days, *likes, *told]


def _was_called(inquiry: Inquiry, decision: Decision) -> bool:
    return any(
        step.tool == decision.tool and step.arguments == decision.argument for step in inquiry.steps
    )
