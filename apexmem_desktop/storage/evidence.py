"""The proof of facts and events: spans of turns, checked when they are stored.

The first stands in the row of its fact or event, any further one in a row of its own; none of
them repeats the words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    CompoundSelect,
    FromClause,
    Select,
    Table,
    func,
    insert,
    literal,
    null,
    select,
    union_all,
)

from apexmem_desktop.domain.graph import Evidence, Quote
from apexmem_desktop.domain.wall import zone_of_turn
from apexmem_desktop.storage.lists import Later, among, as_list, later
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.tables import conversations, evidence, fact_rows, turns, voice_zones
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class Proven:
    """When the turns were said that quotes stand in, by the turns' numbers."""

    said_at_ms: Mapping[int, int | None]

    def row(self, quotes: Sequence[Quote]) -> dict[str, int]:
        """Give the columns of the first proof."""
        first = quotes[0]
        return {"turn_id": first.turn_id, "start_char": first.start, "end_char": first.end}

    def told_ms(self, quotes: Sequence[Quote]) -> int | None:
        """Give when the turn of the first proof was said."""
        return self.said_at_ms[quotes[0].turn_id]


def check_quotes(db: Connection, quotes: Sequence[Quote]) -> Proven:
    """Refuse what has no proof, or whose proof does not stand in the turn it names.

    Raises:
        ValueError: There is no quote, or one differs from the turn's text at its offsets.
    """
    if not quotes:
        raise ValueError("nothing is stored without the words that prove it")
    given = {_TURN_IDS: as_list({quote.turn_id for quote in quotes})}
    found = {number: (text, said_at_ms) for number, text, said_at_ms in db.execute(_SAID, given)}
    for quote in quotes:
        text = found[quote.turn_id][0] if quote.turn_id in found else ""
        inside = 0 <= quote.start < quote.end <= len(text)
        if not inside or text[quote.start : quote.end] != quote.text:
            raise ValueError(f"turn {quote.turn_id} does not say {quote.text!r} at {quote.start}")
    return Proven({number: said_at_ms for number, (_, said_at_ms) in found.items()})


_TURN_IDS = "turn_ids"
_SAID = select(turns.c.id, turns.c.text, turns.c.said_at_ms).where(
    among(turns.c.id, later(_TURN_IDS))
)


def append_further(db: Connection, rows: Iterable[tuple[int | None, int | None, Quote]]) -> None:
    """Store checked quotes behind the first, each of one fact or one event (the other is None)."""
    values = [
        {
            "fact_id": fact_id,
            "event_id": event_id,
            "turn_id": quote.turn_id,
            "start_char": quote.start,
            "end_char": quote.end,
            "quote": None,
        }
        for fact_id, event_id, quote in rows
    ]
    if values:
        db.execute(insert(evidence), values)


def append_again(db: Connection, fact_id: int, again: "Again", *, recorded_at_ms: int) -> None:
    """Store that a fact was said again: one more proof, by itself.

    Raises:
        ValueError: The quote is not what the turn says at its offsets.
    """
    check_quotes(db, [again.quote])
    db.execute(
        insert(evidence).values(
            fact_id=fact_id,
            event_id=None,
            turn_id=again.quote.turn_id,
            start_char=again.quote.start,
            end_char=again.quote.end,
            quote=None,
            recorded_at_ms=recorded_at_ms,
            tells_when=int(again.tells_when),
            confidence=again.confidence,
            holder_id=again.holder_id,
            run_id=again.run_id,
        )
    )


@dataclass(frozen=True, slots=True)
class Again:
    """What was said again.

    Attributes:
        tells_when: Its own words tell the fact's time as well.
        holder_id: Who said it.
    """

    quote: Quote
    confidence: float
    tells_when: bool = False
    holder_id: int | None = None
    run_id: int | None = None


def find_best_again(
    db: Connection, ids: Sequence[int], known_at_ms: int | None = None
) -> dict[int, float]:
    """Map the facts that were said again to how surely that was read, at its best."""
    of = evidence.c
    wanted = (
        select(of.fact_id, func.max(of.confidence))
        .where(among(of.fact_id, ids), of.recorded_at_ms.is_not(None))
        .group_by(of.fact_id)
    )
    if known_at_ms is not None:
        wanted = wanted.where(of.recorded_at_ms <= known_at_ms)
    return read_pairs(db, wanted)


def find_evidence(
    db: Connection,
    rows: Table,
    further: Column[int],
    ids: Sequence[int],
    known_at_ms: int | None = None,
    *,
    with_words: bool = True,
) -> dict[int, tuple[Evidence, ...]]:
    """Read the proof of many facts or events at once, the first one first.

    Args:
        rows: `fact_rows` or `event_rows`.
        further: `evidence.c.fact_id` or `evidence.c.event_id`.
        known_at_ms: Leave out what was said again and recorded only after this instant.
        with_words: Without them, `read_quotes` gives those of the few that are shown.
    """
    found: dict[int, list[Evidence]] = {}
    given = {_OWNERS: as_list(ids), _KNOWN: _EVER if known_at_ms is None else known_at_ms}
    for wanted in _proofs(rows, further, with_words):
        for owner_id, *proof in db.execute(wanted, given):
            found.setdefault(owner_id, []).append(_evidence(*proof))
    return {number: tuple(proofs) for number, proofs in found.items()}


def _evidence(*proof: Any) -> Evidence:
    *told, again_at_ms, zone = proof
    _, _, _, _, said_at_ms, offset_minutes, *_ = told
    made: Callable[..., Evidence] = Evidence  # a row has as many columns as it has fields
    return made(*told, zone_of_turn(zone or "", said_at_ms, offset_minutes), again_at_ms)


def read_quotes(db: Connection, proofs: Iterable[Evidence]) -> dict[tuple[int, int, int], str]:
    """Read the words of proofs, by turn, start and end."""
    places = {(one.turn_id, one.start, one.end) for one in proofs}
    said = among(turns.c.id, {turn_id for turn_id, _, _ in places})
    texts = read_pairs(db, select(turns.c.id, turns.c.text).where(said))
    found = {(at, start, end): texts[at][start:end] for at, start, end in places if at in texts}
    of = evidence.c  # what is quoted otherwise than by its place
    own = select(of.turn_id, of.start_char, of.end_char, of.quote).where(
        among(of.turn_id, texts), of.quote.is_not(None)
    )
    for turn_id, start, end, quote in db.execute(own):
        found[turn_id, start, end] = quote
    return found


_OWNERS, _KNOWN = "owner_ids", "known_at_ms"
_EVER = 2**62


@cache
def _proofs(rows: Table, further: Column[int], with_words: bool) -> tuple[Select[Any], Select[Any]]:
    """Build the queries for the first proof and for further ones, once for facts and events."""
    number: Column[int] = rows.c.id
    first = _select_proof(number, rows, None, with_words).where(among(number, later(_OWNERS)))
    more = (
        _select_proof(further, evidence, evidence.c.quote, with_words)
        .where(among(further, later(_OWNERS)))
        .where(func.coalesce(evidence.c.recorded_at_ms, 0) <= later(_KNOWN))
    )
    return first, more.order_by(evidence.c.id)


def _select_proof(
    owner: Column[int], rows: Table, quote: Column[str] | None, with_words: bool
) -> Select[Any]:
    said = quoted(rows) if with_words else literal("")
    return (
        select(
            owner,
            # In the order of Evidence.
            rows.c.turn_id,
            turns.c.session_id,
            conversations.c.title,
            turns.c.speaker,
            turns.c.said_at_ms,
            turns.c.offset_minutes,
            said if quote is None or not with_words else func.coalesce(quote, said),
            rows.c.start_char,
            rows.c.end_char,
            null() if quote is None else evidence.c.recorded_at_ms,
            voice_zones.c.zone,
        )
        .join(turns, turns.c.id == rows.c.turn_id)
        .join(conversations, conversations.c.id == turns.c.conversation_id)
        .outerjoin(voice_zones, voice_zones.c.id == turns.c.voice_id)
    )


def quoted(rows: FromClause) -> ColumnElement[str]:
    """Cut out of `turns`, joined to some rows, what they quote."""
    return func.substr(turns.c.text, rows.c.start_char + 1, rows.c.end_char - rows.c.start_char)


def proven_by(turn_ids: Iterable[int] | Later | None = None) -> CompoundSelect[Any]:
    """Select (turn_id, fact_id) of the facts that turns prove; None for all turns."""
    first = select(fact_rows.c.turn_id, fact_rows.c.id.label("fact_id"))
    further = select(evidence.c.turn_id, evidence.c.fact_id)
    if turn_ids is not None:
        those = turn_ids if isinstance(turn_ids, BindParameter) else list(turn_ids)
        first = first.where(among(fact_rows.c.turn_id, those))
        further = further.where(among(evidence.c.turn_id, those))
    return union_all(first, further.where(evidence.c.fact_id.is_not(None)))
