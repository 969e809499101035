"""Facts that bear on a question: by words, by meaning, and by the graph around those named."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apexmem_desktop.domain.graph import Fact, FactStatus
from apexmem_desktop.recall.asked import Asked
from apexmem_desktop.recall.fusion import Ranking, fuse
from apexmem_desktop.recall.holding import judge, rival_names
from apexmem_desktop.recall.indexes import shared_index
from apexmem_desktop.recall.kinds import memory_types_of
from apexmem_desktop.recall.question import Understood, widen
from apexmem_desktop.recall.twins import fold_said_again, folded_into
from apexmem_desktop.recall.vocabulary import CJK, forms, stem
from apexmem_desktop.recall.weights import WEIGHTS, Weights
from apexmem_desktop.storage.facts import find_facts, find_rulings
from apexmem_desktop.storage.touching import find_touching_facts
from apexmem_desktop.storage.vault import Connection, Vault
from apexmem_desktop.storage.words import find_facts_by_words

_MOST_OF_ONE = 2000  # facts read of the entities named; enough for a long life in chats
_NAMED_MORE = 2  # as many facts that only hold the name are read as can be given
_HINTED = 3.0  # what a hinted property counts, in matching words


@dataclass(frozen=True, slots=True)
class RankedFacts:
    """Facts by signal, best first, and together.

    Attributes:
        judged: Best first, with the status at the time asked about.
    """

    by_words: tuple[Fact, ...]
    by_meaning: tuple[Fact, ...]
    by_graph: tuple[Fact, ...]
    judged: tuple[Fact, ...]


def rank_facts(
    vault: Vault,
    db: Connection,
    asked: Asked,
    *,
    as_of_ms: int,
    known_at_ms: int | None = None,
    limit: int,
    weights: Weights = WEIGHTS,
) -> RankedFacts:
    """Find and judge the facts that bear on a question.

    Args:
        as_of_ms: UTC instant to judge for.
        known_at_ms: Use only what had been recorded by this UTC instant.
    """
    word_ids = [i for i, _ in find_facts_by_words(db, asked.query, limit)]
    near_ids = _near(vault, asked, limit)
    about = _about(db, asked.read, known_at_ms, limit, weights)
    found = [*word_ids, *near_ids]
    by_id = {f.id: f for f in find_facts(db, ids=found, known_at_ms=known_at_ms)} if found else {}
    by_id |= {f.id: f for f in about}
    graph_ids = [f.id for f in about]
    fused = fuse(
        (
            Ranking("words", weights.fact_words, [i for i in word_ids if i in by_id]),
            Ranking("meaning", weights.fact_meaning, [i for i in near_ids if i in by_id]),
            Ranking("graph", weights.graph, graph_ids[:limit]),
        ),
        weights.rank_offset,
    )
    best = sorted(fused, key=lambda i: (-fused[i].score, i))[:limit]
    judged = judge_with_rivals(
        db, [by_id[i] for i in best], as_of_ms=as_of_ms, known_at_ms=known_at_ms
    )
    return RankedFacts(
        by_words=tuple(by_id[i] for i in word_ids if i in by_id),
        by_meaning=tuple(by_id[i] for i in near_ids if i in by_id),
        by_graph=tuple(about[:limit]),
        judged=tuple(f for f in judged if f.status is not FactStatus.REJECTED),
    )


def _near(vault: Vault, asked: Asked, limit: int) -> list[int]:
    if asked.fact_vector is None:
        return []
    found = shared_index(vault, asked.embedder_id, "fact").search(asked.fact_vector, limit)
    return [fact_id for fact_id, _ in found]


def judge_with_rivals(
    db: Connection, facts: Sequence[Fact], *, as_of_ms: int, known_at_ms: int | None = None
) -> list[Fact]:
    """Judge some facts, reading the others of the same subjects and properties for it.

    Returns:
        The facts given, judged, in the order given, without those not known by `known_at_ms`; what
        is shown as one with another is that other.
    """
    if not facts:
        return []
    told = {(f.subject_id, f.property) for f in facts}
    topics = sorted({(subject, name) for subject, one in told for name in rival_names([one])})
    every = find_facts(db, topics=topics, known_at_ms=known_at_ms, limit=100_000)
    rulings = find_rulings(db, [f.id for f in every], known_at_ms=known_at_ms)
    judged = judge(every, as_of_ms=as_of_ms, rulings=rulings, known_at_ms=known_at_ms)
    into = folded_into(judged)
    shown = {f.id: f for f in fold_said_again(judged)}
    wanted = dict.fromkeys(into.get(f.id, f.id) for f in facts)
    return [shown[number] for number in wanted if number in shown]


def evidence_turns(facts: Iterable[Fact]) -> list[int]:
    """List the turns that prove facts, in the facts' order, each once."""
    return list(dict.fromkeys(e.turn_id for fact in facts for e in fact.evidence))


def _about(
    db: Connection, read: Understood, known_at_ms: int | None, limit: int, weights: Weights
) -> list[Fact]:
    """Find facts about those named that touch what is asked, best first."""
    ids = list(read.owned_ids)
    if not ids:
        return []
    # Nearly all facts of somebody hold the name: of those that hold no more, the newest do.
    names = {stem(word) for named in read.entities for word in named.words.split()}
    wanted = [*read.words, *widen(read.words)]
    telling = forms(word for word in wanted if stem(word) not in names)
    touching = find_touching_facts(
        db, ids, telling, read.property_hints, known_at_ms=known_at_ms, limit=_MOST_OF_ONE
    )
    touching += find_touching_facts(
        db, ids, forms(wanted), (), known_at_ms=known_at_ms, limit=_NAMED_MORE * limit
    )
    known = find_facts(db, ids=touching, known_at_ms=known_at_ms, limit=_MOST_OF_ONE)
    scores = _touching(known, read, weights)
    unique = {f.id: f for f in known if scores[f.id] > 0}
    return sorted(unique.values(), key=lambda f: (-scores[f.id], -f.id))


def _touching(facts: Sequence[Fact], read: Understood, weights: Weights) -> dict[int, float]:
    types = memory_types_of(read.question, read.kind)
    asked = {stem(w): 1.0 for w in read.words} | {
        stem(w): 0.5 for w in widen(read.words) if w not in read.words
    }
    scores: dict[int, float] = defaultdict(float)
    for fact in facts:
        told = f"{fact.property.replace('_', ' ')} {fact.value} " + " ".join(
            e.quote for e in fact.evidence
        )
        stems = {stem(w) for w in told.split()}
        scores[fact.id] = sum(
            weight
            for word, weight in asked.items()
            if word in stems or (CJK.search(word) and word in told)
        )
        if fact.property in read.property_hints:
            scores[fact.id] += _HINTED
        # The kind of memory alone says nothing of what is asked.
        if scores[fact.id] > 0 and fact.memory_type in types:
            scores[fact.id] += weights.of_type
    return scores
