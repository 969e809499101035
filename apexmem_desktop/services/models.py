"""What the user can do with models: see them, fetch them, check them, choose one."""

import dataclasses
import os
from pathlib import Path

from apexmem_desktop.domain.errors import ModelMissingError, NotFoundError
from apexmem_desktop.domain.locations import catalog_path
from apexmem_desktop.domain.progress import CancelToken, ProgressSink
from apexmem_desktop.domain.reports import ModelSummary
from apexmem_desktop.inference import catalogue, pulling
from apexmem_desktop.inference.catalogue import ModelEntry
from apexmem_desktop.services.settings import Settings, load_settings, save_settings
from apexmem_desktop.services.workspace import EMBEDDER_FILE, STAGES

_GGUF_MAGIC = b"GGUF"
_MEMORY_OF_FILE = 1.25  # what a model takes beside its weights: its context


def list_models(settings: Settings, models_dir: Path) -> tuple[ModelSummary, ...]:
    """List the catalogue and what of it is here. Reads no weights, so it is quick."""
    entries = _entries()
    used = settings.language_model or catalogue.default_entry(entries, "language").name
    embedder = settings.embedder or catalogue.default_entry(entries, "embedding").name
    by_stage = {stage: settings.model_for(stage) or used for stage in STAGES}
    own = [name for name in dict.fromkeys((used, *by_stage.values())) if name.endswith(".gguf")]
    listed = tuple(
        _summary(
            one,
            models_dir,
            in_use=one.name in (used, embedder, *by_stage.values()),
            stages=tuple(stage for stage, name in by_stage.items() if name == one.name),
        )
        for one in entries
    )
    return listed + tuple(
        _own_summary(path, tuple(stage for stage, name in by_stage.items() if name == path))
        for path in own
    )


def default_language_model() -> str:
    """Name the language model that is taken when the user chose none."""
    return catalogue.default_entry(_entries(), "language").name


def default_embedder() -> str:
    """Name the embedder that is taken."""
    return catalogue.default_entry(_entries(), "embedding").name


def pull_model(name: str, models_dir: Path, progress: ProgressSink, cancel: CancelToken) -> Path:
    """Fetch a model unless it is here whole; the one thing that opens a network connection.

    Raises:
        NotFoundError: The catalogue has no model of that name.
        ModelMissingError: It could not be fetched, or was damaged.
    """
    return pulling.pull(_entry(name), models_dir, progress, cancel)


def verify_model(name: str, models_dir: Path) -> bool:
    """Tell whether a model is here and its sha256 is right; of an own file, whether it is one."""
    if name.endswith(".gguf"):
        return _is_gguf(Path(name))
    return pulling.verify(_entry(name), models_dir)


def use_model(name: str, settings_file: Path | None = None, *, stage: str = "") -> Settings:
    """Choose a model: a name of the catalogue, a GGUF file, or the folder of an embedder.

    Args:
        stage: "extraction", "resolution" or "answering" to choose a language model for that alone,
            which then runs beside the one for all else; "" for all. "" as the name takes it back.

    Another embedder indexes every memory anew beside what there is (`building.embed_pending`, at
    the next import, build or question); until that is done, searches use the index before it.

    Raises:
        NotFoundError: Neither the catalogue nor the disk has it.
        ModelMissingError: The file is no model.
    """
    before = load_settings(settings_file)
    if stage:
        settings = before.with_model_for(stage, _for_stage(name))
    elif name.endswith(".gguf"):
        settings = dataclasses.replace(before, language_model=_own_file(name))
    elif os.sep in name:
        settings = dataclasses.replace(before, embedder=_own_embedder(name))
    else:
        entry = _entry(name)
        if entry.use == "language":
            settings = dataclasses.replace(before, language_model=entry.name)
        else:
            settings = dataclasses.replace(before, embedder=entry.name)
    save_settings(settings, settings_file)
    return settings


def _for_stage(name: str) -> str:
    if not name:
        return ""
    if name.endswith(".gguf"):
        return _own_file(name)
    entry = _entry(name)
    if entry.use != "language":
        raise NotFoundError(
            f"{name} reads no language; it only finds by meaning.",
            hint="Choose one of those that read and answer: apexmem models list",
        )
    return entry.name


def _own_embedder(name: str) -> str:
    folder = Path(name).expanduser().resolve()
    if not (folder / EMBEDDER_FILE).is_file():
        raise NotFoundError(
            f"There is no embedder in {folder}.",
            hint=f"Give the folder of one, with its {EMBEDDER_FILE}.",
        )
    return str(folder)


def _own_file(name: str) -> str:
    path = Path(name).expanduser().resolve()
    if not path.is_file():
        raise NotFoundError(f"There is no file {path}.", hint="Give the path of a GGUF file.")
    if not _is_gguf(path):
        raise ModelMissingError(
            f"{path} is not a GGUF model file.",
            hint="Choose one of: apexmem models list",
        )
    return str(path)


def _is_gguf(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(_GGUF_MAGIC)) == _GGUF_MAGIC
    except OSError:
        return False


def _entry(name: str) -> ModelEntry:
    entries = _entries()
    found = catalogue.find_entry(entries, name)
    if found is None:
        names = ", ".join(one.name for one in entries)
        raise NotFoundError(f"There is no model {name!r}.", hint=f"There are: {names}.")
    return found


def _entries() -> tuple[ModelEntry, ...]:
    return catalogue.load_catalogue(catalog_path())


def _summary(
    entry: ModelEntry, models_dir: Path, *, in_use: bool, stages: tuple[str, ...]
) -> ModelSummary:
    present = catalogue.weights_path(entry, models_dir).is_file()
    return ModelSummary(
        name=entry.name,
        title=entry.title,
        use=entry.use,
        file=entry.file,
        bytes=entry.bytes,
        sha256=entry.sha256,
        licence=entry.licence,
        memory_bytes=entry.memory_bytes,
        present=present,
        verified=present and pulling.is_known_whole(entry, models_dir),
        in_use=in_use,
        can_pull=bool(entry.sources),
        pulled_bytes=0 if present else pulling.pulled_bytes(entry, models_dir),
        stages=stages,
    )


def _own_summary(path: str, stages: tuple[str, ...]) -> ModelSummary:
    """Describe a model file of the user's own, of which only the disk knows anything."""
    file = Path(path)
    present = file.is_file()
    size = file.stat().st_size if present else 0
    return ModelSummary(
        name=path,
        title=file.name,
        use="language",
        file=path,
        bytes=size,
        sha256="",
        licence="",
        memory_bytes=round(size * _MEMORY_OF_FILE),
        present=present,
        verified=False,
        in_use=True,
        can_pull=False,
        stages=stages,
    )
