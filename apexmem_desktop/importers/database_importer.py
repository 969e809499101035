"""What all formats share that are another program's database."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar

from apexmem_desktop.domain.owner import OWNER as OWNER  # the databases call them nothing, or "me"
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.importers.local_clock import Offsets, choose_zone
from apexmem_desktop.importers.parts import Export, Part
from apexmem_desktop.importers.reading import Item, Opened
from apexmem_desktop.importers.sqlite_file import (
    Cell,
    ForeignDatabase,
    Row,
    open_database,
    table_columns,
)

_ROWS_A_REPORT = 5000


@dataclass(frozen=True, slots=True)
class Desk:
    """What reading a database needs beside it.

    Attributes:
        where: Name of the file, for problems.
        export: The file given, whose other parts may hold names.
    """

    where: str
    export: Export
    offsets: Offsets
    progress: ProgressSink
    cancel: CancelToken

    def counted(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Pass rows on and report how many there were."""
        started_s = monotonic()
        for number, row in enumerate(rows, start=1):
            if number % _ROWS_A_REPORT == 0:
                elapsed_s = monotonic() - started_s
                self.progress(
                    Progress("Reading messages", number, None, "turns", self.where, elapsed_s)
                )
            yield row


class DatabaseImporter:
    """A format that is a database. A subclass names what it needs and reads one database.

    Attributes:
        needs: Columns that must be there, by table; one of these sets is enough.
    """

    name: ClassVar[str]
    needs: ClassVar[tuple[dict[str, frozenset[str]], ...]]

    def recognises(self, part: Part) -> bool:
        """Tell by its tables and their columns."""
        tables = table_columns(part)
        return any(
            all(columns <= tables.get(table, frozenset()) for table, columns in needs.items())
            for needs in self.needs
        )

    def open(self, export: Export, parts: tuple[Part, ...], choices: ImportChoices) -> Opened:
        """Nothing has to be decided beforehand; the times are absolute."""
        zone = choose_zone(choices.zone)

        def source(progress: ProgressSink, cancel: CancelToken) -> Iterator[Item]:
            offsets = Offsets(zone)
            for part in parts:
                cancel.check()
                desk = Desk(part.name, export, offsets, progress, cancel)
                with open_database(part, cancel) as database:
                    if database.failed_statements:
                        what = f"{database.failed_statements} of its statements could not be read"
                        yield ImportProblem(part.name, what)
                    yield from self.read(database, desk)

        return Opened(source, zone)

    def read(self, database: ForeignDatabase, desk: Desk) -> Iterator[Item]:
        """Read one database."""
        raise NotImplementedError


def cell_text(cell: Cell) -> str:
    """Take a cell for text; a number is written out, bytes are none."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None or isinstance(cell, bytes) else str(cell)


def cell_int(cell: Cell) -> int:
    """Take a cell for a whole number; 0 when it is none."""
    if isinstance(cell, int):
        return cell
    return int(cell) if isinstance(cell, float) and abs(cell) < 1e18 else 0


def left_out(where: str, counts: dict[str, int]) -> Iterator[ImportProblem]:
    """Tell how many rows became no turn, and why."""
    for why, count in counts.items():
        yield ImportProblem(where, f"{count} left out: {why}", turns=count, expected=True)
