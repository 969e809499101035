"""Some 300 hostile statements: none writes, reads beyond the views, or goes on after its time."""

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from apexmem_desktop.domain.errors import QueryRefusedError
from apexmem_desktop.storage.graphsql import RESULT_CHARS, run_select
from apexmem_desktop.storage.statement import read_select
from apexmem_desktop.storage.vault import Vault
from tests.storage import hostile_sql as hostile
from tests.storage.builders import make_turn, store_chat, store_entity, store_fact

REFUSED = [
    *hostile.WRITING,
    *hostile.OUTSIDE,
    *hostile.NO_ONE_SELECT,
    *hostile.TOO_LARGE,
    *hostile.LONG_TO_PREPARE,
]
ENDING_MS = 30
SAID = "the spare key hangs behind the mirror"


def _fill(path: Path, passphrase: str = "") -> Vault:
    vault = Vault.open(path, passphrase=passphrase)
    with vault.write() as db:
        store_fact(db, store_entity(db, "Ana"), "Rome")
        store_chat(db, [make_turn(SAID), make_turn("x" * 5_000)])
    return vault


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def filled(place: Path) -> Iterator[Vault]:
    with _fill(place / "memory.apexmem") as vault:
        yield vault


@pytest.fixture(scope="module")
def encrypted(place: Path) -> Iterator[Vault]:
    with _fill(place / "encrypted.apexmem", "words") as vault:
        yield vault


@pytest.fixture
def unharmed(
    place: Path, filled: Vault, encrypted: Vault, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Run a test in the vaults' own folder and see that no byte and no file there is another."""
    monkeypatch.chdir(place)
    before = _state(place)
    yield
    assert _state(place) == before


def _state(place: Path) -> dict[str, str]:
    """Sum up every file; the -shm, where readers mark how far they are, by its name alone."""
    return {
        path.name: "" if path.name.endswith("-shm") else _sha256(path)
        for path in sorted(place.rglob("*"))
    }


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _name(sql: str) -> str:
    return re.sub(r"[^ -~]|[\[\]]", "_", sql[:50]) or "empty"


def test_there_are_many() -> None:
    statements = [sql for sql, _ in REFUSED] + hostile.ENDLESS + hostile.GROWING + hostile.ONE_STEP
    assert len(set(statements)) == len(statements) > 250


@pytest.mark.usefixtures("unharmed")
@pytest.mark.parametrize(("sql", "why"), REFUSED, ids=[_name(sql) for sql, _ in REFUSED])
def test_what_a_select_may_not_is_refused(filled: Vault, sql: str, why: str) -> None:
    with pytest.raises(QueryRefusedError, match=why) as told:
        run_select(filled, sql)
    assert SAID not in str(told.value)
    assert not told.value.hint


@pytest.mark.usefixtures("unharmed")
@pytest.mark.parametrize("sql", hostile.ENDLESS, ids=_name)
def test_what_has_no_end_is_ended(filled: Vault, sql: str) -> None:
    with pytest.raises(QueryRefusedError, match=hostile.LATE):
        run_select(filled, sql, timeout_ms=ENDING_MS)


@pytest.mark.usefixtures("unharmed")
@pytest.mark.parametrize("sql", hostile.ONE_STEP, ids=_name)
def test_one_long_step_ends_by_itself(filled: Vault, sql: str) -> None:
    """Whatever it gives: without bounds each would run for minutes, and this test with it."""
    with suppress(QueryRefusedError):
        assert len(run_select(filled, sql).rows) == 1


@pytest.mark.usefixtures("unharmed")
@pytest.mark.parametrize(("sql", "value"), hostile.HARMLESS)
def test_what_only_looks_like_an_attack_is_answered(
    filled: Vault, encrypted: Vault, sql: str, value: object
) -> None:
    assert run_select(filled, sql).rows == run_select(encrypted, sql).rows == ((value,),)


@pytest.mark.usefixtures("unharmed")
@pytest.mark.parametrize(
    "statements",
    [hostile.WRITING, hostile.OUTSIDE],
    ids=["writing", "outside"],
)
def test_an_encrypted_memory_refuses_the_same(
    encrypted: Vault, statements: list[tuple[str, str]]
) -> None:
    for sql, _ in statements:  # SQLCipher was built with other functions, so words may differ
        with pytest.raises(QueryRefusedError):
            pytest.fail(f"{sql} gave {run_select(encrypted, sql)}")


@pytest.mark.usefixtures("unharmed")
def test_an_encrypted_memory_ends_the_same(encrypted: Vault) -> None:
    for sql in hostile.ENDLESS:
        with pytest.raises(QueryRefusedError, match=hostile.LATE):
            pytest.fail(f"{sql} gave {run_select(encrypted, sql, timeout_ms=ENDING_MS)}")


@pytest.mark.usefixtures("unharmed")
@pytest.mark.parametrize("sql", [*hostile.GROWING, *hostile.ONE_STEP], ids=_name)
def test_in_an_encrypted_memory_no_text_can_grow(encrypted: Vault, sql: str) -> None:
    """SQLCipher's module cannot set SQLite's limits, so what joins texts is refused outright."""
    with pytest.raises(QueryRefusedError, match=r"\|\||group_concat"):
        run_select(encrypted, sql)


@pytest.mark.parametrize(
    "pattern", ["text", "'%' || 'x'", "('%x%')", f"'{'x' * 101}'", "lower('x')", "(SELECT 'x')"]
)
def test_in_an_encrypted_memory_a_pattern_is_short_and_written_out(
    encrypted: Vault, pattern: str
) -> None:
    with pytest.raises(QueryRefusedError, match="encrypted memory"):
        run_select(encrypted, f"SELECT 1 FROM v_turns WHERE text LIKE {pattern}")
    found = run_select(encrypted, "SELECT text FROM v_turns WHERE text LIKE '%spare KEY%'")
    assert found.rows == ((SAID,),)


def test_a_result_is_limited_as_a_whole(filled: Vault) -> None:
    cells = ", ".join(["text"] * 90)
    rows = (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 50) "
        f"SELECT {cells} FROM v_turns, c WHERE length(text) = 5000"
    )
    result = run_select(filled, rows)
    assert result.truncated
    assert sum(len(str(cell)) for row in result.rows for cell in row) <= RESULT_CHARS
    assert len(run_select(filled, f'SELECT 1 AS "{"n" * 9000}"').columns[0]) == 100


CHILD = """
import resource, sys
from pathlib import Path
from apexmem_desktop.domain.errors import QueryRefusedError
from apexmem_desktop.storage.graphsql import run_select
from apexmem_desktop.storage.vault import Vault
from tests.storage.hostile_sql import GROWING

def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

with Vault.open(Path(sys.argv[1]), create=False) as vault:
    run_select(vault, "SELECT count(*) FROM v_facts")
    before = peak_bytes()
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))  # this machine must live on
    for sql in GROWING:
        try:
            given = run_select(vault, sql, timeout_ms=1500)
            print("answered", sum(len(str(c)) for row in given.rows for c in row))
        except QueryRefusedError as refused:
            print("refused", refused)
    print("grown", peak_bytes() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere peak memory has other units")
def test_memory_is_bounded(filled: Vault) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(filled.path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
        cwd=Path(__file__).parent.parent.parent,
    )
    *given, grown = done.stdout.splitlines()
    assert len(given) == len(hostile.GROWING)
    assert int(grown.removeprefix("grown ")) < 300_000_000, done.stdout


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("SELECT 1", set()),
        ("WITH a AS (SELECT 1), b(x, y) AS (SELECT 1, 2) SELECT 1", {"a", "b"}),
        ('WITH "A b" AS MATERIALIZED (SELECT 1) SELECT 1', {"a b"}),
        ("WITH 'it''s' AS NOT MATERIALIZED (SELECT 1) SELECT 1", {"it's"}),
        ("SELECT * FROM (WITH [x]/* AS */AS(SELECT 1) SELECT 1)", {"x"}),
        ("SELECT CAST(a AS text), 'b AS (' AS c FROM d AS e", set()),
        ("SELECT 1 /* a AS ( */ -- b AS (", set()),
    ],
)
def test_the_tables_of_with_are_found(sql: str, tables: set[str]) -> None:
    assert read_select(sql).tables == tables


def test_copies_are_counted() -> None:
    assert read_select("SELECT 1").copies == 1
    once = read_select("WITH a AS (SELECT 1 FROM x) SELECT 1 FROM a").copies
    twice = read_select("WITH a AS (SELECT 1 FROM x) SELECT 1 FROM a JOIN a b").copies
    assert once < twice
    assert read_select(hostile.DOUBLED).copies >= 1_000_000
