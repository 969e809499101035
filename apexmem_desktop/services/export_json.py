"""The memory as JSON: a file a kind, each one array, one element a line."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.wall import UTC_CLOCK, WallClock, clock_of
from apexmem_desktop.services.export_reading import MemoryReader, iso

_INSTANTS = "_ms"


def write_json(folder: Path, memory: MemoryReader) -> dict[str, int]:
    """Write everything; return how many elements each kind has."""
    return {
        "sources": _write(folder / "sources.json", map(plain, memory.sources())),
        "conversations": _write(folder / "conversations.json", map(plain, memory.conversations())),
        "turns": _write(folder / "turns.json", _turns(memory)),
        "entities": _write(folder / "entities.json", map(plain, memory.entities())),
        "facts": _write(folder / "facts.json", _facts(memory)),
        "events": _write(
            folder / "events.json",
            (plain(event, clock_of(event.evidence)) for event in memory.events()),
        ),
    }


def plain(value: Any, clock: WallClock = UTC_CLOCK) -> Any:
    """Make plain JSON of a value; instants become ISO 8601 by the clock they were said by."""
    if is_dataclass(value) and not isinstance(value, type):
        if hasattr(value, "offset_minutes"):
            clock = WallClock(int(value.offset_minutes), getattr(value, "zone", ""))
        elif isinstance(value, Bound):
            clock = clock.of_bound(value)
        return {
            field.name.removesuffix(_INSTANTS): _iso(getattr(value, field.name), clock)
            if field.name.endswith(_INSTANTS)
            else plain(getattr(value, field.name), clock)
            for field in fields(value)
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [plain(one, clock) for one in value]
    return value


def _iso(at_ms: int | None, clock: WallClock) -> str | None:
    return iso(at_ms, clock.offset_at(at_ms))


def _turns(memory: MemoryReader) -> Iterator[Any]:
    for conversation in memory.conversations():
        yield from map(plain, memory.turns(conversation.id))


def _facts(memory: MemoryReader) -> Iterator[Any]:
    for entity in memory.entities():
        for fact in memory.facts(entity):
            yield plain(fact, clock_of(fact.evidence))


def _write(path: Path, elements: Iterable[Any]) -> int:
    """Write an array as it comes; return its length."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for element in elements:
            file.write(",\n" if count else "\n")
            file.write(json.dumps(element, ensure_ascii=False))
            count += 1
        file.write("\n]\n")
    return count
