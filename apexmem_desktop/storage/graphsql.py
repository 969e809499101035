"""GraphSQL: one read-only SELECT, whoever wrote it, held by SQLite itself and not by good will.

Five fences, each enough for most attacks: the file is opened read-only; the text must be one
SELECT; an authorizer allows reading the views, and what they read inside, and named functions;
limits bound what may grow; the clock is looked at while a query is prepared and while it runs.
"""

import math
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from itertools import pairwise

from apexmem_desktop.domain.errors import QueryRefusedError
from apexmem_desktop.domain.reports import SqlResult
from apexmem_desktop.storage import driver
from apexmem_desktop.storage.faults import meaning
from apexmem_desktop.storage.functions import (
    FOREVER_MS,
    add_functions,
    bound_functions,
    keep_texts_at_hand,
)
from apexmem_desktop.storage.known_then import keep_what_was_known
from apexmem_desktop.storage.schema_text import VIEWS, schema_text, views_line
from apexmem_desktop.storage.statement import (
    NotOneSelectError,
    Statement,
    find_common_tables,
    read_select,
    read_tokens,
    small,
)
from apexmem_desktop.storage.vault import Vault, connect

__all__ = ["run_select", "schema_text", "views_line"]

Cell = str | int | float | None
CELL_CHARS = 2_000
RESULT_CHARS = 200_000
PATTERN_BYTES = 100
_NAME_CHARS = 100
_MESSAGE_CHARS = 200
_QUERY_CHARS = 20_000
_COPIES = 5_000  # of tables and columns named; SQLite needs a second to prepare so many
_STEPS_BETWEEN_LOOKS = 100  # SQLite's virtual machine; one step may be a search through a megabyte
# Of the whole process, since SQLite knows no other: far above what the program itself needs.
_HEAP_BYTES = 1 << 30
_WAITING_COUNTS = 4  # seconds on the wall for one of work
_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: _QUERY_CHARS * 4,
    sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000,  # above the longest turn, below what hurts
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 30,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 20,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 0,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 250_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: PATTERN_BYTES,
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
_GROWING = frozenset({"group_concat"})  # refused where SQLite's limits cannot be set


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
        timeout_ms: Of this thread's processor time, or four times that by the clock on the wall:
            a machine that is busy with a model gives a small query little of its time.
        now_ms: What now_ms() is and what `is_current` means; None for the clock.
        known_at_ms: The views leave out what was recorded after this instant.

    Raises:
        QueryRefusedError: It is not one SELECT, wants something forbidden, is wrong SQL, or takes
            too long or too much. One sentence, without the schema.
    """
    started = time.monotonic()
    statement = _read(sql)
    with closing(connect(vault.path, "ro", timeout_ms, query_only=True, key=vault.key)) as db:
        known = FOREVER_MS if known_at_ms is None else known_at_ms
        add_functions(db, now_ms=now_ms, known_at_ms=known)
        bound_functions(db)
        keep_texts_at_hand(db)
        if statement.is_counting:
            _leave_order(db)
        if known < FOREVER_MS:
            keep_what_was_known(db, known, FOREVER_MS)
        guard = _Guard(statement, timeout_ms / 1000, _stopwatch())
        guard.watch(db)
        stopped: tuple[type[Exception], ...] = (
            *driver.errors(),
            sqlite3.Warning,
            ValueError,
            MemoryError,
        )
        try:
            cursor = db.execute(sql)
            rows, truncated = _fetch(cursor, max_rows)
        except stopped as error:
            raise guard.explain(error, vault) from error
        columns = tuple(_cut(column[0], _NAME_CHARS) for column in cursor.description or ())
    ms = round((time.monotonic() - started) * 1000)
    return SqlResult(columns, rows, truncated=truncated, ms=ms)


def _leave_order(db: sqlite3.Connection) -> None:
    """Put views without an order in the place of those of facts.

    SQLite then works out no column that is not asked for: a count over all is ten times as fast.
    """
    db.execute("PRAGMA query_only = 0")  # the file itself is open for reading only
    for name in ("v_facts", "v_history"):
        [(sql,)] = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,))
        db.execute(
            f"CREATE TEMP VIEW {sql.removeprefix('CREATE VIEW ').partition(' ORDER BY ')[0]}"
        )
    db.execute("PRAGMA query_only = 1")


def _read(sql: str) -> Statement:
    if len(sql) > _QUERY_CHARS:
        raise _refusal("The query is too long")
    if any(char == "\0" or "\ud800" <= char <= "\udfff" for char in sql):
        raise _refusal("The query is no text")
    try:
        statement = read_select(sql)
    except NotOneSelectError as error:
        raise _refusal(str(error)) from error
    if statement.copies > _COPIES:
        raise _refusal("The query uses its own tables too often")
    return statement


def _fetch(
    cursor: Iterable[tuple[object, ...]], max_rows: int
) -> tuple[tuple[tuple[Cell, ...], ...], bool]:
    """Take rows until there are enough, or enough letters; tell whether some were left."""
    rows: list[tuple[Cell, ...]] = []
    chars = 0
    for row in cursor:
        cells = tuple(map(_cell, row))
        chars += sum(len(cell) for cell in cells if isinstance(cell, str))
        if len(rows) == max_rows or (rows and chars > RESULT_CHARS):
            return tuple(rows), True
        rows.append(cells)
    return tuple(rows), False


def _stopwatch() -> Callable[[], float]:
    """Make a clock of the seconds since now that this thread worked, or a share of the wait."""
    worked_s, waited_s = time.thread_time(), time.monotonic()

    def seconds() -> float:
        waited = (time.monotonic() - waited_s) / _WAITING_COUNTS
        return max(time.thread_time() - worked_s, waited)

    return seconds


class _Guard:
    """Watches one connection and remembers why it stopped a query."""

    def __init__(
        self,
        statement: Statement,
        deadline_s: float,
        clock: Callable[[], float],
    ) -> None:
        self._statement = statement
        self._deadline_s = deadline_s
        self._clock = clock
        self._inside: frozenset[str] = frozenset()  # names in which anything may be read
        self._functions = _FUNCTIONS
        self._forbidden = ""
        self._late = False

    def watch(self, db: sqlite3.Connection) -> None:
        """Set the fences; nothing but reading is possible on the connection afterwards.

        Raises:
            QueryRefusedError: The statement gives a table of its own the name of a view.
        """
        self._inside = _names_inside(db)
        own = self._statement
        for name in sorted(own.tables & self._inside | own.nested & _names_of_all(db)):
            raise _refusal(f"A table of WITH needs a name of its own, not {name!r}")
        db.execute(f"PRAGMA hard_heap_limit = {_HEAP_BYTES}")
        if hasattr(db, "setlimit"):
            for limit, value in _LIMITS.items():
                db.setlimit(limit, value)
        else:
            _refuse_growth(self._statement)
            self._functions = _FUNCTIONS - _GROWING
        db.set_progress_handler(self._look_at_clock, _STEPS_BETWEEN_LOOKS)
        db.set_authorizer(self._allow)

    def _look_at_clock(self) -> int:
        self._late = self._late or self._clock() > self._deadline_s
        return int(self._late)

    def _allow(
        self,
        action: int,
        first: str | None,
        second: str | None,
        database: str | None,
        within: str | None,
    ) -> int:
        """Answer the authorizer; it is asked for each name, so a long preparation ends too."""
        if self._look_at_clock():
            return sqlite3.SQLITE_DENY
        inside = within is not None and small(within) in self._inside
        if self._may(action, small(first or ""), small(second or ""), database, inside):
            return sqlite3.SQLITE_OK
        self._forbidden = self._forbidden or " ".join(filter(None, (first, second)))
        return sqlite3.SQLITE_DENY

    def _may(
        self, action: int, first: str, second: str, database: str | None, inside: bool
    ) -> bool:
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            return True
        if action == sqlite3.SQLITE_FUNCTION:
            return inside or second in self._functions
        if action != sqlite3.SQLITE_READ:
            return False
        if inside or first in VIEWS:
            return True
        if second:
            return False
        # No column of it is read, as in count(*), and whether a view does that is not told: it is
        # a table of WITH (which has no database), or the query does not name it.
        named = self._statement
        return (not database and first in named.tables) or first not in named.sources

    def explain(self, error: Exception, vault: Vault) -> Exception:
        """Say why a query failed: too late, forbidden, too much, wrong, or the file's fault."""
        if self._late:
            return _refusal("The query took too long and was stopped")
        if self._forbidden:
            return _refusal(f"The query may only read the views, not use {self._forbidden!r}")
        if isinstance(error, MemoryError):
            return _refusal("The query needs too much memory")
        world = meaning(error, vault.path)
        return world or _refusal(f"The query cannot be run: {str(error).rstrip('.')}")


def _names_inside(db: sqlite3.Connection) -> frozenset[str]:
    """List the names by which the authorizer is told that a view, not the user, reads something."""
    names: set[str] = set()
    for name, sql in db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'"):
        names.add(small(name))
        names |= find_common_tables(list(read_tokens(sql))) - {small(name)}
    return frozenset(names)


def _names_of_all(db: sqlite3.Connection) -> frozenset[str]:
    return frozenset(small(name) for (name,) in db.execute("SELECT name FROM sqlite_master"))


def _refuse_growth(statement: Statement) -> None:
    """Refuse what makes long texts, or searches them at length, where no limit holds it."""
    tokens = statement.tokens
    for token, after in pairwise(tokens):
        if token.is_symbol("|") and after.is_symbol("|"):
            raise _refusal("Joining texts with || is not possible in an encrypted memory")
        if token.is_word("like", "glob") and (
            after.kind != "string" or len(after.text.encode()) > PATTERN_BYTES
        ):
            raise _refusal("LIKE needs a short pattern, written out, in an encrypted memory")


def _refusal(message: str) -> QueryRefusedError:
    return QueryRefusedError(f"{_cut(' '.join(message.split()), _MESSAGE_CHARS)}.")


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[: chars - 1] + "…"


def _cell(value: object) -> Cell:
    """Cut a long text; show bytes as their number only, and infinity as a word: JSON has none."""
    if isinstance(value, bytes):
        return f"({len(value)} bytes)"
    if isinstance(value, str):
        return _cut(value, CELL_CHARS)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, int | float):
        return value
    raise TypeError(f"SQLite gave a {type(value).__name__}")
