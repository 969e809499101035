"""Search everywhere, as somebody types: names, facts and turns by words alone, with a limit."""

from apexmem_desktop.domain.answers import SearchResult, TurnHit
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, facts, turns, words
from apexmem_desktop.storage.rulings import find_rulings

_LEFT_OUT = ("reject", "hide", "correct")


def seek(ws: Workspace, text: str, *, limit: int = 8) -> SearchResult:
    """Find what the words name, the best first; no vectors, so that it keeps up with typing.

    Args:
        limit: At most so many names, facts and turns each.
    """
    wanted = text.strip()
    if not wanted:
        return SearchResult()
    with ws.vault.read() as db:
        named = entities.find_entities(db, matching=wanted, limit=limit)
        fact_ids = [number for number, _ in words.find_facts_by_words(db, wanted, limit)]
        ruled = find_rulings(db, fact_ids)
        kept = [number for number in fact_ids if ruled.get(number) not in _LEFT_OUT]
        told = {fact.id: fact for fact in facts.find_facts(db, ids=kept)}
        scored = dict(words.find_turns_by_words(db, wanted, limit))
        said = {turn.id: turn for turn in turns.find_turns(db, list(scored))}
    hits = [_hit(said[number], score) for number, score in scored.items() if number in said]
    found = [told[number] for number in kept if number in told]
    return SearchResult(tuple(hits), tuple(found), tuple(named))


def _hit(turn: Turn, score: float) -> TurnHit:
    return TurnHit(
        turn_id=turn.id,
        session_id=turn.session_id,
        session_title=turn.session_title,
        speaker=turn.speaker,
        said_at_ms=turn.said_at_ms,
        offset_minutes=turn.offset_minutes,
        text=turn.text,
        score=score,
        why=("words",),
    )
