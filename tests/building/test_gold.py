"""The real model on the sample exports, held against what a careful reader would note down."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.bench.graph import GraphQuality, hold_against, read_gold
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.locations import catalog_path
from apexmem_desktop.inference.catalogue import default_entry, load_catalogue, model_path
from apexmem_desktop.services import building, samples
from apexmem_desktop.services.inspecting import every_fact
from apexmem_desktop.services.locations import models_dir
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace

MODEL = model_path(default_entry(load_catalogue(catalog_path()), "language"), models_dir())
pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not MODEL.is_file(), reason="the default model is not on this machine"),
]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Fact]]:
    """Build a memory of all samples once; some minutes on two cores."""
    path: Path = tmp_path_factory.mktemp("gold") / "memory.sqlite"
    with Workspace(path, models_dir=MODEL.parent, settings=Settings()) as ws:
        samples.import_samples(ws)
        building.build(ws)
        yield every_fact(ws)


@pytest.fixture(scope="module")
def measured(stored: list[Fact]) -> GraphQuality:
    """All of it, written out for whoever wants to improve the patterns (pytest -s)."""
    found = hold_against(read_gold(), stored)
    print("", *found.lines(), sep="\n")  # noqa: T201
    return found


def test_most_of_what_was_told_is_found(measured: GraphQuality) -> None:
    assert measured.recall.value >= 0.75


def test_little_is_stored_that_nobody_told(measured: GraphQuality) -> None:
    assert measured.precision.value >= 0.85


def test_jokes_questions_and_what_assistants_say_give_next_to_nothing(
    measured: GraphQuality,
) -> None:
    assert len(measured.invented) <= 2


def test_what_is_found_is_dated_right(measured: GraphQuality) -> None:
    assert len(measured.misdated) <= 3


@pytest.mark.parametrize(("file_part", "floor"), [("Mira", 0.75), ("李雪", 0.75), ("chatgpt", 0.5)])
def test_each_language_and_kind_of_chat_is_read(
    stored: list[Fact], file_part: str, floor: float
) -> None:
    assert hold_against(read_gold(file_part), stored).recall.value >= floor
