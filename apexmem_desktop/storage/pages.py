"""Reading a chat piece by piece, from any place in it, and only what somebody wants to see."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from apexmem_desktop.domain.reading import ALL_TURNS, MarginFact, TurnFilter
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.storage.evidence import proven_by
from apexmem_desktop.storage.facts import find_facts
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.stretches import Part, find_stretches, parts_of
from apexmem_desktop.storage.tables import fact_rows, properties, speakers_counted, turns
from apexmem_desktop.storage.turns import find_turns
from apexmem_desktop.storage.vault import Connection

_WILD = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})


def count_turns(db: Connection, conversation_id: int, only: TurnFilter) -> int:
    """Count the turns of a chat that a filter lets through."""
    if only == ALL_TURNS:
        of = speakers_counted.c
        counted = select(func.coalesce(func.sum(of.turns), 0))
        return int(db.execute(counted.where(of.conversation_id == conversation_id)).scalar_one())
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
    here = None
    if beside is not None and (here := _place(db, beside)) is None:
        return []
    walk = _walk(db, conversation_id, only, here, backwards=backwards)
    ids = list(islice((number for part in walk for number in part), limit))
    return find_turns(db, ids[::-1] if backwards else ids)


def find_turn_at(
    db: Connection, conversation_id: int, only: TurnFilter, *, number: int
) -> int | None:
    """Find the turn that so many turns stand before, or the last one."""
    left = max(0, number)
    last: list[int] | Part | None = None
    for part in _counted(db, conversation_id, only):
        count = _size(part)
        if left < count:
            return _sorted(db, part)[left]
        left -= count
        last = part
    return _sorted(db, last)[-1] if last else None


def find_turn_from(
    db: Connection, conversation_id: int, only: TurnFilter, *, at_ms: int
) -> int | None:
    """Find the first turn said at or after an instant; the last one where none is."""
    for part in _walk(db, conversation_id, only, _Place(at_ms, 0)):
        if part:
            return part[0]
    for part in _walk(db, conversation_id, only, backwards=True):
        if part:
            return part[0]
    return None


def count_before(db: Connection, conversation_id: int, only: TurnFilter, *, turn_id: int) -> int:
    """Count the turns that stand before one."""
    before = 0
    if only == ALL_TURNS:
        for part in _counted(db, conversation_id, only):
            if part.holds(turn_id) if isinstance(part, Part) else turn_id in part:
                return before + _sorted(db, part).index(turn_id)
            before += _size(part)
        return 0
    here = _place(db, turn_id)
    walk = _walk(db, conversation_id, only, here, backwards=True) if here is not None else ()
    return sum(map(len, walk))


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
        .join(fact_rows, fact_rows.c.property_id == properties.c.id)
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
        wanted = wanted.where(turns.c.id.in_(select(proven_by().subquery().c.turn_id)))
    return wanted


class _Place(NamedTuple):
    """Where a turn stands in its chat."""

    order_ms: int
    id: int


def _place(db: Connection, turn_id: int) -> _Place | None:
    row = db.execute(select(turns.c.order_ms, turns.c.id).where(turns.c.id == turn_id)).first()
    return _Place(*row) if row is not None else None


def _walk(
    db: Connection,
    conversation_id: int,
    only: TurnFilter,
    here: _Place | None = None,
    *,
    backwards: bool = False,
) -> Iterator[list[int]]:
    """Give the numbers of the turns behind a place, or before it and the nearest first, in parts.

    Only what the reader comes to is read, however long the chat is.
    """
    found = find_stretches(
        db,
        conversation_id,
        from_ms=here.order_ms if here is not None and not backwards else None,
        to_ms=here.order_ms + 1 if here is not None and backwards else None,
    )
    parts = parts_of(found)
    order = (turns.c.order_ms, turns.c.id)
    by = [one.desc() for one in order] if backwards else list(order)
    for part in reversed(list(parts)) if backwards else parts:
        ids = select(turns.c.id).where(among(turns.c.id, part.numbers()))
        wanted = _chosen(ids, conversation_id, only)
        if here is not None:
            wanted = wanted.where(_beyond(here, backwards=backwards))
        yield list(db.execute(wanted.order_by(*by)).scalars())


def _counted(
    db: Connection, conversation_id: int, only: TurnFilter
) -> Iterator[list[int]] | Iterator[Part]:
    """Give the numbers of a chat's turns in parts, without reading them where none was erased."""
    found = find_stretches(db, conversation_id)
    whole = sum(len(one.numbers()) for one in found)
    if only == ALL_TURNS and whole == count_turns(db, conversation_id, only):
        return parts_of(found)
    return _walk(db, conversation_id, only)


def _size(part: list[int] | Part) -> int:
    return part.size() if isinstance(part, Part) else len(part)


def _sorted(db: Connection, part: list[int] | Part) -> list[int]:
    ids = part.numbers() if isinstance(part, Part) else part
    wanted = select(turns.c.id).where(among(turns.c.id, ids))
    return list(db.execute(wanted.order_by(turns.c.order_ms, turns.c.id)).scalars())


def _beyond(here: _Place, *, backwards: bool) -> ColumnElement[bool]:
    order_ms, number = turns.c.order_ms, turns.c.id
    if backwards:
        return or_(order_ms < here.order_ms, and_(order_ms == here.order_ms, number < here.id))
    return or_(order_ms > here.order_ms, and_(order_ms == here.order_ms, number > here.id))
