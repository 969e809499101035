"""How fast the program is on this machine: importing, indexing, searching, reading, asking."""

import random
import re
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from apexmem_desktop.bench.intervals import quantile
from apexmem_desktop.bench.vaults import CONTEXT_TOKENS, ZONE, Shelf
from apexmem_desktop.domain.answers import AskOptions
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import asking, browsing, building, importing
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace

SEARCHES = 20
BUILT_TURNS = 64
QUESTIONS = ("Where does Ana live?", "When did Ben go to Lisbon?", "What did Cleo buy?")
_HEAD = re.compile(r"(\d{2}/\d{2}/\d{4}, \d{2}:\d{2}) - ([^:]+): (.*)")
_PEOPLE = ("Ana Lima", "Ben Roth", "Cleo Park")
_SAYINGS = (
    "I moved to {place} last week", "we bought a {thing} yesterday", "are you coming on {day}?",
    "my sister lives in {place} now", "haha no way", "the {thing} is broken again, so annoying",
    "I'm going to {place} on {day}", "see you on {day} then", "I started as a {job} in {place}",
    "did anybody see my {thing}?", "work was long today, the {job} next door sang all day",
)  # fmt: skip
_WORDS = {
    "place": ("Lisbon", "Porto", "Leeds", "Graz", "Bergen", "Turin", "Ghent", "Malmö"),
    "thing": ("tent", "bicycle", "piano", "kettle", "camera", "sofa", "drill", "canoe"),
    "day": ("Monday", "Tuesday", "Friday", "Saturday", "3 June", "the 14th"),
    "job": ("nurse", "baker", "teacher", "welder", "pilot", "plumber"),
}
_FIRST = datetime(2019, 3, 1, 8, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing.

    Attributes:
        ratio: To the limit measured in the same run, as `limit` says; None without one.
    """

    name: str
    value: float
    unit: str
    limit: str = ""
    ratio: float | None = None

    def line(self) -> str:
        """Write it for people."""
        told = f"{self.name}: {self.value:,.1f} {self.unit}"
        return told if self.ratio is None else f"{told} ({self.ratio:.2f} of {self.limit})"

    def to_json(self) -> dict[str, Any]:
        """Give it as plain JSON values."""
        return asdict(self)


def measure(shelf: Shelf, *, messages: int, use_model: bool) -> list[Figure]:
    """Measure everything on generated messages in a vault of its own."""
    shelf.folder.mkdir(parents=True, exist_ok=True)
    export = shelf.folder / "WhatsApp Chat with Speed.txt"
    export.write_text(chat_text(messages), encoding="utf-8")
    path = shelf.folder / f"speed-{messages}.{time.time_ns()}.apexmem"
    with shelf.open_workspace(path, CONTEXT_TOKENS) as ws:
        figures = _importing(ws, export, messages)
        figures += _searching_words_only(path, messages)
        figures += _indexing(ws)
        if ws.embedder() is not None:
            figures += _searching(ws, "hybrid", messages)
        if use_model:
            figures += _reading_and_asking(ws)
    for left in (export, *shelf.folder.glob(f"{path.name}*")):
        left.unlink()
    return figures


def chat_text(messages: int) -> str:
    """Write an Android export of that many messages; the same each time."""
    draw = random.Random(7)  # noqa: S311 - made-up chatter, no secret
    at, lines = _FIRST, []
    for number in range(messages):
        at += timedelta(minutes=draw.choice((1, 2, 5, 30, 600)))
        said = draw.choice(_SAYINGS).format(**{k: draw.choice(v) for k, v in _WORDS.items()})
        lines.append(f"{at:%d/%m/%Y, %H:%M} - {draw.choice(_PEOPLE)}: {said} {number}")
    return "\n".join(lines) + "\n"


def _importing(ws: Workspace, export: Path, messages: int) -> list[Figure]:
    text = export.read_text(encoding="utf-8")
    bare_s = _seconds(lambda: [_HEAD.match(line) for line in text.splitlines()])
    choices = ImportChoices(zone=ZONE, date_order="dmy")
    first_s = _seconds(lambda: importing.import_file(ws, export, choices))
    again_s = _seconds(lambda: importing.import_file(ws, export, choices))
    limit = "a regular expression over the file"
    return [
        Figure("import", messages / first_s, "messages/s", limit, bare_s / first_s),
        Figure("the same import again", messages / again_s, "messages/s", limit, bare_s / again_s),
        *_peak_memory(),
    ]


def _peak_memory() -> list[Figure]:
    """Tell the most memory this process has held so far; nothing where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return []
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bytes_a_unit = 1 if sys.platform == "darwin" else 1024
    return [Figure("peak memory after importing", peak * bytes_a_unit / 1e6, "MB")]


def _indexing(ws: Workspace) -> list[Figure]:
    started = time.monotonic()
    done = building.embed_pending(ws)
    seconds = time.monotonic() - started
    return [Figure("index by meaning", done / seconds, "messages/s")] if done else []


def _searching_words_only(path: Path, messages: int) -> list[Figure]:
    """Search as where no embedder is: with a folder of models that is empty."""
    settings = Settings(zone=ZONE)
    with Workspace(path, settings=settings, models_dir=path.parent / "no-models") as ws:
        return _searching(ws, "words only", messages)


def _searching(ws: Workspace, kind: str, messages: int) -> list[Figure]:
    draw = random.Random(11)  # noqa: S311 - made-up words
    places, things = _WORDS["place"], _WORDS["thing"]
    wanted = [f"{draw.choice(places)} {draw.choice(things)}" for _ in range(SEARCHES)]
    browsing.search(ws, wanted[0])  # loads what is loaded once
    ms = [1000 * _seconds(partial(browsing.search, ws, one)) for one in wanted]
    name = f"search, {kind}, {messages:,} turns"
    return [
        Figure(f"{name}, median", quantile(ms, 0.5), "ms"),
        Figure(f"{name}, 95 %", quantile(ms, 0.95), "ms"),
    ]


def _reading_and_asking(ws: Workspace) -> list[Figure]:
    report = building.build(ws, limit=BUILT_TURNS)
    options = AskOptions(zone=ZONE)
    seconds = [_seconds(partial(asking.ask, ws, q, options)) for q in QUESTIONS]
    return [
        Figure(
            "reading into the graph",
            100 * report.seconds / max(1, report.turns_read),
            "s/100 turns",
        ),
        Figure("an answer, median", quantile(seconds, 0.5), "s"),
        Figure("an answer, longest", max(seconds), "s"),
    ]


def _seconds(work: Callable[[], object]) -> float:
    started = time.monotonic()
    work()
    return max(time.monotonic() - started, 1e-9)
