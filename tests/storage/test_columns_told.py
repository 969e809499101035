"""A column whose name does not tell everything is explained beside it: in the SQL, else in docs."""

import re
from collections.abc import Iterator
from pathlib import Path

from apexmem_desktop.storage import migrations
from apexmem_desktop.storage.vault import Vault

_TABLE = re.compile(r"CREATE TABLE (\w+) \(")
_COLUMN = re.compile(r"(?:^|, )([a-z]\w*) (?:INTEGER|TEXT|REAL|BLOB|ANY)\b")
_ADDED = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+)")
_STEPS = Path(migrations.__file__).parent / "steps"
_FILE_FORMAT = Path(__file__).parents[2] / "docs" / "file-format.md"
_ROW = re.compile(r"^\| `(\w+)\.(\w+)` \| \S.*\|$", re.MULTILINE)

# Words that say all there is to say, whatever the table. Instants (…_at_ms) are told once for all.
_PLAIN = frozenset({
    "id", "name", "title", "question", "reason", "sha256", "prompt_sha256", "prompt_version",
    "prompt_tokens", "output_tokens", "is_group",
})  # fmt: skip


def _told_in_steps() -> Iterator[tuple[str, str]]:
    """Find (table, column) that a step explains on the column's own line or lists the words of."""
    for step in sorted(_STEPS.glob("*.sql")):
        table = ""
        for line in step.read_text(encoding="utf-8").splitlines():
            code, _, comment = line.partition("--")
            if added := _ADDED.match(code):
                if comment.strip():
                    yield added[1], added[2]
            elif found := _TABLE.match(code):
                table = found[1]
            elif code.startswith(")"):
                table = ""
            elif table and (comment.strip() or ("CHECK (" in code and " IN ('" in code)):
                for column in _COLUMN.findall(code.strip()):
                    yield table, column


def _is_plain(table: str, column: str, referred: str | None) -> bool:
    """Whether a name tells all: a plain word, an instant, or the number of a row so named."""
    if column in _PLAIN or column.endswith("_at_ms"):
        return not column.startswith(("first_", "last_")) and column != "changed_at_ms"
    noun = column.removesuffix("_id")
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return referred is not None and noun != column and referred.endswith(plural)


def test_every_odd_column_is_explained(vault: Vault) -> None:
    told = {*_told_in_steps(), *_ROW.findall(_FILE_FORMAT.read_text(encoding="utf-8"))}
    silent = []
    with vault.read() as db:
        tables = db.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_words%' "
            "AND name NOT LIKE 'sqlite%'"
        ).scalars()
        for table in tables:
            refers = {
                row[3]: row[2] for row in db.exec_driver_sql(f"PRAGMA foreign_key_list({table})")
            }
            for row in db.exec_driver_sql(f"PRAGMA table_info({table})"):
                column = row[1]
                if (table, column) in told or _is_plain(table, column, refers.get(column)):
                    continue
                silent.append(f"{table}.{column}")
    assert not silent, "\n".join(silent)
