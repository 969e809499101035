"""How the versions of one property bear on one another, as a small sign and in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.domain.graph import Fact, FactStatus, LinkKind
from apexmem_desktop.domain.interval import TimeSource
from apexmem_desktop.ui.fact_words import value_text
from apexmem_desktop.ui.translation import tr

# Versions stand newest first, so an arrow points to the other one.
_SIGNS = {
    "replaces": "↓",
    "replaced": "↑",
    "contradicts": "≠",
    "corroborates": "✓",
    "may_lead_to": "?",
    "may_follow_from": "?",
    "other": "·",
}
_STORED = {
    LinkKind.CONTRADICTS: "contradicts",
    LinkKind.CORROBORATES: "corroborates",
}


@dataclass(frozen=True, slots=True)
class Tie:
    """One way in which a version bears on another."""

    kind: str
    value: str

    @property
    def sign(self) -> str:
        """One character for a narrow column."""
        return _SIGNS[self.kind]

    @property
    def words(self) -> str:
        """The same in words."""
        return tr(f"link.{self.kind}", value=self.value)


def find_ties(versions: Sequence[Fact]) -> dict[int, tuple[Tie, ...]]:
    """Find the ties of each version, by its id: those stored, and those that the dates show.

    Args:
        versions: All of one property, newest first.
    """
    ties: dict[int, dict[Tie, None]] = {fact.id: {} for fact in versions}
    _add_successions(versions, ties)
    _add_contradictions(versions, ties)
    _add_stored(versions, ties)
    return {fact_id: tuple(found) for fact_id, found in ties.items()}


def _add_successions(versions: Sequence[Fact], ties: dict[int, dict[Tie, None]]) -> None:
    for number, fact in enumerate(versions):
        ended = fact.effective_to
        if ended is None or ended.source is not TimeSource.NEXT_VALUE:
            continue
        newer = (one for one in reversed(versions[:number]) if value_text(one) != value_text(fact))
        after = next(newer, None)
        if after is not None:
            ties[fact.id][Tie("replaced", value_text(after))] = None
            ties[after.id][Tie("replaces", value_text(fact))] = None


def _add_contradictions(versions: Sequence[Fact], ties: dict[int, dict[Tie, None]]) -> None:
    contested = [fact for fact in versions if fact.status is FactStatus.CONTESTED]
    for fact in contested:
        for other in contested:
            if value_text(other) != value_text(fact):
                ties[fact.id][Tie("contradicts", value_text(other))] = None


def _add_stored(versions: Sequence[Fact], ties: dict[int, dict[Tie, None]]) -> None:
    values = {fact.id: value_text(fact) for fact in versions}
    for fact in versions:
        for link in fact.links:
            is_from = link.from_id == fact.id
            other = link.to_id if is_from else link.from_id
            if link.kind is LinkKind.SUPERSEDES:
                kind = "replaces" if is_from else "replaced"
            elif link.kind is LinkKind.POSSIBLY_CAUSES:
                kind = "may_lead_to" if is_from else "may_follow_from"
            else:
                kind = _STORED.get(link.kind, "other")
            value = values.get(other, tr("link.elsewhere"))
            ties[fact.id][Tie(kind, value)] = None
