"""Reading chats into the graph behind the window, in short rounds.

Rounds, because the language model has one user at a time: a question that is asked while chats are
read gets its turn between two rounds, after seconds and not after hours.
"""

import time
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from apexmem_desktop.domain.errors import ModelMissingError, UserError
from apexmem_desktop.domain.progress import CancelToken, Progress
from apexmem_desktop.domain.reports import BuildReport, Changes
from apexmem_desktop.ui.desk import Desk
from apexmem_desktop.ui.error_words import error_text
from apexmem_desktop.ui.reading_hours import ReadingHours
from apexmem_desktop.ui.tasks import Lane

_ROUND_TURNS = 16
_ROUND_EMBEDDINGS = 128
_NOTHING_YET = Progress("", 0, None)


@dataclass(frozen=True, slots=True)
class BuildState:
    """What the strip at the bottom shows.

    Attributes:
        phase: "idle", "meaning" (vectors), "reading" (the model), "paused", "waiting" (for the
            time at which the user allows it), "no_model", "failed".
        progress: Of this phase.
        facts_new: Facts found since the job began.
        error: What went wrong, "" for nothing.
        waits_for: What it waits for: "idle" (that nobody uses the computer) or "mains" (power).
    """

    phase: str = "idle"
    progress: Progress = _NOTHING_YET
    facts_new: int = 0
    error: str = ""
    waits_for: str = ""


class BuildJob(QObject):
    """Embeds, then reads, until nothing waits; can be paused, resumed and cancelled."""

    changed = Signal(object)  # BuildState

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.state = BuildState()
        self._token: CancelToken | None = None
        self._paused = False
        self._hours = ReadingHours(desk, self)
        self._hours.changed.connect(self._on_hours)
        self._done = 0
        self._total: int | None = None
        self._worked_s = 0.0
        self._round_began_s = 0.0
        desk.build_asked.connect(self.start)
        desk.build_held.connect(self.cancel)
        desk.changed.connect(self._on_changed)

    @property
    def running(self) -> bool:
        """Whether a round is under way."""
        return self._token is not None

    @property
    def stopped(self) -> bool:
        """Whether the user stopped or paused it."""
        return self._paused

    def start(self) -> None:
        """Begin, or go on after a pause; does nothing where nothing waits."""
        self._paused = False
        self._hours.look()
        if self.running:
            return
        self._done, self._worked_s = 0, 0.0
        self.state = BuildState()
        self._desk.read(self._desk.memory.status, self, lambda got: self._begin(got.pending))

    def pause(self) -> None:
        """Stop after the present round; what was read is kept."""
        self._paused = True
        self._show("paused")

    def cancel(self) -> None:
        """Stop now; what was read is kept, the rest waits for the next start."""
        self._paused = True
        if self._token is not None:
            self._token.cancel()
        self._show("idle")

    def _begin(self, pending: int) -> None:
        self._total = pending
        if not self.running and not self._paused:
            self._embed_round()

    def _embed_round(self) -> None:
        if not self._hours.allowed:
            self._show("waiting")
            return
        memory = self._desk.memory
        self._show("meaning")
        tell = self._desk.tasks.teller(self, lambda _: None, only_newest=True)
        self._submit(lambda token: memory.embed(_ROUND_EMBEDDINGS, tell, token), self._on_embedded)

    def _on_embedded(self, count: object) -> None:
        self._token = None
        if self._paused:
            return
        if count:
            self._embed_round()
        else:
            self._read_round()

    def _read_round(self) -> None:
        if not self._total:
            self._finish()
            return
        if not self._hours.allowed:
            self._show("waiting")
            return
        memory = self._desk.memory
        self._show("reading")
        tell = self._desk.tasks.teller(self, self._on_progress, only_newest=True)
        self._submit(lambda token: memory.build(_ROUND_TURNS, tell, token), self._on_read)

    def _on_read(self, report: object) -> None:
        assert isinstance(report, BuildReport)  # noqa: S101 - for the type checker
        self._token = None
        self._worked_s += time.monotonic() - self._round_began_s
        looked_at = report.turns_read + sum(report.turns_failed.values())
        self._done += looked_at
        self.state = replace(self.state, facts_new=self.state.facts_new + report.facts_new)
        if report.facts_new or report.entities_new or report.events_new or report.turns_failed:
            self._desk.changed.emit(Changes(facts=True, entities=True))
        if self._paused:
            return
        if looked_at:
            self._read_round()
        else:
            self._finish()

    def _submit(self, work: object, on_done: object) -> None:
        self._round_began_s = time.monotonic()
        self._token = CancelToken()  # stands in while an inline runner is already at work
        token = self._desk.tasks.submit(
            Lane.MODEL,
            work,  # type: ignore[arg-type]  # either of the two calls above
            owner=self,
            on_done=on_done,  # type: ignore[arg-type]
            on_failed=self._on_failed,
            on_ended=self._on_ended,
        )
        if self._token is not None:
            self._token = token

    def _on_ended(self) -> None:
        """A cancel ends here alone: neither done nor failed was called."""
        if self._token is not None and self._token.cancelled:
            self._token = None
            self._on_hours(self._hours.allowed)  # it may be allowed again meanwhile

    def _on_failed(self, error: BaseException) -> None:
        self._token = None
        if isinstance(error, ModelMissingError):
            self._show("no_model")
            return
        text = error_text(error) if isinstance(error, UserError) else ""
        self.state = replace(self.state, error=text)
        self._show("failed")
        if not text:
            self._desk.failed.emit(error)

    def _finish(self) -> None:
        self._show("idle")
        self._desk.changed.emit(Changes(facts=True, entities=True))

    def _on_progress(self, within: Progress) -> None:
        if self.state.phase == "reading":
            self._show("reading", within.done)

    def _show(self, phase: str, within: int = 0) -> None:
        worked_s = self._worked_s
        if phase == "reading":
            worked_s += time.monotonic() - self._round_began_s
        done = self._done + within
        total = None if self._total is None else max(self._total, done)
        progress = Progress(phase, done, total, "turns", "", worked_s)
        waits_for = self._hours.waits_for if phase == "waiting" else ""
        self.state = replace(self.state, phase=phase, progress=progress, waits_for=waits_for)
        self.changed.emit(self.state)
        self._desk.build_told.emit(self.state)

    def _on_hours(self, allowed: bool) -> None:
        """Go on where it waited; what runs stops at once, since somebody came back for the cores.

        The few turns of the round under way are read anew later.
        """
        if allowed and self.state.phase == "waiting" and not self.running:
            self.start()
        elif not allowed and self._token is not None and not self._paused:
            self._token.cancel()
            self._show("waiting")

    def _on_changed(self, changes: Changes) -> None:
        if changes.models and self.state.phase == "no_model":
            self.start()
