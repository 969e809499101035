"""Which known people and things a turn speaks of: exact names, whole words, no model."""

import re
from collections.abc import Iterable, Sequence

from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.turn import Turn

_CASELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def find_mentions(turns: Iterable[Turn], known: Sequence[Entity]) -> list[tuple[int, int, str]]:
    """Find (entity id, turn id, "mentioned") for each name that stands in a turn's text."""
    names = {name: one.id for one in known for name in (one.name, *one.aliases) if len(name) > 1}
    if not names:
        return []
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile("|".join(_whole(name) for name in longest_first))
    return [
        (names[match.group()], turn.id, "mentioned")
        for turn in turns
        for match in pattern.finditer(turn.text)
    ]


def _whole(name: str) -> str:
    """Match a name as a whole word; scripts without spaces have no word borders."""
    if _CASELESS.search(name):
        return re.escape(name)
    return rf"(?<!\w){re.escape(name)}(?!\w)"
