"""The run of everything: what it asks every day, and what where all data sets are given."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from apexmem_desktop.bench.catalogue import QUICK_SYSTEMS, Choices, run_all
from apexmem_desktop.bench.speed_models import Bare
from apexmem_desktop.bench.systems import SYSTEMS
from apexmem_desktop.services import samples
from tests.bench.conftest import SAMPLE, MakeOpener
from tests.bench.test_other_sets import ENTRIES
from tests.bench.test_speed import SMALL

BARE = Bare(encoding_s=lambda *_: 1.0, evaluation_s=lambda *_: 1.0)


@pytest.fixture
def choices(
    data: Path, tmp_path: Path, opener: MakeOpener, monkeypatch: pytest.MonkeyPatch
) -> Choices:
    shortest = min(samples.sample_files(), key=lambda path: path.stat().st_size)
    monkeypatch.setattr(samples, "sample_files", lambda: (shortest,))
    data.write_text(json.dumps([SAMPLE | {"observation": {}}]), encoding="utf-8")
    return Choices(
        tmp_path / "vaults",
        data,
        sizes=SMALL,
        bare=BARE,
        open_workspace=opener(lambda _: "not mentioned"),
    )


def test_the_daily_run_asks_few_questions_of_two_systems(choices: Choices) -> None:
    speed, graph, asked = run_all(replace(choices, quick=True)).document["benches"]
    assert (speed["bench"], graph["bench"], asked["bench"]) == ("speed", "graph", "locomo")
    assert tuple(asked["systems"]) == QUICK_SYSTEMS
    assert asked["systems"]["apex"]["build_costs"] is None


def test_the_long_run_asks_every_system_on_every_set(choices: Choices, tmp_path: Path) -> None:
    sessions = tmp_path / "sessions.jsonl"
    sessions.write_text(json.dumps(ENTRIES[0]), encoding="utf-8")
    document = run_all(replace(choices, longmemeval=sessions)).document
    names = [one["bench"] for one in document["benches"]]
    assert names == ["speed", "graph", "graph", "locomo", "longmemeval"]
    assert tuple(document["benches"][-2]["systems"]) == SYSTEMS
    assert tuple(document["benches"][-1]["systems"]) == SYSTEMS
