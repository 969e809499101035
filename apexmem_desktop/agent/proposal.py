"""A possible answer with its proof, and what it is worked out from."""

from dataclasses import dataclass

from apexmem_desktop.agent.wording import fact_line, one_line
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.recall.question import Understood

MAX_QUOTED_FACTS = 3
MAX_QUOTE_CHARS = 120


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A question, and the judged facts of one subject and property that may answer it.

    Attributes:
        beside: All facts that were read for the question, which may tell a cause.
        as_of_ms: The UTC instant that "now" means for the question.
        that: What "that" means in a follow-up question; "" for nothing.
    """

    read: Understood
    facts: tuple[Fact, ...]
    beside: tuple[Fact, ...]
    as_of_ms: int
    that: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One possible answer.

    Attributes:
        answer: The shortest true answer, in the question's language.
        facts: What proves it, in the order to be cited.
        how: What was worked out, for the trace.
        certain: Whether it needs no check: the question names both who and what was denied.
    """

    answer: str
    facts: tuple[Fact, ...]
    how: str
    certain: bool = False

    def proof(self, language: str) -> str:
        """Say the facts behind it, for the check; few of them with the words that told them."""
        with_words = len(self.facts) <= MAX_QUOTED_FACTS
        return ". ".join(_told(fact, language, with_words=with_words) for fact in self.facts)


def _told(fact: Fact, language: str, *, with_words: bool) -> str:
    line = one_line(fact_line(fact, language))
    if not with_words or not fact.evidence:
        return line
    first = fact.evidence[0]
    return f"{line} ({first.speaker}: {one_line(first.quote)[:MAX_QUOTE_CHARS]})"
