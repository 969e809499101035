"""What opening an export gives: the facts known at once, and the conversations as a stream."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from apexmem_desktop.domain.progress import CancelToken, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation
from apexmem_desktop.importers.parts import Export, Part


@dataclass(frozen=True, slots=True)
class Skipped:
    """Messages that are left out on purpose, by reason."""

    why: str
    count: int = 1


Told = ImportedConversation | ImportProblem
Item = Told | Skipped  # what importers give; skips are added up before anybody else sees them
Source = Callable[[ProgressSink, CancelToken], Iterator[Item]]
ToldSource = Callable[[ProgressSink, CancelToken], Iterator[Told]]


@dataclass(frozen=True, slots=True)
class Opened:
    """What an importer knows of an export after its first look.

    Attributes:
        source: Gives the conversations; may be called again and starts anew each time.
        date_order: "dmy", "mdy" or "ymd"; "" for a format that leaves no doubt.
        wall_clock: Whether its times are a clock's on a wall, so that the zone decides them.
    """

    source: Source
    zone: str = ""
    date_order: str = ""
    date_order_certain: bool = True
    wall_clock: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One export, opened.

    Attributes:
        format: Name of the importer.
        date_order: "dmy", "mdy" or "ymd"; "" for a format that leaves no doubt.
        date_order_certain: False when the order is a guess that the user should look at.
        zone: IANA name of the zone whose clock wrote the times, "" when the export says it itself.
        file_name: Without its folder.
        wall_clock: Whether its times are a clock's on a wall, so that the zone decides them.
    """

    format: str
    date_order: str
    date_order_certain: bool
    zone: str
    file_name: str
    sha256: str
    size_bytes: int
    source: ToldSource = field(repr=False)
    wall_clock: bool = False

    def conversations(self, progress: ProgressSink, cancel: CancelToken) -> Iterator[Told]:
        """Stream the conversations, and the parts that could not be read.

        Raises:
            ExportUnreadableError: The file turns out to be damaged on the way.
            CancelledError: The user cancelled.
        """
        return self.source(progress, cancel)


class Importer(Protocol):
    """One format. It looks at the beginning of a part to say whether it knows it."""

    name: ClassVar[str]

    def recognises(self, part: Part) -> bool:
        """Tell whether the part is of this format, from its content."""
        ...

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Take a first look at the parts that were recognised."""
        ...
