"""The two Chinese gold sets, and how what was read is held against them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from apexmem_desktop.building.grounding import why_ungrounded
from tests.building.telling import read, said, spell

SPEAKER = "李雪"
TOLD, APART, LAST = "chinese_told.toml", "chinese_apart.toml", "chinese_last.toml"


@dataclass(frozen=True, slots=True)
class Held:
    """What was read of a set.

    Attributes:
        missed: Gold facts that were not read.
        beside: What was read and is in no gold of its row.
    """

    wanted: int
    missed: tuple[str, ...]
    beside: tuple[str, ...]
    read: int

    @property
    def recall(self) -> float:
        """Share of the gold that was read."""
        return 1 - len(self.missed) / self.wanted

    @property
    def precision(self) -> float:
        """Share of what was read that is in the gold of its row."""
        return 1 - len(self.beside) / self.read


def hold(name: str) -> Held:
    """Read a set by rule and hold it against its gold."""
    table = tomllib.loads((Path(__file__).parent / "gold" / name).read_text(encoding="utf-8"))
    wanted, missed, beside, number = 0, [], [], 0
    for text, gold in [*table["facts"], *([text, []] for text in table["none"])]:
        got = _told(text)
        wanted, number = wanted + len(gold), number + len(got)
        missed += [f"{text}: {one}" for one in gold if not any(_same(g, one) for g in got)]
        beside += [f"{text}: {g}" for g in got if not any(_same(g, one) for one in gold)]
    return Held(wanted, tuple(missed), tuple(beside), number)


def _told(text: str) -> list[str]:
    turn = said(text, speaker=SPEAKER)
    stand = [one for one in read(turn) if not why_ungrounded(turn, one)]
    return [spell(one).replace(SPEAKER, "我", 1) for one in stand]


def _same(got: str, gold: str) -> bool:
    who, _, rest = gold.partition(" ")
    name, _, value = rest.partition(" ")
    got_who, _, got_rest = got.partition(" ")
    return (
        got_who == who
        and got_rest.removeprefix("not ").split(" ")[0].startswith(name)
        and value in got_rest
    )
