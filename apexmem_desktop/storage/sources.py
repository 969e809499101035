"""Imports: one row each, with what the user chose and what went wrong."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import select, update

from apexmem_desktop.domain.reports import ImportProblem, SourceSummary
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.rows import append_row
from apexmem_desktop.storage.tables import entities, sources, turns
from apexmem_desktop.storage.vault import Connection


def append_source(
    db: Connection,
    *,
    format: str,  # noqa: A002
    file_name: str,
    sha256: str,
    zone: str,
    date_order: str,
    date_order_certain: bool,
    imported_at_ms: int,
    turns_new: int,
    turns_known: int,
    problems: Sequence[ImportProblem],
) -> int:
    """Record one import and return its number; its turns are appended after it."""
    listed = [_written(problem) for problem in problems]
    return append_row(
        db,
        sources,
        format=format,
        file_name=file_name,
        sha256=sha256,
        zone=zone,
        date_order=date_order,
        date_order_certain=int(date_order_certain),
        imported_at_ms=imported_at_ms,
        turns_new=turns_new,
        turns_known=turns_known,
        problems=json.dumps(listed, ensure_ascii=False),
    )


def begin_source(db: Connection, *, format: str, file_name: str, sha256: str) -> int:  # noqa: A002
    """Give a number to an import whose turns are stored while it is read; `finish_source` follows.

    The row says nothing yet, and nobody sees it before this transaction ends.
    """
    return append_source(
        db, format=format, file_name=file_name, sha256=sha256, zone="", date_order="",
        date_order_certain=True, imported_at_ms=0, turns_new=0, turns_known=0, problems=(),
    )  # fmt: skip


def finish_source(
    db: Connection,
    source_id: int,
    *,
    zone: str,
    date_order: str,
    date_order_certain: bool,
    imported_at_ms: int,
    turns_new: int,
    problems: Sequence[ImportProblem],
) -> None:
    """Complete the row of an import that began in this very transaction; once, see step 009."""
    db.execute(
        update(sources)
        .where(sources.c.id == source_id)
        .values(
            zone=zone,
            date_order=date_order,
            date_order_certain=int(date_order_certain),
            imported_at_ms=imported_at_ms,
            turns_new=turns_new,
            problems=json.dumps([_written(one) for one in problems], ensure_ascii=False),
        )
    )


def find_sources(db: Connection) -> list[SourceSummary]:
    """List all imports, newest first."""
    rows = db.execute(
        select(sources).order_by(sources.c.imported_at_ms.desc(), sources.c.id.desc())
    )
    return [_summary(row) for row in rows]


def find_turns_imported_by(db: Connection, turn_ids: Iterable[int], at_ms: int) -> set[int]:
    """Tell which of these turns had been imported by a UTC instant."""
    wanted = (
        select(turns.c.id)
        .join(sources, sources.c.id == turns.c.source_id)
        .where(among(turns.c.id, list(turn_ids)), sources.c.imported_at_ms <= at_ms)
    )
    return set(db.execute(wanted).scalars())


def find_entities_recorded_by(db: Connection, entity_ids: Iterable[int], at_ms: int) -> set[int]:
    """Tell which of these entities were known at a UTC instant."""
    wanted = select(entities.c.id).where(
        among(entities.c.id, list(entity_ids)), entities.c.recorded_at_ms <= at_ms
    )
    return set(db.execute(wanted).scalars())


def _summary(row: Any) -> SourceSummary:
    problems = json.loads(row.problems)
    return SourceSummary(
        id=row.id,
        file=row.file_name,
        format=row.format,
        zone=row.zone,
        date_order=row.date_order,
        date_order_certain=bool(row.date_order_certain),
        imported_at_ms=row.imported_at_ms,
        turns_new=row.turns_new,
        turns_known=row.turns_known,
        problems=tuple(
            ImportProblem(p["where"], p["what"], p.get("turns", 0), p.get("expected", False))
            for p in problems
        ),
    )


def _written(problem: ImportProblem) -> dict[str, str | int]:
    """Write a problem; what is not so is left out, as in files of earlier versions."""
    more = {"turns": problem.turns, "expected": problem.expected}
    return {"where": problem.where, "what": problem.what} | {k: v for k, v in more.items() if v}
