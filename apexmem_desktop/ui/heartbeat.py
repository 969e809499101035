"""Measures how long the window leaves somebody waiting; for the tests and the bench."""

import os
import threading
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

_BEAT_MS = 5
_TASKS = Path("/proc/self/task")
_LINE_BYTES = 100


class Heartbeat(QObject):
    """A short timer that notes how late it comes.

    What other programs take from a busy machine is no fault of ours. So what counts of a gap is
    the lesser of the processor time that this program used in it, and its length by the clock less
    the time for which threads of ours stood in the queue for a processor (where Linux tells it);
    but never less than what the GUI thread itself worked.

    Attributes:
        longest_ms: The longest gap since `start`, counted so.
        longest_wall_ms: The longest by the clock.
    """

    def __init__(self) -> None:
        super().__init__()
        self.longest_ms = self.longest_wall_ms = 0.0
        self._queues = _Queues()
        self._last = (0.0, 0.0, 0.0, 0.0)
        self._timer = QTimer(self, interval=_BEAT_MS)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        """Measure anew from now on."""
        self._queues.open()
        self._last = self._now()
        self.longest_ms = self.longest_wall_ms = 0.0
        self._timer.start()

    def stop(self) -> float:
        """Stop, and give the longest gap."""
        self._timer.stop()
        self._queues.close()
        return self.longest_ms

    def _now(self) -> tuple[float, float, float, float]:
        return time.perf_counter(), self._queues.waited_s(), time.process_time(), time.thread_time()

    def _beat(self) -> None:
        now = self._now()
        wall, queued, worked, own = (
            1000 * (is_s - was_s) for is_s, was_s in zip(now, self._last, strict=True)
        )
        self._last = now
        self.longest_wall_ms = max(self.longest_wall_ms, wall)
        self.longest_ms = max(self.longest_ms, own, min(worked, wall - max(0.0, queued)))
        if threading.active_count() > self._queues.threads:
            self._queues.open()
            self._last = self._now()


class _Queues:
    """How long threads of this program were ready to run while others ran.

    Files are kept open: to open one lets go of the interpreter some times, and what measures must
    not make the loop wait.
    """

    def __init__(self) -> None:
        self.threads = 0
        self._files: list[int] = []

    def open(self) -> None:
        self.close()
        self.threads = threading.active_count()
        for number in _numbers():
            try:
                self._files.append(os.open(_TASKS / number / "schedstat", os.O_RDONLY))
            except OSError:  # the thread has ended, or this system tells nothing
                continue

    def close(self) -> None:
        for file in self._files:
            os.close(file)
        self._files = []

    def waited_s(self) -> float:
        waited_ns = 0
        for file in self._files:
            try:
                waited_ns += int(os.pread(file, _LINE_BYTES, 0).split()[1])
            except (OSError, IndexError):
                continue
        return waited_ns / 1e9


def _numbers() -> list[str]:
    try:
        return [thread.name for thread in _TASKS.iterdir()]
    except OSError:
        return []
