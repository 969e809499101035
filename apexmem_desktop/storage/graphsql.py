"""GraphSQL: one read-only SELECT, whoever wrote it, held by SQLite itself and not by good will.

Four fences, each enough for most attacks: the file is opened read-only, an authorizer allows only
reading named tables and named functions, limits bound sizes, and a progress handler bounds time.
"""

import math
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from itertools import islice

from apexmem_desktop.domain.errors import QueryRefusedError
from apexmem_desktop.domain.reports import SqlResult
from apexmem_desktop.storage.faults import meaning
from apexmem_desktop.storage.functions import FOREVER_MS, add_functions
from apexmem_desktop.storage.schema_text import VIEWS, schema_text
from apexmem_desktop.storage.tables import metadata
from apexmem_desktop.storage.vault import Vault, connect

__all__ = ["run_select", "schema_text"]

Cell = str | int | float | None
CELL_CHARS = 2_000
_QUERY_CHARS = 20_000
_STEPS_BETWEEN_LOOKS = 2_000  # SQLite's virtual machine; a look costs a clock reading

_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: _QUERY_CHARS * 4,
    sqlite3.SQLITE_LIMIT_LENGTH: 4_000_000,  # above the longest turn, below what hurts
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 30,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
# `replace`, `printf`, `hex`, `zeroblob` and their like can make gigabytes of one letter.
_FUNCTIONS = frozenset(
    {
        *("abs", "avg", "coalesce", "count", "cume_dist", "date", "datetime", "dense_rank"),
        *("first_value", "glob", "group_concat", "ifnull", "iif", "instr", "json_extract"),
        *("julianday", "lag", "last_value", "lead", "length", "like", "likely", "lower", "ltrim"),
        *("max", "min", "nth_value", "ntile", "nullif", "percent_rank", "rank", "round"),
        *("row_number", "rtrim", "strftime", "substr", "substring", "sum", "time", "total"),
        *("trim", "typeof", "unixepoch", "unlikely", "upper"),
        *("now_ms", "known_at_ms", "iso", "days_between", "months_between", "normalise"),
    }
)
_INNER_VIEWS = {
    *("standing_rulings", "facts_said", "facts_keyed", "facts_tied", "facts_twinned", "facts_run"),
    *(
        "facts_after_link",
        "facts_begun",
        "facts_replaced",
        "facts_opposed",
        "facts_raced",
        "facts_held",
        "facts_live",
    ),
    *("facts_contested", "facts_judged", "facts_settled", "entity_canon_known"),
    *("uses_kept", "speakers_counted"),
}
_READABLE = {*metadata.tables, *VIEWS, *_INNER_VIEWS, "sqlite_master"}
# Atomic groups: a thousand comments in a row must not make the search back off and try again.
_BEGINS = re.compile(
    r"(?>\s|;|--[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+(?:select|with)\b", re.IGNORECASE
)


def run_select(
    vault: Vault,
    sql: str,
    *,
    max_rows: int = 200,
    timeout_ms: int = 2_000,
    now_ms: int | None = None,
    known_at_ms: int | None = None,
) -> SqlResult:
    """Run one SELECT (or WITH … SELECT) and give at most `max_rows` rows, cells cut short.

    Args:
        now_ms: What now_ms() is and what `is_current` means; None for the clock.
        known_at_ms: The views leave out what was recorded after this instant.

    Raises:
        QueryRefusedError: It is not one SELECT, wants something forbidden, is wrong SQL, or takes
            too long. The hint lists the views and their columns.
    """
    if len(sql) > _QUERY_CHARS or not _BEGINS.match(sql):
        raise _refusal("Only one SELECT, or WITH … SELECT, is allowed here.")
    started = time.monotonic()
    with closing(connect(vault.path, "ro", query_only=True)) as db:
        known = FOREVER_MS if known_at_ms is None else known_at_ms
        add_functions(db, now_ms=now_ms, known_at_ms=known)
        guard = _Guard(started + timeout_ms / 1000)
        guard.watch(db)
        try:
            cursor = db.execute(sql)
            rows = [tuple(map(_cell, row)) for row in islice(cursor, max_rows + 1)]
        except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
            raise guard.explain(error, vault) from error
        columns = tuple(column[0] for column in cursor.description or ())
    ms = round((time.monotonic() - started) * 1000)
    return SqlResult(columns, tuple(rows[:max_rows]), truncated=len(rows) > max_rows, ms=ms)


class _Guard:
    """Watches one connection and remembers why it stopped a query."""

    def __init__(self, deadline_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._deadline_s = deadline_s
        self._clock = clock
        self._forbidden = ""
        self._late = False

    def watch(self, db: sqlite3.Connection) -> None:
        """Set the fences; nothing but reading is possible on the connection afterwards."""
        for limit, value in _LIMITS.items():
            db.setlimit(limit, value)
        db.set_progress_handler(self._look_at_clock, _STEPS_BETWEEN_LOOKS)
        db.set_authorizer(self._allow)

    def _look_at_clock(self) -> int:
        self._late = self._late or self._clock() > self._deadline_s
        return int(self._late)

    def _allow(
        self, action: int, first: str | None, second: str | None, _db: str | None, _by: str | None
    ) -> int:
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            return sqlite3.SQLITE_OK
        # An empty column: a name without reading anything of it, as in count(*) over a WITH.
        if action == sqlite3.SQLITE_READ and (first in _READABLE or second == ""):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FUNCTIONS:
            return sqlite3.SQLITE_OK
        self._forbidden = self._forbidden or " ".join(filter(None, (first, second)))
        return sqlite3.SQLITE_DENY

    def explain(self, error: Exception, vault: Vault) -> Exception:
        """Say why a query failed: too late, forbidden, wrong, or the file's fault."""
        if self._late:
            return _refusal("The query took too long and was stopped.")
        if self._forbidden:
            return _refusal(f"The query may only read the memory, not use {self._forbidden!r}.")
        world = meaning(error, vault.path) if isinstance(error, sqlite3.Error) else None
        return world or _refusal(f"The query cannot be run: {str(error).rstrip('.')}.")


def _refusal(message: str) -> QueryRefusedError:
    views = "; ".join(f"{name}({', '.join(columns)})" for name, columns in VIEWS.items())
    return QueryRefusedError(message, hint=f"Views: {views}.")


def _cell(value: object) -> Cell:
    """Cut a long text; show bytes as their number only, and infinity as a word: JSON has none."""
    if isinstance(value, bytes):
        return f"({len(value)} bytes)"
    if isinstance(value, str) and len(value) > CELL_CHARS:
        return value[: CELL_CHARS - 1] + "…"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"SQLite gave a {type(value).__name__}")
