"""The checks that an answer of the model's must pass before it is given."""

from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.agent.asked_time import date_of_answer, dates_told
from apexmem_desktop.agent.board import Board
from apexmem_desktop.agent.deciding import Decision
from apexmem_desktop.agent.grounding import find_unsupported, shares_words
from apexmem_desktop.agent.inquiry import LEAST_SUPPORT_OF_TURNS, Inquiry
from apexmem_desktop.agent.proposals import is_hinted, shares_word
from apexmem_desktop.agent.wording import fact_line
from apexmem_desktop.domain.answers import Step, TurnHit
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.storage.names import normalise

# A model that cites most of what it was shown has picked nothing; the nearest are its proof.
MAX_CITED = 3


@dataclass(frozen=True, slots=True)
class Proved:
    """An answer with the turns that carry it."""

    answer: str
    hits: tuple[TurnHit, ...]


def prove(inquiry: Inquiry, decision: Decision) -> Proved | None:
    """Check an answer against the turns it names; None, with the reason noted, when it fails."""
    read, board = inquiry.read, inquiry.board
    cited = [hit for hit in map(board.hit, decision.numbers) if hit is not None]
    hits = _nearest(_that_tell(decision.answer, cited, board.hits), decision.answer, read)
    if not hits:
        inquiry.drop(decision.answer, "no turn was given for it")
        return None
    hits = [hit for hit in hits if inquiry.about.admits(hit)]
    if not hits:
        inquiry.drop(decision.answer, "the turns are about somebody else")
        return None
    answer = decision.answer
    if read.kind is Kind.WHEN:
        answer = date_of_answer(answer, hits, read.language)
    told = [board.said(hit) for hit in hits]
    missing = _not_told(inquiry, answer, hits, told)
    if missing:
        inquiry.drop(answer, f"not in the turns cited: {missing}")
        return None
    if is_of_another_property(inquiry, answer):
        inquiry.drop(answer, "it is known as something else than what is asked")
        return None
    results = [f"{step.arguments} = {step.result}" for step in _queries(inquiry)]
    proof = " / ".join([*told, *results])
    if not inquiry.is_told(answer, proof, at_least=LEAST_SUPPORT_OF_TURNS):
        return None
    return Proved(answer, tuple(hits))


def _not_told(inquiry: Inquiry, answer: str, hits: Sequence[TurnHit], told: Sequence[str]) -> str:
    """Name what of the answer neither its turns nor the facts that they prove say; "" for none."""
    read = inquiry.read
    proof = [*told, *_facts_of(hits, inquiry.board)]
    # What a query counted stands in no turn; its result is a proof of numbers.
    proof += [step.result for step in _queries(inquiry)]
    if read.kind is Kind.WHEN:
        proof += dates_told(hits, read.language)
    missing = find_unsupported(answer, proof, read.question)
    if missing:
        return ", ".join(missing)
    return "" if shares_words(answer, proof) else answer


def _nearest(hits: Sequence[TurnHit], answer: str, read: Understood) -> list[TurnHit]:
    """Keep the few turns that share most words with the answer and the question, in their order."""
    if len(hits) <= MAX_CITED:
        return list(hits)
    words = {normalise(word) for word in (*answer.split(), *read.words)}
    shared = [sum(word in normalise(hit.text) for word in words) for hit in hits]
    best = sorted(range(len(hits)), key=lambda i: -shared[i])[:MAX_CITED]
    return [hits[i] for i in sorted(best)]


def is_of_another_property(inquiry: Inquiry, answer: str) -> bool:
    """Whether a fact has the answer as value, but none of a property that is asked for.

    Being vegetarian is no job, however near the turn that tells it lies to the question.
    """
    read = inquiry.read
    if read.kind not in (Kind.CURRENT, Kind.AT_TIME) or not read.property_hints:
        return False
    known = {f.property for f in inquiry.board.facts if normalise(f.value) == normalise(answer)}
    return bool(known) and not any(
        is_hinted(name, read.property_hints) or shares_word(name, read.words) for name in known
    )


def _facts_of(hits: Sequence[TurnHit], board: Board) -> list[str]:
    cited = {hit.turn_id for hit in hits}
    return [
        fact_line(fact, board.language)
        for fact in board.facts
        if any(one.turn_id in cited for one in fact.evidence)
    ]


def _queries(inquiry: Inquiry) -> list[Step]:
    return [step for step in inquiry.steps if step.tool == "GraphSQL" and not step.error]


def _that_tell(answer: str, cited: Sequence[TurnHit], found: Sequence[TurnHit]) -> list[TurnHit]:
    """Return the cited turns; where none has the answer's words, the first found that has them.

    A small model reads the right turn and writes another's number.
    """
    told = [hit.text for hit in cited]
    if cited and not find_unsupported(answer, told, "") and shares_words(answer, told):
        return list(cited)
    words = [word for word in normalise(answer).split() if len(word) > 2]
    telling = [hit for hit in found if words and all(w in normalise(hit.text) for w in words)]
    return telling[:1] or list(cited)
