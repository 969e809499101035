"""The vaults that questions are asked of: imported as a user would, built, and kept."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from apexmem_desktop.bench.provenance import code_digest
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.domain.reports import BuildReport, ImportChoices
from apexmem_desktop.services import browsing, building, importing, measuring
from apexmem_desktop.services.rules_only import RulesOnlyWorkspace
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace

ZONE = "UTC"
TURNS_A_PART = 64
CONTEXT_TOKENS = 8192
_DIGEST_CHARS = 12
_DAY_MS = 86_400_000


class OpenWorkspace(Protocol):
    """How a vault is opened; a test gives its own models here."""

    def __call__(self, path: Path, context_tokens: int) -> Workspace:
        """Open the vault at the path."""


def workspace_opener(language_model: str, *, use_model: bool = True) -> OpenWorkspace:
    """Make the opener for a model of the catalogue or a GGUF file; or for rules alone."""
    kind = Workspace if use_model else RulesOnlyWorkspace

    def opened(path: Path, context_tokens: int) -> Workspace:
        settings = Settings(language_model=language_model, zone=ZONE)
        return kind(path, settings=settings, context_tokens=context_tokens)

    return opened


@dataclass(frozen=True, slots=True)
class Export:
    """What a vault is made of: entries of the data set, imported through the ordinary path.

    Attributes:
        name: Of the vault; becomes part of a file name.
        format: The importer's name.
    """

    name: str
    format: str
    entries: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder of vaults. A built vault is found again by data, model and the code that built it.

    Attributes:
        model: sha256 of the language model.
        any_code: Take the newest built vault of the data and model, whatever code built it.
        journal: File that keeps what the model computes while a vault is read; None for none.
    """

    folder: Path
    model: str
    open_workspace: OpenWorkspace
    any_code: bool = False
    progress: ProgressSink = ignore_progress
    cancel: CancelToken = field(default_factory=CancelToken)
    journal: Path | None = None

    @contextmanager
    def bare(self, export: Export, *, context_tokens: int = CONTEXT_TOKENS) -> Iterator[Workspace]:
        """Give a vault with the turns of an export, indexed but not read into a graph."""
        with self._imported(f"{export.name}.bare.{code_digest()}", export, context_tokens) as ws:
            building.embed_pending(ws, progress=self.progress, cancel=self.cancel)
            yield ws

    @contextmanager
    def built(self, export: Export, *, about: str = "") -> Iterator[tuple[Workspace, BuildReport]]:
        """Give a vault that the model has read, and what that cost when it was done.

        Args:
            about: Read only what is relevant to this text.
        """
        stem = self._built_stem(export.name)
        with self._imported(stem, export, CONTEXT_TOKENS) as ws:
            yield ws, self.read_all(ws, self.folder / f"{stem}.json", about)

    def _built_stem(self, name: str) -> str:
        model = self.model[:_DIGEST_CHARS]
        if self.any_code:
            there = self.folder.glob(f"{name}.{model}.*.apexmem")
            newest = max(there, key=lambda path: path.stat().st_mtime, default=None)
            if newest is not None:
                return newest.name.removesuffix(".apexmem")
        return f"{name}.{model}.{code_digest()}"

    @contextmanager
    def _imported(self, stem: str, export: Export, context_tokens: int) -> Iterator[Workspace]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.open_workspace(self.folder / f"{stem}.apexmem", context_tokens) as ws:
            if not browsing.conversations(ws):
                file = self.folder / f"{stem}.export.json"
                file.write_text(json.dumps(list(export.entries)), encoding="utf-8")
                choices = ImportChoices(zone=ZONE, format=export.format)
                importing.import_file(ws, file, choices, self.progress, self.cancel)
                file.unlink()
            yield ws

    def read_all(self, ws: Workspace, costs: Path, about: str = "") -> BuildReport:
        """Read what is left to read, part by part, so that a killed run goes on where it was.

        Args:
            costs: JSON file that keeps what the parts cost together.
        """
        kept = json.loads(costs.read_text(encoding="utf-8")) if costs.is_file() else {}
        total = BuildReport(**kept)
        if kept and about:
            return total  # what is not relevant stays pending for good
        if self.journal is not None and browsing.status(ws).pending:
            measuring.keep_journal(ws, self.journal)
        while browsing.status(ws).pending:
            part = building.build(
                ws, limit=TURNS_A_PART, about=about, progress=self.progress, cancel=self.cancel
            )
            total = added(total, part)
            costs.write_text(json.dumps(asdict(total)), encoding="utf-8")
            if not part.turns_read:
                break
        return total


def added(one: BuildReport, other: BuildReport) -> BuildReport:
    """Add what two builds did and cost."""
    sums = {
        name: getattr(one, name) + getattr(other, name)
        for name in (
            "turns_read", "turns_gated_out", "facts_new", "events_new", "entities_new",
            "model_calls", "prompt_tokens", "output_tokens", "seconds", "waited_s", "decode_s",
            "decoded_tokens",
        )
    }  # fmt: skip
    dropped = dict(Counter(one.facts_dropped) + Counter(other.facts_dropped))
    failed = dict(Counter(one.turns_failed) + Counter(other.turns_failed))
    return replace(one, facts_dropped=dropped, turns_failed=failed, **sums)


def day_after(ws: Workspace) -> int:
    """Return the day after the last turn: the "today" of a question that names none."""
    last = [one.last_at_ms for one in browsing.conversations(ws) if one.last_at_ms is not None]
    return (max(last) if last else ws.now_ms()) + _DAY_MS
