"""What all formats in JSON share: recognition by keys, streaming, progress, one place for zones."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar

from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.importers.json_stream import Json, key_paths, stream
from apexmem_desktop.importers.local_clock import Offsets, choose_zone
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item, Opened


@dataclass(frozen=True, slots=True)
class Shape:
    """One way a format stands in a file.

    Attributes:
        prefix: Path of its values: "item" for each of a top-level array, "" for the whole.
        any_of: Sets of keys of such a value (deeper ones as paths); one set must be there.
    """

    prefix: str
    any_of: tuple[frozenset[str], ...]

    def fits(self, paths: frozenset[str]) -> bool:
        """Tell whether these key paths are of this shape."""
        dot = f"{self.prefix}." if self.prefix else ""
        return any(all(f"{dot}{key}" in paths for key in keys) for keys in self.any_of)


def shape(prefix: str, *any_of: str) -> Shape:
    """Make a shape of sets of keys, each written with spaces between."""
    return Shape(prefix, tuple(frozenset(keys.split()) for keys in any_of))


@dataclass(frozen=True, slots=True)
class Context:
    """What reading one value needs to know."""

    where: str
    export: Export
    part: Part
    offsets: Offsets


class JsonImporter:
    """A format in JSON. A subclass names its shapes and reads one value at a time."""

    name: ClassVar[str]
    shapes: ClassVar[tuple[Shape, ...]]

    def recognises(self, part: Part) -> bool:
        """Tell by the keys at the beginning."""
        return self._shape(part) is not None

    def _shape(self, part: Part) -> Shape | None:
        paths = key_paths(part)
        return next((shape for shape in self.shapes if shape.fits(paths)), None)

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Nothing has to be decided beforehand; the zone is for times that name none."""
        zone = choose_zone(choices.zone)

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            offsets = Offsets(zone)
            ordered = tuple(sorted(parts, key=lambda part: part.name))
            yield from self.read_all(export, ordered, offsets, Meter(ordered, progress, cancel))

        return Opened(source, zone)

    def read_all(
        self, export: Export, parts: tuple[Part, ...], offsets: Offsets, meter: "Meter"
    ) -> Iterator[Item]:
        """Read every value of every part."""
        for part in parts:
            for number, value in self.values(part, meter):
                where = f"{part.name}, conversation {number}"
                yield from self.read(value, Context(where, export, part, offsets))

    def values(self, part: Part, meter: "Meter") -> Iterator[tuple[int, Json]]:
        """Stream a part's values, numbered from 1."""
        found = self._shape(part)
        prefix = found.prefix if found is not None else ""
        meter.begin(part)
        for number, value in enumerate(stream(part, prefix, meter.read), start=1):
            meter.tick()
            yield number, value

    def read(self, value: Json, context: Context) -> Iterator[Item]:
        """Read one value of the format's shape."""
        raise NotImplementedError


class Meter:
    """Counts bytes for the progress report, and hears the cancel."""

    def __init__(
        self, parts: tuple[Part, ...], progress: ProgressSink, cancel: CancelToken
    ) -> None:
        self._total_bytes = sum(part.size_bytes for part in parts)
        self._progress = progress
        self._cancel = cancel
        self._done_bytes = 0
        self._item = ""
        self._started_s = monotonic()
        self._told_s = 0.0

    def begin(self, part: Part) -> None:
        """Say which part is read now."""
        self._item = part.name

    def read(self, count: int) -> None:
        """Count bytes that were read."""
        self._done_bytes += count
        self._cancel.check()

    def tick(self) -> None:
        """Report a few times a second."""
        self._cancel.check()
        elapsed_s = monotonic() - self._started_s
        if elapsed_s - self._told_s >= 0.2:
            self._told_s = elapsed_s
            self._progress(
                Progress(
                    "Reading conversations",
                    self._done_bytes,
                    self._total_bytes,
                    "bytes",
                    self._item,
                    elapsed_s,
                )
            )
