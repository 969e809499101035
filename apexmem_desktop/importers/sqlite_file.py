"""Other programs' SQLite databases: opened so that nothing in them can run, write or swell.

The only file outside of storage that knows sqlite3: storage opens vaults, which are ours and are
written; this opens what somebody else made, which is only read, and trusted in nothing.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.importers.decoding import decode_head
from apexmem_desktop.importers.parts import Part, damaged
from apexmem_desktop.importers.sql_dump import begins_as_dump, statements
from apexmem_desktop.importers.text_lines import read_text

MAGIC = b"SQLite format 3\x00"
Cell = str | int | float | bytes | None
Row = tuple[Cell, ...]

_LARGEST_CELL_BYTES = 64 * 1024**2
_LARGEST_DUMP_BYTES = 256 * 1024**2
_LONGEST_SQL_BYTES = 32 * 1024**2
_MOST_PAGES = 1 << 18  # of a database made from a dump: 1 GiB
_STEPS_BETWEEN_LOOKS = 100_000
# What filling from a dump may take, and so much more for each megabyte of it. A row takes some
# dozen steps, but a statement can also ask for all rows times all rows.
_MOST_LOOKS = 500
_LOOKS_A_MEGABYTE = 100
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_TRANSACTION}
_FILLING = {
    *_READING,
    sqlite3.SQLITE_INSERT,
    sqlite3.SQLITE_UPDATE,  # of sqlite_master, when a table is made
    sqlite3.SQLITE_CREATE_TABLE,
    sqlite3.SQLITE_CREATE_INDEX,  # that of a UNIQUE column
    sqlite3.SQLITE_REINDEX,
}
# In the defaults, checks and worked-out columns of real schemas, and in written-out newlines.
_HARMLESS_FUNCTIONS = {
    "char",
    "coalesce",
    "ifnull",
    "json_array_length",
    "json_extract",
    "length",
    "replace",
}


@dataclass(frozen=True, slots=True)
class Join:
    """A second table whose row belongs to a row of the first.

    Attributes:
        key: Its column that equals the other one.
        equals: Column of the first table, or "table.column" of one joined before.
    """

    table: str
    key: str
    equals: str


class ForeignDatabase:
    """A database that is only read. A table or column that it does not have gives nothing.

    Attributes:
        tables: Those that hold rows of their own.
        failed_statements: How much of a dump could not be carried out.
    """

    def __init__(
        self, connection: sqlite3.Connection, name: str, failed: int, cancel: CancelToken
    ) -> None:
        self.failed_statements = failed
        self._connection = connection
        self._name = name
        self._cancel = cancel
        with self._told():
            self.tables = _real_tables(connection)
        self._columns: dict[str, frozenset[str]] = {}

    def columns(self, table: str) -> frozenset[str]:
        """Name the columns that hold stored values: worked-out and hidden ones are left out."""
        if table not in self.tables:
            return frozenset()
        if table not in self._columns:
            with self._told():
                found = self._connection.execute(f"PRAGMA table_info({_quoted(table)})").fetchall()
            self._columns[table] = frozenset(row[1] for row in found)
        return self._columns[table]

    def rows(
        self,
        table: str,
        columns: Sequence[str],
        *,
        joins: Sequence[Join] = (),
        order_by: Sequence[str] = (),
    ) -> Iterator[Row]:
        """Stream rows, each with the named columns in order; None for what is not there.

        Args:
            columns: Names in the first table, or "table.column" of a joined one.
        """
        if not self.columns(table):
            return
        joins = [one for one in joins if self._has(one.key, one.table)]
        wanted = ", ".join(self._reference(column, table, joins) for column in columns)
        # Each name is one that the database itself has, and quoted.
        sql = f"SELECT {wanted} FROM {_quoted(table)}"  # noqa: S608
        for one in joins:
            equals = self._reference(one.equals, table, joins)
            sql += f" LEFT JOIN {_quoted(one.table)} ON {_column(one.table, one.key)} = {equals}"
        order = [self._reference(column, table, joins) for column in order_by]
        if order := [column for column in order if column != "NULL"]:
            sql += f" ORDER BY {', '.join(order)}"
        with self._told():
            for row in self._connection.execute(sql):
                self._cancel.check()
                yield row

    def _has(self, column: str, table: str) -> bool:
        return column in self.columns(table)

    def _reference(self, column: str, table: str, joins: Iterable[Join]) -> str:
        given, _, name = column.rpartition(".")
        place = given or table
        joined = place == table or any(one.table == place for one in joins)
        return _column(place, name) if joined and self._has(name, place) else "NULL"

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DataError as error:
            raise ExportUnreadableError(
                f"{self._name} holds a single value larger than any message.",
                hint="Choose the database that the app itself wrote.",
            ) from error
        except sqlite3.Error as error:
            self._cancel.check()
            raise damaged(self._name) from error


@contextmanager
def open_database(part: Part, cancel: CancelToken | None = None) -> Iterator[ForeignDatabase]:
    """Open a database file, or a database written out as SQL text.

    Raises:
        ExportUnreadableError: It is damaged, or no database.
    """
    cancel = cancel or CancelToken()
    with _connection(part, cancel) as (connection, failed):
        # Looked at every so many steps of SQLite's own machine: a cancel is heard in a long query.
        connection.set_progress_handler(lambda: _is_cancelled(cancel), _STEPS_BETWEEN_LOOKS)
        connection.execute("PRAGMA query_only = ON")
        connection.set_authorizer(_only_reading)
        yield ForeignDatabase(connection, part.name, failed, cancel)


def is_database(part: Part) -> bool:
    """Tell whether a part is a database file."""
    return part.head.startswith(MAGIC)


@lru_cache(maxsize=16)
def table_columns(part: Part) -> dict[str, frozenset[str]]:
    """Name the tables of a database with their columns; none for what is no sound database."""
    if not is_database(part) and not _is_dump(part):
        return {}
    try:
        with open_database(part) as database:
            return {table: database.columns(table) for table in database.tables}
    except ExportUnreadableError:
        return {}


def _is_dump(part: Part) -> bool:
    return part.size_bytes <= _LARGEST_DUMP_BYTES and begins_as_dump(decode_head(part.head))


@contextmanager
def _connection(part: Part, cancel: CancelToken) -> Iterator[tuple[sqlite3.Connection, int]]:
    try:
        if not is_database(part):
            with closing(sqlite3.connect("")) as made:  # on disk, and gone when it is closed
                _guard(made)
                made.execute("PRAGMA trusted_schema = ON")  # _only_filling says which functions
                yield made, _fill(made, part, cancel)
        elif part.path is not None and not _has_newer_pages(part.path):
            # Immutable: no lock is taken and no file beside it is looked at or made.
            uri = f"{part.path.resolve().as_uri()}?mode=ro&immutable=1"
            with closing(sqlite3.connect(uri, uri=True)) as opened:
                _guard(opened)
                yield opened, 0
        else:
            with _copy(part) as path, closing(sqlite3.connect(path)) as copied:
                _guard(copied)
                yield copied, 0
    except (sqlite3.Error, UnicodeDecodeError) as error:  # also a complaint that is no text
        cancel.check()
        raise damaged(part.name) from error


def _guard(connection: sqlite3.Connection) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_CELL_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _LONGEST_SQL_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    # The schema's own functions may do nothing that reaches beyond their arguments.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    try:
        connection.execute("SELECT name FROM sqlite_master LIMIT 1").fetchone()
    except sqlite3.DatabaseError as error:
        # SQLite 3.38 to 3.40 take their own JSON functions, which Signal's worked-out columns
        # use, for unsafe. Only stored columns of tables are read here, so none of them ever runs.
        if "unsafe use of json_" not in str(error):
            raise
        connection.execute("PRAGMA trusted_schema = ON")


def _only_reading(action: int, one: str | None, *_: str | None) -> int:
    if action == sqlite3.SQLITE_PRAGMA:
        return sqlite3.SQLITE_OK if one == "table_info" else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def _only_filling(action: int, _one: str | None, two: str | None, *_: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_OK if two in _HARMLESS_FUNCTIONS else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _FILLING else sqlite3.SQLITE_DENY


def _fill(connection: sqlite3.Connection, part: Part, cancel: CancelToken) -> int:
    """Make the tables and rows of a dump; a statement that does anything else does nothing.

    Returns:
        How many statements could not be carried out.
    """
    looks = failed = read_chars = 0

    def pieces() -> Iterator[str]:
        nonlocal read_chars
        for piece in read_text(part):
            read_chars += len(piece)
            if read_chars > _LARGEST_DUMP_BYTES:  # packed, it looked smaller
                raise ExportUnreadableError(
                    f"{part.name} is a dump of more than {_LARGEST_DUMP_BYTES >> 20} MB.",
                    hint="Choose the database itself instead of its dump.",
                )
            yield piece

    def look() -> bool:
        nonlocal looks
        looks += 1
        return cancel.cancelled or is_spent()

    def is_spent() -> bool:
        return looks > _MOST_LOOKS + _LOOKS_A_MEGABYTE * (read_chars >> 20)

    connection.execute(f"PRAGMA max_page_count = {_MOST_PAGES}")
    connection.execute("PRAGMA synchronous = OFF")
    connection.set_progress_handler(look, _STEPS_BETWEEN_LOOKS)
    connection.set_authorizer(_only_filling)
    for statement in statements(pieces()):
        cancel.check()
        try:
            connection.execute(statement)
        except (sqlite3.Error, sqlite3.Warning, ValueError):
            failed += 1
            if is_spent():  # what was made so far is undone by the interruption anyway
                raise
    connection.commit()
    connection.set_authorizer(None)
    return failed


def _is_cancelled(cancel: CancelToken) -> bool:
    return cancel.cancelled


def _has_newer_pages(path: Path) -> bool:
    """Tell whether messages lie in the file beside it that SQLite writes first."""
    beside = path.with_name(f"{path.name}-wal")
    return beside.is_file() and beside.stat().st_size > 0


@contextmanager
def _copy(part: Part) -> Iterator[Path]:
    """Copy it out of its zip, or together with its newer pages, which an open writes back."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "foreign.db"
        with part.open() as source, path.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
        if part.path is not None and _has_newer_pages(part.path):
            shutil.copyfile(
                part.path.with_name(f"{part.path.name}-wal"), path.with_name("foreign.db-wal")
            )
        yield path


def _real_tables(connection: sqlite3.Connection) -> frozenset[str]:
    """Name the tables that hold rows of their own: no views, no virtual ones."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    return frozenset(
        str(name)
        for name, sql in found
        if isinstance(sql, str) and not sql.upper().startswith("CREATE VIRTUAL")
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _column(table: str, name: str) -> str:
    return f"{_quoted(table)}.{_quoted(name)}"
