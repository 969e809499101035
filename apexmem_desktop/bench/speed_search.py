"""How fast a filled vault answers: searches, as-of and history queries, opening; and its size."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from apexmem_desktop.bench import speed_limits
from apexmem_desktop.bench.figures import Figure, latencies, seconds
from apexmem_desktop.bench.speed_chat import PLACES, THINGS, made_up_words
from apexmem_desktop.bench.speed_graph import SINGLE_VALUED, Graph
from apexmem_desktop.bench.vaults import ZONE
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.services import browsing
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace

T = TypeVar("T")

_OPENINGS = 5
_COMPARED_ROWS = 100_000  # of the bare comparison; more than any cache of a processor holds
_DAY_MS = 86_400_000
_YEAR_MS = 365 * _DAY_MS
_BYTES_A_MB = 1e6


def measure_words(
    vault: Path, about: str, count: int, progress: ProgressSink, cancel: CancelToken
) -> list[Figure]:
    """Search as where no embedder is: with a folder of models that is empty."""
    settings = Settings(zone=ZONE)
    wanted = wanted_words(count)
    bare = speed_limits.words_ms(vault, wanted)
    with Workspace(vault, settings=settings, models_dir=vault.parent / "no-models") as ws:
        ms = _timed("Searching by words", partial(browsing.search, ws), wanted, progress, cancel)
    return latencies(f"search, words only, {about}", ms, "FTS5 alone", bare)


def measure_hybrid(
    ws: Workspace, about: str, count: int, progress: ProgressSink, cancel: CancelToken
) -> list[Figure]:
    """Search by words, meaning and graph together; the first time loads the vectors."""
    embedder = ws.embedder()
    if embedder is None:
        return []
    embedder.embed(["starts the model"])
    wanted = wanted_words(count)
    bare = speed_limits.words_ms(ws.vault.path, wanted)
    query_ms = [1000 * seconds(partial(embedder.embed, [words, words])) for words in wanted]
    turns = browsing.status(ws).turns
    compare_ms = _comparing_ms(turns, embedder.embed(["any"]).shape[1])
    limits = [a + b + compare_ms for a, b in zip(bare, query_ms, strict=True)]
    first_s = seconds(partial(browsing.search, ws, "the first search"))
    ms = _timed("Searching by meaning", partial(browsing.search, ws), wanted, progress, cancel)
    limit = "FTS5, embedding the words and comparing every vector, bare"
    return [
        Figure(f"first search, hybrid, {about}", first_s, "s"),
        *latencies(f"search, hybrid, {about}", ms, limit, limits),
    ]


def measure_queries(
    ws: Workspace, graph: Graph, about: str, count: int, progress: ProgressSink, cancel: CancelToken
) -> list[Figure]:
    """Ask what held on a day, and for the versions of a property, of entities by their facts."""
    draw = random.Random(19)  # noqa: S311 - which entities are asked about
    chosen = [draw.choice(graph.drawn) for _ in range(count)]
    asked = [(number, name, draw.randrange(6 * _YEAR_MS)) for number, name in chosen]
    first_ms = min(
        (one.first_at_ms for one in browsing.conversations(ws) if one.first_at_ms is not None),
        default=0,
    )

    def as_of(one: tuple[int, str, int]) -> object:
        return browsing.facts_of(ws, one[1], as_of_ms=first_ms + one[2])

    def history(one: tuple[int, str, int]) -> object:
        return browsing.property_history(ws, one[0], SINGLE_VALUED[one[0] % len(SINGLE_VALUED)])

    about = f"{about}, {graph.facts:,} facts, {graph.entities:,} entities"
    bare = speed_limits.facts_ms(ws.vault.path, [number for number, _, _ in asked])
    limit = "sqlite3 reading the entity's rows"
    return [
        *latencies(f"facts as of a day, {about}",
                   _timed("Asking as of a day", as_of, asked, progress, cancel), limit, bare),
        *latencies(f"history of a property, {about}",
                   _timed("Asking for histories", history, asked, progress, cancel), limit, bare),
    ]  # fmt: skip


def measure_opening(vault: Path, about: str) -> list[Figure]:
    """Open the vault, as every command does, and look at nothing."""

    def opened() -> None:
        with Workspace(vault, settings=Settings(zone=ZONE)):
            pass

    ms = [1000 * seconds(opened) for _ in range(_OPENINGS)]
    bare = [1000 * speed_limits.opening_s(vault) for _ in range(_OPENINGS)]
    return latencies(f"opening a vault, {about}", ms, "sqlite3 reading the schema", bare)[:1]


def measure_size(vault: Path, export: Path, about: str) -> list[Figure]:
    """Tell how large the file is beside the words in it, and beside the file they came in."""
    size = vault.stat().st_size
    limits = (
        ("the texts themselves", speed_limits.text_bytes(vault)),
        ("the export: head and text of each message", export.stat().st_size),
    )
    return [
        Figure(
            f"size of the vault, {about}", size / _BYTES_A_MB, "MB", limit,
            size / max(limit_bytes, 1), limit_bytes / _BYTES_A_MB,
        )
        for limit, limit_bytes in limits
    ]  # fmt: skip


def wanted_words(count: int) -> list[str]:
    """List what is searched for: a place, a thing, and a word that is said often or seldom."""
    draw = random.Random(11)  # noqa: S311 - made-up words
    words = made_up_words()
    rare = [words[int(len(words) * draw.random() ** 3)] for _ in range(count)]
    return [f"{draw.choice(PLACES)} {draw.choice(THINGS)} {one}" for one in rare]


def _comparing_ms(vectors: int, width: int) -> float:
    """Time comparing one vector with so many, by numpy alone."""
    draw = np.random.default_rng(23)
    rows = max(1, min(vectors, _COMPARED_ROWS))
    matrix = draw.standard_normal((rows, width), dtype=np.float32)
    wanted = draw.standard_normal(width, dtype=np.float32)
    _ = matrix @ wanted
    return 1000 * seconds(lambda: matrix @ wanted) * vectors / rows


def _timed(
    stage: str,
    ask: Callable[[T], object],
    asked: Sequence[T],
    progress: ProgressSink,
    cancel: CancelToken,
) -> list[float]:
    """Time each call in milliseconds; what is loaded once is loaded before."""
    ask(asked[0])
    ms = []
    for number, one in enumerate(asked, start=1):
        cancel.check()
        ms.append(1000 * seconds(partial(ask, one)))
        progress(Progress(stage, number, len(asked), "questions", "", sum(ms) / 1000))
    return ms
