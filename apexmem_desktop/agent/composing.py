"""The answer as it is given: in words, with numbered citations, facts, and how it was found."""

from collections.abc import Sequence

from apexmem_desktop.agent.citing import cite_facts, cite_turns
from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.proposals import Proposal
from apexmem_desktop.agent.verifying import Proved
from apexmem_desktop.agent.wording import declined, fact_line
from apexmem_desktop.chronology import spell
from apexmem_desktop.domain.answers import Answer, AnswerPart, Citation, SummaryPart, TurnHit
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.recall.holding import find_conflicts

MAX_QUOTED = 3


def from_facts(inquiry: Inquiry, proposal: Proposal) -> Answer:
    """Give what was worked out from facts, each with its proof."""
    language = inquiry.read.language
    citations = cite_facts(proposal.facts)
    numbers = {(one.turn_id, one.start): one.number for one in citations}
    lines = []
    for fact in proposal.facts:
        first = fact.evidence[0] if fact.evidence else None
        mark = numbers.get((first.turn_id, first.start)) if first is not None else None
        lines.append(fact_line(fact, language) + (f" [{mark}]" if mark else ""))
    joint = "；" if language == "zh" else ". "
    return _answer(inquiry, proposal.answer, lines, citations, proposal.facts, joint=joint)


def from_turns(inquiry: Inquiry, proved: Proved) -> Answer:
    """Give what turns tell, with their words."""
    citations = cite_turns(proved.hits, proved.answer, inquiry.read.question)
    cited = {one.turn_id for one in citations}
    facts = tuple(
        fact for fact in inquiry.board.facts if any(one.turn_id in cited for one in fact.evidence)
    )
    quoted = _quoted(citations, inquiry.read.language)
    return _answer(inquiry, proved.answer, quoted, citations, facts)


def decline(inquiry: Inquiry, *, nearest: TurnHit | None = None) -> Answer:
    """Say that the memory does not know.

    Args:
        nearest: What somebody else told of themselves, which the question may mean.
    """
    language, summary = inquiry.read.language, []
    if nearest is not None:
        # Named, but not cited: it proves nothing of what was asked.
        (shown,) = cite_turns([nearest], "", inquiry.read.question)
        inquiry.drop(shown.quote, "it is what somebody else told of themselves")
        said = _said(shown, language)
        summary = [f"最接近的是：{said}" if language == "zh" else f"Nearest to it: {said}"]
    return _answer(inquiry, declined(language), summary, (), (), abstained=True)


def only_evidence(inquiry: Inquiry) -> Answer:
    """Give the evidence without an answer: no model was to be asked."""
    return _answer(inquiry, "", [], (), ())


def _answer(
    inquiry: Inquiry,
    answer: str,
    sentences: Sequence[str],
    citations: tuple[Citation, ...],
    facts: tuple[Fact, ...],
    *,
    abstained: bool = False,
    joint: str = " ",
) -> Answer:
    _tell(inquiry, answer, sentences, citations)
    return Answer(
        question=inquiry.asked.question,
        answer=answer,
        abstained=abstained,
        summary=joint.join(sentences),
        citations=citations,
        facts=facts,
        conflicts=tuple(find_conflicts(facts)),
        steps=tuple(inquiry.steps),
        usage=inquiry.usage(),
        evidence=tuple(inquiry.board.hits),
        dropped=tuple(inquiry.dropped),
        understood=tuple(inquiry.read.as_tuples()),
        read_as=inquiry.read.question,
        as_of_ms=inquiry.asked.options.as_of_ms,
    )


def _tell(
    inquiry: Inquiry, answer: str, sentences: Sequence[str], citations: Sequence[Citation]
) -> None:
    """Tell the answer, then sentence by sentence what proves it: by now all of it is checked."""
    if not answer:
        return
    inquiry.cancel.check()
    inquiry.ms_first_words = inquiry.ms()
    inquiry.tell(AnswerPart(answer))
    for sentence in sentences:
        cited = tuple(one for one in citations if f"[{one.number}]" in sentence)
        inquiry.tell(SummaryPart(sentence, cited))


def _quoted(citations: Sequence[Citation], language: str) -> list[str]:
    return [f"{_said(one, language)} [{one.number}]" for one in citations[:MAX_QUOTED]]


def _said(one: Citation, language: str) -> str:
    day = "?"
    if one.said_at_ms is not None:
        day = spell.spell_instant(one.said_at_ms, one.offset_minutes, language)
    if language == "zh":
        return f"{one.speaker}在{day}说：“{one.quote}”"
    return f"{one.speaker} on {day}: “{one.quote}”"
