"""Imports: one row each, with what the user chose and what went wrong."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from apexmem_desktop.domain.reports import ImportProblem, SourceSummary
from apexmem_desktop.storage.rows import append_row
from apexmem_desktop.storage.tables import sources
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
    listed = [{"where": problem.where, "what": problem.what} for problem in problems]
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


def find_sources(db: Connection) -> list[SourceSummary]:
    """List all imports, newest first."""
    rows = db.execute(
        select(sources).order_by(sources.c.imported_at_ms.desc(), sources.c.id.desc())
    )
    return [_summary(row) for row in rows]


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
        problems=tuple(ImportProblem(p["where"], p["what"]) for p in problems),
    )
