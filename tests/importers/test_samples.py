"""Whole sample exports beside what they must give, one line a turn."""

import json
from pathlib import Path

import pytest

from tests.importers.conftest import read_path

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.in.*"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_sample(sample: Path) -> None:
    expected = sample.with_name(sample.name.split(".in.")[0] + ".expected.jsonl")
    got = read_path(sample, zone="Europe/Berlin", keep_branches=True)
    turns = [
        [turn.said_at_ms, turn.role, turn.kind, turn.speaker, turn.text, list(turn.attachments)]
        for turn in got.turns
    ]
    wanted = [json.loads(line) for line in expected.read_text(encoding="utf-8").splitlines()]
    assert json.loads(json.dumps(turns)) == wanted
