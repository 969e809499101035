"""Questions to the whole graph: all that the sample exports' own questions name is found by SQL."""

from pathlib import Path

import pytest

from apexmem_desktop.bench import queries
from apexmem_desktop.bench.queries import is_right, read_graph_questions
from apexmem_desktop.bench.report import query_counts, query_line
from apexmem_desktop.domain.progress import CancelToken, ignore_progress
from tests.bench.conftest import MakeOpener, first_choice


def test_there_are_enough_questions_and_a_wrong_answer_is_wrong() -> None:
    questions = read_graph_questions()
    assert len(questions) >= 30
    one = {"all_of": ["Turnip", "2|two"], "none_of": ["Polo"]}
    assert is_right(one, "turnip and two")
    assert not is_right(one, "Turnip and three")
    assert not is_right(one, "Turnip, Polo and 2")
    assert not is_right(one, "Turnip in 2025")
    assert is_right({"all_of": ["两"]}, "有两个人")


def test_the_program_alone_routes_and_answers_all_of_them(
    tmp_path: Path, opener: MakeOpener
) -> None:
    found = queries.measure(
        tmp_path, opener(first_choice), progress=ignore_progress, cancel=CancelToken()
    )
    wrong = [(one.question, one.answer) for one in found.told["apex"] if not one.right]
    assert wrong == []
    assert all(one.cited for one in found.told["apex"])
    assert found.sql("apex")["ran"] >= len(found.told["apex"])
    assert found.sql("no-sql")["queries"] == 0
    # Without the tool most of them have no answer: it earns its place.
    assert found.right("no-sql").value < 0.5 < found.right("apex").value
    assert "apex, GraphSQL: " in "\n".join(found.lines())


def test_the_program_without_its_tool_can_be_asked_alone(
    tmp_path: Path, opener: MakeOpener
) -> None:
    found = queries.measure(
        tmp_path, opener(first_choice), progress=ignore_progress, cancel=CancelToken(),
        systems=["no-sql"], questions=read_graph_questions()[:2],
    )  # fmt: skip
    assert "no-sql: " in "\n".join(found.lines())


@pytest.mark.parametrize(
    ("errors", "counts"),
    [
        (["", ""], {"queries": 2, "ran": 2, "failed": 0, "mended": 0}),
        (["no such column", ""], {"queries": 2, "ran": 1, "failed": 1, "mended": 1}),
        (["", "no such column"], {"queries": 2, "ran": 1, "failed": 1, "mended": 0}),
    ],
)
def test_a_query_is_mended_by_one_that_ran_after_it(
    errors: list[str], counts: dict[str, int]
) -> None:
    steps = [{"tool": "GraphSQL", "error": error} for error in errors]
    other = [{"tool": "Search", "error": "no index"}]
    assert query_counts([[*steps, *other], other]) == counts
    assert f"{counts['ran']} of 2 queries ran" in query_line("apex", counts)[0]
