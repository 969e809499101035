"""What was read of an export, kept aside on the disk so that it need not be held or read again."""

import marshal
import tempfile
import weakref
from collections.abc import Iterator
from typing import Any

_IN_MEMORY_BYTES = 16 * 1024 * 1024


class Aside:
    """Plain values (tuples, lists, text, numbers, bytes) in the order they were put aside.

    Small amounts stay in memory; larger ones go to an unnamed file that vanishes with the process.
    """

    def __init__(self) -> None:
        file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115 - as long as this
        weakref.finalize(self, file.close)
        self._file = file
        self._places: list[tuple[int, int]] = []
        self._end = 0

    def append(self, value: Any) -> None:
        """Put one more value aside."""
        self.append_dumped(marshal.dumps(value))

    def append_dumped(self, data: bytes) -> None:
        """Put aside a value that marshal wrote already."""
        self._file.seek(self._end)
        self._file.write(data)
        self._places.append((self._end, len(data)))
        self._end += len(data)

    def __len__(self) -> int:
        """How many values there are."""
        return len(self._places)

    def __getitem__(self, number: int) -> Any:
        """Give one back."""
        at, size = self._places[number]
        self._file.seek(at)
        return marshal.loads(self._file.read(size))  # noqa: S302 - our own bytes of a moment ago

    def __iter__(self) -> Iterator[Any]:
        """Give all back, one at a time."""
        return (self[number] for number in range(len(self._places)))
