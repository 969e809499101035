"""Coverage, relative dates, people and the judging sheet, on data of our own."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from apexmem_desktop.bench.catalogue import Choices, run_graph
from apexmem_desktop.bench.coverage import read_verdicts, sheet_rows
from apexmem_desktop.bench.relative import agrees
from apexmem_desktop.bench.shapes import DataShapeError
from apexmem_desktop.domain.graph import Event, Evidence, Modality
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from tests.bench.conftest import SAMPLE, MakeOpener

WEDNESDAY = date(2023, 5, 10)


@pytest.fixture
def choices(data: Path, tmp_path: Path, opener: MakeOpener) -> Choices:
    observation = {
        "session_1_observation": {
            "Ana": [["Ana lives in Porto.", "D1:3"]],
            "Ben": [["Ben is friendly.", ["D2:2"]]],
        }
    }
    data.write_text(json.dumps([SAMPLE | {"observation": observation}]), encoding="utf-8")
    return Choices(tmp_path / "vaults", data, open_workspace=opener(lambda _: "-"))


def test_a_conversations_graph_is_looked_at(choices: Choices, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    document = run_graph(replace(choices, out=sheet, sample=30)).document
    assert document["observed_turns_covered"] == pytest.approx(
        {"value": 0.5, "low": 0.0945, "high": 0.9055, "n": 2}
    )
    assert document["entities_a_person"] == {"Ana": 1, "Ben": 1}
    assert document["wrong_merges"] == []
    assert document["gate_recall"]["n"] == 2
    assert 0 < document["gate_passed_over"]["value"] < 1
    assert document["covered_by_conversation"].keys() == {"own-1"}
    rows = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    assert rows
    assert all(row["verdict"] == "" and row["quote"] for row in rows)


def test_events_are_judged_beside_facts() -> None:
    start = Bound(0, 2 * 86_400_000, Precision.DAY, TimeSource.STATED)
    proof = Evidence(1, 1, "", "Ben", 0, 0, "we went to Porto", 0, 16)
    event = Event(
        1, "trip", "Ben went to Porto", Modality.ASSERTED, start, None,
        participants=((2, "Ana", "guest"),), evidence=(proof,),
    )  # fmt: skip
    (row,) = sheet_rows([], [event])
    assert (row["event"], row["with"]) == ("trip | Ben went to Porto", ["Ana"])
    assert (row["speaker"], row["from"], row["quote"]) == ("Ben", "1970-01-01", proof.quote)
    assert row["from_at_latest"] == "1970-01-02"


def test_a_judged_sheet_is_summed_up(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    verdicts = ["right", "Right ", "wrong", "", "unsure"]
    sheet.write_text("\n".join(json.dumps({"verdict": one}) for one in verdicts), encoding="utf-8")
    found = read_verdicts(sheet)
    assert (found.precision.value, found.precision.n) == (pytest.approx(2 / 3), 3)
    assert found.curve == {}
    sheet.write_text('{"verdict": ""}', encoding="utf-8")
    with pytest.raises(DataShapeError, match="no verdict"):
        read_verdicts(sheet)


def test_a_judged_sheet_tells_how_often_each_confidence_was_right(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    told = [(0.91, "right"), (0.9, "right"), (0.89, "wrong"), (0.7, "wrong"), (0.7, "")]
    rows = [json.dumps({"verdict": one, "confidence": sure}) for sure, one in told]
    sheet.write_text("\n".join(rows), encoding="utf-8")
    found = read_verdicts(sheet)
    assert {step: (one.value, one.n) for step, one in found.curve.items()} == {
        0.9: (pytest.approx(2 / 3), 3),
        0.7: (0.0, 1),
    }
    assert found.lines()[1] == "Of confidence 0.70: 0.00 (0.00–0.79) right, n = 1"
    assert found.to_json()["calibration"]["0.90"]["n"] == 3


@pytest.mark.parametrize(
    ("phrase", "first", "last", "expected"),
    [
        ("yesterday", (2023, 5, 9), (2023, 5, 9), True),
        ("yesterday", (2023, 5, 10), (2023, 5, 10), False),
        ("last week", (2023, 5, 1), (2023, 5, 7), True),
        ("last week", (2023, 5, 8), (2023, 5, 14), False),
        ("last Friday", (2023, 5, 5), (2023, 5, 5), True),
        ("last Tuesday", (2023, 5, 2), (2023, 5, 2), True),  # of two readings, either
        ("two weeks ago", (2023, 4, 26), (2023, 4, 26), True),
        ("two weeks ago", (2023, 5, 3), (2023, 5, 3), False),
        ("next month", (2023, 6, 1), (2023, 6, 30), True),
        ("last year", (2022, 1, 1), (2022, 12, 31), True),
        ("in the olden days", (2022, 1, 1), (2022, 12, 31), None),
    ],
)
def test_relative_dates(
    phrase: str, first: tuple[int, int, int], last: tuple[int, int, int], expected: bool | None
) -> None:
    assert agrees(date(*first), date(*last), phrase, WEDNESDAY) is expected
