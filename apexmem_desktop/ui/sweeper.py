"""Python's garbage collection, done on the GUI thread alone and when it is least felt.

Left to itself it begins in whichever thread happens to make the next object. A worker's full
collection halts the window for a tenth of a second while chats are read, and what it finds may be
an object of Qt's, which must not be deleted off the GUI thread.
"""

import gc
import time

from PySide6.QtCore import QObject, QTimer

from apexmem_desktop.ui.tasks import TaskRunner

_PAUSE_MS = 50
_FEW = 1000  # so few new objects can wait
_YOUNG_EVERY = 10  # sweeps of the newest for each one of those that outlived it
# A full sweep walks through all that the window made: when nothing has run for a while, or at last
# once in so long.
_APART_S, _QUIET_S, _AT_LAST_S = 60.0, 3.0, 600.0


class Sweeper(QObject):
    """Collects garbage in small steps; from `begin` to `end` nobody else does."""

    def __init__(self, tasks: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._sweeps = 0
        self._thawed = False
        self._whole_at_s = self._busy_at_s = time.monotonic()
        self._timer = QTimer(self, interval=_PAUSE_MS)
        self._timer.timeout.connect(self.sweep)

    @property
    def began(self) -> bool:
        """Whether it does the work now."""
        return self._timer.isActive()

    def begin(self) -> None:
        """Collect once what is garbage now, leave the rest out of all later sweeps, and take over.

        What is here now stays: the modules and the window itself.
        """
        gc.disable()
        gc.collect()
        gc.freeze()
        self._timer.start()

    def look_at_all(self) -> None:
        """Let the next whole sweep go through what was left out: a window of it is gone."""
        gc.unfreeze()
        self._thawed = True

    def end(self) -> None:
        """Give the work back to Python."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def sweep(self) -> None:
        """Collect the newest garbage; all of it when there is time for that."""
        if self._is_time_for_all():
            self._whole_at_s = time.monotonic()
            gc.collect()
            if self._thawed:
                gc.freeze()
                self._thawed = False
        elif gc.get_count()[0] > _FEW:
            self._sweeps += 1
            gc.collect(0 if self._sweeps % _YOUNG_EVERY else 1)

    def _is_time_for_all(self) -> bool:
        now_s = time.monotonic()
        if self._tasks.busy:
            self._busy_at_s = now_s
        since_s = now_s - self._whole_at_s
        quiet = now_s - self._busy_at_s > _QUIET_S
        return since_s > _AT_LAST_S or (quiet and since_s > _APART_S)
