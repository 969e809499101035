"""The hnswlib file beside the vault: taken only when checksum, count and embedder agree.

hnswlib trusts what it loads, and a damaged file can crash the process. So the bytes are compared
with the checksum first, and a file that does not fit is as good as none.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apexmem_desktop.domain.progress import CancelToken

_LINKS, _BUILD_WIDTH, _SEARCH_WIDTH = 16, 120, 128  # hnswlib's M, ef_construction, ef
_ADDED_AT_ONCE = 2_000  # between two looks at the cancel token
_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class CacheMark:
    """What vectors something was made of.

    Attributes:
        count: How many vectors.
        last_id: Row number of the newest.
        last_sha256: Checksum of the newest one's bytes, so that a restored backup is told apart.
    """

    embedder: str
    count: int = 0
    last_id: int = 0
    last_sha256: str = ""

    @classmethod
    def of(cls, embedder: str, count: int, last_id: int, last: bytes) -> "CacheMark":
        """Make the mark of `count` vectors that end with these bytes."""
        checksum = hashlib.sha256(last).hexdigest() if count else ""
        return cls(embedder, count, last_id, checksum)


class VectorCache:
    """One index file and the JSON that says what it was made of."""

    def __init__(self, stem: Path) -> None:
        self._data = stem.with_name(stem.name + ".hnsw")
        self._head = stem.with_name(stem.name + ".json")
        self._index: Any = None
        self._dimension = 0

    def read_mark(self) -> CacheMark | None:
        """Read what the file says it was made of; None when there is none, or nonsense."""
        head = self._read_head()
        return None if head is None else head[0]

    def is_whole(self) -> bool:
        """Tell whether the index file has the checksum it was written with."""
        head = self._read_head()
        return head is not None and _sha256(self._data) == head[1]

    def open(self, mark: CacheMark) -> bool:
        """Load the index if it is whole; after False every search of it finds nothing."""
        self.close()
        head = self._read_head()
        if head is None or head[0] != mark or not self.is_whole():
            return False
        index = _new_index(head[2])
        try:
            index.load_index(str(self._data), max_elements=mark.count)
        except RuntimeError:  # hnswlib's word for a file that is none of its own
            return False
        if index.get_current_count() != mark.count:
            return False
        index.set_ef(_SEARCH_WIDTH)
        self._index, self._dimension = index, head[2]
        return True

    def close(self) -> None:
        """Let go of the loaded index; the file stays."""
        self._index = None

    def search(self, vector: npt.NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
        """Find the nearest in the loaded index, as (id, cosine); nothing when none is loaded."""
        if self._index is None or vector.shape[0] != self._dimension or limit <= 0:
            return []
        limit = min(limit, self._index.get_current_count())
        self._index.set_ef(max(_SEARCH_WIDTH, limit))
        labels, distances = self._index.knn_query(vector, k=limit)
        return [(int(n), 1.0 - float(d)) for n, d in zip(labels[0], distances[0], strict=True)]

    def build(
        self,
        mark: CacheMark,
        ids: npt.NDArray[np.int64],
        matrix: npt.NDArray[np.float32],
        cancel: CancelToken,
        *,
        extend: bool = False,
    ) -> None:
        """Index the vectors and put the files in place, the data first, what it is of last.

        Args:
            mark: What the file will be made of.
            extend: Add to the file that is there (it must be whole) instead of starting anew.
        """
        index = _new_index(matrix.shape[1])
        if extend:
            index.load_index(str(self._data), max_elements=mark.count)
        else:
            index.init_index(max_elements=mark.count, ef_construction=_BUILD_WIDTH, M=_LINKS)
        for start in range(0, len(ids), _ADDED_AT_ONCE):
            cancel.check()
            part = slice(start, start + _ADDED_AT_ONCE)
            index.add_items(matrix[part], ids[part])
        self._head.unlink(missing_ok=True)
        _write_whole(self._data, lambda path: _save(index, path))
        head = {
            "mark": asdict(mark),
            "sha256": _sha256(self._data),
            "dimension": int(matrix.shape[1]),
        }
        _write_whole(self._head, lambda path: path.write_text(json.dumps(head), encoding="utf-8"))

    def remove(self) -> None:
        """Delete both files."""
        self.close()
        self._head.unlink(missing_ok=True)
        self._data.unlink(missing_ok=True)

    def _read_head(self) -> tuple[CacheMark, str, int] | None:
        try:
            head = json.loads(self._head.read_text(encoding="utf-8"))
            return CacheMark(**head["mark"]), str(head["sha256"]), int(head["dimension"])
        except (OSError, ValueError, KeyError, TypeError):
            return None


def remove_caches(vault_path: Path) -> None:
    """Delete every index file beside a memory file, half-written ones too."""
    starts = tuple(f"{vault_path.name}.{kind}-vectors" for kind in ("turn", "fact"))
    for file in list(vault_path.parent.iterdir()):
        if file.name.startswith(starts):
            file.unlink(missing_ok=True)


def _new_index(dimension: int) -> Any:
    import hnswlib  # a second to load; most commands never need it

    return hnswlib.Index(space="ip", dim=dimension)


def _save(index: Any, path: Path) -> None:
    """Write the index; hnswlib itself says nothing when the disk is full or the file cannot be."""
    index.save_index(str(path))
    if not path.is_file() or path.stat().st_size != index.index_file_size():
        path.unlink(missing_ok=True)
        raise OSError(f"{path.name} was not written whole")


def _write_whole(path: Path, write: Callable[[Path], object]) -> None:
    unfinished = path.with_name(path.name + ".part")
    write(unfinished)
    unfinished.replace(path)


def _sha256(path: Path) -> str:
    """Sum the file up; "" when it cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_READ_BYTES):
                digest.update(block)
    except OSError:
        return ""
    return digest.hexdigest()
