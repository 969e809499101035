"""Tells how much of a file was read so far, and hears the cancel while it is read."""

from pathlib import Path
from time import monotonic

from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink

_LOOKS = 2  # the digest, and what the importer reads to open it
_PAUSE_S = 0.2


class ByteMeter:
    """Watches what is read of a file before its conversations come."""

    def __init__(self, path: Path, progress: ProgressSink, cancel: CancelToken) -> None:
        self._path = path
        self._progress = progress
        self._cancel = cancel
        self._total_bytes: int | None = None
        self._done_bytes = 0
        self._began_s = self._told_s = monotonic()

    def read(self, count: int) -> None:
        """Count bytes that were read; none for work on what was read before.

        Raises:
            CancelledError: The user cancelled.
        """
        self._cancel.check()
        if not count:
            return
        self._done_bytes += count
        now_s = monotonic()
        if now_s - self._told_s < _PAUSE_S:
            return
        self._told_s = now_s
        if self._total_bytes is None:
            self._total_bytes = _LOOKS * self._path.stat().st_size
        # What is packed gives more bytes than the file has.
        total = self._total_bytes if self._done_bytes <= self._total_bytes else None
        elapsed_s = now_s - self._began_s
        done = Progress("Opening", self._done_bytes, total, "bytes", self._path.name, elapsed_s)
        self._progress(done)
