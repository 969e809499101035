"""Which rows go when some go, and their removal.

The foreign keys of the schema tell it for every table, those of later steps too; what they do not
tell stands in the rules below. Nothing here decides what the user wants erased.
"""

import json
from collections.abc import Iterator

from apexmem_desktop.storage.vault import Connection

# Columns that may point to what goes: they are mended, their rows stay.
_SPARED = {
    ("turns", "reply_to_id"), ("sessions", "source_id"), ("entity_names", "turn_id"),
    ("facts", "turn_id"), ("facts", "holder_id"), ("facts", "event_id"),
}  # fmt: skip
KEPT_TABLES = ("erasures", "erased_turns")


def doomed(table: str) -> str:
    """Give the SQL condition's end: among the rows of the table that go."""
    return f"IN (SELECT id FROM doomed WHERE tbl = '{table}')"  # noqa: S608 - our own names


def staying(table: str) -> str:
    """Give the SQL condition's end: not among the rows of the table that go."""
    return f"NOT {doomed(table)}"


# What was first told by what goes: by those words, by whom, or jointly with them.
SHAKEN = (
    f"SELECT id FROM facts WHERE turn_id {doomed('turns')} OR holder_id {doomed('entities')} "  # noqa: S608
    f"UNION SELECT fact_id FROM evidence WHERE id {doomed('evidence')} AND recorded_at_ms IS NULL"
)
# What was said again in words that stay: each such saying is a proof by itself.
SAID_AGAIN = (
    f"SELECT fact_id FROM evidence WHERE id {staying('evidence')} AND recorded_at_ms NOT NULL"  # noqa: S608
)

# Each a table and the query of those of its rows that go because of others that go.
_RULES = (
    # What an erased turn helped to prove goes, even where another turn helped too; but not what
    # was said again elsewhere.
    ("facts", f"SELECT id FROM ({SHAKEN}) EXCEPT {SAID_AGAIN}"),  # noqa: S608
    ("facts", f"SELECT id FROM facts WHERE event_id {doomed('events')} EXCEPT {SHAKEN}"),  # noqa: S608
    ("evidence", f"SELECT id FROM evidence WHERE fact_id IN ({SHAKEN}) "  # noqa: S608
     "AND recorded_at_ms IS NULL"),
    ("events", f"SELECT event_id AS id FROM evidence WHERE id {doomed('evidence')}"),  # noqa: S608
    # An event that only carried facts goes with the last of them.
    ("events", f"SELECT v.id FROM events_told v JOIN facts f ON f.event_id = v.id "  # noqa: S608
     f"WHERE v.type = 'statement' AND f.id {doomed('facts')} "
     f"EXCEPT SELECT event_id FROM facts WHERE id {staying('facts')}"),
    *(
        (table, f"SELECT {column} AS id FROM turns_said WHERE id {doomed('turns')} "  # noqa: S608
         f"EXCEPT SELECT {column} FROM turns_said WHERE id {staying('turns')}")
        for table, column in (
            ("sessions", "session_id"), ("conversations", "conversation_id"),
            ("sources", "source_id"),
        )
    ),
    ("voices", f"SELECT voice_id AS id FROM turns WHERE id {doomed('turns')} "  # noqa: S608
     f"EXCEPT SELECT voice_id FROM turns WHERE id {staying('turns')}"),
    *(
        (kinds, f"SELECT kind_id AS id FROM {table} WHERE id {doomed(table)} "  # noqa: S608
         f"EXCEPT SELECT kind_id FROM {table} WHERE id {staying(table)}")
        for kinds, table in (("fact_kinds", "facts"), ("event_kinds", "events"))
    ),
    ("properties", f"SELECT property_id AS id FROM facts WHERE id {doomed('facts')} "  # noqa: S608
     f"EXCEPT SELECT property_id FROM facts WHERE id {staying('facts')}"),
    # Whom nothing that stays speaks of.
    ("entities",
     f"SELECT entity_id AS id FROM mentions WHERE turn_id {doomed('turns')} "  # noqa: S608
     f"UNION SELECT entity_id FROM entity_names WHERE turn_id {doomed('turns')} "
     f"UNION SELECT subject_id FROM facts WHERE id {doomed('facts')} "
     f"UNION SELECT value_entity_id FROM facts WHERE id {doomed('facts')} "
     f"UNION SELECT holder_id FROM facts WHERE id {doomed('facts')} "
     f"UNION SELECT entity_id FROM event_participants WHERE event_id {doomed('events')} "
     f"UNION SELECT place_id FROM events WHERE id {doomed('events')} "
     f"EXCEPT SELECT entity_id FROM mentions WHERE turn_id {staying('turns')} "
     f"EXCEPT SELECT subject_id FROM facts WHERE id {staying('facts')} "
     f"EXCEPT SELECT value_entity_id FROM facts WHERE id {staying('facts')} "
     f"EXCEPT SELECT holder_id FROM facts WHERE id {staying('facts')} "
     f"EXCEPT SELECT entity_id FROM event_participants WHERE event_id {staying('events')} "
     f"EXCEPT SELECT place_id FROM events WHERE id {staying('events')}"),
    ("entities", f"SELECT entity_id AS id FROM entity_names "  # noqa: S608
     f"EXCEPT SELECT entity_id FROM entity_names WHERE id {staying('entity_names')}"),
    # Who the user said they are goes with the last who is called so; a chat's clock with the chat.
    ("rulings", f"SELECT id FROM rulings WHERE kind = 'owner' "  # noqa: S608
     f"AND json_extract(detail, '$.normalised') IN (SELECT normalised FROM entity_names "
     f"WHERE entity_id {doomed('entities')} EXCEPT SELECT normalised FROM entity_names "
     f"WHERE entity_id {staying('entities')})"),
    ("rulings", f"SELECT id FROM rulings WHERE kind = 'chat_zone' "  # noqa: S608
     f"AND json_extract(detail, '$.conversation_id') {doomed('conversations')}"),
)  # fmt: skip
# A fact of which one saying goes: what was made of it may hold that saying's words.
_CHANGED = f"{SHAKEN} UNION SELECT fact_id FROM evidence WHERE id {doomed('evidence')}"  # noqa: S608
_OR_CHANGED = {"fact_ids": f"OR one.value IN ({_CHANGED})", "turn_ids": ""}
_LISTS = {"fact_ids": "facts", "turn_ids": "turns"}  # columns that hold a JSON list of numbers


class Cascade:
    """The rows that go, in a temporary table `doomed(tbl, id)` of one connection."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        db.exec_driver_sql("DROP TABLE IF EXISTS temp.doomed")
        db.exec_driver_sql(
            "CREATE TEMP TABLE doomed (tbl TEXT, id INTEGER, PRIMARY KEY (tbl, id)) WITHOUT ROWID"
        )
        self._with_rows, self._without_rows = _tables(db)
        self._arrows = [
            (child, column, parent)
            for child in (*self._with_rows, *self._without_rows)
            for column, parent in _foreign_keys(db, child)
            if (child, column) not in _SPARED and parent != "runs"
        ]

    def add(self, table: str, wanted: str, *values: object) -> int:
        """Doom the rows whose numbers a query gives in its column `id`; return how many more."""
        sql = f"INSERT OR IGNORE INTO doomed SELECT '{table}', id FROM ({wanted}) WHERE id NOT NULL"  # noqa: S608
        return self._db.exec_driver_sql(sql, values).rowcount

    def spare(self, table: str, wanted: str, *values: object) -> None:
        """Let rows stay after all: what stays was just made to need them."""
        sql = f"DELETE FROM doomed WHERE tbl = '{table}' AND id IN ({wanted})"  # noqa: S608
        self._db.exec_driver_sql(sql, values)

    def add_all(self) -> None:
        """Doom every row but those that tell of erasures."""
        for table in self._with_rows:
            if table not in KEPT_TABLES:
                self.add(table, f"SELECT rowid AS id FROM {table}")  # noqa: S608

    def spread(self) -> None:
        """Doom whatever hangs on what is doomed, until nothing more does."""
        while self._spread_once():
            pass

    def _spread_once(self) -> int:
        more = 0
        for child, column, parent in self._arrows:
            if child in self._with_rows:
                wanted = f"SELECT rowid AS id FROM {child} WHERE {column} {doomed(parent)}"  # noqa: S608
                more += self.add(child, wanted)
        for table, wanted in (*_RULES, *self._listing_rules()):
            more += self.add(table, wanted)
        return more + self._add_rulings()

    def _listing_rules(self) -> Iterator[tuple[str, str]]:
        """What was made of several facts or turns goes when one of them goes."""
        for table in self._with_rows:
            columns = self._db.exec_driver_sql("SELECT name FROM pragma_table_info(?)", (table,))
            for column in set(columns.scalars()) & set(_LISTS) if table != "runs" else ():
                yield (
                    table,
                    (
                        f"SELECT made.rowid AS id FROM {table} made, json_each(made.{column}) one "  # noqa: S608
                        f"WHERE one.value {doomed(_LISTS[column])} {_OR_CHANGED[column]}"
                    ),
                )

    def _add_rulings(self) -> int:
        """Doom rulings that name what goes only in their details."""
        rows = self._db.exec_driver_sql(
            f"SELECT id, detail FROM rulings WHERE detail <> '{{}}' AND id {staying('rulings')}"  # noqa: S608
        ).all()
        gone = {table: self.ids(table) for table in ("facts", "entities", "turns")} if rows else {}
        named = [number for number, detail in rows if _names_gone(json.loads(detail), gone)]
        return self.add("rulings", "SELECT value AS id FROM json_each(?)", json.dumps(named))

    def ids(self, table: str) -> set[int]:
        """Read which rows of a table go."""
        found = self._db.exec_driver_sql("SELECT id FROM doomed WHERE tbl = ?", (table,))
        return set(found.scalars())

    def count(self) -> dict[str, int]:
        """Count the rows that go, by table."""
        rows = self._db.exec_driver_sql("SELECT tbl, count(*) FROM doomed GROUP BY tbl")
        return {str(table): int(number) for table, number in rows}

    def remove(self) -> None:
        """Delete the doomed rows; foreign keys are looked at when the transaction ends."""
        self._db.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        lent = self._lend_indexes()
        for child, column, parent in self._arrows:
            if child in self._without_rows:
                self._db.exec_driver_sql(f"DELETE FROM {child} WHERE {column} {doomed(parent)}")  # noqa: S608
        for table in self._with_rows:
            self._db.exec_driver_sql(f"DELETE FROM {table} WHERE rowid {doomed(table)}")  # noqa: S608
        for index in lent:
            self._db.exec_driver_sql(f"DROP INDEX {index}")

    def _lend_indexes(self) -> list[str]:
        """Index every foreign key that is not: SQLite looks there for each row that is deleted."""
        lent = []
        for table in (*self._with_rows, *self._without_rows):
            led = self._db.exec_driver_sql(
                "SELECT i.name FROM pragma_index_list(?) l, pragma_index_info(l.name) i "
                "WHERE i.seqno = 0 AND NOT l.partial",
                (table,),
            )
            known = set(led.scalars())
            for column in {column for column, _ in _foreign_keys(self._db, table)} - known:
                lent.append(f"lent_{table}_{column}")
                self._db.exec_driver_sql(f"CREATE INDEX {lent[-1]} ON {table}({column})")
        return lent

    def close(self) -> None:
        """Forget what was doomed."""
        self._db.exec_driver_sql("DROP TABLE temp.doomed")


def _tables(db: Connection) -> tuple[list[str], list[str]]:
    """List the ordinary tables: those whose rows have numbers, and those whose have not."""
    rows = db.exec_driver_sql(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
        "AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
    ).all()
    return [name for name, bare in rows if not bare], [name for name, bare in rows if bare]


def _foreign_keys(db: Connection, table: str) -> list[tuple[str, str]]:
    rows = db.exec_driver_sql('SELECT "from", "table" FROM pragma_foreign_key_list(?)', (table,))
    return [(column, parent) for column, parent in rows]


def _names_gone(detail: object, gone: dict[str, set[int]]) -> bool:
    """Tell whether the details of a ruling name, by number, what goes."""
    if not isinstance(detail, dict):
        return False
    for key, value in detail.items():
        numbers = {one for one in (value if isinstance(value, list) else [value])
                   if isinstance(one, int)}  # fmt: skip
        for part, table in (("fact", "facts"), ("entit", "entities"), ("turn", "turns")):
            if part in key and numbers & gone[table]:
                return True
    return False
