"""What llama.cpp was made to compute is written down, and computed again just so."""

from pathlib import Path
from typing import Any

from apexmem_desktop.inference.journal import Journal, read_operations, replay_s
from apexmem_desktop.inference.llama import Row


class _Told:
    """Stands in for llama.cpp: keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def decode(self, rows: list[Row]) -> None:
        self.asked.append(rows)

    def share(self, *of: int) -> None:
        self.asked.append(("share", *of))

    def truncate(self, *of: int) -> None:
        self.asked.append(("truncate", *of))


def test_a_journal_is_computed_again_as_it_was(tmp_path: Path) -> None:
    rows = [Row(11, 0, 2, wants_logits=False), Row(12, 1, 2, wants_logits=True)]
    for _ in range(2):  # two conversations, each with a model that was just loaded
        journal = Journal(tmp_path / "journal.jsonl")
        journal.decoded(rows)
        journal.shared(2, 3, 1)
        journal.truncated(3, 0)
    told = _Told()
    assert replay_s(told, tmp_path / "journal.jsonl") >= 0  # type: ignore[arg-type]
    once = [("truncate", -1, 0), rows, ("share", 2, 3, 1), ("truncate", 3, 0)]
    assert told.asked == [*once, *once]
    assert len(list(read_operations(tmp_path / "journal.jsonl"))) == 8
