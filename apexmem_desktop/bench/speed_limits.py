"""What plain SQLite and a plain regular expression need for the same rows: the benches' limits.

The one file outside `storage` that opens a database itself: it measures what a vault costs beside
SQLite alone, and a limit that went through `storage` would be none.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from apexmem_desktop.bench.figures import Took, seconds, took
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.storage.functions import add_functions

_HEAD = re.compile(r"(\d{2}/\d{2}/\d{4}, \d{2}:\d{2}) - ([^:]+): (.*)")
_ROWS_AT_ONCE = 20_000
_COLUMNS = (
    "id, session_id, voice_id, text, said_at_ms, apart_ms, external_id, reply_to_id, attachments"
)
_FOUND = 100  # as many as a search takes from the index


def take_regex(export: Path) -> Took:
    """Time reading a file and matching each line with what begins a message."""
    return took(
        lambda: [_HEAD.match(line) for line in export.read_text(encoding="utf-8").splitlines()]
    )


def take_sqlite(vault: Path, progress: ProgressSink, cancel: CancelToken) -> tuple[Took, Took]:
    """Time two things on the rows of a vault's turns, in a passing file beside it.

    Returns:
        `executemany` into a table without indexes, and FTS5's rebuild of its words.
    """
    passing = vault.with_name(f"{vault.name}.bare")
    try:
        with _opened(vault) as source, closing(sqlite3.connect(passing)) as target:
            target.execute("PRAGMA journal_mode = WAL")
            target.execute("PRAGMA synchronous = NORMAL")
            rows = _copy(source, target, progress, cancel)
            target.execute(
                "CREATE VIRTUAL TABLE words USING fts5(text, content='turns', content_rowid='id', "
                "tokenize='porter unicode61 remove_diacritics 2')"
            )
            return rows, took(partial(_rebuild, target))
    finally:
        for left in passing.parent.glob(f"{passing.name}*"):
            left.unlink()


def _copy(
    source: sqlite3.Connection,
    target: sqlite3.Connection,
    progress: ProgressSink,
    cancel: CancelToken,
) -> Took:
    """Insert all turns; what reading them takes is not counted."""
    total = source.execute("SELECT count(*) FROM turns").fetchone()[0]
    rows = source.execute(f"SELECT {_COLUMNS} FROM turns_unpacked ORDER BY id")  # noqa: S608 - ours
    names = [column[0] for column in rows.description]
    told = ", ".join("id INTEGER PRIMARY KEY" if name == "id" else name for name in names)
    target.execute(f"CREATE TABLE turns ({told})")
    insert = f"INSERT INTO turns VALUES ({', '.join('?' * len(names))})"  # noqa: S608 - no text
    so_far, done = Took(0.0, 0.0), 0
    while part := rows.fetchmany(_ROWS_AT_ONCE):
        cancel.check()
        so_far += took(partial(target.executemany, insert, part))
        done += len(part)
        at = Progress("Inserting with plain sqlite3", done, total, elapsed_s=so_far.seconds)
        progress(at)
    return so_far + took(target.commit)


def _rebuild(target: sqlite3.Connection) -> None:
    target.execute("INSERT INTO words (words) VALUES ('rebuild')")
    target.commit()


def words_ms(vault: Path, asked: Sequence[str]) -> list[float]:
    """Time FTS5 alone on a vault's own index, for each of the queries (plain words)."""
    sql = f"SELECT rowid FROM turn_words WHERE turn_words MATCH ? ORDER BY rank LIMIT {_FOUND}"  # noqa: S608
    with _opened(vault) as db:
        return [
            1000 * seconds(partial(_all, db, sql, " OR ".join(f'"{w}"' for w in words.split())))
            for words in asked
        ]


def facts_ms(vault: Path, entity_ids: Sequence[int]) -> list[float]:
    """Time reading the rows of all facts about each entity."""
    with _opened(vault) as db:
        sql = "SELECT * FROM facts WHERE subject_id = ?"
        return [1000 * seconds(partial(_all, db, sql, one)) for one in entity_ids]


def opening_s(vault: Path) -> float:
    """Time opening the file and reading its schema."""

    def look() -> None:
        with _opened(vault) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()

    return seconds(look)


def text_bytes(vault: Path) -> int:
    """Sum the UTF-8 bytes of all that was said."""
    with _opened(vault) as db:
        found = db.execute("SELECT sum(length(CAST(text AS BLOB))) FROM turns_unpacked").fetchone()[
            0
        ]
    return int(found or 0)


def _all(db: sqlite3.Connection, sql: str, value: str | int) -> None:
    db.execute(sql, (value,)).fetchall()


@contextmanager
def _opened(vault: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{vault.absolute().as_uri()}?mode=ro", uri=True)) as db:
        add_functions(db)  # else the words could not be read
        yield db
