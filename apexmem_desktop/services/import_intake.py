"""Takes in what is read of a file: what it says of itself is counted, its turns are kept aside."""

from apexmem_desktop.domain.errors import ExportUnreadableError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.importers.parts import Export
from apexmem_desktop.importers.reading import Reading
from apexmem_desktop.services.import_batches import Batch, Chat, Frame, Header
from apexmem_desktop.services.import_spool import Spool
from apexmem_desktop.services.import_totals import Totals


class Intake:
    """One file on its way in.

    Attributes:
        reading: What the file says of itself, from its first frame on.
    """

    def __init__(
        self, export: Export, choices: ImportChoices, owner: str, cancel: CancelToken
    ) -> None:
        self._export = export
        self._choices = choices
        self._reading: Reading | None = None
        self.spool = Spool(cancel)
        self.totals = Totals(owner=owner)

    @property
    def reading(self) -> Reading:
        """What the file says of itself."""
        if self._reading is None:
            raise RuntimeError("nothing was read yet")
        return self._reading

    def take(self, frame: Frame) -> None:
        """Take in the next frame."""
        if isinstance(frame, Batch):
            self.spool.add(frame)
            self.totals.add(frame.brief)
        elif isinstance(frame, Chat):
            self.spool.begin(frame)
            self.totals.aliases |= dict.fromkeys(frame.aliases)
        elif isinstance(frame, ImportProblem):
            self.totals.tell(frame)
        elif isinstance(frame, Header):
            self._begin(frame)
        else:
            kept = self.spool.end()
            self.totals.end(kept.title, kept.turns)

    def refuse_empty(self) -> None:
        """Say so when nothing could be read, instead of calling that a success."""
        if self.totals.turns:
            return
        first = self.totals.problems[0] if self.totals.problems else None
        raise ExportUnreadableError(
            f"No message could be read from {self._export.file_name}"
            + (f": {first.what} ({first.where})." if first else f" ({self.reading.format})."),
            hint="Export the chat again as text or JSON and import that file.",
        )

    def _begin(self, header: Header) -> None:
        export, wish = self._export, self._choices.date_order
        self._reading = Reading(
            format=header.format,
            date_order=header.date_order,
            date_order_certain=header.date_order_certain,
            zone=header.zone,
            file_name=export.file_name,
            sha256=export.sha256,
            size_bytes=export.size_bytes,
            source=lambda _progress, _cancel: iter(()),  # it is being read already
            wall_clock=header.wall_clock,
        )
        if wish and header.date_order not in ("", wish):
            # The dates of the file make no days in the order that was asked for.
            what = f"its dates cannot be {wish}; they were read as {header.date_order}"
            self.totals.problems.append(ImportProblem(export.file_name, what))
