"""Search by every signal at once: words, meaning, facts, the graph, neighbours, people and time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from apexmem_desktop.domain.answers import SearchResult, TurnHit
from apexmem_desktop.domain.graph import Entity, Event
from apexmem_desktop.domain.turn import Turn, TurnKind
from apexmem_desktop.inference.embedder import EmbedderHost
from apexmem_desktop.recall.asked import Asked
from apexmem_desktop.recall.bearing import bearing_factor, topic_of
from apexmem_desktop.recall.fusion import (
    Ranking,
    Scored,
    fuse,
    length_factor,
    owner_factor,
    share_with_neighbours,
    share_with_session,
)
from apexmem_desktop.recall.knowledge import rank_facts
from apexmem_desktop.recall.question import Understood, understand
from apexmem_desktop.recall.signals import rank_talk, rank_turns
from apexmem_desktop.recall.weights import NEIGHBOURED, POOL, TIED, WEIGHTS, Weights, weights_for
from apexmem_desktop.storage.derived import find_turn_importance
from apexmem_desktop.storage.entities import find_entities, get_entity
from apexmem_desktop.storage.events import find_events
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.sources import find_entities_recorded_by, find_turns_imported_by
from apexmem_desktop.storage.turns import find_turns, newest_said_at_ms
from apexmem_desktop.storage.vault import Connection, Vault

_SILENT = (TurnKind.NOTICE, TurnKind.DELETED, TurnKind.ALTERNATIVE)
_MOST_ENTITIES = 10
_MOST_EVENTS = 10


@dataclass(frozen=True, slots=True)
class _Filter:
    """Which turns may be found at all."""

    person: str
    from_ms: int | None
    to_ms: int | None
    known_at_ms: int | None = None

    def known_ones(self, db: Connection, fused: dict[int, Scored]) -> dict[int, Scored]:
        """Leave out the turns that nobody had imported yet."""
        if self.known_at_ms is None:
            return fused
        known = find_turns_imported_by(db, fused, self.known_at_ms)
        return {turn_id: scored for turn_id, scored in fused.items() if turn_id in known}

    def admits(self, turn: Turn) -> bool:
        """Tell whether a turn may be found."""
        if turn.kind in _SILENT or not turn.text.strip():
            return False
        if self.person and normalise(turn.speaker) != normalise(self.person):
            return False
        said = turn.said_at_ms
        if self.from_ms is not None and (said is None or said < self.from_ms):
            return False
        return self.to_ms is None or (said is not None and said < self.to_ms)


def hybrid_search(
    vault: Vault,
    embedder: EmbedderHost | None,
    query: str,
    *,
    understood: Understood | None = None,
    person: str = "",
    from_ms: int | None = None,
    to_ms: int | None = None,
    limit: int = 25,
    as_of_ms: int | None = None,
    known_at_ms: int | None = None,
    weights: Weights | None = None,
) -> SearchResult:
    """Find the turns, facts, entities and events that bear on a question or some words.

    Args:
        embedder: None where the embedder's files are absent; then words and graph do it alone.
        understood: How the question was read; None reads it here, against the newest turn.
        person: Give only turns of this speaker.
        from_ms: Give only turns said at or after this UTC instant.
        to_ms: Give only turns said before this UTC instant.
        as_of_ms: Judge the facts for this UTC instant; None for the time the question names.
        known_at_ms: Use only turns imported, and facts and events recorded, by this UTC instant;
            None for all.
        weights: None for those that were tuned for this kind of question.
    """
    with vault.read() as db:
        read = understood if understood is not None else _read(db, query)
        weights = weights or weights_for(read.kind)
        wanted = _Filter(person, from_ms, to_ms, known_at_ms)
        asked = _ask(embedder, query, read, wanted)
        facts = rank_facts(
            vault,
            db,
            asked,
            as_of_ms=_judged_at(read, as_of_ms),
            known_at_ms=known_at_ms,
            limit=POOL,
            # Facts are ranked among themselves as ever, however little they count for turns.
            weights=WEIGHTS if read.topic else weights,
        )
        rankings = rank_turns(vault, db, asked, facts, weights)
        talk = rank_talk(vault, asked, weights)
        fused = fuse(rankings, weights.rank_offset)
        hits = _hits(db, fused, talk, read, wanted, weights, limit)
        return SearchResult(
            turns=hits,
            facts=tuple(facts.judged[:limit]),
            entities=_entities(db, read, query, known_at_ms),
            events=_events(db, read, known_at_ms),
        )


def _read(db: Connection, query: str) -> Understood:
    return understand(db, query, now_ms=newest_said_at_ms(db) or 0, offset_minutes=0)


def _ask(embedder: EmbedderHost | None, query: str, read: Understood, wanted: _Filter) -> Asked:
    query = read.in_their_words if read.topic else query
    asked = Asked(query, read, wanted.person, wanted.from_ms, wanted.to_ms, wanted.known_at_ms)
    if embedder is None:
        return asked
    # The embedder is another process, so it is asked once for all vectors.
    vectors = embedder.embed([read.in_their_words, query, read.without_names])
    return replace(
        asked,
        embedder_id=embedder.embedder_id,
        turn_vector=vectors[0],
        fact_vector=vectors[1],
        talk_vector=vectors[2],
    )


def _judged_at(read: Understood, as_of_ms: int | None) -> int:
    if as_of_ms is not None:
        return as_of_ms
    return read.as_of_ms if read.as_of_ms is not None else read.now_ms


def _hits(
    db: Connection,
    fused: dict[int, Scored],
    talk: Ranking,
    read: Understood,
    wanted: _Filter,
    weights: Weights,
    limit: int,
) -> tuple[TurnHit, ...]:
    fused = wanted.known_ones(db, fused)
    best = sorted(fused, key=lambda i: fused[i].score, reverse=True)[: max(POOL, 2 * limit)]
    turns = _with_neighbours(db, [*best, *talk.turn_ids[:NEIGHBOURED]])
    shared = share_with_neighbours({i: fused[i] for i in best}, turns, weights)
    for turn_id, found in fuse([talk], weights.rank_offset).items():
        if turn_id in turns:
            shared.setdefault(turn_id, Scored()).add(found.score, talk.why)
    scored = wanted.known_ones(db, shared)
    names = [normalise(n.words) for n in read.entities if n.speaker]
    topic = topic_of(read) if read.topic else None
    for turn_id, found in scored.items():
        turn = turns.get(turn_id)
        found.score *= _factor(turn, read, names, weights, found)
        if topic is not None and turn is not None:
            found.score *= bearing_factor(turn, topic, read.asker, weights)
    share_with_session(scored, turns, weights)
    kept = [i for i in scored if i in turns and wanted.admits(turns[i])]
    kept = best_first({i: scored[i].score for i in kept}, find_turn_importance(db, kept))
    return tuple(_hit(turns[i], scored[i]) for i in kept[:limit])


def best_first(scores: Mapping[int, float], importance: Mapping[int, float]) -> list[int]:
    """Order turns by score; of equal ones that goes first which proves what matters more."""
    return sorted(scores, key=lambda i: (-scores[i] - TIED * importance.get(i, 0.0), i))


def _factor(
    turn: Turn | None, read: Understood, names: Sequence[str], weights: Weights, found: Scored
) -> float:
    if turn is None:
        return 0.0
    owned = owner_factor(turn, read.speakers, names, weights)
    if owned > 1:
        found.add(0.0, "person")
    factor = owned * length_factor(turn, weights)
    if read.spans and _in_span(turn, read):
        found.add(0.0, "time")
        factor *= weights.in_span
    return factor


def _in_span(turn: Turn, read: Understood) -> bool:
    said = turn.said_at_ms
    return said is not None and any(s.start_ms <= said < s.end_ms for s in read.spans)


def _with_neighbours(db: Connection, turn_ids: Sequence[int]) -> dict[int, Turn]:
    """Read turns, and what is stored beside the best of them, in one query.

    Turns of one import have consecutive ids, so this finds nearly every neighbour without a
    query a hit; `share_with_neighbours` looks at positions, so a wrong guess does no harm.
    """
    beside = {i + step for i in turn_ids[:NEIGHBOURED] for step in (-2, -1, 1, 2)}
    return {turn.id: turn for turn in find_turns(db, sorted({*turn_ids, *beside}))}


def _hit(turn: Turn, found: Scored) -> TurnHit:
    return TurnHit(
        turn_id=turn.id,
        session_id=turn.session_id,
        session_title=turn.session_title,
        speaker=turn.speaker,
        said_at_ms=turn.said_at_ms,
        offset_minutes=turn.offset_minutes,
        text=turn.text,
        score=found.score,
        why=tuple(found.why),
        zone=turn.zone,
        role=turn.role,
    )


def _entities(
    db: Connection, read: Understood, query: str, known_at_ms: int | None
) -> tuple[Entity, ...]:
    like = find_entities(db, matching=query.strip(), limit=_MOST_ENTITIES)
    ids = dict.fromkeys((*read.entity_ids, *(entity.id for entity in like)))
    if known_at_ms is not None:
        known = find_entities_recorded_by(db, ids, known_at_ms)
        ids = dict.fromkeys(i for i in ids if i in known)
    found = [get_entity(db, entity_id, known_at_ms=known_at_ms) for entity_id in ids]
    return tuple({entity.id: entity for entity in found}.values())[:_MOST_ENTITIES]


def _events(db: Connection, read: Understood, known_at_ms: int | None) -> tuple[Event, ...]:
    ids = list(read.entity_ids)
    if not ids:
        return ()
    start = min((s.start_ms for s in read.spans), default=None)
    end = max((s.end_ms for s in read.spans), default=None)
    found = find_events(
        db,
        entity_ids=ids,
        from_ms=start,
        to_ms=end,
        known_at_ms=known_at_ms,
        limit=_MOST_EVENTS * 5,
    )
    return tuple(e for e in found if e.type != "statement")[:_MOST_EVENTS]
