"""The one way from widgets to blocking services: three lanes of threads, answers on the GUI thread.

No QObject is made, moved or deleted off the GUI thread; only frozen values cross. A worker's
news (progress, words of an answer) come back through `teller`.
"""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot
from shiboken6 import isValid

from apexmem_desktop.domain.errors import CancelledError
from apexmem_desktop.domain.progress import CancelToken

T = TypeVar("T")
V = TypeVar("V")


class Lane(StrEnum):
    """Which threads do the work."""

    WRITE = "write"  # one: SQLite has one writer
    MODEL = "model"  # one: a llama context has one user
    READ = "read"  # three


_THREADS = {Lane.WRITE: 1, Lane.MODEL: 1, Lane.READ: 3}
_QUIT_WAIT_S = 5.0
# How long a thread may keep the interpreter while the GUI thread waits. Drawing one page asks for
# it back some hundred times: Python's own 5 ms would add up to a second while lanes are at work.
_SWITCH_S = 0.0001


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a future gave, on its way to the GUI thread."""

    owner: QObject
    future: Future[Any]
    token: CancelToken
    on_done: Callable[[Any], None]
    on_failed: Callable[[BaseException], None] | None
    on_ended: Callable[[], None] | None


@dataclass(frozen=True, slots=True)
class _News:
    """One piece of news of running work, on its way to the GUI thread."""

    owner: QObject
    tell: Callable[[], None]


class TaskRunner(QObject):
    """Runs services off the GUI thread, and brings back what they give."""

    failed = Signal(object)  # an error that no on_failed took
    drained = Signal()  # nothing is queued or running any more
    _finished = Signal(object)
    _told = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lanes = {
            lane: ThreadPoolExecutor(count, thread_name_prefix=f"apexmem-{lane}")
            for lane, count in _THREADS.items()
        }
        self._running: dict[Future[Any], tuple[Lane, CancelToken]] = {}
        self._closed = False
        sys.setswitchinterval(_SWITCH_S)
        # Named, not left to Auto: a worker's emit must always be queued to the GUI thread.
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._told.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether anything is queued, running or not yet delivered."""
        return bool(self._running)

    def is_busy(self, lane: Lane) -> bool:
        """Whether work put into a lane now would have to wait or share."""
        return any(where is lane for where, _ in self._running.values())

    def submit(
        self,
        lane: Lane,
        work: Callable[[CancelToken], T],
        *,
        owner: QObject,
        on_done: Callable[[T], None],
        on_failed: Callable[[BaseException], None] | None = None,
        on_ended: Callable[[], None] | None = None,
    ) -> CancelToken:
        """Queue work; call back on the GUI thread, unless owner is gone by then.

        Args:
            lane: Which threads may do it.
            work: Blocking; looks at the token.
            owner: Callbacks are dropped when this object has been deleted.
            on_done: Takes what the work returned.
            on_failed: Takes the error; without it `failed` is emitted. Not called for a cancel.
            on_ended: Called after either, and after a cancel.
        """
        token = CancelToken()
        if self._closed:
            return token
        future = self._lanes[lane].submit(work, token)
        self._running[future] = (lane, token)
        outcome = _Outcome(owner, future, token, on_done, on_failed, on_ended)
        future.add_done_callback(lambda _: self._emit_finished(outcome))
        return token

    def teller(
        self, owner: QObject, tell: Callable[[V], None], *, only_newest: bool = False
    ) -> Callable[[V], None]:
        """Make a function that any thread may call, and that calls `tell` on the GUI thread.

        Args:
            owner: News are dropped when this object has been deleted.
            tell: Called on the GUI thread.
            only_newest: News that come faster than the window can take them replace one another.
        """
        if not only_newest:
            return lambda value: self._emit_told(_News(owner, lambda: tell(value)))
        return _Newest(self, owner, tell)

    def close(self) -> None:
        """Cancel everything and wait for it, five seconds at most."""
        self._closed = True
        for _, token in self._running.values():
            token.cancel()
        for lane in self._lanes.values():
            lane.shutdown(wait=False, cancel_futures=True)
        left = wait(list(self._running), timeout=_QUIT_WAIT_S).not_done
        stuck = {self._running[future][0] for future in left}
        # A future is done before its callbacks have run: a thread may still be about to emit, and
        # must not find this object gone.
        for name in self._lanes.keys() - stuck:
            self._lanes[name].shutdown(wait=True)
        self._running.clear()

    def _emit_finished(self, outcome: _Outcome) -> None:
        if not self._closed and isValid(self):
            self._finished.emit(outcome)

    def _emit_told(self, news: _News) -> None:
        if not self._closed and isValid(self):
            self._told.emit(news)

    @Slot(object)
    def _tell(self, news: _News) -> None:
        if isValid(news.owner) and not self._closed:
            news.tell()

    @Slot(object)
    def _deliver(self, outcome: _Outcome) -> None:
        self._running.pop(outcome.future, None)
        try:
            if isValid(outcome.owner) and not self._closed:
                self._call_back(outcome)
        finally:
            if not self._running:
                self.drained.emit()

    def _call_back(self, outcome: _Outcome) -> None:
        future = outcome.future
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or isinstance(error, CancelledError):
            pass
        elif error is None:
            outcome.on_done(future.result())
        elif outcome.on_failed is not None:
            outcome.on_failed(error)
        else:
            self.failed.emit(error)
        if outcome.on_ended is not None and isValid(outcome.owner):
            outcome.on_ended()


class _Newest:
    """Keeps only the newest value until the GUI thread has taken it."""

    def __init__(self, tasks: TaskRunner, owner: QObject, tell: Callable[[Any], None]) -> None:
        self._tasks = tasks
        self._owner = owner
        self._tell = tell
        self._lock = threading.Lock()
        self._waiting: list[Any] = []

    def __call__(self, value: Any) -> None:
        with self._lock:
            on_its_way = bool(self._waiting)
            self._waiting = [value]
        if not on_its_way:
            self._tasks._emit_told(_News(self._owner, self._take))  # noqa: SLF001 - one class in two

    def _take(self) -> None:
        with self._lock:
            value, self._waiting = self._waiting[-1], []
        self._tell(value)
