"""Reading a chat piece by piece, from any place in it, and only what somebody wants to see."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, and_, func, or_, select

from apexmem_desktop.domain.reading import MarginFact, TurnFilter
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.storage.facts import find_facts
from apexmem_desktop.storage.tables import evidence, facts, properties, turns
from apexmem_desktop.storage.turns import select_turns, turn_of
from apexmem_desktop.storage.vault import Connection

_WILD = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})


def count_turns(db: Connection, conversation_id: int, only: TurnFilter) -> int:
    """Count the turns of a chat that a filter lets through."""
    return int(db.execute(_chosen(select(func.count()), conversation_id, only)).scalar_one())


def find_page(
    db: Connection,
    conversation_id: int,
    only: TurnFilter,
    *,
    beside: int | None,
    limit: int,
    backwards: bool = False,
) -> list[Turn]:
    """Read the turns behind a turn, or before it, in time order.

    Args:
        beside: Number of the turn; None for the beginning of the chat, or backwards for its end.
    """
    wanted = _chosen(select_turns(), conversation_id, only)
    if beside is not None:
        here = db.execute(
            select(turns.c.order_ms, turns.c.position).where(turns.c.id == beside)
        ).first()
        if here is None:
            return []
        wanted = wanted.where(_beyond(here, backwards=backwards))
    order = (turns.c.order_ms, turns.c.position)
    by = [one.desc() for one in order] if backwards else list(order)
    rows = db.execute(wanted.order_by(*by).limit(limit)).all()
    return [turn_of(row) for row in (reversed(rows) if backwards else rows)]


def find_turn_at(
    db: Connection, conversation_id: int, only: TurnFilter, *, number: int
) -> int | None:
    """Find the turn that so many turns stand before, or the last one."""
    ids = _chosen(select(turns.c.id), conversation_id, only)
    ids = ids.order_by(turns.c.order_ms, turns.c.position)
    found: int | None = db.execute(ids.offset(max(0, number)).limit(1)).scalar()
    if found is not None:
        return found
    last = _chosen(select(turns.c.id), conversation_id, only)
    return db.execute(
        last.order_by(turns.c.order_ms.desc(), turns.c.position.desc()).limit(1)
    ).scalar()


def find_turn_from(
    db: Connection, conversation_id: int, only: TurnFilter, *, at_ms: int
) -> int | None:
    """Find the first turn said at or after an instant; the last one where none is."""
    ids = _chosen(select(turns.c.id), conversation_id, only).where(turns.c.order_ms >= at_ms)
    found: int | None = db.execute(
        ids.order_by(turns.c.order_ms, turns.c.position).limit(1)
    ).scalar()
    return found if found is not None else find_turn_at(db, conversation_id, only, number=1 << 60)


def count_before(db: Connection, conversation_id: int, only: TurnFilter, *, turn_id: int) -> int:
    """Count the turns that stand before one."""
    here = db.execute(
        select(turns.c.order_ms, turns.c.position).where(turns.c.id == turn_id)
    ).first()
    if here is None:
        return 0
    counted = _chosen(select(func.count()), conversation_id, only)
    return int(db.execute(counted.where(_beyond(here, backwards=True))).scalar_one())


def find_within(
    db: Connection, conversation_id: int, only: TurnFilter, words: str, *, limit: int
) -> list[int]:
    """Find the turns of a chat that hold some signs, wherever in a word they stand."""
    ids = _chosen(select(turns.c.id), conversation_id, only)
    ids = ids.where(turns.c.text.like(f"%{words.translate(_WILD)}%", escape="\\"))
    return list(db.execute(ids.order_by(turns.c.order_ms, turns.c.position).limit(limit)).scalars())


def find_margin(db: Connection, turn_ids: Sequence[int]) -> dict[int, tuple[MarginFact, ...]]:
    """Find what turns prove, by turn."""
    found: dict[int, list[MarginFact]] = {}
    for fact in find_facts(db, turn_ids=turn_ids, limit=len(turn_ids) * 8):
        for proof in fact.evidence:
            told = MarginFact(
                fact.id,
                fact.subject_id,
                fact.subject,
                fact.property,
                fact.value,
                fact.polarity,
                proof.start,
                proof.end,
            )
            found.setdefault(proof.turn_id, []).append(told)
    wanted = set(turn_ids)
    return {number: tuple(told) for number, told in found.items() if number in wanted}


def find_property_names(db: Connection) -> list[str]:
    """List the properties by how many facts have them, the commonest first."""
    counted = (
        select(properties.c.name)
        .join(facts, facts.c.property_id == properties.c.id)
        .group_by(properties.c.id)
        .order_by(func.count().desc(), properties.c.name)
    )
    return list(db.execute(counted).scalars())


def _chosen(wanted: Select[Any], conversation_id: int, only: TurnFilter) -> Select[Any]:
    wanted = wanted.where(turns.c.conversation_id == conversation_id)
    if only.speaker:
        wanted = wanted.where(turns.c.speaker == only.speaker)
    if only.kind:
        wanted = wanted.where(turns.c.kind == only.kind)
    if only.from_ms is not None:
        wanted = wanted.where(turns.c.said_at_ms >= only.from_ms)
    if only.to_ms is not None:
        wanted = wanted.where(turns.c.said_at_ms < only.to_ms)
    if only.with_facts:
        proven = select(evidence.c.turn_id).where(evidence.c.fact_id.is_not(None))
        wanted = wanted.where(turns.c.id.in_(proven))
    return wanted


def _beyond(here: Any, *, backwards: bool) -> Any:
    order_ms, position = turns.c.order_ms, turns.c.position
    if backwards:
        return or_(
            order_ms < here.order_ms,
            and_(order_ms == here.order_ms, position < here.position),
        )
    return or_(order_ms > here.order_ms, and_(order_ms == here.order_ms, position > here.position))
