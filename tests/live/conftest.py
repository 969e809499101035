"""A memory of the sample exports, read once by the real default model."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from apexmem_desktop.domain.answers import Answer
from apexmem_desktop.domain.locations import catalog_path
from apexmem_desktop.domain.reports import BuildReport
from apexmem_desktop.inference import catalogue
from apexmem_desktop.services import asking, building, samples
from apexmem_desktop.services.locations import models_dir
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from tests.live.gold import GoldQuestion, read_questions

# Read when the tests are collected: later each test has a profile of its own.
MODELS = models_dir()
_ENTRIES = catalogue.load_catalogue(catalog_path())
_MISSING = [
    entry.name
    for entry in (catalogue.default_entry(_ENTRIES, use) for use in ("language", "embedding"))
    if not catalogue.weights_path(entry, MODELS).is_file()
]


@pytest.fixture(scope="session")
def needs_models() -> None:
    """Skip where the default models are absent: `make models` fetches them."""
    if _MISSING:
        pytest.skip(f"not on this machine: {', '.join(_MISSING)}")


@pytest.fixture(scope="session")
def built(
    needs_models: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Workspace, BuildReport]]:
    """The samples, imported and read to the end, with the models still open."""
    path = tmp_path_factory.mktemp("live") / "samples.apexmem"
    with Workspace(path, models_dir=MODELS, settings=Settings(zone=samples.ZONE)) as ws:
        samples.import_samples(ws)
        yield ws, building.build(ws)


@pytest.fixture(scope="session")
def ws(built: tuple[Workspace, BuildReport]) -> Workspace:
    """The open memory of the samples."""
    return built[0]


@pytest.fixture(scope="session")
def answers(ws: Workspace) -> list[tuple[GoldQuestion, Answer]]:
    """Every question on the samples with the answer that the program gives."""
    return [(q, asking.ask(ws, q.question, q.options)) for q in read_questions()]


@pytest.fixture
def command(profile: Path) -> list[str]:
    """The start of a command line that runs in a process of its own."""
    return [sys.executable, "-m", "apexmem_desktop.cli"]


@pytest.fixture
def environment(profile: Path) -> dict[str, str]:
    """What such a process is told of the machine: the models, and a profile of the test's own."""
    return {
        **os.environ,
        "APEXMEM_HOME": str(profile),
        "APEXMEM_MODELS": str(MODELS),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONUNBUFFERED": "1",
    }
