"""The memory as Markdown: a file a chat, a file a type of entity, and one of events."""

import re
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from apexmem_desktop.domain.denied import denied_words
from apexmem_desktop.domain.graph import Entity, Evidence, Fact
from apexmem_desktop.domain.interval import Bound, Precision
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.domain.wall import WallClock, clock_of
from apexmem_desktop.services.export_reading import MemoryReader, day_of, moment

_MARKS = re.compile(r"([\\`*_\[\]<>#|~])")
_LISTS = re.compile(r"^(\s*)([-+]|\d+[.)])(?=\s)", re.MULTILINE)
_NO_NAME = re.compile(r"[^\w .-]+")
_NAME_CHARS = 60


def write_markdown(folder: Path, memory: MemoryReader) -> dict[str, int]:
    """Write everything; return how many of each kind there are."""
    counted = {"conversations": 0, "turns": 0, "entities": 0, "facts": 0, "events": 0}
    files = _write_chats(folder, memory, counted)
    files += _write_entities(folder, memory, counted)
    _write_events(folder / "events.md", memory, counted)
    with (folder / "README.md").open("w", encoding="utf-8") as file:
        file.write("# What this memory holds\n\n")
        file.writelines(f"* {number:,} {kind}\n" for kind, number in counted.items())
        file.write("\n")
        file.writelines(
            f"* [{escaped(title)}](<{name}>)\n" for name, title in [*files, ("events.md", "Events")]
        )
    return counted


def escaped(text: str) -> str:
    """Keep words from being read as Markdown."""
    return _LISTS.sub(r"\1\\\2", _MARKS.sub(r"\\\1", text))


def _write_chats(
    folder: Path, memory: MemoryReader, counted: dict[str, int]
) -> list[tuple[str, str]]:
    files = []
    (folder / "conversations").mkdir()
    for chat in memory.conversations():
        name = f"conversations/{chat.id:04} {_file_name(chat.title)}.md"
        files.append((name, chat.title or f"Conversation {chat.id}"))
        counted["conversations"] += 1
        with (folder / name).open("w", encoding="utf-8") as file:
            file.write(f"# {escaped(chat.title)}\n")
            counted["turns"] += _write_turns(file, memory.turns(chat.id))
    return files


def _write_turns(file: TextIO, turns: Iterable[Turn]) -> int:
    day, count = "", 0
    for turn in turns:
        at = None if turn.said_at_ms is None else moment(turn.said_at_ms, turn.offset_minutes)
        date, clock = (f"{at:%Y-%m-%d}", f"{at:%H:%M}") if at else ("without a date", "")
        if date != day:
            file.write(f"\n## {date}\n")
            day = date
        head = " ".join(part for part in (f"**{escaped(turn.speaker)}**" if turn.speaker else "",
                                          clock, f"#{turn.id}") if part)  # fmt: skip
        file.write(f"\n{head}\n{_quoted(turn.text)}")
        file.writelines(f"> ({escaped(name)})\n" for name in turn.attachments)
        count += 1
    return count


def _quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in escaped(text).splitlines() or [""])


def _write_entities(
    folder: Path, memory: MemoryReader, counted: dict[str, int]
) -> list[tuple[str, str]]:
    """Write each entity into the file of its type."""
    files: dict[str, TextIO] = {}
    (folder / "entities").mkdir()
    with ExitStack() as stack:
        for entity in memory.entities():
            name = f"entities/{_file_name(entity.type)}.md"
            if name not in files:
                opened = stack.enter_context((folder / name).open("w", encoding="utf-8"))
                opened.write(f"# {escaped(entity.type)}\n")
                files[name] = opened
            counted["entities"] += 1
            counted["facts"] += _write_entity(files[name], entity, memory.facts(entity))
    return [(name, Path(name).stem) for name in sorted(files)]


def _write_entity(file: TextIO, entity: Entity, facts: Iterable[Fact]) -> int:
    also = f" ({', '.join(map(escaped, entity.aliases))})" if entity.aliases else ""
    file.write(f"\n## {escaped(entity.name)}{also} #{entity.id}\n\n")
    count = 0
    for fact in sorted(facts, key=lambda one: (one.property, one.id)):
        value, named = f"**{escaped(fact.value)}**", fact.property.replace("_", " ")
        told = f"{named}: {value}" if fact.polarity else denied_words(fact.property, value)
        since = spell_bound(fact.valid_from, clock_of(fact.evidence))
        until = spell_bound(fact.effective_to, clock_of(fact.evidence))
        when = f", from {since}" * bool(since) + f", to {until}" * bool(until)
        file.write(f"* {told} ({fact.status.value}{when})\n")
        file.writelines(f"  * {_proof(proof)}\n" for proof in fact.evidence)
        count += 1
    return count


def _write_events(path: Path, memory: MemoryReader, counted: dict[str, int]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("# Events\n\n")
        for event in memory.events():
            counted["events"] += 1
            when = spell_bound(event.start, clock_of(event.evidence)) or "at an unknown time"
            place = f", at {escaped(event.place)}" if event.place else ""
            file.write(
                f"* {when}: {escaped(event.summary)} "
                f"({escaped(event.type)}, {event.modality.value}{place})\n"
            )
            file.writelines(f"  * {_proof(proof)}\n" for proof in event.evidence)


def _proof(proof: Evidence) -> str:
    said_on = day_of(proof.said_at_ms, proof.offset_minutes)
    when = f", {said_on}" if said_on else ""
    words = " ".join(proof.quote.split())
    return f"“{escaped(words)}” ({escaped(proof.speaker)}{when}, #{proof.turn_id})"


def spell_bound(bound: Bound | None, clock: WallClock) -> str:
    """Spell one end of a validity as a day or a span of days; "" when nothing is known."""
    if bound is None or bound.precision is Precision.UNKNOWN:
        return ""
    clock = clock.of_bound(bound)
    first = day_of(bound.earliest_ms, clock.offset_at(bound.earliest_ms))
    last = day_of(bound.latest_ms, clock.offset_at(bound.latest_ms))
    if first is None or last is None or first == last:
        return str(first or last or "")
    return f"{first}…{last}"


def _file_name(title: str) -> str:
    """Make a name that every file system takes."""
    return " ".join(_NO_NAME.sub(" ", title).split())[:_NAME_CHARS].strip(" .") or "untitled"
