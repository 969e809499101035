"""One question being answered: how it was read, what was found for it, and what that cost."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from apexmem_desktop.agent import deciding, tools
from apexmem_desktop.agent.board import Board
from apexmem_desktop.agent.own_words import language_of
from apexmem_desktop.agent.whose import About
from apexmem_desktop.domain.answers import AskNews, AskOptions, Step, StepDone, TurnHit, Usage
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.recall.naming import is_first_person
from apexmem_desktop.recall.question import Understood

# The paper's limit. The model's own calls are fewer: a small one only goes round in circles.
MAX_TOOL_CALLS = 40
# How sure the model must be that a proof tells an answer. What was worked out from facts, or found
# by pattern, is right more often than what the model reads into turns by itself.
LEAST_SUPPORT_OF_FINDS = 0.45
LEAST_SUPPORT_OF_TURNS = 0.6
MAX_SHOWN_PROOF = 160

NewsSink = Callable[[AskNews], None]


class Language(Protocol):
    """What the agent needs of a language model."""

    @property
    def is_taught(self) -> bool:
        """Whether an adapter taught it to read turns."""

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
        zone: Name of the asker's time zone; "" where only the offset is known.
        unfit: Turns that the user said do not answer the question that this is a part of.
    """

    question: str
    options: AskOptions
    now_ms: int
    offset_minutes: int
    zone: str = ""
    unfit: frozenset[int] = frozenset()


@dataclass(slots=True)
class Inquiry:
    """What one answer works with, and what it has gathered so far.

    Attributes:
        about: Whose facts and words may answer.
        that: What "that" means in a follow-up question: the answer before; "" for none.
        language: None stops at the evidence.
        steps: Every tool call so far, ours and the model's.
        dropped: What was not given as an answer, and why.
        ms_first_evidence: From the question to the first evidence; 0 until there is some.
        ms_first_words: From the question to the first words of the answer.
    """

    asked: Asked
    read: Understood
    about: About
    that: str
    frame: tools.Frame
    language: Language | None
    tell: NewsSink
    cancel: CancelToken
    started_s: float = field(default_factory=time.monotonic)
    steps: list[Step] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    model_calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    ms_first_evidence: int = 0
    ms_first_words: int = 0

    @property
    def board(self) -> Board:
        """The evidence found so far."""
        return self.frame.board

    @property
    def admitted(self) -> list[TurnHit]:
        """The turns found that are said by, or name, whom the question is about."""
        return [hit for hit in self.board.hits if self.about.admits(hit)]

    @property
    def may_use_tools(self) -> bool:
        """Whether the limit of tool calls leaves one more."""
        return len(self.steps) < MAX_TOOL_CALLS

    @property
    def question(self) -> str:
        """The question as the model is shown it: "I" and "the user" with the name they speak by."""
        told = [
            f"{named.words} = {named.speaker}"
            for named in self.read.entities
            if named.speaker and is_first_person(named.words)
        ]
        return f"{self.read.question} ({told[0]})" if told else self.read.question

    @property
    def language_of_question(self) -> str:
        """The language in which the question was asked, and is answered."""
        return language_of(self.asked.question, self.read.language)

    def ms(self) -> int:
        """Tell how long this has taken, in milliseconds."""
        return int((time.monotonic() - self.started_s) * 1000)

    def use(self, tool: str, argument: str) -> Step:
        """Call a tool, and tell that it has answered."""
        self.cancel.check()
        step = tools.use(self.frame, tool, argument)
        self.steps.append(step)
        self.tell(StepDone(step))
        return step

    def generate(self, request: GenerateRequest) -> Generation:
        """Ask the model.

        Raises:
            CancelledError: It was cancelled while the model wrote: half a reply is no reply.
        """
        return self.generate_all([request])[0]

    def generate_all(self, requests: Sequence[GenerateRequest]) -> list[Generation]:
        """Ask the model several things side by side; this counts as one call of it.

        Raises:
            CancelledError: It was cancelled while the model wrote: half a reply is no reply.
        """
        if self.language is None:
            raise RuntimeError("there is no model to ask")
        if not requests:
            return []
        self.cancel.check()
        replies = self.language.generate(requests, cancel=self.cancel)
        self.cancel.check()
        self.model_calls += 1
        self.prompt_tokens += sum(reply.prompt_tokens for reply in replies)
        self.output_tokens += sum(reply.output_tokens for reply in replies)
        return replies

    def is_told(self, answer: str, proof: str, *, at_least: float) -> bool:
        """Ask the model whether the proof really tells the answer to this question.

        Args:
            at_least: Probability of "yes" from which on it counts as one.
        """
        if self.support(answer, proof) >= at_least:
            return True
        self.drop(answer, f"its proof does not tell it: {proof[:MAX_SHOWN_PROOF]}")
        return False

    def support(self, answer: str, proof: str) -> float:
        """Ask the model how likely the proof tells the answer to this question; 0 to 1."""
        reply = self.generate(deciding.support_request(self.question, answer, proof))
        yes = reply.choice_probabilities.get("yes", 0.0)
        no = reply.choice_probabilities.get("no", 0.0)
        return yes / (yes + no) if yes + no > 0 else 0.0

    def take_over(self, part: "Inquiry") -> None:
        """Take over what answering a part of the question did and cost."""
        self.board.add_hits(part.board.hits)
        self.steps += part.steps
        self.dropped += part.dropped
        self.model_calls += part.model_calls
        self.prompt_tokens += part.prompt_tokens
        self.output_tokens += part.output_tokens

    def drop(self, answer: str, why: str) -> None:
        """Note what is not given as an answer, for the trace."""
        self.dropped.append(f"{answer} — {why}")

    def usage(self) -> Usage:
        """Tell what it cost so far."""
        return Usage(
            self.model_calls,
            self.prompt_tokens,
            self.output_tokens,
            self.ms_first_evidence,
            self.ms(),
            self.ms_first_words,
        )
