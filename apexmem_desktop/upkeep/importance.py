"""How much a fact matters: how often it was said, how lately, and what the user decided of it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.values import normalised_text

SAID, LATELY, CONFIRMED = 0.6, 0.2, 0.2  # the shares; they add to 1
HALF_YEAR_MS = 182 * 86_400_000  # after so long "lately" counts half
_DECIDED = {"pin": 1.0, "reject": 0.0, "hide": 0.0, "correct": 0.0}
_AGREED = {"confirm", "prefer"}


def weigh(facts: Sequence[Fact], rulings: Mapping[int, str]) -> dict[int, float]:
    """Weigh the facts of one entity against each other, each from 0 to 1.

    What a second turn says anew counts for the fact it repeats; the same turn counts once.
    "Lately" is measured from the last that was said of the entity, so that the weights of one
    entity do not change with what is said of others, or with the clock.
    """
    turns: dict[tuple[int, str, bool], set[int]] = defaultdict(set)
    for fact in facts:
        turns[_claim(fact)] |= {proof.turn_id for proof in fact.evidence}
    newest_ms = max((_said_ms(fact) for fact in facts), default=0)
    return {
        fact.id: _score(
            len(turns[_claim(fact)]), newest_ms - _said_ms(fact), rulings.get(fact.id, "")
        )
        for fact in facts
    }


def _score(turns: int, age_ms: int, ruling: str) -> float:
    if ruling in _DECIDED:
        return _DECIDED[ruling]
    said = 1.0 - 0.5**turns
    lately: float = 0.5 ** (max(0, age_ms) / HALF_YEAR_MS)
    return round(SAID * said + LATELY * lately + CONFIRMED * (ruling in _AGREED), 6)


def _claim(fact: Fact) -> tuple[int, str, bool]:
    return fact.property_id, normalised_text(fact.value, fact.value_type), fact.polarity


def _said_ms(fact: Fact) -> int:
    return max((proof.said_at_ms or 0 for proof in fact.evidence), default=0)
