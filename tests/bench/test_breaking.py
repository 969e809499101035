"""Queries broken on purpose: each kind fails, is mended once, and nobody but the bench does it."""

import ast
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import apexmem_desktop
from apexmem_desktop.agent.query_text import TOLD
from apexmem_desktop.bench import breaking, queries
from apexmem_desktop.bench.breaking import KINDS, Breaker, Broken, Mending, read_mending
from apexmem_desktop.bench.catalogue import Choices, run_sql
from apexmem_desktop.domain.answers import Step
from apexmem_desktop.domain.errors import QueryRefusedError
from apexmem_desktop.domain.progress import CancelToken, ignore_progress
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.storage import graphsql
from apexmem_desktop.storage.vault import Vault
from tests.bench.conftest import MakeOpener, first_choice

LIST = "SELECT DISTINCT a.value FROM told AS a WHERE a.property = 'pet' AND a.is_current = 1"
QUERIES = [
    TOLD + LIST,
    f"{TOLD}SELECT count(DISTINCT a.subject) AS number FROM told AS a WHERE a.property = 'pet'",
    f"{TOLD}SELECT a.subject, count(DISTINCT a.value) AS number FROM told AS a "
    "WHERE a.property = 'ran' GROUP BY a.subject ORDER BY number DESC",
    f"{TOLD}SELECT DISTINCT a.value FROM told AS a JOIN told AS b ON a.subject = b.subject "
    "AND days_between(b.valid_from, a.valid_from) > 0 WHERE a.property = 'it''s (value)'",
    "SELECT value FROM v_facts WHERE subject = 'Ana' AND length(value) > 1",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("query", QUERIES)
def test_a_broken_query_is_refused_and_the_whole_one_runs(
    tmp_path: Path, query: str, kind: str
) -> None:
    vault = Vault.open(tmp_path / "memory.sqlite")
    try:
        assert graphsql.run_select(vault, query).columns
        with pytest.raises(QueryRefusedError):
            graphsql.run_select(vault, KINDS[kind](query))
    finally:
        vault.close()


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ("column", LIST.replace("is_current", "is_curretn")),
        ("view", LIST.replace("told", "told_table")),
        ("quote", LIST.replace("'pet'", "'pet")),
        ("bracket", ""),
        ("function", LIST.replace("a.value", "to_text(a.value)")),
    ],
)
def test_each_kind_changes_one_thing(kind: str, broken: str) -> None:
    assert KINDS[kind](LIST) == broken


def test_what_stands_in_quotes_is_not_taken_for_sql() -> None:
    query = "SELECT a.id FROM told AS a WHERE a.id = 'FROM value count(x)'"
    assert KINDS["column"](query) == ""
    assert KINDS["view"](query) == query.replace("FROM told", "FROM told_table")
    assert KINDS["bracket"](query) == ""


def _made(percent: int, seed: int = 1) -> list[tuple[str, ...]]:
    breaker, made = Breaker(percent, seed), []
    for number in range(200):
        breaker.next_question(f"question {number}")
        made.append((breaker.change(QUERIES[0]), breaker.change(QUERIES[1])))
    return made


def test_none_all_or_a_share_is_broken_and_never_the_mend() -> None:
    whole = (QUERIES[0], QUERIES[1])
    assert set(_made(0)) == {whole}
    assert all(first != QUERIES[0] and second == QUERIES[1] for first, second in _made(100))
    changed = [sum(a != b for a, b in zip(one, whole, strict=True)) for one in _made(30)]
    assert set(changed) == {0, 1}
    assert 60 <= sum(changed) <= 140  # 0.3 of 200, and of the second queries of what was left


def test_the_same_seed_breaks_the_same_and_the_kinds_are_as_many() -> None:
    assert _made(30) == _made(30) != _made(30, seed=2)
    breaker, kinds = Breaker(100, 1), Counter[str]()
    for number in range(20):
        breaker.next_question(f"question {number}")
        breaker.change(QUERIES[0])
        assert breaker.broken is not None
        kinds[breaker.broken.kind] += 1
    assert kinds == dict.fromkeys(KINDS, 4)


def test_a_query_without_the_thing_to_break_is_broken_otherwise_or_left() -> None:
    breaker = Breaker(100, 1)
    for number in range(8):
        breaker.next_question(f"question {number}")
        assert breaker.change("SELECT 1") == "SELECT 1"
        assert breaker.change(LIST) not in ("", LIST)


def _steps(*queries: tuple[str, str]) -> list[Step]:
    found = [Step("GraphSQL", sql, "", 1, error) for sql, error in queries]
    return [Step("Search", "x", "", 1), *found, Step("Search", "y", "", 1)]


def test_a_broken_query_is_mended_by_one_that_runs_after_it() -> None:
    def became(*steps: tuple[str, str]) -> Mending:
        return read_mending(Broken("view", "bad"), _steps(*steps), by_model=True, right=False)

    assert became(("bad", "no such table"), ("good", "")).mended
    assert not became(("good", ""), ("bad", "no such table")).mended
    assert not became(("bad", "no such table"), ("worse", "too")).mended
    assert not became(("bad", "")).refused


def test_what_became_of_them_is_counted_by_kind() -> None:
    told = [
        Mending("view", refused=True, mended=True, by_model=True, right=True),
        Mending("view", refused=True, mended=True, by_model=False, right=False),
        Mending("quote", refused=True, mended=False, by_model=True, right=True),
    ]
    found = breaking.counts(told)
    assert found["view"] == {
        "broken": 2, "refused": 2, "mended": 2, "mended_by_model": 1, "right": 1, "right_mended": 1,
    }  # fmt: skip
    assert found["all"]["broken"] == 3
    assert found["all"]["right"] == 2
    assert found["all"]["right_mended"] == 1
    assert found["column"]["broken"] == 0
    assert "| view | 2 | 2 | 2 | 1 | 1 | 1 |" in breaking.lines(told)
    assert breaking.lines([]) == []


def test_the_agent_mends_what_the_bench_breaks(tmp_path: Path, opener: MakeOpener) -> None:
    """The whole way: the error and the schema go to the model, and its second query answers."""
    prompts: list[str] = []

    def model(request: GenerateRequest) -> str:
        prompts.append(request.messages[-1].text)
        return first_choice(request)

    found = queries.measure(
        tmp_path, opener(model), progress=ignore_progress, cancel=CancelToken(),
        systems=["apex"], questions=queries.read_graph_questions()[1::4], breaker=Breaker(100, 7),
    )  # fmt: skip
    mendings = found.mendings("apex")
    of = breaking.counts(mendings)
    assert len(mendings) == len(found.told["apex"])
    assert all(of[kind]["broken"] for kind in KINDS)
    assert all(one.refused and one.mended and one.right for one in mendings)
    assert 0 < of["all"]["mended_by_model"] < len(mendings)
    shown = [prompt for prompt in prompts if "Failed: " in prompt]
    assert len(shown) == of["all"]["mended_by_model"]
    assert all("Views: v_facts" in prompt for prompt in shown)
    # What was broken on purpose is no failure of the model's own.
    assert found.sql("apex")["failed"] == 0
    assert "| all | " in "\n".join(found.lines())
    document = found.to_json()["apex"]
    assert document["broken"]["all"]["mended"] == len(mendings)
    assert document["answers"][0]["broken"]["kind"] in KINDS


def test_the_bench_asks_and_breaks_what_the_command_says(
    tmp_path: Path, opener: MakeOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[dict[str, Any]] = []

    def measured(*_: object, **options: Any) -> queries.Queries:
        given.append(options)
        return queries.Queries({"apex": []})

    monkeypatch.setattr(queries, "measure", measured)
    choices = Choices(tmp_path, open_workspace=opener(first_choice), seed=5)
    run_sql(choices)
    broken = run_sql(replace(choices, held_out=True, broken_percent=40)).document
    run_sql(replace(choices, practice=True, query_systems=("no-sql",)))
    assert [one["systems"] for one in given] == [("apex", "no-sql"), ("apex",), ("no-sql",)]
    assert [len(one["questions"]) for one in given] == [
        len(queries.read_graph_questions(name))
        for name in (queries.OWN, queries.HELD_OUT, queries.PRACTICE)
    ]
    assert given[0]["breaker"].percent == 0
    assert given[1]["breaker"] == Breaker(40, 5)
    assert (broken["held_out"], broken["broken_percent"], broken["seed"]) == (True, 40, 5)


def test_nothing_but_the_bench_changes_a_query() -> None:
    """By its source: only these files hand a change on, and only the bench makes one."""
    package = Path(apexmem_desktop.__file__).parent
    givers = {
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.keyword) and node.arg == "change_query"
    }
    # The agent and the service hand on what they were given, by default nothing.
    assert givers == {"agent/answering.py", "services/asking.py", "bench/queries.py"}
    breakers = {
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if "Breaker" in file.read_text(encoding="utf-8")
    }
    assert breakers == {"bench/breaking.py", "bench/queries.py", "bench/catalogue.py"}
