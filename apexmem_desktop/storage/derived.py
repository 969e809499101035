"""Importance, habits and summaries: rows that can be made again from the facts (see `upkeep`)."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import delete, func, select, text

from apexmem_desktop.domain.derived import Derived, Habit, Summary
from apexmem_desktop.storage.evidence import proven_by
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.rows import append_rows, read_pairs
from apexmem_desktop.storage.tables import (
    entity_canon,
    fact_rows,
    habits,
    importance,
    summaries,
)
from apexmem_desktop.storage.vault import Connection

Rows = dict[str, list[tuple[Any, ...]]]
_WORKED_OUT = ("id", "run_id", "from_ms", "to_ms", "uses", "last_used_at_ms", "worked_out_at_ms")
_COMPARED = {
    table.name: [column for column in table.c if column.name not in _WORKED_OUT]
    for table in (importance, habits, summaries)
}
# Answers that showed a fact, counted from what was kept of them.
_COUNT_USES = """
UPDATE importance SET (uses, last_used_at_ms) = (
    SELECT count(*), max(t.asked_at_ms) FROM traces t, json_each(t.answer, '$.facts') shown
    WHERE json_extract(shown.value, '$.id') = importance.fact_id)
WHERE fact_id IN (SELECT json_extract(shown.value, '$.id')
    FROM traces t, json_each(t.answer, '$.facts') shown)
"""


def find_subjects(db: Connection, fact_ids: Iterable[int] | None = None) -> list[int]:
    """List the entities that facts (these facts) are about, each by the number it stands under."""
    wanted = select(entity_canon.c.canonical_id).join(
        fact_rows, fact_rows.c.subject_id == entity_canon.c.entity_id
    )
    if fact_ids is not None:
        wanted = wanted.where(among(fact_rows.c.id, fact_ids))
    return list(db.execute(wanted.distinct().order_by(entity_canon.c.canonical_id)).scalars())


def replace_derived(
    db: Connection, entity_ids: Sequence[int], found: Iterable[Derived], *, worked_out_at_ms: int
) -> None:
    """Put what was worked out of entities in the place of what was stored of them."""
    every = list(found)
    same = select(entity_canon.c.entity_id).where(among(entity_canon.c.canonical_id, entity_ids))
    about = select(fact_rows.c.id).where(fact_rows.c.subject_id.in_(same))
    db.execute(delete(importance).where(importance.c.fact_id.in_(about)))
    for table in (habits, summaries):
        db.execute(delete(table).where(table.c.entity_id.in_(same)))
    rows = as_stored(every)
    for table, more in (
        (importance, {"uses": 0}), (habits, {}), (summaries, {}),
    ):  # fmt: skip
        names = [column.name for column in _COMPARED[table.name]]
        append_rows(
            db,
            table,
            [
                dict(zip(names, row, strict=True)) | more | {"worked_out_at_ms": worked_out_at_ms}
                for row in rows[table.name]
            ],
        )
    db.execute(text(_COUNT_USES))


def as_stored(found: Iterable[Derived]) -> Rows:
    """Write what was worked out as the rows it is stored in, without when that was."""
    rows: Rows = {name: [] for name in _COMPARED}
    for one in found:
        rows["importance"] += one.importance.items()
        rows["habits"] += [_habit_row(habit) for habit in one.habits]
        if one.summary is not None:
            rows["summaries"].append(_summary_row(one.summary))
    return {name: sorted(listed) for name, listed in rows.items()}


def _habit_row(habit: Habit) -> tuple[Any, ...]:
    numbers = json.dumps(list(habit.fact_ids))
    return (
        habit.entity_id, habit.property_id, habit.value_normalised, habit.times,
        habit.every_days, habit.first_ms, habit.last_ms, numbers,
    )  # fmt: skip


def _summary_row(summary: Summary) -> tuple[Any, ...]:
    return summary.entity_id, summary.text, json.dumps(list(summary.fact_ids))


def stored(db: Connection) -> Rows:
    """Read the rows that are stored, without when they were worked out."""
    return {
        name: sorted(tuple(row) for row in db.execute(select(*columns)))
        for name, columns in _COMPARED.items()
    }


def find_turn_importance(db: Connection, turn_ids: Iterable[int]) -> dict[int, float]:
    """Read how much the weightiest fact matters that each turn proves."""
    proven = proven_by(turn_ids).subquery()
    wanted = (
        select(proven.c.turn_id, func.max(importance.c.score))
        .join(importance, importance.c.fact_id == proven.c.fact_id)
        .group_by(proven.c.turn_id)
    )
    return read_pairs(db, wanted)
