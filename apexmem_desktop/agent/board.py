"""What an answer may be drawn from: numbered turns and facts, collected as the tools find them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from apexmem_desktop.agent.excerpt import excerpt
from apexmem_desktop.agent.wording import fact_line, one_line
from apexmem_desktop.chronology import spell
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.graph import Fact

MAX_SHOWN_TURNS = 10
MAX_SHOWN_FACTS = 8
# Facts of nobody in particular are the nearest by their words only, and mostly beside the point.
MAX_SHOWN_OTHER_FACTS = 4
MAX_TURN_CHARS = 420


@dataclass(slots=True)
class Board:
    """The evidence of one question, in the order it was found; numbers stay once given.

    Attributes:
        language: Language of the question, for how dates are spelled.
        topic: The words of what is asked, for what is shown of a long turn.
        unfit: Turns that the user said do not answer this question: none of them gets here.
    """

    language: str
    topic: tuple[str, ...] = ()
    unfit: frozenset[int] = frozenset()
    hits: list[TurnHit] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    def add_hits(self, hits: Iterable[TurnHit]) -> int:
        """Add turns that are not there yet; return how many were new."""
        known = {hit.turn_id for hit in self.hits} | self.unfit
        new = [hit for hit in hits if hit.turn_id not in known]
        self.hits += new
        return len(new)

    def add_facts(self, facts: Iterable[Fact]) -> None:
        """Add facts that are not there yet."""
        known = {fact.id for fact in self.facts}
        self.facts += [fact for fact in self.fitting(facts) if fact.id not in known]

    def fitting(self, facts: Iterable[Fact]) -> list[Fact]:
        """Leave out what rests on unfit turns alone, and their words from what rests on more."""
        if not self.unfit:
            return list(facts)
        kept = []
        for fact in facts:
            proofs = tuple(one for one in fact.evidence if one.turn_id not in self.unfit)
            if proofs or not fact.evidence:
                kept.append(replace(fact, evidence=proofs))
        return kept

    def hit(self, number: int) -> TurnHit | None:
        """Return the turn that the prompt calls [number]; None for a number it never gave."""
        return self.hits[number - 1] if 0 < number <= len(self.hits) else None

    def turn_lines(self, *, newest: int = 0) -> str:
        """Write the turns for a prompt: the best found first, and the `newest` added last."""
        shown = list(range(min(MAX_SHOWN_TURNS, len(self.hits))))
        shown += [i for i in range(len(self.hits) - newest, len(self.hits)) if i not in shown]
        return "\n".join(f"[{i + 1}] {self.said(self.hits[i])}" for i in shown) or "-"

    def fact_lines(self, subject_ids: Collection[int] = ()) -> str:
        """Write the facts for a prompt: of these subjects, where any of theirs were found."""
        own = [fact for fact in self.facts if fact.subject_id in subject_ids]
        shown = own[:MAX_SHOWN_FACTS] or self.facts[:MAX_SHOWN_OTHER_FACTS]
        return "\n".join(one_line(fact_line(fact, self.language)) for fact in shown) or "-"

    def said(self, hit: TurnHit) -> str:
        """Write one turn with its local day and speaker, its relative dates worked out."""
        # "[=" is our own mark of a date worked out; in somebody's words it is none.
        text = excerpt(one_line(hit.text).replace("[=", "[ ="), self.topic, MAX_TURN_CHARS)
        speaker = one_line(hit.speaker)
        if hit.said_at_ms is None:
            return f"(no date), {speaker}: {text}"
        day = spell.spell_instant(hit.said_at_ms, hit.offset_minutes, self.language)
        told = spell.annotate(
            text,
            anchor_ms=hit.said_at_ms,
            offset_minutes=hit.offset_minutes,
            zone=hit.zone,
        )
        return f"{day}, {speaker}: {told}"
