"""From a question to an answer: evidence first, what can be worked out next, then the ReAct loop.

Method: APEX-MEM (ACL 2026), resolution at question time by an agent with four tools. Here the
search and the look-up of the entities named are done at once, without the model; facts that answer
by themselves are only put to the model for a yes or no; and only what is left goes to the loop.
The last word is always an answer that its proof carries, or a plain "not in your memory".
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from apexmem_desktop.agent import deciding, tools
from apexmem_desktop.agent.asked_time import date_of_answer
from apexmem_desktop.agent.board import Board
from apexmem_desktop.agent.citing import cite_facts, cite_turns
from apexmem_desktop.agent.deciding import Decision
from apexmem_desktop.agent.grounding import find_unsupported, shares_words
from apexmem_desktop.agent.proposals import Proposal, propose
from apexmem_desktop.agent.reasons import Reason, find_reasons
from apexmem_desktop.agent.wording import declined, fact_line
from apexmem_desktop.chronology import spell
from apexmem_desktop.domain.answers import (
    Answer,
    AnswerPart,
    AskNews,
    AskOptions,
    Citation,
    EvidenceFound,
    Step,
    StepDone,
    TurnHit,
    Usage,
)
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.embedder import EmbedderHost
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.recall.holding import find_conflicts
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.lookup import judged_facts
from apexmem_desktop.recall.question import Understood, understand
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.vault import Vault

# The paper's limit. The model's own calls are fewer: a small one only goes round in circles.
MAX_TOOL_CALLS = 40
MAX_MODEL_CALLS_TO_DECIDE = 4
MAX_PROPOSALS = 3
MAX_NAMED = 3
LEAST_SUPPORT = 0.5

NewsSink = Callable[[AskNews], None]


class Language(Protocol):
    """What the agent needs of a language model."""

    def generate(
        self, requests: Sequence[GenerateRequest], *, cancel: CancelToken | None = None
    ) -> list[Generation]:
        """Answer the requests, in their order."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the time and place it is asked from.

    Attributes:
        now_ms: What "today" is, UTC.
        offset_minutes: The asker's offset from UTC.
    """

    question: str
    options: AskOptions
    now_ms: int
    offset_minutes: int


@dataclass(slots=True)
class _Work:
    """What one answer has gathered so far."""

    started: float
    steps: list[Step] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    model_calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    ms_first_evidence: int = 0

    def ms(self) -> int:
        return int((time.monotonic() - self.started) * 1000)


class Agent:
    """Answers questions over one vault; `language` None stops at the evidence."""

    def __init__(
        self,
        vault: Vault,
        embedder: EmbedderHost | None,
        language: Language | None,
        *,
        on_news: NewsSink,
        cancel: CancelToken,
    ) -> None:
        self._vault = vault
        self._embedder = embedder
        self._language = language
        self._tell = on_news
        self._cancel = cancel

    def answer(self, asked: Asked) -> Answer:
        """Answer a question, or say that the memory does not know."""
        work = _Work(time.monotonic())
        read = self._understand(asked)
        frame = self._frame(asked, read)
        self._gather(frame, work)
        if self._language is None:
            return self._finish(asked, frame, work, "", "", (), (), abstained=False)
        with self._vault.read() as db:
            named = [
                fact
                for entity_id in read.entity_ids
                for fact in judged_facts(
                    db, entity_id, as_of_ms=frame.as_of_ms, known_at_ms=frame.known_at_ms
                )
            ]
        proposal = self._first_fitting(asked, frame, named or frame.board.facts, work)
        if proposal is not None:
            return self._from_facts(asked, frame, work, proposal)
        reason = self._first_reason(asked, frame, work)
        if reason is not None:
            return self._from_turns(asked, frame, work, reason.text, [reason.hit])
        return self._loop(asked, frame, work)

    def _first_reason(self, asked: Asked, frame: tools.Frame, work: _Work) -> Reason | None:
        """Return the first told reason that the model takes for the one asked for."""
        if frame.read.kind is not Kind.WHY:
            return None
        for reason in find_reasons(frame.read, frame.board.hits)[:MAX_PROPOSALS]:
            proof = frame.board.said(reason.hit)
            if self._supported(work, asked.question, reason.text, proof):
                return reason
        return None

    def _understand(self, asked: Asked) -> Understood:
        with self._vault.read() as db:
            read = understand(
                db, asked.question, now_ms=asked.now_ms, offset_minutes=asked.offset_minutes
            )
            if read.entities or not asked.options.earlier:
                return read
            before = understand(
                db,
                asked.options.earlier[-1][0],
                now_ms=asked.now_ms,
                offset_minutes=asked.offset_minutes,
            )
        return _continued(read, before)

    def _frame(self, asked: Asked, read: Understood) -> tools.Frame:
        as_of_ms = asked.options.as_of_ms or read.as_of_ms or asked.now_ms
        return tools.Frame(
            vault=self._vault,
            embedder=self._embedder,
            read=read,
            as_of_ms=as_of_ms,
            known_at_ms=asked.options.known_at_ms,
            board=Board(read.language),
            allowed=asked.options.tools,
        )

    def _gather(self, frame: tools.Frame, work: _Work) -> None:
        """Search and look up at once, and tell what was found before the model says a word."""
        if "Search" in frame.allowed:
            self._use(frame, work, "Search", frame.read.question)
        work.ms_first_evidence = work.ms()
        board = frame.board
        self._tell(EvidenceFound(tuple(board.hits), tuple(board.facts), work.ms_first_evidence))
        names = dict.fromkeys(named.words for named in frame.read.entities)
        for name in list(names)[:MAX_NAMED] if "EntityLookup" in frame.allowed else ():
            self._use(frame, work, "EntityLookup", name)

    def _use(self, frame: tools.Frame, work: _Work, tool: str, argument: str) -> Step:
        self._cancel.check()
        step = tools.use(frame, tool, argument)
        work.steps.append(step)
        self._tell(StepDone(step))
        return step

    def _ask(self, work: _Work, request: GenerateRequest) -> Generation:
        if self._language is None:
            raise RuntimeError("the loop runs only with a model")
        self._cancel.check()
        reply = self._language.generate([request], cancel=self._cancel)[0]
        work.model_calls += 1
        work.prompt_tokens += reply.prompt_tokens
        work.output_tokens += reply.output_tokens
        return reply

    def _supported(self, work: _Work, question: str, answer: str, proof: str) -> bool:
        reply = self._ask(work, deciding.support_request(question, answer, proof))
        yes = reply.choice_probabilities.get("yes", 0.0)
        no = reply.choice_probabilities.get("no", 0.0)
        if yes + no > 0 and yes / (yes + no) >= LEAST_SUPPORT:
            return True
        work.dropped.append(f"{answer} — its proof does not tell it: {proof[:160]}")
        return False

    def _first_fitting(
        self, asked: Asked, frame: tools.Frame, facts: Sequence[Fact], work: _Work
    ) -> Proposal | None:
        """Return the first worked-out answer that the model takes for one to this question."""
        proposals = propose(frame.read, facts, as_of_ms=frame.as_of_ms)[:MAX_PROPOSALS]
        for proposal in proposals:
            proof = proposal.proof(frame.read.language)
            if proposal.certain or self._supported(work, asked.question, proposal.answer, proof):
                return proposal
        return None

    def _loop(self, asked: Asked, frame: tools.Frame, work: _Work) -> Answer:
        """Let the model answer or call a tool, until it answers, repeats itself or gives up."""
        today = spell.spell_instant(asked.now_ms, asked.offset_minutes, frame.read.language)
        called: list[Step] = []
        new = 0
        for turn in range(MAX_MODEL_CALLS_TO_DECIDE):
            may_call = turn < MAX_MODEL_CALLS_TO_DECIDE - 1 and len(work.steps) < MAX_TOOL_CALLS
            request = deciding.decide_request(
                asked.question,
                today,
                frame.board,
                called,
                may_call=may_call,
                yes_no=frame.read.kind is Kind.YES_NO,
                new=new,
                allowed=frame.allowed,
            )
            decision = deciding.read_decision(self._ask(work, request).text)
            if decision.answer:
                hits = self._check_answer(asked, frame, work, decision)
                if hits:
                    return self._from_turns(asked, frame, work, decision.answer, hits)
                break
            if not decision.tool or _was_called(called, decision):
                break
            before = len(frame.board.hits)
            called.append(self._use(frame, work, decision.tool, decision.argument))
            new = len(frame.board.hits) - before
        return self._decline(asked, frame, work)

    def _check_answer(
        self, asked: Asked, frame: tools.Frame, work: _Work, decision: Decision
    ) -> list[TurnHit]:
        """Return the turns that carry an answer; none when it is not proved."""
        hits = [hit for n in decision.numbers if (hit := frame.board.hit(n)) is not None]
        hits = _that_tell(decision.answer, hits, frame.board.hits)
        proof = [frame.board.said(hit) for hit in hits]
        facts = [fact_line(f, frame.read.language) for f in frame.board.facts]
        if not hits:
            work.dropped.append(f"{decision.answer} — no turn was given for it")
            return []
        missing = find_unsupported(decision.answer, [*proof, *facts], asked.question)
        is_when = frame.read.kind is Kind.WHEN
        if (missing and not is_when) or not shares_words(decision.answer, [*proof, *facts]):
            told = ", ".join(missing) or decision.answer
            work.dropped.append(f"{decision.answer} — not in the turns cited: {told}")
            return []
        if not _about_the_right_one(frame.read, hits):
            work.dropped.append(f"{decision.answer} — the turns are about somebody else")
            return []
        told = " / ".join(proof)
        return hits if self._supported(work, asked.question, decision.answer, told) else []

    def _from_facts(
        self, asked: Asked, frame: tools.Frame, work: _Work, proposal: Proposal
    ) -> Answer:
        citations = cite_facts(proposal.facts)
        numbers = {one.quote: one.number for one in citations}
        lines = []
        for fact in proposal.facts:
            mark = numbers.get(fact.evidence[0].quote) if fact.evidence else None
            lines.append(fact_line(fact, frame.read.language) + (f" [{mark}]" if mark else ""))
        joint = "；" if frame.read.language == "zh" else ". "
        return self._finish(
            asked, frame, work, proposal.answer, joint.join(lines), citations, proposal.facts
        )

    def _from_turns(
        self, asked: Asked, frame: tools.Frame, work: _Work, answer: str, hits: Sequence[TurnHit]
    ) -> Answer:
        if frame.read.kind is Kind.WHEN:
            answer = date_of_answer(answer, hits, frame.read.language)
        citations = cite_turns(hits, answer, asked.question)
        cited = {one.turn_id for one in citations}
        facts = tuple(f for f in frame.board.facts if any(e.turn_id in cited for e in f.evidence))
        summary = _said_summary(citations, frame.read.language)
        return self._finish(asked, frame, work, answer, summary, citations, facts)

    def _decline(self, asked: Asked, frame: tools.Frame, work: _Work) -> Answer:
        said = declined(frame.read.language)
        return self._finish(asked, frame, work, said, "", (), (), abstained=True)

    def _finish(
        self,
        asked: Asked,
        frame: tools.Frame,
        work: _Work,
        answer: str,
        summary: str,
        citations: tuple[Citation, ...],
        facts: tuple[Fact, ...],
        *,
        abstained: bool = False,
    ) -> Answer:
        if answer:
            self._tell(AnswerPart(answer))
        return Answer(
            question=asked.question,
            answer=answer,
            abstained=abstained,
            summary=summary,
            citations=citations,
            facts=facts,
            conflicts=tuple(find_conflicts(facts)),
            steps=tuple(work.steps),
            usage=Usage(
                work.model_calls,
                work.prompt_tokens,
                work.output_tokens,
                work.ms_first_evidence,
                work.ms(),
            ),
            evidence=tuple(frame.board.hits),
            dropped=tuple(work.dropped),
            understood=tuple(frame.read.as_tuples()),
        )


def _continued(read: Understood, before: Understood) -> Understood:
    """Read "and before that?" as the question before it, asked in another way."""
    same_kind = read.kind in (Kind.OPEN, Kind.CURRENT)
    return replace(
        read,
        entities=before.entities,
        kind=before.kind if same_kind else read.kind,
        property_hints=read.property_hints or before.property_hints,
        words=(*read.words, *before.words),
    )


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


def _was_called(called: Sequence[Step], decision: Decision) -> bool:
    return any(s.tool == decision.tool and s.arguments == decision.argument for s in called)


def _about_the_right_one(read: Understood, hits: Sequence[TurnHit]) -> bool:
    """Whether a turn is said by, or names, whom the question names (no borrowed deeds)."""
    if not read.entities:
        return True
    for hit in hits:
        told = normalise(f"{hit.speaker} {hit.text}")
        if any(normalise(named.words) in told or named.speaker == hit.speaker
               for named in read.entities):  # fmt: skip
            return True
    return False


def _said_summary(citations: Sequence[Citation], language: str) -> str:
    lines = []
    for one in citations[:3]:
        day = (
            spell.spell_instant(one.said_at_ms, one.offset_minutes, language)
            if one.said_at_ms is not None
            else "?"
        )
        if language == "zh":
            lines.append(f"{one.speaker}在{day}说：“{one.quote}”[{one.number}]")
        else:
            lines.append(f"{one.speaker} on {day}: “{one.quote}” [{one.number}]")
    return " ".join(lines)
