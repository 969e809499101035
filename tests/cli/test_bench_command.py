"""`apexmem bench …`: its options, and plain words where it cannot run."""

from pathlib import Path

import pytest

from tests.cli.running import Run


@pytest.mark.parametrize(
    "bench", ["locomo", "longmemeval", "sealqa", "graph", "sql", "speed", "all"]
)
def test_each_bench_explains_itself(run: Run, bench: str) -> None:
    shown = run("bench", bench, "--help")
    assert shown.status == 0
    assert "--vaults" in shown.out


def test_a_bench_must_be_named(run: Run) -> None:
    assert run("bench").status == 2
    assert run("bench", "locomo").status == 2  # its data too


def test_a_missing_data_file_is_told_in_words(run: Run, tmp_path: Path) -> None:
    ran = run("bench", "locomo", "--data", tmp_path / "none.json", "--vaults", tmp_path)
    assert ran.status == 1
    assert "none.json is not the data this bench reads" in ran.err
    assert "Traceback" not in ran.err


def test_without_a_model_it_says_how_to_get_one(run: Run, tmp_path: Path) -> None:
    ran = run("bench", "speed", "--messages", 10, "--vaults", tmp_path / "vaults", "--quiet")
    assert ran.status == 1
    assert "apexmem models pull" in ran.err


def test_speed_runs_without_a_model(run: Run, tmp_path: Path) -> None:
    ran = run("bench", "speed", "--messages", 200, "--quick", "--no-model", "--json", "--quiet",
              "--vaults", tmp_path / "vaults")  # fmt: skip
    assert ran.status == 0
    assert ran.json["bench"] == "speed"
    assert all(one["value"] > 0 for one in ran.json["figures"])
    assert {"name", "value", "unit", "limit", "ratio"} <= set(ran.json["figures"][0])


@pytest.mark.parametrize("number", ["0", "-5", "many", "1e3", "٣"])
def test_a_senseless_number_of_messages_is_refused(run: Run, number: str) -> None:
    ran = run("bench", "speed", f"--messages={number}", "--no-model")
    assert ran.status == 2
    assert "is not a whole number of 1 or more" in ran.err


@pytest.mark.parametrize(
    ("share", "why"), [("101", "'101' is more than 100"), ("0", "is not a whole number")]
)
def test_no_more_than_all_queries_are_broken(run: Run, share: str, why: str) -> None:
    ran = run("bench", "sql", f"--break={share}")
    assert ran.status == 2
    assert why in ran.err


def test_queries_are_broken_by_the_bench_alone(run: Run) -> None:
    assert run("ask", "--break", "100", "Where does Ana live?").status == 2
    assert run("sql", "--break", "100", "SELECT 1").status == 2
