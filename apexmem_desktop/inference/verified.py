"""Remembers which file had which sha256, so that a gigabyte is read once and not at each start.

Beside the file lies `<name>.verified` with its size, its time of change and its sha256. The record
counts only as long as size and time are the file's own.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from apexmem_desktop.domain.progress import CancelToken

_PART_BYTES = 1 << 20


def recorded_sha256(path: Path) -> str:
    """Give the sha256 the file had when it was last read whole; "" when it has changed since."""
    try:
        record = json.loads(_record_path(path).read_text(encoding="utf-8"))
        stat = path.stat()
    except (OSError, ValueError):
        return ""
    if not isinstance(record, dict):
        return ""
    if (record.get("size"), record.get("mtime_ns")) != (stat.st_size, stat.st_mtime_ns):
        return ""
    return str(record.get("sha256", ""))


def record_sha256(path: Path, sha256: str) -> None:
    """Note the sha256 of the file as it is now."""
    stat = path.stat()
    record = {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "sha256": sha256}
    _record_path(path).write_text(json.dumps(record), encoding="utf-8")


def sha256_of(
    path: Path,
    *,
    on_bytes: Callable[[int], None] | None = None,
    cancel: CancelToken | None = None,
) -> str:
    """Read the whole file and give its sha256."""
    digest = hashlib.sha256()
    done = 0
    with path.open("rb") as stream:
        while part := stream.read(_PART_BYTES):
            if cancel is not None:
                cancel.check()
            digest.update(part)
            done += len(part)
            if on_bytes is not None:
                on_bytes(done)
    return digest.hexdigest()


def _record_path(path: Path) -> Path:
    return path.with_name(path.name + ".verified")
