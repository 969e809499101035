"""Who is meant by a name: the program's merging, pair by pair, against invented chats' gold.

A pair of mentions counts as merged when both were given one entity. Precision is the share of the
merged pairs that are one in the gold; recall the share of the gold's pairs that were merged.
"""

import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

from apexmem_desktop.bench.intervals import Estimate, share
from apexmem_desktop.bench.vaults import CONTEXT_TOKENS, ZONE, OpenWorkspace
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.reports import ImportChoices
from apexmem_desktop.services import browsing, importing
from apexmem_desktop.services.resolving import Named, resolve_names
from apexmem_desktop.services.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in the gold: the scene it stands in, and who or what it is there."""

    scene: int
    line: int
    name: str
    kind: str
    who: str

    @property
    def gold(self) -> tuple[int, str]:
        """What is one exactly where the same is meant."""
        return self.scene, self.who


@dataclass(frozen=True, slots=True)
class Merging:
    """How well names were brought together and told apart.

    Attributes:
        precision: Of the pairs that were merged, those that are one.
        recall: Of the pairs that are one, those that were merged.
        pairs: Of the pairs of one scene, those that were decided rightly either way.
        split: The pairs that are one and were not merged.
        wrong: The pairs that were merged and are two.
        open: Names that were left open because several bear them.
    """

    precision: Estimate
    recall: Estimate
    pairs: Estimate
    split: tuple[str, ...]
    wrong: tuple[str, ...]
    open: tuple[str, ...]

    def lines(self) -> list[str]:
        """Write it for people."""
        return [
            f"Merging, pairwise over mentions: precision {self.precision.spell()}, n = "
            f"{self.precision.n}; recall {self.recall.spell()}, n = {self.recall.n}; pairs of one "
            f"scene right {self.pairs.spell()}, n = {self.pairs.n}",
            *(f"split: {one}" for one in self.split),
            *(f"wrongly merged: {one}" for one in self.wrong),
            *(f"left open: {one}" for one in self.open),
        ]

    def to_json(self) -> dict[str, Any]:
        """Give it as plain JSON values."""
        return {
            "precision": self.precision.to_json(),
            "recall": self.recall.to_json(),
            "pairs_right": self.pairs.to_json(),
            "split": list(self.split),
            "wrongly_merged": list(self.wrong),
            "left_open": list(self.open),
        }


def read_scenes() -> list[dict[str, Any]]:
    """Read the gold."""
    path = resources_dir() / "samples" / "mentions.toml"
    scenes: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["scene"]
    return scenes


def mentions_of(scenes: Sequence[dict[str, Any]]) -> list[Mention]:
    """List the names in the order that they are told."""
    return [
        Mention(at, *name) for at, scene in enumerate(scenes) for name in sorted(scene["names"])
    ]


def measure(folder: Path, open_workspace: OpenWorkspace, *, use_model: bool) -> Merging:
    """Tell the scenes to an empty memory and hold whom it takes their names for to the gold."""
    scenes = read_scenes()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as passing:
        path = Path(passing) / "mentions.apexmem"
        with open_workspace(path, CONTEXT_TOKENS) as ws:
            numbers = _tell(ws, Path(passing), [line for one in scenes for line in one["chat"]])
            starts = [sum(len(one["chat"]) for one in scenes[:at]) for at in range(len(scenes))]
            gold = mentions_of(scenes)
            named = [Named(numbers[starts[m.scene] + m.line], m.name, m.kind) for m in gold]
            return hold_against(gold, resolve_names(ws, named, use_model=use_model))


def _tell(ws: Workspace, folder: Path, chat: Sequence[tuple[str, str]]) -> list[int]:
    """Import the lines as a chat, an hour apart; return their turns' numbers in order."""
    export = folder / "WhatsApp Chat with Everybody.txt"
    first = datetime(2024, 3, 4, 8, tzinfo=UTC)
    lines = [
        f"{first + timedelta(hours=at):%d/%m/%Y, %H:%M} - {speaker}: {text}\n"
        for at, (speaker, text) in enumerate(chat)
    ]
    export.write_text("".join(lines), encoding="utf-8")
    importing.import_file(ws, export, ImportChoices(zone=ZONE, date_order="dmy"))
    [told] = browsing.conversations(ws)
    turns = browsing.conversation_turns(ws, told.id, limit=len(chat))
    return [one.id for one in turns]


def hold_against(gold: Sequence[Mention], found: Sequence[int | None]) -> Merging:
    """Compare each pair of mentions."""
    merged: list[bool] = []
    one: list[bool] = []
    right: list[bool] = []
    split: list[str] = []
    wrong: list[str] = []
    for (a, x), (b, y) in combinations(zip(gold, found, strict=True), 2):
        is_one, is_merged = a.gold == b.gold, x is not None and x == y
        spelled = f"{a.name} ({a.who}) and {b.name} ({b.who})"
        if is_merged:
            merged.append(is_one)
        if is_one:
            one.append(is_merged)
        if a.scene == b.scene:
            right.append(is_one == is_merged)
        if is_one and not is_merged:
            split.append(spelled)
        if is_merged and not is_one:
            wrong.append(spelled)
    unsure = [m.name for m, number in zip(gold, found, strict=True) if number is None]
    return Merging(
        share(merged), share(one), share(right), tuple(split), tuple(wrong), tuple(unsure)
    )
