"""The services as the window calls them: one open workspace, each call one service.

Every method blocks, so the window calls it through the task runner alone. Services are imported
inside the methods: the window must be on the screen before anything heavy is loaded.
"""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from apexmem_desktop.domain.answers import SearchResult
from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.progress import CancelToken, ProgressSink
from apexmem_desktop.domain.reports import (
    BuildReport,
    ConversationSummary,
    Difference,
    FileReport,
    ImportChoices,
    ModelSummary,
    Neighbour,
    SourceSummary,
    TimelineItem,
    VaultStatus,
)
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.settings import Settings, load_settings, save_settings
from apexmem_desktop.ui.memory_asking import AskingMemory
from apexmem_desktop.ui.memory_rulings import RulingMemory
from apexmem_desktop.ui.memory_upkeep import MemoryUpkeep

if TYPE_CHECKING:
    from apexmem_desktop.services.workspace import Workspace

_ENTITY_LIMIT = 500
_PAGE_TURNS = 400


class Memory(AskingMemory, MemoryUpkeep, RulingMemory):
    """The memory behind the window; tests put a made-up one in its place."""

    def __init__(self, workspace: "Workspace", vault_path: Path) -> None:
        self._ws = workspace
        self.vault_path = vault_path
        self._windows = ExitStack()

    def close(self) -> None:
        """End the model processes and close the vault."""
        self._ws.close()
        self._windows.close()

    def now_ms(self) -> int:
        """This instant."""
        return self._ws.now_ms()

    def zone(self) -> str:
        """The zone whose calendar the user lives by."""
        return self._ws.zone

    def status(self) -> VaultStatus:
        """Counts, queue and sizes."""
        from apexmem_desktop.services import browsing

        return browsing.status(self._ws)

    def entities(self, matching: str = "", kind: str = "") -> tuple[Entity, ...]:
        """People and things, the best known first."""
        from apexmem_desktop.services import browsing

        return browsing.list_entities(self._ws, type=kind, limit=_ENTITY_LIMIT, matching=matching)

    def facts_of(
        self, entity_id: int, *, as_of_ms: int | None = None, history: bool = False
    ) -> tuple[Fact, ...]:
        """What holds of an entity; `history` gives all versions."""
        from apexmem_desktop.services import browsing

        name = str(entity_id)
        return browsing.facts_of(self._ws, name, as_of_ms=as_of_ms, history=history)[1]

    def timeline(
        self, entity_id: int, known_at_ms: int | None = None
    ) -> tuple[Entity, tuple[TimelineItem, ...]]:
        """An entity's facts and events in order, by what was known at an instant."""
        from apexmem_desktop.services import browsing

        return browsing.timeline_of(self._ws, str(entity_id), known_at_ms=known_at_ms)

    def learned(self, entity_id: int) -> tuple[int, int] | None:
        """From when to when facts of an entity were recorded; None without facts."""
        known = [fact.recorded_at_ms for fact in self.facts_of(entity_id, history=True)]
        return (min(known), max(known)) if known else None

    def neighbours(self, entity_id: int) -> tuple[Neighbour, ...]:
        """Who and what stands beside somebody."""
        from apexmem_desktop.services import neighbours

        return neighbours.neighbours_of(self._ws, entity_id)

    def differences(self, entity_id: int, from_ms: int, to_ms: int) -> tuple[Difference, ...]:
        """What changed of an entity between two instants."""
        from apexmem_desktop.services import times

        return times.differences(self._ws, str(entity_id), from_ms=from_ms, to_ms=to_ms)

    def history(self, entity_id: int, prop: str) -> tuple[Fact, ...]:
        """All versions of one property, newest first."""
        from apexmem_desktop.services import browsing

        return browsing.property_history(self._ws, entity_id, prop)

    def search(self, words: str) -> SearchResult:
        """Search everywhere by words and meaning."""
        from apexmem_desktop.services import browsing

        return browsing.search(self._ws, words)

    def seek(self, words: str) -> SearchResult:
        """Search everywhere by words alone, as somebody types."""
        from apexmem_desktop.services import seeking

        return seeking.seek(self._ws, words)

    def turns_around(self, turn_id: int) -> tuple[Turn, ...]:
        """A turn among its neighbours."""
        from apexmem_desktop.services import browsing

        return browsing.turns_around(self._ws, turn_id)

    def conversations(self) -> tuple[ConversationSummary, ...]:
        """All conversations."""
        from apexmem_desktop.services import browsing

        return browsing.conversations(self._ws)

    def conversation_turns(self, conversation_id: int, after: int) -> tuple[Turn, ...]:
        """One page of a conversation, behind position `after`."""
        from apexmem_desktop.services import browsing

        return browsing.conversation_turns(
            self._ws, conversation_id, limit=_PAGE_TURNS, after_position=after
        )

    def sources(self) -> tuple[SourceSummary, ...]:
        """The imports so far."""
        from apexmem_desktop.services import browsing

        return browsing.sources(self._ws)

    def preview(
        self, path: Path, choices: ImportChoices, progress: ProgressSink, cancel: CancelToken
    ) -> FileReport:
        """Look into a file and store nothing."""
        from apexmem_desktop.services import importing

        return importing.preview_file(path, choices, progress, cancel, self._ws)

    def import_file(
        self, path: Path, choices: ImportChoices, progress: ProgressSink, cancel: CancelToken
    ) -> FileReport:
        """Store a file's new turns; who the user is, is remembered."""
        from apexmem_desktop.services import importing, owner

        if choices.owner:
            owner.remember_owner(self._ws, choices.owner)
        return importing.import_file(self._ws, path, choices, progress, cancel)

    def embed(self, limit: int, progress: ProgressSink, cancel: CancelToken) -> int:
        """Give meaning-vectors to some turns; returns how many got one."""
        from apexmem_desktop.services import building

        return building.embed_pending(self._ws, limit=limit, progress=progress, cancel=cancel)

    def build(self, limit: int, progress: ProgressSink, cancel: CancelToken) -> BuildReport:
        """Read some waiting turns into the graph."""
        from apexmem_desktop.services import building

        return building.build(self._ws, limit=limit, progress=progress, cancel=cancel)

    def models(self) -> tuple[ModelSummary, ...]:
        """The catalogue, and what of it is here."""
        from apexmem_desktop.services import models

        return models.list_models(self._ws.settings, self._ws.models_dir)

    def pull_model(self, name: str, progress: ProgressSink, cancel: CancelToken) -> None:
        """Fetch a model; the only thing here that uses the network."""
        from apexmem_desktop.services import models

        models.pull_model(name, self._ws.models_dir, progress, cancel)

    def use_model(self, name: str, stage: str = "") -> None:
        """Answer and read with this model from now on, or do one stage of the work with it."""
        from apexmem_desktop.services import models

        models.use_model(name, stage=stage)
        self._ws.use_settings(load_settings())

    def settings(self) -> Settings:
        """What the user chose."""
        return self._ws.settings

    def save_settings(self, settings: Settings) -> None:
        """Keep what the user chose."""
        save_settings(settings)
        self._ws.use_settings(settings)

    def models_folder(self) -> Path:
        """Where the weights lie."""
        return self._ws.models_dir
