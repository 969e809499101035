"""The parent's side of a child process: start it, call it, cancel it, survive its death."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, cast

from apexmem_desktop.domain.errors import CancelledError, ModelCrashedError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.frames import Frame, read_frame, write_frame

LOG_LINES = 200
START_TIMEOUT_S = 180.0
CANCEL_TIMEOUT_S = 1.8  # then the child is killed: a cancel takes two seconds at worst
_LOOK_AGAIN_S = 0.05
_DYING_S = 2.0  # its output may close a moment before the process is gone

EventSink = Callable[[dict[str, Any]], None]


class ChildRefusedError(Exception):
    """The child is well but will not do this call, or could not load what it was told to.

    Attributes:
        kind: A word to decide by: "value", "too_long", "unreadable".
        loading: Whether it was refused before any call.
    """

    def __init__(self, kind: str, message: str, *, loading: bool) -> None:
        super().__init__(message)
        self.kind = kind
        self.loading = loading


class _Child:
    """One running process and the threads that read from it."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            close_fds=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._input = cast(BinaryIO, self._process.stdin)
        self._output = cast(BinaryIO, self._process.stdout)
        self._errors = cast(BinaryIO, self._process.stderr)
        self.frames: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self._threads = [
            threading.Thread(target=target, daemon=True, name=f"child {self._process.pid}")
            for target in (self._read_frames, self._read_log)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process number."""
        return self._process.pid

    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def send(self, message: dict[str, Any]) -> bool:
        """Write a frame; False when the child has gone."""
        try:
            write_frame(self._input, message)
        except (OSError, ValueError):  # ValueError: closed already
            return False
        return True

    def end(self, *, patience_s: float = 0.0) -> None:
        """Close its input, wait, kill it if it is still there, and leave no zombie."""
        with contextlib.suppress(OSError):  # it died with something unwritten in the pipe
            self._input.close()
        try:
            self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        self._output.close()
        self._errors.close()

    def how_it_ended(self) -> str:
        """Say in a few words how the process ended."""
        code = self._process.wait()
        last = next((line.strip() for line in reversed(self.log) if line.strip()), "")
        how = f"signal {-code}" if code < 0 else f"exit {code}"
        return f"{how}: {last[:200]}" if last else how

    def _read_frames(self) -> None:
        while (frame := read_frame(self._output)) is not None:
            self.frames.put(frame)
        self.frames.put(None)

    def _read_log(self) -> None:
        for line in self._errors:
            self.log.append(line.decode("utf-8", "replace").rstrip())


class ChildHost:
    """Keeps one child process for as long as it is wanted, and starts it when it is needed.

    Any thread may call; the calls run one after another.
    """

    def __init__(
        self, command: Sequence[str], *, cancel_timeout_s: float = CANCEL_TIMEOUT_S
    ) -> None:
        self._command = tuple(command)
        self._last_log: tuple[str, ...] = ()
        self._cancel_timeout_s = cancel_timeout_s
        self._child: _Child | None = None
        self._lock = threading.Lock()
        self._call_id = 0

    @property
    def pid(self) -> int | None:
        """The child's process number; None while there is none."""
        child = self._child
        return child.pid if child is not None and child.is_running() else None

    def log(self) -> tuple[str, ...]:
        """Give the last lines the child wrote to its error output."""
        child = self._child
        return tuple(child.log) if child is not None else self._last_log

    def call(
        self,
        message: dict[str, Any],
        *,
        on_event: EventSink | None = None,
        cancel: CancelToken | None = None,
    ) -> Frame:
        """Send one call and wait for its result.

        Raises:
            CancelledError: The child did not stop in time and was killed, or the call never began.
            ChildRefusedError: The child says why it will not.
            ModelCrashedError: The child ended before it answered; the next call starts another.
        """
        with self._lock:
            if cancel is not None and cancel.cancelled:
                raise CancelledError
            child = self._running(cancel)
            self._call_id += 1
            call_id = self._call_id
            if not child.send({**message, "id": call_id}):
                raise self._crashed(child)
            try:
                return self._result(child, call_id, on_event, cancel)
            except BaseException:
                # Also the caller's own: nobody waits for the rest, so let it not be computed.
                child.send({"op": "cancel", "id": call_id})
                raise

    def close(self) -> None:
        """End the child. A later call starts it again."""
        with self._lock:
            self._drop()

    def __enter__(self) -> Self:
        """Give the host itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the child."""
        self.close()

    def _running(self, cancel: CancelToken | None) -> _Child:
        if self._child is not None and self._child.is_running():
            return self._child
        self._drop()  # it died between two calls: nothing was lost, so nobody needs to know
        child = self._child = _Child(self._command, child_environment())
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            frame = self._next_frame(child, cancel, deadline)
            if frame is None:
                continue
            message, _ = frame
            if "ready" in message:
                return child
            self._drop()
            raise ChildRefusedError(message["kind"], message["fatal"], loading=True)

    def _next_frame(
        self, child: _Child, cancel: CancelToken | None, deadline: float
    ) -> Frame | None:
        """Wait a moment for a frame while the child loads; None when there is none yet."""
        try:
            frame = child.frames.get(timeout=_LOOK_AGAIN_S)
        except queue.Empty:
            if cancel is not None and cancel.cancelled:
                self._drop()
                raise CancelledError from None
            if time.monotonic() > deadline:
                child.log.append("it did not become ready in time")
                raise self._crashed(child) from None
            return None
        if frame is None:
            raise self._crashed(child)
        return frame

    def _result(
        self,
        child: _Child,
        call_id: int,
        on_event: EventSink | None,
        cancel: CancelToken | None,
    ) -> Frame:
        kill_at: float | None = None
        while True:
            if cancel is not None and cancel.cancelled and kill_at is None:
                kill_at = time.monotonic() + self._cancel_timeout_s
                child.send({"op": "cancel", "id": call_id})
            if kill_at is not None and time.monotonic() > kill_at:
                self._drop()
                raise CancelledError
            try:
                frame = child.frames.get(timeout=_LOOK_AGAIN_S)
            except queue.Empty:
                continue
            if frame is None:
                raise self._crashed(child)
            message, payload = frame
            if message.get("id") != call_id:
                continue  # the rest of a call whose sink raised
            if "event" in message:
                if on_event is not None:
                    on_event(message["event"])
            elif "error" in message:
                raise ChildRefusedError(message["kind"], message["error"], loading=False)
            else:
                return message["result"], payload

    def _crashed(self, child: _Child) -> ModelCrashedError:
        """Clear the dead child away and give the error that tells of it."""
        self._drop(patience_s=_DYING_S)
        return ModelCrashedError(child.how_it_ended())

    def _drop(self, *, patience_s: float = 0.0) -> None:
        if self._child is not None:
            self._child.end(patience_s=patience_s)
            self._last_log = tuple(self._child.log)
            self._child = None


def worker_command(kind: str, path: Path, *options: str) -> tuple[str, ...]:
    """Give the command line that starts a child of ours.

    `-P` keeps the folder the user happens to be in off the child's import path.
    """
    return (
        sys.executable,
        "-P",
        "-m",
        "apexmem_desktop.inference.worker",
        kind,
        str(path),
        *options,
    )


def child_environment() -> dict[str, str]:
    """Give a child's environment: no network, our package, and threads that do not spin.

    OpenMP threads spin while they wait for each other. With another program on the same cores that
    made a token take seconds; asleep, they cost nothing measurable.
    """
    environment = dict(os.environ)
    environment.update(
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_OFFLINE="1",
        TOKENIZERS_PARALLELISM="false",
        OMP_WAIT_POLICY="PASSIVE",
        TQDM_DISABLE="1",
        PYTHONUTF8="1",
    )
    root = Path(__file__).resolve().parents[2]
    if root.name not in {"site-packages", "dist-packages"}:
        known = environment.get("PYTHONPATH", "")
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(root), known)))
    return environment
