"""The graph of the samples against their gold, with a scripted model."""

from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.bench.catalogue import Choices, run_graph
from apexmem_desktop.bench.graph import hold_against
from apexmem_desktop.domain.graph import Evidence, Fact, FactStatus, MemoryType, Modality, ValueType
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.services import samples
from apexmem_desktop.services.rules_only import RULES_ONLY
from tests.bench.conftest import MakeOpener

DAY_MS = 86_400_000
MAY_7_MS = 1_683_417_600_000  # 7 May 2023, 00:00 UTC


def _fact(number: int, value: str, quote: str, *, start_ms: int) -> Fact:
    evidence = Evidence(number, 1, "", "Ana Lima", start_ms, 0, quote, 0, len(quote))
    start = Bound(start_ms, start_ms + DAY_MS - 1, Precision.DAY, TimeSource.STATED)
    return Fact(
        id=number, subject_id=1, subject="Ana Lima", property_id=1, property="visited",
        value=value, value_type=ValueType.STRING, polarity=True, modality=Modality.ASSERTED,
        memory_type=MemoryType.ACTION, valid_from=start, valid_to=None, effective_to=None,
        confidence=1.0, holder="Ana Lima", recorded_at_ms=0, phrase="", status=FactStatus.CURRENT,
        evidence=(evidence,),
    )  # fmt: skip


def _gold(value: str, quote: str, valid_from: str) -> dict[str, Any]:
    return {"speaker": "Ana Lima", "subject": "Ana", "value": value, "quote": quote,
            "valid_from": valid_from, "modality": "asserted", "polarity": True}  # fmt: skip


def test_found_dated_made_up_and_missed() -> None:
    gold = {
        "facts": [
            _gold("museum", "went to the museum yesterday", "2023-05-07"),
            _gold("Porto", "was in Porto", "2023-06"),
            _gold("Rufus", "my dog Rufus", ""),
        ],
        "not_facts": [{"speaker": "Ana Lima", "quote": "haha"},
                      {"speaker": "Ana Lima", "quote": "are you in Rome?"}],
    }  # fmt: skip
    stored = [
        _fact(1, "the museum", "I went to the museum yesterday", start_ms=MAY_7_MS),
        _fact(2, "Porto", "was in Porto", start_ms=MAY_7_MS),
        _fact(3, "Rome", "are you in Rome?", start_ms=MAY_7_MS),
    ]
    found = hold_against([gold], stored)
    assert (found.recall.value, found.recall.n) == (2 / 3, 3)
    assert (found.precision.value, found.precision.n) == (2 / 3, 3)
    assert (found.dates.value, found.dates.n) == (0.5, 2)
    assert (found.made_up.value, found.made_up.n) == (0.5, 2)
    assert found.missed == ("my dog Rufus",)
    assert found.misdated == ("was in Porto",)


def test_the_samples_are_read_and_compared(
    tmp_path: Path, opener: MakeOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortest = min(samples.sample_files(), key=lambda path: path.stat().st_size)
    monkeypatch.setattr(samples, "sample_files", lambda: (shortest,))
    choices = Choices(tmp_path, open_workspace=opener(lambda _: "-"))
    document = run_graph(choices).document
    assert document["recall"]["n"] > 50
    assert document["recall"]["value"] > 0  # what the patterns find without a model
    assert document["build_costs"]["total"]["turns_read"] > 0


def test_without_a_model_the_rules_alone_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortest = min(samples.sample_files(), key=lambda path: path.stat().st_size)
    monkeypatch.setattr(samples, "sample_files", lambda: (shortest,))
    result = run_graph(Choices(tmp_path, use_model=False))
    assert result.origin is not None
    assert result.origin.model == RULES_ONLY
    assert result.document["recall"]["value"] > 0
    assert result.document["build_costs"]["total"]["output_tokens"] == 0
