"""The proof of facts and events: spans of turns, checked when they are stored."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Column, insert, select

from apexmem_desktop.domain.graph import Evidence, Quote
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.tables import conversations, evidence, turns
from apexmem_desktop.storage.vault import Connection


def check_quotes(db: Connection, quotes: Sequence[Quote]) -> None:
    """Refuse what has no proof, or whose proof does not stand in the turn it names.

    Raises:
        ValueError: There is no quote, or one differs from the turn's text at its offsets.
    """
    if not quotes:
        raise ValueError("nothing is stored without the words that prove it")
    wanted = select(turns.c.id, turns.c.text).where(
        among(turns.c.id, {quote.turn_id for quote in quotes})
    )
    texts = read_pairs(db, wanted)
    for quote in quotes:
        text = texts.get(quote.turn_id, "")
        inside = 0 <= quote.start < quote.end <= len(text)
        if not inside or text[quote.start : quote.end] != quote.text:
            raise ValueError(f"turn {quote.turn_id} does not say {quote.text!r} at {quote.start}")


def append_evidence(db: Connection, rows: Iterable[tuple[int | None, int | None, Quote]]) -> None:
    """Store checked quotes, each as the proof of one fact or one event (the other id is None)."""
    db.execute(
        insert(evidence),
        [
            {
                "fact_id": fact_id,
                "event_id": event_id,
                "turn_id": quote.turn_id,
                "start_char": quote.start,
                "end_char": quote.end,
                "quote": quote.text,
            }
            for fact_id, event_id, quote in rows
        ],
    )


def find_evidence(
    db: Connection, owner: Column[int], ids: Sequence[int]
) -> dict[int, tuple[Evidence, ...]]:
    """Read the proof of many facts or events at once.

    Args:
        owner: `evidence.c.fact_id` or `evidence.c.event_id`: whose ids are given.
    """
    rows = db.execute(
        select(
            owner.label("owner_id"),
            # In the order of Evidence.
            evidence.c.turn_id,
            turns.c.session_id,
            conversations.c.title,
            turns.c.speaker,
            turns.c.said_at_ms,
            turns.c.offset_minutes,
            evidence.c.quote,
            evidence.c.start_char,
            evidence.c.end_char,
        )
        .join(turns, turns.c.id == evidence.c.turn_id)
        .join(conversations, conversations.c.id == turns.c.conversation_id)
        .where(among(owner, ids))
        .order_by(evidence.c.id)
    )
    found: dict[int, list[Evidence]] = {}
    for owner_id, *proof in rows:
        found.setdefault(owner_id, []).append(Evidence(*proof))
    return {number: tuple(proofs) for number, proofs in found.items()}
