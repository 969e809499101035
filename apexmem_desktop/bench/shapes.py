"""Reads data files of the benches, and says where one has another shape than expected."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apexmem_desktop.domain.errors import UserError


class DataShapeError(UserError):
    """A bench's data file cannot be read, or is of another shape."""

    def __init__(self, path: Path, where: str, what: str) -> None:
        super().__init__(
            f"{path.name} is not the data this bench reads: {where}: {what}.",
            hint="Give the file as its authors publish it with --data FILE.",
        )


def read_entries(path: Path) -> list[Any]:
    """Read a JSON list, or JSON lines; either may be gzipped.

    Raises:
        DataShapeError: It is missing, damaged, or no list.
    """
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DataShapeError(path, "the file", f"it cannot be read ({error})") from error
    if ".jsonl" in path.name:
        return [_parsed(path, f"line {n}", line) for n, line in _lines(text)]
    entries = _parsed(path, "the file", text)
    if not isinstance(entries, list):
        raise DataShapeError(path, "the top", "there is no list")
    return entries


class Checked:
    """A dictionary of the file that tells the place of what it lacks."""

    def __init__(self, path: Path, where: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise DataShapeError(path, where, "there is no object")
        self.path, self.where, self.value = path, where, value

    def text(self, key: str) -> str:
        """Return a text or a number as text."""
        value = self._get(key)
        if not isinstance(value, str | int | float):
            raise DataShapeError(self.path, f"{self.where}, {key}", "it is no text")
        return str(value)

    def items(self, key: str) -> list[Any]:
        """Return a list."""
        value = self._get(key)
        if not isinstance(value, list):
            raise DataShapeError(self.path, f"{self.where}, {key}", "it is no list")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        found = self.items(key)
        for at, one in enumerate(found, start=1):
            if not isinstance(one, str):
                raise DataShapeError(self.path, f"{self.where}, {key} {at}", "it is no text")
        return tuple(found)

    def inner(self, key: str) -> "Checked":
        """Return an object."""
        return Checked(self.path, f"{self.where}, {key}", self._get(key))

    def each(self, key: str) -> Iterator["Checked"]:
        """Give the objects of a list."""
        for at, one in enumerate(self.items(key), start=1):
            yield Checked(self.path, f"{self.where}, {key} {at}", one)

    def _get(self, key: str) -> Any:
        if key not in self.value:
            raise DataShapeError(self.path, self.where, f"{key} is missing")
        return self.value[key]


def _parsed(path: Path, where: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise DataShapeError(path, where, f"it is not JSON ({error})") from error


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # Only a line feed ends a line of JSON lines; texts may hold U+2028 and its like.
    return ((n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip())
