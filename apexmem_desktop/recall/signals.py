"""Each signal's turns, best first. What they weigh stands in `weights`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apexmem_desktop.recall.asked import Asked
from apexmem_desktop.recall.fusion import Ranking
from apexmem_desktop.recall.indexes import shared_index
from apexmem_desktop.recall.knowledge import RankedFacts, evidence_turns
from apexmem_desktop.recall.question import widen
from apexmem_desktop.recall.weights import NEAR_COSINE, POOL, TALK_SHARE, Weights
from apexmem_desktop.storage.vault import Connection, Vault
from apexmem_desktop.storage.words import find_turns_by_words

# With a filter most of the nearest fall away, so more are asked for.
_FILTERED_POOL = 2000


def rank_turns(
    vault: Vault, db: Connection, asked: Asked, facts: RankedFacts, weights: Weights
) -> list[Ranking]:
    """Ask every signal."""
    wider = " ".join(widen(asked.read.words))
    return [
        _scored("words", weights.words, _by_words(db, asked, asked.text)),
        _scored("synonyms", weights.wider, _by_words(db, asked, wider)),
        _scored("meaning", weights.meaning, _by_meaning(vault, asked)),
        Ranking("fact words", weights.fact_words, evidence_turns(facts.by_words)),
        Ranking("fact meaning", weights.fact_meaning, evidence_turns(facts.by_meaning)),
        Ranking("graph", weights.graph, evidence_turns(facts.by_graph)),
    ]


def rank_talk(vault: Vault, asked: Asked, weights: Weights) -> Ranking:
    """Rank stretches of talk, which already have what their neighbours give."""
    return _scored("talk", weights.talk, _by_talk(vault, asked))


def _scored(why: str, weight: float, found: Sequence[tuple[int, float]]) -> Ranking:
    return Ranking(why, weight, [i for i, _ in found])


def _by_words(db: Connection, asked: Asked, text: str) -> list[tuple[int, float]]:
    if not text.strip():
        return []
    # The index knows speakers and times, not imports: what is known later falls away afterwards.
    limit = POOL if asked.known_at_ms is None else _FILTERED_POOL
    return find_turns_by_words(
        db,
        text,
        limit,
        speaker=asked.speaker or None,
        from_ms=asked.from_ms,
        to_ms=asked.to_ms,
    )


def _by_meaning(vault: Vault, asked: Asked) -> list[tuple[int, float]]:
    limit = _FILTERED_POOL if asked.is_filtered else POOL
    found = _near(vault, asked, asked.turn_vector, limit)
    return [(turn_id, cosine) for turn_id, cosine in found if cosine >= NEAR_COSINE]


def _by_talk(vault: Vault, asked: Asked) -> list[tuple[int, float]]:
    """Rank turns by their own nearness and a share of that of the turns stored beside them.

    An answer seldom names what it answers; the question before it does.
    """
    near = dict(_near(vault, asked, asked.talk_vector, _FILTERED_POOL))
    together = {
        turn_id: cosine + TALK_SHARE * (near.get(turn_id - 1, 0.0) + near.get(turn_id + 1, 0.0))
        for turn_id, cosine in near.items()
    }
    return sorted(together.items(), key=lambda one: -one[1])[:POOL]


def _near(
    vault: Vault, asked: Asked, vector: NDArray[np.float32] | None, limit: int
) -> list[tuple[int, float]]:
    if vector is None:
        return []
    return shared_index(vault, asked.embedder_id, "turn").search(vector, limit)
