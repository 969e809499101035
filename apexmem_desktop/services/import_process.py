"""Reading an export in a child process, so that two cores work on an import.

As a program, `python -m apexmem_desktop.services.import_process`, it is that child. It gets the
request on its input, sends frames on its output, and ends when either is closed: with its parent.
"""

import gc
import marshal
import os
import queue
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any, BinaryIO, cast

from apexmem_desktop.domain.errors import ExportUnreadableError, UserError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.importers.byte_meter import ByteMeter
from apexmem_desktop.importers.parts import Export, open_parts
from apexmem_desktop.services.import_batches import Batch, Brief, Chat, Ended, Frame, Header

_MODULE = "apexmem_desktop.services.import_process"
_ROOT = Path(__file__).resolve().parents[2]
_HEAD = struct.Struct(">I")
_WAITING_MESSAGES = 6
# Of small chats many frames go together: one by one, the reader would wait for the storer.
_TOGETHER_BYTES = 500_000
_LOOK_AGAIN_S = 0.1
# Few of the objects made here are ever garbage that only the collector finds.
_COLLECT_AFTER = 100_000
_Message = tuple[str, Any]


@contextmanager
def frames_from_child(
    export: Export,
    choices: ImportChoices,
    owner: str,
    progress: ProgressSink,
    cancel: CancelToken,
) -> Iterator[Iterator[Frame]]:
    """Start a child that reads an export, and lend its frames; it is gone afterwards."""
    known = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join(filter(None, (str(_ROOT), known)))
    child = subprocess.Popen(  # noqa: S603 - our own interpreter and module
        [sys.executable, "-P", "-m", _MODULE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    told: queue.Queue[_Message | None] = queue.Queue(_WAITING_MESSAGES)
    stop = threading.Event()
    hearing = threading.Thread(
        target=_hear, args=(cast(BinaryIO, child.stdout), told, stop), daemon=True
    )
    try:
        with suppress(OSError):  # a child that is gone already is found out below
            request = os.fsencode(export.path), export.sha256, asdict(choices), owner
            _send(cast(BinaryIO, child.stdin), "read", request)
        hearing.start()
        yield _frames(told, progress, cancel)
    finally:
        stop.set()
        child.kill()
        child.wait()
        with suppress(OSError):
            cast(BinaryIO, child.stdin).close()
        hearing.join()
        cast(BinaryIO, child.stdout).close()


def _hear(stream: BinaryIO, told: "queue.Queue[_Message | None]", stop: threading.Event) -> None:
    """Pass on what a child says, as fast as it is wanted."""
    while True:
        message = _receive(stream)
        while not stop.is_set():
            with suppress(queue.Full):
                told.put(message, timeout=_LOOK_AGAIN_S)
                break
        if message is None or stop.is_set():
            return


def _frames(
    told: "queue.Queue[_Message | None]", progress: ProgressSink, cancel: CancelToken
) -> Iterator[Frame]:
    while True:
        cancel.check()
        try:
            message = told.get(timeout=_LOOK_AGAIN_S)
        except queue.Empty:
            continue
        if message is None:
            raise UserError(
                "The reading of the file stopped unexpectedly; nothing was stored.",
                hint="Import it again; if it happens again, close other programs first.",
            )
        kind, value = message
        if kind == "done":
            return
        if kind == "progress":
            progress(Progress(**value))
        elif kind == "frames":
            for name, values in value:
                yield _FRAMES[name](values)
        else:
            _raise(kind, value)


def _together(frames: Iterator[Frame]) -> Iterator[list[_Message]]:
    """Gather frames until they are worth a message."""
    some: list[_Message] = []
    size = 0
    for frame in frames:
        some.append(_plain(frame))
        size += len(frame.values) + len(frame.keys) if isinstance(frame, Batch) else 0
        if size >= _TOGETHER_BYTES:
            yield some
            some, size = [], 0
    yield some


def _batch(value: tuple[bytes, bytes, tuple[Any, ...]]) -> Batch:
    return Batch(value[0], value[1], Brief(*value[2]))


_FRAMES: dict[str, Any] = {
    "Header": Header._make,
    "Chat": Chat._make,
    "Batch": _batch,
    "Ended": Ended._make,
    "ImportProblem": lambda value: ImportProblem(*value),
}


def _plain(frame: Frame) -> _Message:
    """Write a frame in values that marshal takes."""
    if isinstance(frame, Batch):
        return "Batch", (frame.values, frame.keys, tuple(frame.brief))
    values = astuple(frame) if isinstance(frame, ImportProblem) else tuple(frame)
    return type(frame).__name__, values


def _raise(kind: str, value: Any) -> None:
    if kind == "unreadable":
        raise ExportUnreadableError(value[0], hint=value[1])
    if kind == "user":
        raise UserError(value[0], hint=value[1])
    if kind == "system":
        raise OSError(*value)
    raise RuntimeError(f"the reading process failed:\n{value}")


def _send(stream: BinaryIO, kind: str, value: Any) -> None:
    data = marshal.dumps((kind, value))
    stream.write(_HEAD.pack(len(data)))
    stream.write(data)
    stream.flush()


def _receive(stream: BinaryIO) -> _Message | None:
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (size,) = _HEAD.unpack(head)
    data = stream.read(size)
    if len(data) < size:
        return None
    message: _Message = marshal.loads(data)  # noqa: S302 - from our own child or parent
    return message


def _serve(requests: BinaryIO, out: BinaryIO) -> None:
    """Read the export that is asked for, and tell all of it."""
    from apexmem_desktop.services.import_reading import frames_of

    message = _receive(requests)
    if message is None:
        return
    threading.Thread(target=_end_with_parent, args=(requests,), daemon=True).start()
    path, sha256, choices, owner = message[1]

    def progress(report: Progress) -> None:
        _send(out, "progress", asdict(report))

    try:
        cancel = CancelToken()
        place = Path(os.fsdecode(path))
        export = open_parts(place, ByteMeter(place, progress, cancel).read, sha256=sha256)
        for frames in _together(
            frames_of(export, ImportChoices(**choices), owner, progress, cancel)
        ):
            _send(out, "frames", frames)
    except UserError as error:
        kind = "unreadable" if isinstance(error, ExportUnreadableError) else "user"
        _send(out, kind, (error.message, error.hint))
    except OSError as error:
        _send(out, "system", (error.errno, error.strerror))
    except Exception:  # noqa: BLE001 - a bug of ours is told by the parent
        _send(out, "bug", traceback.format_exc())
    else:
        _send(out, "done", None)


def _end_with_parent(requests: BinaryIO) -> None:
    """Nothing more is asked; when the input is closed the parent is gone."""
    requests.read(1)
    os._exit(1)


def main() -> None:
    """Serve one request."""
    gc.set_threshold(_COLLECT_AFTER, 50, 100)
    # What a library prints must not come between the frames.
    out = os.fdopen(os.dup(1), "wb", buffering=1 << 20)
    os.dup2(2, 1)
    with suppress(BrokenPipeError):
        _serve(sys.stdin.buffer, out)
        out.flush()
    # Nobody needs what a tidy end would free.
    os._exit(0)


if __name__ == "__main__":
    main()
