"""What every place of the window shares: the memory, the lanes, and the wishes of other places."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from apexmem_desktop.domain.answers import Citation, TurnHit
from apexmem_desktop.domain.graph import Evidence
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.domain.rulings import RulingResult
from apexmem_desktop.ui.long_jobs import LongJobs
from apexmem_desktop.ui.memory import Memory
from apexmem_desktop.ui.tasks import Lane, TaskRunner

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Spot:
    """Words in a turn that somebody wants to see in their conversation.

    Attributes:
        start: Offset of the first word in the turn's text, in characters.
        end: Offset behind the last; equal to start when the whole turn is meant.
    """

    turn_id: int
    start: int = 0
    end: int = 0

    @classmethod
    def of(cls, proof: Evidence | Citation | TurnHit) -> "Spot":
        """Take the place from whatever proves something."""
        if isinstance(proof, TurnHit):
            return cls(proof.turn_id)
        return cls(proof.turn_id, proof.start, proof.end)


class Desk(QObject):
    """Given to each place. Places never know one another; they ask here."""

    changed = Signal(object)  # Changes: something was written
    spot_asked = Signal(object)  # Spot: show it in the evidence panel
    timeline_asked = Signal(int)  # entity id
    entity_asked = Signal(int)  # entity id: show its card
    history_asked = Signal(int, str)  # entity id, property
    conversation_asked = Signal(int, int)  # conversation id, turn id
    place_asked = Signal(str)  # name of a place
    source_asked = Signal(int)  # source id: show it among the imports
    queue_asked = Signal()  # how far reading is, under Imports
    files_dropped = Signal(object)  # tuple[Path, ...]
    build_asked = Signal()
    build_told = Signal(object)  # BuildState: how far reading is
    build_held = Signal()  # something else needs the memory for itself
    look_changed = Signal()  # language or theme
    failed = Signal(object)  # an error to show
    job_ended = Signal(str, float)  # how something that was waited for ended, and its seconds
    decided = Signal(object)  # Ruling: the user just decided it

    def __init__(self, memory: Memory, tasks: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.memory = memory
        self.tasks = tasks
        self.jobs = LongJobs(tasks, self)
        self.jobs.told.connect(self.job_ended)
        tasks.failed.connect(self.failed)

    def read(
        self, work: Callable[[], T], owner: QObject, on_done: Callable[[T], None]
    ) -> CancelToken:
        """Read from the memory off the GUI thread."""
        return self.tasks.submit(Lane.READ, lambda _: work(), owner=owner, on_done=on_done)

    def decide(self, work: Callable[[], RulingResult]) -> None:
        """Do what the user decided; the views hear of it, and the window offers to undo it."""
        self.tasks.submit(Lane.WRITE, lambda _: work(), owner=self, on_done=self._on_decided)

    def _on_decided(self, result: RulingResult) -> None:
        self.changed.emit(result.changes)
        self.decided.emit(result.ruling)
