"""Search everywhere, as somebody types: names, facts and turns by words alone, with a limit."""

from apexmem_desktop.domain.answers import SearchResult, TurnHit
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, facts, turns, words
from apexmem_desktop.storage.rulings import find_rulings

_LEFT_OUT = ("reject", "hide", "correct")


def seek(ws: Workspace, text: str, *, limit: int = 8) -> SearchResult:
    """Find what the words name, the best first; facts and turns the newest first, as one types.

    Args:
        limit: At most so many names, facts and turns each.
    """
    wanted = text.strip()
    if not wanted:
        return SearchResult()
    # Ranking takes too long to keep up with typing in a large memory: the newest come first.
    with ws.vault.read() as db:
        named = entities.find_entities(db, matching=wanted, limit=limit)
        fact_ids = words.find_facts_quick(db, wanted, limit)
        ruled = find_rulings(db, fact_ids)
        kept = [number for number in fact_ids if ruled.get(number) not in _LEFT_OUT]
        told = {fact.id: fact for fact in facts.find_facts(db, ids=kept)}
        newest = words.find_quick(db, wanted, limit)
        said = turns.find_turns(db, newest)
    hits = [_hit(turn, 1 / rank) for rank, turn in enumerate(said, start=1)]
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
        zone=turn.zone,
    )
