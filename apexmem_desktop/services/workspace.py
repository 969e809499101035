"""One open memory with the models that read it: what every service is given."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.errors import ModelMissingError, UserError
from apexmem_desktop.domain.locations import catalog_path
from apexmem_desktop.services.locations import models_dir as default_models_dir
from apexmem_desktop.services.settings import Settings, load_settings
from apexmem_desktop.storage import coming_apart, driver, embedders, going_back, purging, rekeying
from apexmem_desktop.storage.vault import Vault

# The models' room is loaded when a model is first wanted: most commands want none.
if TYPE_CHECKING:
    from apexmem_desktop.inference.catalogue import ModelEntry
    from apexmem_desktop.inference.embedder import EmbedderHost
    from apexmem_desktop.inference.language import LanguageHost

_GGUF_MAGIC = b"GGUF"
STAGES = ("extraction", "resolution", "answering")  # what a language model of its own may do
EMBEDDER_FILE = "modules.json"  # what every sentence-transformers folder has


def clock_ms() -> int:
    """Return this instant, UTC milliseconds."""
    return time.time_ns() // 1_000_000


def needs_passphrase(vault_path: Path) -> bool:
    """Tell whether a memory file is there and looks encrypted."""
    return driver.is_encrypted(vault_path)


class Workspace:
    """An open vault and, from their first use on, the model processes.

    A context manager. Any thread may use it; closing it ends the model processes.

    A new memory is encrypted when it is given a passphrase; an encrypted one opens by it alone.

    Attributes:
        vault: The open memory file.
        models_dir: Folder of the model weights.
        settings: What the user chose, as it was when this was opened.
        now_ms: Function that tells this instant, UTC milliseconds.
        passphrase: What opened the memory, for opening it again after a restore; "" for none.
    """

    def __init__(
        self,
        vault_path: Path,
        *,
        models_dir: Path | None = None,
        settings: Settings | None = None,
        clock: Callable[[], int] = clock_ms,
        context_tokens: int = 8192,
        passphrase: str = "",
    ) -> None:
        self.models_dir = models_dir or default_models_dir()
        self.settings = settings if settings is not None else load_settings()
        self.now_ms = clock
        self.passphrase = passphrase
        self._context_tokens = context_tokens
        self._lock = threading.Lock()
        self._language: LanguageHost | None = None
        self._others: dict[str, LanguageHost] = {}  # of stages with a model of their own, by name
        self._embedders: dict[Path, EmbedderHost] = {}  # by the folder of their weights
        rekeying.mend(vault_path)
        self.vault = Vault.open(vault_path, passphrase=passphrase)
        going_back.finish(self.vault)
        purging.finish(self.vault)
        coming_apart.finish(self.vault)

    @property
    def zone(self) -> str:
        """IANA zone whose calendar the user lives by."""
        if not self.settings.zone:
            return zones.local_zone_name()
        if not zones.is_zone(self.settings.zone):
            raise UserError(
                f'The settings name the time zone "{self.settings.zone}", which does not exist.',
                hint='Use a name like "Europe/Berlin" or "Asia/Shanghai".',
            )
        return self.settings.zone

    def language(self) -> "LanguageHost":
        """Return the language model's host; its process starts at its first request.

        Raises:
            ModelMissingError: The chosen model is not here, or its file is damaged.
        """
        with self._lock:
            if self._language is None:
                self._language = self._host(self.settings.language_model)
            return self._language

    def language_for(self, stage: str) -> "LanguageHost":
        """Return the host of the model for a stage; mostly it is the same for all of them.

        Args:
            stage: "extraction", "resolution" or "answering".

        Raises:
            ModelMissingError: The model is not here, or its file is damaged.
        """
        chosen = self.settings.model_for(stage)
        if not chosen:
            return self.language()
        with self._lock:
            if chosen not in self._others:
                self._others[chosen] = self._host(chosen)
            return self._others[chosen]

    @contextmanager
    def language_to_try(self, name: str) -> "Iterator[LanguageHost]":
        """Lend the host of any model that is here, whether it is in use or not.

        The others' processes end first, for a machine may have no memory for two; each starts
        again when it is next asked.

        Args:
            name: Of the catalogue, or the path of a GGUF file; "" for the model in use.

        Raises:
            ModelMissingError: The model is not here, or its file is damaged.
        """
        usual = self.settings.language_model or self._default_entry("language").name
        if name in ("", usual):
            yield self.language()
            return
        with self._lock:
            others = (self._language, *self._others.values())
            host = self._others.get(name) or self._host(name)
        for other in others:
            if other is not None and other is not host:
                other.close()
        try:
            yield host
        finally:
            host.close()

    def embedder(self) -> "EmbedderHost | None":
        """Return the chosen embedder's host; None when its files are absent: then words search."""
        with self._lock:
            folder = self._embedder_folder()
            return self._embedder_at(folder) if folder is not None else None

    def searching_embedder(self) -> "EmbedderHost | None":
        """Return the embedder whose vectors searches use.

        It is the chosen one, except while that one's vectors are still being computed beside
        those of the embedder before it.
        """
        chosen = self.embedder()
        if chosen is None:
            return None
        with self.vault.read() as db:
            serving = embedders.find_serving(db, chosen.embedder_id)
        if serving == chosen.embedder_id:
            return chosen
        return self.embedder_called(serving) or chosen

    def embedder_called(self, embedder_id: str) -> "EmbedderHost | None":
        """Return the host of the embedder that vectors are stored under; None when it is gone."""
        folder = self.models_dir / embedder_id.rpartition("/")[0]
        with self._lock:
            here = [f for f in (*self._embedders, folder) if f.name == folder.name]
            whole = [f for f in here if (f / EMBEDDER_FILE).is_file()]
            return self._embedder_at(whole[0]) if whole else None

    def use_settings(self, settings: Settings) -> None:
        """Take new settings; another language model or thread count ends the old process."""
        with self._lock:
            before, self.settings = self.settings, settings
            threads = settings.threads != before.threads
            named = {settings.model_for(stage) for stage in STAGES}
            old = {
                name: host for name, host in self._others.items() if threads or name not in named
            }
            self._others = {n: host for n, host in self._others.items() if n not in old}
            ended = list(old.values())
            if self._language is not None and (
                threads or settings.language_model != before.language_model
            ):
                ended.append(self._language)
                self._language = None
        for host in ended:
            host.close()

    def close(self) -> None:
        """End the model processes and close the vault; may be called twice."""
        with self._lock:
            hosts = (self._language, *self._others.values(), *self._embedders.values())
            self._language = None
            self._others = {}
            self._embedders = {}
        for host in hosts:
            if host is not None:
                host.close()
        self.vault.close()

    def __enter__(self) -> Self:
        """Give itself; the vault is open already."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close everything."""
        self.close()

    def _host(self, chosen: str) -> "LanguageHost":
        from apexmem_desktop.inference.language import LanguageHost

        return LanguageHost(
            self._language_path(chosen),
            context_tokens=self._context_tokens,
            threads=self.settings.threads,
        )

    def _embedder_at(self, folder: Path) -> "EmbedderHost":
        from apexmem_desktop.inference.embedder import EmbedderHost

        if folder not in self._embedders:
            self._embedders[folder] = EmbedderHost(folder)
        return self._embedders[folder]

    def _embedder_folder(self) -> Path | None:
        """Find the folder of the chosen embedder; None when it is not here."""
        from apexmem_desktop.inference import catalogue

        chosen = self.settings.embedder
        if os.sep in chosen:
            own = Path(chosen).expanduser()
            return own if (own / EMBEDDER_FILE).is_file() else None
        entry = self._named_entry(chosen) if chosen else self._default_entry("embedding")
        whole = catalogue.weights_path(entry, self.models_dir).is_file()
        return catalogue.model_path(entry, self.models_dir) if whole else None

    def _language_path(self, chosen: str) -> Path:
        from apexmem_desktop.inference import catalogue, pulling

        if chosen.endswith(".gguf"):
            return _own_file(Path(chosen).expanduser())
        entry = self._named_entry(chosen) if chosen else self._default_entry("language")
        path = catalogue.model_path(entry, self.models_dir)
        if not path.exists():
            raise ModelMissingError(
                f"The language model {entry.name} is not on this machine.",
                hint=f"Fetch it with: apexmem models pull {entry.name}",
            )
        # The first look reads the whole file; later ones know its size and date.
        if not pulling.verify(entry, self.models_dir):
            raise ModelMissingError(
                f"The file of the language model {entry.name} is damaged.",
                hint=f"Fetch it anew with: apexmem models pull {entry.name}",
            )
        return path

    def _named_entry(self, name: str) -> "ModelEntry":
        from apexmem_desktop.inference import catalogue

        found = catalogue.find_entry(catalogue.load_catalogue(catalog_path()), name)
        if found is not None:
            return found
        raise ModelMissingError(
            f'The settings name the model "{name}", which the catalogue does not have.',
            hint="See what there is with: apexmem models list",
        )

    def _default_entry(self, use: str) -> "ModelEntry":
        from apexmem_desktop.inference import catalogue

        return catalogue.default_entry(catalogue.load_catalogue(catalog_path()), use)


def _own_file(path: Path) -> Path:
    """Check that a GGUF file of the user's own is one, as far as its first bytes tell."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(_GGUF_MAGIC))
    except OSError as error:
        raise ModelMissingError(
            f"The model file {path} cannot be read: {error.strerror}.",
            hint="Choose another with: apexmem models use NAME",
        ) from error
    if magic != _GGUF_MAGIC:
        raise ModelMissingError(
            f"{path} is not a GGUF model file.",
            hint="Choose another with: apexmem models use NAME",
        )
    return path
