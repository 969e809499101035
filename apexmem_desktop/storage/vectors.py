"""Vectors of turns and facts, kept as float16 in the vault, and the search for the nearest.

The vault's tables are the truth. What hnswlib makes of them is a cache file beside the vault,
taken only when it agrees with the tables; otherwise every vector is compared, which is exact and
quick enough up to a few hundred thousand.
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sqlalchemy import Table, delete, func, insert, select

from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.storage.rows import read_pairs
from apexmem_desktop.storage.tables import erasures, fact_rows, fact_vectors, turn_vectors
from apexmem_desktop.storage.vault import Connection, Vault
from apexmem_desktop.storage.vector_cache import CacheMark, VectorCache

Vector: TypeAlias = npt.NDArray[np.float32]
Kind: TypeAlias = Literal["turn", "fact"]

BRUTE_FORCE_BELOW = 5_000  # comparing all of so few is quicker than loading an index
_TABLES: dict[Kind, tuple[Table, str]] = {
    "turn": (turn_vectors, "turn_id"),
    "fact": (fact_vectors, "fact_id"),
}
_REST_SHARE = 0.2  # of the vectors may stand outside the index before they are added to it
_STORED = np.dtype("<f2")


def append_turn_vectors(
    db: Connection, embedder: str, rows: Iterable[tuple[int, npt.NDArray[np.floating]]]
) -> None:
    """Store vectors of turns (turn id, vector of any length but zero); known ones stay."""
    _append(db, "turn", embedder, rows)


def append_fact_vectors(
    db: Connection, embedder: str, rows: Iterable[tuple[int, npt.NDArray[np.floating]]]
) -> None:
    """Store vectors of facts (fact id, vector of any length but zero); known ones stay."""
    _append(db, "fact", embedder, rows)


def _append(
    db: Connection,
    kind: Kind,
    embedder: str,
    rows: Iterable[tuple[int, npt.NDArray[np.floating]]],
) -> None:
    table, owner = _TABLES[kind]
    values = [
        {owner: number, "embedder": embedder, "vector": _unit(vector).astype(_STORED).tobytes()}
        for number, vector in rows
    ]
    if values:
        db.execute(insert(table).prefix_with("OR IGNORE"), values)


def _unit(vector: npt.NDArray[np.floating]) -> Vector:
    """Bring a vector to unit length; zero stays zero and what is not finite counts as zero."""
    wide = np.nan_to_num(np.asarray(vector, dtype=np.float32), posinf=0.0, neginf=0.0)
    length = float(np.linalg.norm(wide))
    return wide if length == 0.0 else wide / np.float32(length)


def find_facts_to_embed(db: Connection, embedder: str, limit: int) -> list[int]:
    """Find the facts that have no vector of this embedder, newest first."""
    known = select(fact_vectors.c.fact_id).where(
        fact_vectors.c.embedder == embedder, fact_vectors.c.fact_id == fact_rows.c.id
    )
    wanted = (
        select(fact_rows.c.id).where(~known.exists()).order_by(fact_rows.c.id.desc()).limit(limit)
    )
    return list(db.execute(wanted).scalars())


def find_embedders(db: Connection, kind: Kind = "turn") -> dict[str, int]:
    """Count the stored vectors by embedder."""
    table, _ = _TABLES[kind]
    return read_pairs(db, select(table.c.embedder, func.count()).group_by(table.c.embedder))


def drop_vectors(db: Connection, embedder: str) -> None:
    """Remove the vectors of an embedder that another has replaced."""
    for table, _ in _TABLES.values():
        db.execute(delete(table).where(table.c.embedder == embedder))


@dataclass(frozen=True, slots=True)
class _State:
    """What tells an index that its table changed.

    Vectors go only with an erasure, which leaves its row, or all of an embedder together.
    """

    newest_id: int = 0
    erasure_id: int = 0
    is_last_there: bool = True

    def is_grown_from(self, before: "_State") -> bool:
        """Tell whether vectors were only added since."""
        kept = self.is_last_there and self.erasure_id == before.erasure_id
        return kept and self.newest_id >= before.newest_id


class VectorIndex:
    """Finds the nearest vectors of one embedder. Any thread may search.

    Vectors stored later are seen by the next search. `refresh` writes the cache file or adds to
    it; a search never waits for that.
    """

    def __init__(self, vault: Vault, embedder: str, kind: Kind = "turn") -> None:
        self._vault = vault
        self._embedder = embedder
        self._table, owner = _TABLES[kind]
        self._owner = self._table.c[owner]
        self._cache = VectorCache(vault.path.with_name(f"{vault.path.name}.{kind}-vectors"))
        # A file of vectors in clear would tell what an encrypted memory is about.
        self._keeps_file = vault.key is None
        self._lock = threading.Lock()
        self._ids = np.zeros(0, dtype=np.int64)  # of turns or facts, in step with _matrix
        self._matrix: Vector = np.zeros((0, 0), dtype=np.float32)
        self._seen = CacheMark(embedder=embedder)  # what _matrix and the cache hold together
        self._opened = False
        self._state = _State()

    def search(self, vector: npt.NDArray[np.floating], limit: int) -> list[tuple[int, float]]:
        """Find the nearest, best first, as (turn or fact id, cosine from -1 to 1)."""
        wanted = _unit(np.asarray(vector).reshape(-1))
        with self._lock:
            self._catch_up()
            found = self._compare(wanted, limit) + self._cache.search(wanted, limit)
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def __len__(self) -> int:
        """Count the vectors that a search looks at."""
        with self._lock:
            self._catch_up()
            return self._seen.count

    def refresh(self, cancel: CancelToken | None = None) -> bool:
        """Write the cache file if there are enough vectors for it to pay; return whether it is.

        An encrypted memory has none: its vectors are all compared, which is exact.
        Where the folder cannot be written there is none either.

        Raises:
            CancelledError: The user cancelled; the old file is as it was.
        """
        if not self._keeps_file:
            return False
        with self._vault.read() as db:
            mark = self._mark(db)
            if mark.count < BRUTE_FORCE_BELOW:
                return False
            held = self._cache.read_mark()
            if held is None or held != self._mark(db, up_to_id=held.last_id):
                held = None
            if held is not None and not self._cache.is_whole():
                held = None
            # The rest is compared one by one; a few thousand of them are not worth the work.
            if held is not None and mark.count - held.count < _REST_SHARE * mark.count:
                return True
            ids, matrix = self._load(db, after_id=held.last_id if held else 0)
        try:
            self._cache.build(mark, ids, matrix, cancel or CancelToken(), extend=held is not None)
            is_written = True
        except (OSError, RuntimeError):  # RuntimeError: hnswlib's word for a file it cannot write
            is_written = False
        with self._lock:
            self._opened = False
        return is_written

    def _catch_up(self) -> None:
        """Take in what was stored since the last search; start anew when something was removed.

        Nothing is counted for that: a walk over a million vectors took longer than the search.
        """
        with self._vault.read() as db:
            state = self._read_state(db)
            if self._opened and state == self._state:
                return
            if not (self._opened and state.is_grown_from(self._state)):
                self._start(db)
            ids, matrix = self._load(db, after_id=self._seen.last_id)
            if len(ids):
                self._seen = self._with_more(db, len(ids))
            self._state = self._read_state(db)
        if len(ids):
            before = self._matrix if len(self._ids) else matrix[:0]
            self._ids = np.concatenate([self._ids, ids])
            self._matrix = np.concatenate([before, matrix])
        self._opened = True

    def _read_state(self, db: Connection) -> "_State":
        """See, by three steps of an index, what could have changed since the last search."""
        table = self._table
        last = db.execute(
            select(table.c.vector).where(
                table.c.id == self._seen.last_id, table.c.embedder == self._embedder
            )
        ).scalar()
        return _State(
            newest_id=db.execute(select(func.max(table.c.id))).scalar() or 0,
            erasure_id=db.execute(select(func.max(erasures.c.id))).scalar() or 0,
            is_last_there=self._seen.count == 0
            or CacheMark.of(self._embedder, 1, 0, last or b"").last_sha256
            == self._seen.last_sha256,
        )

    def _with_more(self, db: Connection, number: int) -> CacheMark:
        """Make the mark of what was seen before and so many vectors that came after it."""
        table = self._table
        last_id, last = db.execute(
            select(table.c.id, table.c.vector)
            .where(table.c.embedder == self._embedder)
            .order_by(table.c.id.desc())
            .limit(1)
        ).one()
        return CacheMark.of(self._embedder, self._seen.count + number, last_id, last)

    def _start(self, db: Connection) -> None:
        """Open the cache if what it holds is what the table begins with; else hold nothing."""
        self._ids = np.zeros(0, dtype=np.int64)
        self._matrix = np.zeros((0, 0), dtype=np.float32)
        self._seen = CacheMark(embedder=self._embedder)
        held = self._cache.read_mark() if self._keeps_file else None
        if held is not None and held == self._mark(db, up_to_id=held.last_id):
            self._seen = held if self._cache.open(held) else self._seen
        else:
            self._cache.close()

    def _mark(self, db: Connection, up_to_id: int | None = None) -> CacheMark:
        """Sum up the vectors stored (up to an id): how many, which last, and its bytes."""
        table = self._table
        mine = table.c.embedder == self._embedder
        if up_to_id is not None:
            mine = mine & (table.c.id <= up_to_id)
        count, last_id = db.execute(
            select(func.count(), func.coalesce(func.max(table.c.id), 0)).where(mine)
        ).one()
        last = db.execute(select(table.c.vector).where(table.c.id == last_id)).scalar() or b""
        return CacheMark.of(self._embedder, count, last_id, last)

    def _load(self, db: Connection, after_id: int) -> tuple[npt.NDArray[np.int64], Vector]:
        table = self._table
        rows = db.execute(
            select(self._owner, table.c.vector)
            .where(table.c.embedder == self._embedder, table.c.id > after_id)
            .order_by(table.c.id)
        ).all()
        if not rows:
            return np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.float32)
        ids = np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))
        stored = np.frombuffer(b"".join(row[1] for row in rows), dtype=_STORED)
        return ids, stored.reshape(len(rows), -1).astype(np.float32)

    def _compare(self, wanted: Vector, limit: int) -> list[tuple[int, float]]:
        if not len(self._ids) or wanted.shape[0] != self._matrix.shape[1] or limit <= 0:
            return []
        scores = self._matrix @ wanted
        best: Sequence[int] = range(len(scores))
        if limit < len(scores):
            best = np.argpartition(scores, -limit)[-limit:].tolist()
        return [(int(self._ids[i]), float(scores[i])) for i in best]
