"""A file given for import, as named parts: itself, or the members of a zip, read with limits."""

import gzip
import hashlib
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import IO, cast

from apexmem_desktop.domain.errors import ExportUnreadableError

_HEAD_BYTES = 64 * 1024
_CHUNK_BYTES = 1 << 20
_ZIP_BEGINNING = 1980  # what a zip says where it does not know
_MOST_MEMBERS = 200_000
# Deflate cannot do better than 1,032 to 1. Chats pack 4 to 20 to 1, a generated one perhaps 200.
_BOMB_RATIO = 400
_BOMB_BYTES = 128 * 1024**2
_MOST_BYTES = 16 * 1024**3
# What holds zero bytes and is wanted nevertheless: UTF-16, and a phone's own database.
_TEXT_OR_DATABASE = (b"\xff\xfe", b"\xfe\xff", b"SQLite format 3\x00")


Watch = Callable[[int], None]
"""Called with the number of bytes just read; it raises when the user cancelled."""


def unwatched(_: int) -> None:
    """Watch nothing."""


@dataclass(frozen=True, slots=True)
class Part:
    """One readable stretch of bytes with a name.

    Attributes:
        name: File name, or the path inside the zip.
        head: Its first bytes, for recognition.
        path: Where it lies on the disk as it is; None for what is packed.
        watch: Told of what `read` and `chunks` read, so that a large file can be cancelled.
        written_on: The day of its last change, as the disk or the zip tells.
    """

    name: str
    size_bytes: int
    head: bytes = field(repr=False)
    opener: Callable[[], IO[bytes]] = field(repr=False)
    path: Path | None = None
    watch: Watch = field(default=unwatched, repr=False)
    written_on: date | None = None

    def open(self) -> IO[bytes]:
        """Open it for reading from the start."""
        return self.opener()

    def read(self) -> bytes:
        """Read all of it.

        Raises:
            ExportUnreadableError: It cannot be read to its end.
        """
        return b"".join(self.chunks())

    def chunks(self) -> Iterator[bytes]:
        """Read it piece by piece.

        Raises:
            ExportUnreadableError: It cannot be read to its end.
        """
        try:
            with self.open() as stream:
                while chunk := stream.read(_CHUNK_BYTES):
                    self.watch(len(chunk))
                    yield chunk
        except (OSError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
            raise damaged(self.name) from error


@dataclass(frozen=True, slots=True)
class Export:
    """A file given for import.

    Attributes:
        names: Every file name in it, the unreadable ones too (photos and the like).
    """

    path: Path
    file_name: str
    sha256: str
    size_bytes: int
    parts: tuple[Part, ...]
    names: tuple[str, ...] = ()


def damaged(name: str) -> ExportUnreadableError:
    """Say that a file breaks off or is broken."""
    return ExportUnreadableError(
        f"{name} is damaged or incomplete.",
        hint="Make the export again, or copy it again from the phone.",
    )


def open_parts(path: Path, watch: Watch = unwatched, *, sha256: str = "") -> Export:
    """Open a file and look at its parts.

    Args:
        watch: Told of all bytes that are read, here and by the parts.
        sha256: Its digest where that is known already; "" to read the file for it.

    Raises:
        ExportUnreadableError: No such file, empty, not readable, or a damaged or hostile zip.
    """
    try:
        size_bytes = _check(path)
        sha256 = sha256 or _digest(path, watch)
        if size_bytes and _first_bytes(path, 4) in (b"PK\x03\x04", b"PK\x05\x06"):
            parts, names = _zip_parts(path, watch)
        elif _first_bytes(path, 2) == b"\x1f\x8b":
            parts, names = _gzip_parts(path, size_bytes, watch), (_readable(path.stem),)
        else:
            head = _first_bytes(path, _HEAD_BYTES)
            name = _readable(path.name)
            written_on = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
            parts = (
                Part(name, size_bytes, head, lambda: path.open("rb"), path, watch, written_on),
            )
            names = (name,)
    except OSError as error:
        raise ExportUnreadableError(
            f"{path.name} cannot be read ({error.strerror or error}).",
            hint="Check that the file is there and that you may read it.",
        ) from error
    return Export(path, _readable(path.name), sha256, size_bytes, parts, names)


def _readable(name: str) -> str:
    """Make text of a file's name, which on some disks is bytes that no database takes as text."""
    return os.fsencode(name).decode("utf-8", "replace")


def _check(path: Path) -> int:
    if path.is_dir():
        raise ExportUnreadableError(
            f"{path.name} is a folder.", hint="Choose the exported file in it, or zip the folder."
        )
    if not path.exists():
        raise ExportUnreadableError(
            f"There is no file {path}.", hint="Check the name and the folder."
        )
    if not path.is_file():
        raise ExportUnreadableError(
            f"{path.name} is not a file with content.", hint="Choose the exported file."
        )
    size_bytes = path.stat().st_size
    if size_bytes == 0:
        raise ExportUnreadableError(
            f"{path.name} is empty.", hint="Make the export again; this file holds nothing."
        )
    return size_bytes


def _digest(path: Path, watch: Watch) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            watch(len(chunk))
            digest.update(chunk)
    return digest.hexdigest()


def _first_bytes(path: Path, count: int) -> bytes:
    with path.open("rb") as stream:
        return stream.read(count)


def _gzip_parts(path: Path, size_bytes: int, watch: Watch) -> tuple[Part, ...]:
    def opener() -> IO[bytes]:
        return cast("IO[bytes]", gzip.open(path, "rb"))

    try:
        with opener() as stream:
            head = stream.read(_HEAD_BYTES)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise damaged(path.name) from error
    return (Part(path.stem, size_bytes, head, opener, watch=watch),)


def _zip_parts(path: Path, watch: Watch) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    try:
        # It stays open as long as there are parts: opened anew for each of a thousand chats, its
        # list of a thousand would be read as often.
        archive = zipfile.ZipFile(path)
        members = [info for info in archive.infolist() if not info.is_dir()]
        _refuse_hostile(path.name, members)
        wanted = [info for info in members if not _is_litter(info.filename)]
        parts = tuple(
            part for info in wanted if (part := _member_part(archive, info, watch)) is not None
        )
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise damaged(path.name) from error
    if not wanted:
        raise ExportUnreadableError(
            f"{path.name} is an empty zip.", hint="Make the export again; this file holds nothing."
        )
    return parts, tuple(PurePosixPath(info.filename).name for info in wanted)


def _refuse_hostile(name: str, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > _MOST_MEMBERS:
        raise _refused(name, "holds too many files")
    for info in members:
        member = PurePosixPath(info.filename.replace("\\", "/"))
        if member.is_absolute() or ".." in member.parts or ":" in member.parts[0][1:2]:
            raise _refused(name, f"has a path that climbs out of it: {info.filename[:80]!r}")
        if info.flag_bits & 1:
            raise ExportUnreadableError(
                f"{name} is locked with a password.", hint="Unpack it and import what is inside."
            )
        if info.file_size > _MOST_BYTES or (
            info.file_size > _BOMB_BYTES
            and info.file_size > _BOMB_RATIO * max(1, info.compress_size)
        ):
            raise _refused(name, "would unpack to an absurd size")


def _refused(name: str, why: str) -> ExportUnreadableError:
    return ExportUnreadableError(
        f"{name} {why}, as no export does; nothing of it was read.",
        hint="Make the export again from the app itself.",
    )


def _is_litter(name: str) -> bool:
    """Tell what file managers add: resource forks and folder settings."""
    last = PurePosixPath(name).name
    return name.startswith("__MACOSX/") or last.startswith("._") or last == ".DS_Store"


def _member_part(archive: zipfile.ZipFile, info: zipfile.ZipInfo, watch: Watch) -> Part | None:
    """Look at a member; photos, films and other binaries are passed over."""
    if info.file_size == 0:
        return None
    with archive.open(info) as stream:
        head = stream.read(512)
        if b"\x00" in head and not head.startswith(_TEXT_OR_DATABASE):
            return None
        head += stream.read(_HEAD_BYTES - len(head))

    def opener() -> IO[bytes]:
        return archive.open(info)

    return Part(info.filename, info.file_size, head, opener, watch=watch, written_on=_day_of(info))


def _day_of(info: zipfile.ZipInfo) -> date | None:
    try:
        day = date(*info.date_time[:3])
    except ValueError:
        return None
    return day if day.year > _ZIP_BEGINNING else None
