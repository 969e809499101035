"""Joining ranked lists into one: weighted reciprocal ranks. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.recall.weights import SHORT_CHARS, Weights


@dataclass(frozen=True, slots=True)
class Ranking:
    """One signal's turns, best first.

    Attributes:
        why: The signal's name as the trace shows it.
    """

    why: str
    weight: float
    turn_ids: Sequence[int]


@dataclass(slots=True)
class Scored:
    """A turn's fused score, and what it comes from."""

    score: float = 0.0
    why: list[str] = field(default_factory=list)

    def add(self, score: float, why: str) -> None:
        """Take one more signal in."""
        self.score += score
        if why not in self.why:
            self.why.append(why)


def fuse(rankings: Iterable[Ranking], rank_offset: float) -> dict[int, Scored]:
    """Add weight / (rank_offset + rank) over the lists that a turn stands in.

    Scores are not used: on the dev conversations they added nothing to the ranks.
    """
    fused: dict[int, Scored] = {}
    for ranking in rankings:
        if ranking.weight <= 0:
            continue
        for rank, turn_id in enumerate(ranking.turn_ids, start=1):
            counted = ranking.weight / (rank_offset + rank)
            fused.setdefault(turn_id, Scored()).add(counted, ranking.why)
    return fused


def share_with_neighbours(
    scored: Mapping[int, Scored], turns: Mapping[int, Turn], weights: Weights
) -> dict[int, Scored]:
    """Give each turn a share of its neighbours' scores: a question's hit is often its answer.

    Args:
        scored: Scores of the hits; it is not changed.
        turns: The hits and the turns beside them by id.
    """
    places = {(t.conversation_id, t.position): t for t in turns.values()}
    given: dict[int, list[float]] = defaultdict(list)
    for turn in (turns[turn_id] for turn_id in scored if turn_id in turns):
        for step, share in _shares(turn, weights):
            beside = places.get((turn.conversation_id, turn.position + step))
            if beside is not None and beside.session_id == turn.session_id and share > 0:
                given[beside.id].append(scored[turn.id].score * share)
    return {
        turn_id: _together(scored.get(turn_id), given[turn_id], weights.mix)
        for turn_id in scored.keys() | given.keys()
    }


def _shares(turn: Turn, weights: Weights) -> tuple[tuple[int, float], ...]:
    """Tell what a hit gives to the turns beside it, by their distance."""
    asks = "?" in turn.text or "？" in turn.text
    after = weights.answer if asks else weights.after
    return (
        (-1, weights.before),
        (1, after),
        (-2, weights.before * weights.far),
        (2, after * weights.far),
    )


def _together(own: Scored | None, given: Sequence[float], mix: float) -> Scored:
    """Add what neighbours give, the largest part in full and of the others only a share.

    So a turn between two hits is lifted, but seldom over the hits themselves.
    """
    parts = [*given, own.score if own is not None else 0.0]
    most = max(parts)
    why = [*(own.why if own is not None else ()), *(["neighbour"] if given else ())]
    return Scored(most + mix * (sum(parts) - most), why)


def share_with_session(
    scored: Mapping[int, Scored], turns: Mapping[int, Turn], weights: Weights
) -> None:
    """Lift turns whose conversation of that day has other good hits: talk stays on its topic."""
    if weights.session <= 0:
        return
    best: dict[int, list[float]] = {}
    for turn_id, found in scored.items():
        if turn_id in turns:
            best.setdefault(turns[turn_id].session_id, []).append(found.score)
    lift = {s: weights.session * sum(sorted(scores)[-3:]) for s, scores in best.items()}
    for turn_id, found in scored.items():
        if turn_id in turns:
            found.score += lift[turns[turn_id].session_id]


def owner_factor(
    turn: Turn | TurnHit, speakers: Sequence[str], names: Sequence[str], w: Weights
) -> float:
    """Tell how likely a turn bears on the people named: their own words first.

    Args:
        speakers: Speakers the question names.
        names: Every form, casefolded, that those are called by.
    """
    if not speakers:
        return 1.0
    if turn.speaker in speakers:
        return w.owner
    text = turn.text.casefold()
    return w.named if any(name in text for name in names) else w.other


def length_factor(turn: Turn, weights: Weights) -> float:
    """Hold back a turn too short to tell anything."""
    return weights.short if len(turn.text) < SHORT_CHARS else 1.0
