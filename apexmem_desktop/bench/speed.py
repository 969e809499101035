"""How fast the program is on this machine, each figure beside a limit measured in the same run."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from apexmem_desktop.bench import speed_models, speed_search
from apexmem_desktop.bench.figures import Figure
from apexmem_desktop.bench.speed_chat import write_chat
from apexmem_desktop.bench.speed_chatgpt import measure_chatgpt
from apexmem_desktop.bench.speed_encryption import measure_encryption
from apexmem_desktop.bench.speed_gaps import measure_gaps
from apexmem_desktop.bench.speed_graph import fill_graph, fill_vectors
from apexmem_desktop.bench.speed_import import measure_import
from apexmem_desktop.bench.speed_models import Amounts, Bare
from apexmem_desktop.bench.speed_scroll import measure_scrolling
from apexmem_desktop.bench.speed_timeline import measure_timeline
from apexmem_desktop.bench.speed_typing import measure_questions, measure_typing
from apexmem_desktop.bench.speed_window import measure_window
from apexmem_desktop.bench.vaults import CONTEXT_TOKENS, Shelf
from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.services.workspace import Workspace

# Export, vault with its log, bare copy and vectors, as measured.
_BYTES_A_MESSAGE = 4_000
MOST_ENCRYPTED = 100_000
FULL_AMOUNTS = Amounts(embedded=2048, read_turns=64, questions=9)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured.

    Attributes:
        messages: A vault of its own for each of these numbers.
        asked: Searches and queries of each kind.
        starts: Of the window; the quickest counts.
        chatgpt_mb: Size of a generated ChatGPT export.
        timeline_facts: On the timeline that is panned.
    """

    messages: tuple[int, ...] = (10_000,)
    asked: int = 40
    starts: int = 3
    timeline_facts: int = 100_000
    models: Amounts = FULL_AMOUNTS
    chatgpt_mb: float = 50


QUICK = Sizes(
    (5_000,),
    asked=20,
    starts=2,
    models=Amounts(embedded=512, read_turns=16, questions=3),
    chatgpt_mb=5,
)


def measure(
    shelf: Shelf, sizes: Sizes, *, use_model: bool, bare: Bare | None = None
) -> list[Figure]:
    """Measure everything on generated messages, in vaults of its own that are gone afterwards.

    Raises:
        UserError: There is no room on the disk, or a measuring process failed.
    """
    shelf.folder.mkdir(parents=True, exist_ok=True)
    _check_room(shelf.folder, max(sizes.messages))
    figures: list[Figure] = []
    # The models first: where one is missing, that is told at once.
    with TemporaryDirectory(prefix="speed-", dir=shelf.folder) as folder:
        vault = Path(folder) / "models.apexmem"
        with shelf.open_workspace(vault, CONTEXT_TOKENS) as ws:
            figures += _of_models(shelf, ws, sizes.models, bare or Bare(), use_model=use_model)
    with TemporaryDirectory(prefix="speed-", dir=shelf.folder) as folder:
        figures += _of_encryption(shelf, Path(folder), min(sizes.messages), sizes.asked)
    with TemporaryDirectory(prefix="speed-", dir=shelf.folder) as folder:
        figures += measure_chatgpt(
            Path(folder), sizes.chatgpt_mb, progress=shelf.progress, cancel=shelf.cancel
        )
    for messages in dict.fromkeys(sizes.messages):
        with TemporaryDirectory(prefix="speed-", dir=shelf.folder) as folder:
            figures += _of_vault(shelf, Path(folder), messages, sizes)
    figures += measure_timeline(sizes.timeline_facts, shelf.cancel)
    return figures


def _of_vault(shelf: Shelf, folder: Path, messages: int, sizes: Sizes) -> list[Figure]:
    """Measure a vault of so many messages: from its import to what it answers when it is full."""
    progress, cancel, asked = shelf.progress, shelf.cancel, sizes.asked
    export = folder / "WhatsApp Chat with Speed.txt"
    vault = folder / "speed.apexmem"
    about = f"{messages:,} turns"
    write_chat(export, messages, progress, cancel)
    figures = measure_import(vault, export, messages, progress=progress, cancel=cancel)
    figures += speed_search.measure_size(vault, export, f"{about} just imported")
    with shelf.open_workspace(vault, CONTEXT_TOKENS) as ws:
        graph = fill_graph(ws, messages, progress, cancel)
        figures += speed_search.measure_queries(ws, graph, about, asked, progress, cancel)
    figures += speed_search.measure_size(vault, export, f"{about} and {graph.facts:,} facts")
    figures += speed_search.measure_opening(vault, about)
    figures += speed_search.measure_words(vault, about, asked, progress, cancel)
    with shelf.open_workspace(vault, CONTEXT_TOKENS) as ws:
        figures += measure_typing(ws, about, asked, progress, cancel)
        figures += measure_questions(ws, about)
    figures += measure_window(vault, about, sizes.starts, cancel)
    figures += measure_gaps(folder / "gaps.apexmem", export, about, cancel)
    figures += measure_scrolling(vault, about, cancel)
    with shelf.open_workspace(vault, CONTEXT_TOKENS) as ws:
        made = fill_vectors(ws, progress, cancel)
        generated = f"{about}, {made:,} generated vectors"
        figures += speed_search.measure_hybrid(ws, generated, asked, progress, cancel)
    return figures


def _of_encryption(shelf: Shelf, folder: Path, messages: int, asked: int) -> list[Figure]:
    """Measure what a passphrase costs, on the smallest number of messages."""
    messages = min(messages, MOST_ENCRYPTED)
    export = folder / "WhatsApp Chat with Speed.txt"
    write_chat(export, messages, shelf.progress, shelf.cancel)
    return measure_encryption(folder, export, messages, asked, shelf.progress, shelf.cancel)


def _of_models(
    shelf: Shelf, ws: Workspace, amounts: Amounts, bare: Bare, *, use_model: bool
) -> list[Figure]:
    progress, cancel = shelf.progress, shelf.cancel
    if use_model:
        ws.language()
    speed_models.fill(ws, amounts, ws.vault.path.parent)
    figures = speed_models.measure_embedding(ws, bare, progress, cancel)
    if use_model:
        figures += speed_models.measure_reading(ws, amounts, bare, progress, cancel)
        figures += speed_models.measure_answers(ws, amounts, progress, cancel)
    return figures


def _check_room(folder: Path, messages: int) -> None:
    needed, free = messages * _BYTES_A_MESSAGE, shutil.disk_usage(folder).free
    if free < needed:
        raise UserError(
            f"Measuring {messages:,} messages takes about {needed / 1e9:,.1f} GB on the disk; "
            f"{folder} has {free / 1e9:,.1f} GB free.",
            hint="Give fewer with --messages, or a folder on a larger disk with --vaults.",
        )
