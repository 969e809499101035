"""What llama.cpp was made to compute, call by call, to be computed again with nothing around it.

One line an operation: ["n"] where a model was just loaded, then ["d", rows], ["s", source, target,
length] and ["t", sequence, length]. With the same tokens at the same places in the same sequences,
the same prefixes are kept and the same replies come, whatever a grammar or a sampler would say.
"""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apexmem_desktop.inference.llama import Llama, Row


_ALL = -1  # every sequence, to llama.cpp


class Journal:
    """Writes the operations of one model into a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._write(["n"])

    def decoded(self, rows: "Sequence[Row]") -> None:
        """Note a batch of tokens."""
        self._write(["d", [[r.token, r.position, r.sequence, int(r.wants_logits)] for r in rows]])

    def shared(self, source: int, target: int, length: int) -> None:
        """Note that a sequence took over the first tokens of another."""
        self._write(["s", source, target, length])

    def truncated(self, sequence: int, length: int) -> None:
        """Note that a sequence was cut."""
        self._write(["t", sequence, length])

    def _write(self, operation: list[Any]) -> None:
        # Opened each time: the process that writes it may be ended at any moment.
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(operation, separators=(",", ":")) + "\n")


def read_operations(path: Path) -> Iterator[list[Any]]:
    """Read the operations back, in order."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def replay_s(llama: "Llama", path: Path) -> float:
    """Let a model that was just loaded compute all of it; return the seconds that took."""
    from apexmem_desktop.inference.llama import Row

    operations = list(read_operations(path))
    began = time.perf_counter()
    for kind, *told in operations:
        if kind == "d":
            rows = [Row(token, at, sequence, bool(wants)) for token, at, sequence, wants in told[0]]
            llama.decode(rows)
        elif kind == "s":
            llama.share(*told)
        else:
            llama.truncate(*(told or (_ALL, 0)))
    return time.perf_counter() - began
