"""Writes figures down where people look for them: a section at the end of a Markdown file."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from apexmem_desktop.bench.provenance import Provenance
from apexmem_desktop.domain.errors import UserError


def spell_command(words: Sequence[str]) -> str:
    """Spell a command as it was typed; of paths only the last part, the rest is this machine's."""
    return " ".join(["apexmem", *(Path(word).name if "/" in word else word for word in words)])


def append_section(
    path: Path, title: str, lines: Sequence[str], *, command: str, on: date, origin: Provenance
) -> None:
    """Append a section with the figures and all that says where they come from.

    Args:
        lines: Of the result: Markdown tables stay, every other line becomes an item.

    Raises:
        UserError: The file cannot be written.
    """
    told = [line if line.startswith("|") or not line else f"* {line}" for line in lines]
    head = (
        f"`{command}` on {on.day} {on:%B %Y}; commit {origin.commit or 'unknown'}, code "
        f"{origin.code}, model sha256 {origin.model}; {origin.machine}."
    )
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write("\n".join(["", f"### {title}", "", head, "", *_spaced(told), ""]))
    except OSError as error:
        raise UserError(
            f"The figures cannot be written to {path.name} ({error.strerror}).",
            hint="Name another file with --record FILE.",
        ) from error


def _spaced(lines: Sequence[str]) -> list[str]:
    """Put an empty line wherever a table begins or ends: Markdown wants one."""
    spaced: list[str] = []
    for line in lines:
        before = spaced[-1] if spaced else ""
        if before and line and before.startswith("|") != line.startswith("|"):
            spaced.append("")
        spaced.append(line)
    return spaced
