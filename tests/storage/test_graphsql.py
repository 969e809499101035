"""GraphSQL: useful to a small model, and harmless whatever is asked (known faults 71 and 72)."""

from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import QueryRefusedError
from apexmem_desktop.storage.graphsql import CELL_CHARS, run_select, schema_text, views_line
from apexmem_desktop.storage.schema_text import VIEWS
from apexmem_desktop.storage.vault import Vault
from tests.storage.builders import count, make_turn, store_chat, store_entity, store_fact


@pytest.fixture
def filled(vault: Vault) -> Vault:
    with vault.write() as db:
        ana = store_entity(db, "Ana")
        store_fact(db, ana, "Rome")
        store_chat(db, [make_turn("x" * 5_000)])
    return vault


ATTACKS = [
    "DROP TABLE facts",
    "SELECT 1; DROP TABLE facts",
    "SELECT 1; SELECT 2",
    "DELETE FROM turns",
    "INSERT INTO traces VALUES (1, 'a', 'b', 1, NULL)",
    "UPDATE jobs SET state = 'read'",
    "WITH x AS (SELECT 1) DELETE FROM turns",
    "WITH x AS (SELECT 1) INSERT INTO drops SELECT 1, 1, 1, '', '', 1",
    "/* SELECT */ DELETE FROM turns",
    "REPLACE INTO jobs VALUES (1, 'read', 1, 1, '', 1)",
    "CREATE TEMP TABLE a (x)",
    "CREATE TRIGGER a AFTER INSERT ON turns BEGIN SELECT 1; END",
    "ALTER TABLE turns RENAME TO t",
    "ATTACH 'other.sqlite' AS other",
    "DETACH main",
    "PRAGMA user_version = 9",
    "PRAGMA query_only = OFF",
    "SELECT * FROM pragma_user_version",
    "SELECT * FROM pragma_table_info('facts')",
    "SELECT count(*) FROM pragma_database_list",
    "VACUUM INTO 'copy.sqlite'",
    "SELECT load_extension('evil')",
    "SELECT readfile('/etc/hostname')",
    "SELECT writefile('here', 'x')",
    "SELECT fts3_tokenizer('porter')",
    "SELECT zeroblob(999999999)",
    "SELECT randomblob(999999999)",
    "SELECT hex(zeroblob(999999999))",
    "SELECT printf('%999999999d', 1)",
    "SELECT replace('aaaa', 'a', 'aaaaaaaaaa')",
    "SELECT * FROM dbstat",
    "SELECT * FROM sqlite_stmt",
    "SELECT * FROM turn_words WHERE turn_words MATCH 'x'",
    "SELECT * FROM other.facts",
    "EXPLAIN SELECT 1",
    "BEGIN",
    "COMMIT",
    "SAVEPOINT a",
    "VALUES (1)",
    "REINDEX",
    "ANALYZE",
    "",
    ";",
    "-- SELECT",
    "SELECT",
    "SELECT \x00",
    "SELECT '\ud800'",
    "SELECT " + "(" * 1000 + "1" + ")" * 1000,
    "SELECT " + "1 UNION SELECT " * 400 + "1",
    "SELECT '" + "a" * 30_000 + "'",
    "SELECT 1 -- " + "/**/" * 6000,
    "/**/" * 4000,
]


@pytest.mark.parametrize("sql", ATTACKS)
def test_attacks_are_refused_and_change_nothing(filled: Vault, tmp_path: Path, sql: str) -> None:
    before = [count(filled, table) for table in ("turns", "facts", "jobs", "traces", "drops")]
    files = sorted(tmp_path.iterdir())
    with pytest.raises(QueryRefusedError):
        run_select(filled, sql)
    assert [count(filled, t) for t in ("turns", "facts", "jobs", "traces", "drops")] == before
    assert sorted(tmp_path.iterdir()) == files


BOMBS = [
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c WHERE x < 0",
    "WITH a(x) AS (SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) SELECT count(*) FROM "
    + ", ".join(f"a a{i}" for i in range(20)),
]


@pytest.mark.parametrize("sql", BOMBS)
def test_a_query_without_end_is_stopped(filled: Vault, sql: str) -> None:
    with pytest.raises(QueryRefusedError, match="too long"):
        run_select(filled, sql, timeout_ms=20)


def test_a_text_cannot_grow_without_bound(filled: Vault) -> None:
    grow = (
        "WITH RECURSIVE c(x, n) AS (SELECT 'aaaaaaaa', 1 "
        "UNION ALL SELECT x || x, n + 1 FROM c WHERE n < 40) SELECT max(length(x)) FROM c"
    )
    with pytest.raises(QueryRefusedError):
        run_select(filled, grow)


def test_rows_and_cells_are_limited(filled: Vault) -> None:
    numbers = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"
    result = run_select(filled, numbers, max_rows=3)
    assert (result.rows, result.truncated) == (((1,), (2,), (3,)), True)
    result = run_select(filled, "SELECT text FROM v_turns WHERE length(text) > 4000")
    assert len(str(result.rows[0][0])) == CELL_CHARS
    assert not result.truncated


def test_infinity_is_a_word(filled: Vault) -> None:
    assert run_select(filled, "SELECT 9e999, -9e999").rows == (("inf", "-inf"),)


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) from v_facts",
        "SELECT count(*) FROM v_facts; -- and that is all",
        "  -- how many\n/* facts */ ; WITH f AS (SELECT * FROM v_facts) SELECT count(*) FROM f;",
        "SELECT count(*) FROM (SELECT 1)",
        "WITH facts AS (SELECT * FROM v_facts) SELECT count(*) FROM facts",
        "SELECT count(*) FROM V_Facts AS f JOIN main.v_entities e ON f.subject = e.name",
        "SELECT length('a' || ';') - 1 -- ;",
    ],
)
def test_harmless_queries_run(filled: Vault, sql: str) -> None:
    assert run_select(filled, sql).rows == ((1,),)


def test_a_wrong_column_is_told_in_one_short_sentence(filled: Vault) -> None:
    """The schema goes to the agent, not to a person who reads the error."""
    with pytest.raises(QueryRefusedError) as told:
        run_select(filled, "SELECT city FROM v_facts")
    assert str(told.value) == "The query cannot be run: no such column: city."
    with pytest.raises(QueryRefusedError) as told:
        run_select(filled, f"SELECT {'city' * 1000} FROM v_facts")
    assert len(str(told.value)) <= 201
    assert "v_facts(fact_id, subject, property" in views_line()


@pytest.mark.parametrize("view", VIEWS)
def test_views_have_the_columns_that_the_schema_tells(filled: Vault, view: str) -> None:
    assert run_select(filled, f"SELECT * FROM {view}").columns == VIEWS[view]
    assert f"{view}({', '.join(VIEWS[view])})" in schema_text()


def test_every_example_of_the_schema_runs(filled: Vault) -> None:
    examples = schema_text().split("Examples\n")[1].split(";\n")
    assert len(examples) >= 6
    for example in filter(str.strip, examples):
        run_select(filled, example)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("days_between('2023-05-01', '2023-06-01')", 31),
        ("days_between('2023-06-01 18:30', '2023-05-01')", -31),
        ("days_between(0, 86400000)", 1),
        ("months_between('2023-01-31', '2023-03-30')", 1),
        ("months_between('2023-03-30', '2023-01-31')", -1),
        ("months_between(2020, '2023-05')", 40),
        ("days_between('soon', '2023-05-01')", None),
        ("days_between(NULL, '2023-05-01')", None),
        ("days_between('2023-02-30', '2023-05-01')", None),
        ("iso(0)", "1970-01-01T00:00:00Z"),
        ("iso(-62135596800001)", None),
        ("iso(NULL)", None),
        ("normalise(' ANA ')", "ana"),
        ("now_ms()", 5),
    ],
)
def test_functions(vault: Vault, expression: str, value: object) -> None:
    assert run_select(vault, f"SELECT {expression}", now_ms=5).rows == ((value,),)
