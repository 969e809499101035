"""The answer as it is given: in words, with numbered citations, facts, and how it was found.

It is checked by now. It is told at once, before its citations and sentences are made.
"""

from collections.abc import Sequence

from apexmem_desktop.agent import own_words
from apexmem_desktop.agent.advising import Line, worded
from apexmem_desktop.agent.citing import cite_facts, cite_turns
from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.proposals import Proposal
from apexmem_desktop.agent.verifying import Proved
from apexmem_desktop.agent.wording import fact_line
from apexmem_desktop.chronology import spell
from apexmem_desktop.domain.answers import Answer, AnswerPart, Citation, SummaryPart, TurnHit
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.recall.holding import find_conflicts

MAX_QUOTED = 3


def from_facts(inquiry: Inquiry, proposal: Proposal) -> Answer:
    """Give what was worked out from facts, each with its proof."""
    answer = _tell_answer(inquiry, proposal.answer)
    language = inquiry.read.language
    citations = cite_facts(proposal.facts)
    numbers = {(one.turn_id, one.start): one.number for one in citations}
    lines = []
    for fact in proposal.facts:
        first = fact.evidence[0] if fact.evidence else None
        mark = numbers.get((first.turn_id, first.start)) if first is not None else None
        lines.append(fact_line(fact, language) + (f" [{mark}]" if mark else ""))
    joint = "；" if language == "zh" else ". "
    return _answer(inquiry, answer, lines, citations, proposal.facts, joint=joint)


def from_turns(inquiry: Inquiry, proved: Proved) -> Answer:
    """Give what turns tell, with their words."""
    answer = _tell_answer(inquiry, proved.answer)
    citations = cite_turns(proved.hits, proved.answer, inquiry.read.question)
    cited = {one.turn_id for one in citations}
    facts = tuple(
        fact for fact in inquiry.board.facts if any(one.turn_id in cited for one in fact.evidence)
    )
    quoted = _quoted(citations, inquiry.language_of_question)
    return _answer(inquiry, answer, quoted, citations, facts)


def from_lines(inquiry: Inquiry, lines: Sequence[Line]) -> Answer:
    """Give the lines that bear on what advice is asked on, each with its proof."""
    language = inquiry.language_of_question
    answer = _tell_answer(inquiry, worded(lines, language))
    citations = tuple(line.proof for line in lines)
    facts = tuple(line.fact for line in lines if line.fact is not None)
    return _answer(inquiry, answer, [_quote(one, language) for one in citations], citations, facts)


def decline(
    inquiry: Inquiry, *, nearest: TurnHit | None = None, missing: Sequence[str] = ()
) -> Answer:
    """Say that the memory does not know.

    Args:
        nearest: What somebody else told of themselves, which the question may mean.
        missing: Words of the question that no turn near it has.
    """
    language, summary = inquiry.language_of_question, []
    if missing:
        inquiry.drop(", ".join(missing), "named in the question, but in no turn near it")
        summary = [own_words.not_spoken_of(", ".join(missing), language)]
    answer = _tell_answer(inquiry, own_words.declined(language))
    if nearest is not None:
        # Named, but not cited: it proves nothing of what was asked.
        (shown,) = cite_turns([nearest], "", inquiry.read.question)
        inquiry.drop(shown.quote, "it is what somebody else told of themselves")
        summary = [own_words.nearest(_said(shown, language), language)]
    return _answer(inquiry, answer, summary, (), (), abstained=True)


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
    _tell_sentences(inquiry, sentences, citations)
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
        understood=_understood(inquiry),
        read_as=inquiry.read.question,
        as_of_ms=inquiry.asked.options.as_of_ms,
    )


def _understood(inquiry: Inquiry) -> tuple[tuple[str, str], ...]:
    """Tell how the question was read, with the language it is answered in."""
    told = dict(inquiry.read.as_tuples())
    told["language"] = inquiry.language_of_question
    return tuple(told.items())


def _tell_answer(inquiry: Inquiry, answer: str) -> str:
    """Tell the short answer, which is checked, in the language of the question."""
    inquiry.cancel.check()
    said = own_words.answered(answer, inquiry.language_of_question)
    inquiry.ms_first_words = inquiry.ms()
    inquiry.tell(AnswerPart(said))
    return said


def _tell_sentences(
    inquiry: Inquiry, sentences: Sequence[str], citations: Sequence[Citation]
) -> None:
    """Tell sentence by sentence what proves the answer."""
    for sentence in sentences:
        cited = tuple(one for one in citations if f"[{one.number}]" in sentence)
        inquiry.tell(SummaryPart(sentence, cited))


def _quoted(citations: Sequence[Citation], language: str) -> list[str]:
    return [_quote(one, language) for one in citations[:MAX_QUOTED]]


def _quote(one: Citation, language: str) -> str:
    return f"{_said(one, language)} [{one.number}]"


def _said(one: Citation, language: str) -> str:
    day = "?"
    if one.said_at_ms is not None:
        day = spell.spell_instant(one.said_at_ms, one.offset_minutes, language)
    if language == "zh":
        return f"{one.speaker}在{day}说：“{one.quote}”"
    said_on = " on " if language == "en" else ", "
    return f"{one.speaker}{said_on}{day}: “{one.quote}”"
