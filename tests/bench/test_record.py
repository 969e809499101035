"""Figures written down: with all that says where they come from, and with no path of a machine."""

from datetime import date
from pathlib import Path

import pytest

from apexmem_desktop.bench.provenance import Provenance
from apexmem_desktop.bench.record import append_section, spell_command
from apexmem_desktop.domain.errors import UserError

ORIGIN = Provenance("abc123", "def456", "f" * 64, "2 cores")
DAY = date(2026, 11, 9)


def test_a_section_says_when_how_and_of_what(tmp_path: Path) -> None:
    file = tmp_path / "quality.md"
    file.write_text("# Before\n", encoding="utf-8")
    lines = ["a line", "| head |", "|---|", "| 1 |", "another"]
    append_section(file, "bench speed", lines, command="apexmem bench speed", on=DAY, origin=ORIGIN)
    assert file.read_text(encoding="utf-8") == (
        "# Before\n\n### bench speed\n\n"
        f"`apexmem bench speed` on 9 November 2026; commit abc123, code def456, model sha256 "
        f"{'f' * 64}; 2 cores.\n\n"
        "* a line\n\n| head |\n|---|\n| 1 |\n\n* another\n"
    )


def test_of_a_path_only_the_name_is_told() -> None:
    words = ["bench", "locomo", "--data", "/home/ana/secret/dev.json", "--limit", "3"]
    assert spell_command(words) == "apexmem bench locomo --data dev.json --limit 3"


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written to none"):
        append_section(tmp_path / "no" / "none", "x", [], command="apexmem", on=DAY, origin=ORIGIN)
