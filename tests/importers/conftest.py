"""Reads texts and files as a user's export would be read."""

import dataclasses
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from apexmem_desktop.domain.progress import CancelToken, ignore_progress
from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, ImportedTurn
from apexmem_desktop.importers.reading import Item, Reading
from apexmem_desktop.importers.registry import open_export


class Read:
    """One export, read to its end."""

    def __init__(self, reading: Reading) -> None:
        self.facts = reading
        items = [_held(item) for item in reading.conversations(ignore_progress, CancelToken())]
        self.conversations = [item for item in items if isinstance(item, ImportedConversation)]
        told = [item for item in items if isinstance(item, ImportProblem)]
        self.problems = [item for item in told if not item.expected]
        self.skipped = {one.what.partition(": ")[2]: one.turns for one in told if one.expected}

    @property
    def turns(self) -> list[ImportedTurn]:
        """All turns of all conversations."""
        return [turn for conversation in self.conversations for turn in conversation.turns]

    @property
    def speakers(self) -> list[str]:
        """Who speaks, in the order of first words."""
        return list(dict.fromkeys(turn.speaker for turn in self.turns if turn.speaker))

    @property
    def keys(self) -> list[str]:
        """The key of each turn."""
        return [turn.key for turn in self.turns]


def _held(item: Item) -> Item:
    """Hold the turns of a conversation, which may come as a stream."""
    if isinstance(item, ImportProblem):
        return item
    return dataclasses.replace(item, turns=tuple(item.turns))


ReadFile = Callable[..., Read]


def read_path(
    path: Path,
    zone: str = "UTC",
    date_order: str = "",
    form: str = "",
    *,
    keep_branches: bool = False,
    year: int = 0,
) -> Read:
    """Read a file of any format."""
    choices = ImportChoices(zone, date_order, form, keep_branches=keep_branches, year=year)
    return Read(open_export(path, choices))


@pytest.fixture
def read(tmp_path: Path) -> ReadFile:
    """Read text, bytes or JSON as if it were a file."""

    def read_content(content: object, name: str = "export", **choices: Any) -> Read:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8", newline="")
        else:
            path.write_text(json.dumps(content), encoding="utf-8")
        return read_path(path, **choices)

    return read_content


def zip_of(members: Mapping[str, str | bytes]) -> bytes:
    """Pack members by their names."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()
