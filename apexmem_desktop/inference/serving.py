"""The child's side of the calls: read them, do them one after another, answer.

One thread reads, so that a cancel is heard while the model works; the main thread does the work.
When the parent goes, the input ends, and so does this process.
"""

import os
import queue
import threading
from collections.abc import Callable
from typing import Any, BinaryIO, Protocol

from apexmem_desktop.inference.frames import Frame, read_frame, write_frame

Emit = Callable[[dict[str, Any]], None]


class RefusedError(Exception):
    """The request cannot be done, and the sender can do something about it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Service(Protocol):
    """What a child can be asked."""

    def handle(
        self, message: dict[str, Any], *, emit: Emit, cancelled: Callable[[], bool]
    ) -> Frame:
        """Do one call and give its result."""
        ...


class _Inbox:
    """Frames that came, and which calls were cancelled meanwhile."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._calls: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._cancelled_id = -1
        threading.Thread(target=self._read, daemon=True, name="inbox").start()

    def next_call(self) -> dict[str, Any]:
        """Wait for the next call."""
        return self._calls.get()

    def is_cancelled(self, call_id: int) -> bool:
        """Whether this call, or one after it, was cancelled."""
        return self._cancelled_id >= call_id

    def _read(self) -> None:
        while (frame := read_frame(self._stream)) is not None:
            message, _ = frame
            if message["op"] == "cancel":
                self._cancelled_id = message["id"]
            else:
                self._calls.put(message)
        # The parent is gone: nobody waits for a result, and the model may work on for long.
        os._exit(0)


def serve(service: Service, source: BinaryIO, target: BinaryIO) -> None:
    """Answer calls until the input ends."""
    inbox = _Inbox(source)
    write_frame(target, {"ready": True})
    while True:
        call = inbox.next_call()
        call_id = int(call["id"])
        write_frame(target, *_answer(service, call, call_id, inbox, target))


def _answer(
    service: Service, call: dict[str, Any], call_id: int, inbox: _Inbox, target: BinaryIO
) -> Frame:
    def emit(event: dict[str, Any]) -> None:
        write_frame(target, {"id": call_id, "event": event})

    try:
        result, payload = service.handle(
            call, emit=emit, cancelled=lambda: inbox.is_cancelled(call_id)
        )
    except RefusedError as error:
        return {"id": call_id, "error": str(error), "kind": error.kind}, b""
    except ValueError as error:
        return {"id": call_id, "error": str(error), "kind": "value"}, b""
    return {"id": call_id, "result": result}, payload
