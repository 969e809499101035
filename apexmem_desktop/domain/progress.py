"""How a long job tells how far it is, and how it hears that it should stop."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from apexmem_desktop.domain.errors import CancelledError


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a long job.

    Attributes:
        stage: What is being done, in words a user understands.
        done: Units finished (turns, bytes), as `unit` says.
        total: Units in all; None while unknown.
        unit: "turns", "bytes" or "files".
        item: What is being worked on now, "" for nothing in particular.
        elapsed_s: Seconds since the job began.
    """

    stage: str
    done: int
    total: int | None
    unit: str = "turns"
    item: str = ""
    elapsed_s: float = 0.0

    @property
    def per_s(self) -> float:
        """Units a second so far."""
        return self.done / self.elapsed_s if self.elapsed_s > 0 else 0.0

    @property
    def remaining_s(self) -> float | None:
        """Seconds to go at the rate so far; None while it cannot be told."""
        if self.total is None or self.per_s <= 0:
            return None
        return max(0.0, (self.total - self.done) / self.per_s)


ProgressSink = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """Take a report and do nothing with it."""


class CancelToken:
    """A flag one thread sets and another looks at. `pause` holds the work at its next look."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._running = threading.Event()
        self._running.set()

    def cancel(self) -> None:
        """Ask the work to stop at its next look."""
        self._cancelled.set()
        self._running.set()

    def pause(self) -> None:
        """Hold the work at its next look."""
        self._running.clear()

    def resume(self) -> None:
        """Let held work go on."""
        self._running.set()

    @property
    def paused(self) -> bool:
        """Whether the work is held."""
        return not self._running.is_set()

    @property
    def cancelled(self) -> bool:
        """Whether the work was asked to stop."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Wait while paused; raise CancelledError once cancelled."""
        self._running.wait()
        if self._cancelled.is_set():
            raise CancelledError
