"""Facts, turns and dates as lines for people."""

from apexmem_desktop.cli.dates import iso
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.denied import denied_words
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.interval import Bound, Precision
from apexmem_desktop.domain.wall import WallClock, clock_of

_DAY_CHARS, _MONTH_CHARS, _YEAR_CHARS = 10, 7, 4


def spell_when(bound: Bound | None, clock: WallClock) -> str:
    """Spell one end of a validity as finely as the words told it."""
    if bound is None:
        return ""
    at_ms = bound.earliest_ms if bound.earliest_ms is not None else bound.latest_ms
    at = iso(at_ms, clock.of_bound(bound).offset_at(at_ms))
    if at is None:
        return "unknown"
    if bound.earliest_ms is None:
        return f"{at[:_DAY_CHARS]} or before"
    match bound.precision:
        case Precision.YEAR:
            return at[:_YEAR_CHARS]
        case Precision.MONTH | Precision.SEASON:
            return at[:_MONTH_CHARS]
        case Precision.INSTANT:
            return at
        case _:
            return at[:_DAY_CHARS]


def spell_fact(fact: Fact) -> str:
    """Spell one fact: what, from when to when, and how sure."""
    clock = clock_of(fact.evidence)
    start = spell_when(fact.valid_from, clock)
    end = spell_when(fact.effective_to or fact.valid_to, clock)
    until = f" until {end}" if end else ""
    return (
        f"{spell_said(fact)}  [{fact.status.value}] from {start}{until}"
        f"  ({fact.confidence:.0%}, fact {fact.id})"
    )


def spell_said(fact: Fact) -> str:
    """Spell what a fact tells: `owns: Polo`, `does not own: Polo`."""
    if fact.polarity:
        return f"{fact.property}: {fact.value}"
    return denied_words(fact.property, fact.value)


def spell_proofs(fact: Fact) -> list[str]:
    """Spell the words that prove a fact."""
    return [
        f"{proof.speaker}, {iso(proof.said_at_ms, proof.offset_minutes) or 'no date'}: "
        f'"{proof.quote}" (turn {proof.turn_id})'
        for proof in fact.evidence
    ]


def spell_hit(hit: TurnHit) -> str:
    """Spell one found turn and why it was found."""
    said = iso(hit.said_at_ms, hit.offset_minutes) or "no date"
    text = " ".join(hit.text.split())
    return f"{hit.speaker}, {said}: {text} (turn {hit.turn_id}; {', '.join(hit.why)})"
