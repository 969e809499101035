"""What the user decided.

A later row takes a ruling back; one that was taken back is ruled anew, not revived.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Select, select

from apexmem_desktop.storage.lists import among, as_list, later
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.rows import append_row, read_pairs
from apexmem_desktop.storage.tables import rulings
from apexmem_desktop.storage.vault import Connection

_MISFIT = "misfit"


def append_ruling(
    db: Connection,
    *,
    kind: str,
    ruled_at_ms: int,
    fact_id: int | None = None,
    entity_id: int | None = None,
    detail: Mapping[str, Any] | None = None,
    reason: str = "",
    undoes_id: int | None = None,
) -> int:
    """Record a decision of the user and return its number.

    Args:
        kind: confirm, reject, correct, prefer, merge, split, pin, hide, misfit or undo.
        undoes_id: The ruling this row takes back.
    """
    return append_row(
        db,
        rulings,
        kind=kind,
        fact_id=fact_id,
        entity_id=entity_id,
        detail=json.dumps(dict(detail or {}), ensure_ascii=False),
        reason=reason,
        undoes_id=undoes_id,
        ruled_at_ms=ruled_at_ms,
    )


def find_rulings(
    db: Connection, fact_ids: Sequence[int], *, known_at_ms: int | None = None
) -> dict[int, str]:
    """Find the ruling that stands for each fact: the newest that was not taken back."""
    wanted = _standing(at_present=known_at_ms is None)
    given = {_FACTS: as_list(fact_ids), _KNOWN: known_at_ms}
    return {row[0]: row[1] for row in db.execute(wanted, given)}


_FACTS, _KNOWN = "fact_ids", "known_at_ms"


@cache
def _standing(*, at_present: bool) -> Select[Any]:
    """Build the query for rulings that were not taken back, oldest first."""
    undoing = rulings.alias()
    taken_back = select(undoing.c.id).where(undoing.c.undoes_id == rulings.c.id)
    wanted = select(rulings.c.fact_id, rulings.c.kind).where(
        among(rulings.c.fact_id, later(_FACTS)), rulings.c.undoes_id.is_(None)
    )
    if not at_present:
        wanted = wanted.where(rulings.c.ruled_at_ms <= later(_KNOWN))
        taken_back = taken_back.where(undoing.c.ruled_at_ms <= later(_KNOWN))
    return wanted.where(~taken_back.exists()).order_by(rulings.c.id)


def find_misfits(db: Connection, question: str) -> frozenset[int]:
    """Find the turns that were said not to answer a question, and not taken back."""
    later = rulings.alias()
    taken_back = select(later.c.id).where(later.c.undoes_id == rulings.c.id)
    wanted = select(rulings.c.detail).where(rulings.c.kind == _MISFIT, ~taken_back.exists())
    details = map(json.loads, db.execute(wanted).scalars())
    asked = normalise(question)
    return frozenset(one["turn_id"] for one in details if normalise(one["question"]) == asked)


def find_refused_at(db: Connection, fact_ids: Sequence[int]) -> dict[int, int]:
    """Find the facts that the user said are wrong, each with when (UTC milliseconds)."""
    standing = find_rulings(db, fact_ids)
    refused = [number for number, kind in standing.items() if kind in {"reject", "correct"}]
    wanted = select(rulings.c.fact_id, rulings.c.ruled_at_ms).where(
        among(rulings.c.fact_id, refused), rulings.c.kind.in_(("reject", "correct"))
    )
    return read_pairs(db, wanted.order_by(rulings.c.id))


def append_outdated(db: Connection, fact_id: int, reason: str, *, ruled_at_ms: int) -> int:
    """Take a fact out of every answer because a later reading of its words does not find it.

    It is none of the user's decisions, so no log lists it and no undo takes it back; the user
    brings the fact back by confirming it.
    """
    detail = {"part_of": 0, "by": "model"}
    return append_ruling(
        db, kind="hide", ruled_at_ms=ruled_at_ms, fact_id=fact_id, detail=detail, reason=reason
    )


@dataclass(frozen=True, slots=True)
class StoredRuling:
    """One row as it is stored; `detail` is what the services keep to take it back."""

    id: int
    kind: str
    fact_id: int | None
    entity_id: int | None
    detail: dict[str, Any]
    reason: str
    undoes_id: int | None
    ruled_at_ms: int


def find_all_rulings(db: Connection) -> list[StoredRuling]:
    """List every row, the oldest first."""
    rows = db.execute(select(rulings).order_by(rulings.c.id))
    return [
        StoredRuling(
            id=row.id,
            kind=row.kind,
            fact_id=row.fact_id,
            entity_id=row.entity_id,
            detail=json.loads(row.detail),
            reason=row.reason,
            undoes_id=row.undoes_id,
            ruled_at_ms=row.ruled_at_ms,
        )
        for row in rows
    ]
