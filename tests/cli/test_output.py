"""Progress lines, tables, and dates as scripts get them."""

import io

import pytest

from apexmem_desktop.cli.dates import iso
from apexmem_desktop.cli.output import ProgressLine, print_table, spell_progress, spell_seconds
from apexmem_desktop.domain.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_tells_rate_and_time_to_go() -> None:
    line = spell_progress(Progress("Reading", 500, 2000, "turns", "Ana", elapsed_s=10))
    assert line == "Reading: 500 turns of 2,000 turns (25 %), 50 turns/s, 30 s left, Ana"
    assert spell_progress(Progress("Reading", 3, None, "files")) == "Reading: 3 files"
    bytes_line = spell_progress(Progress("Fetching", 5_000_000, 1_117_320_768, "bytes"))
    assert bytes_line == "Fetching: 5.0 MB of 1.1 GB (0 %)"


def test_a_terminal_gets_one_line_that_changes() -> None:
    stream = Terminal()
    show = ProgressLine(stream)
    for done in range(100):
        show(Progress("Reading", done, 100))
    show(Progress("Reading", 100, 100))
    assert stream.getvalue().count("\n") == 1
    assert stream.getvalue().startswith("\r")
    assert stream.getvalue().endswith("100 turns of 100 turns (100 %)\n")


def test_a_log_gets_few_lines_and_no_control_signs() -> None:
    stream = io.StringIO()
    show = ProgressLine(stream)
    for done in range(100):
        show(Progress("Reading", done, 100))
    assert stream.getvalue() == "Reading: 0 turns of 100 turns (0 %)\n"


@pytest.mark.parametrize(
    ("seconds", "spelled"), [(0.4, "0 s"), (59.4, "59 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")]
)
def test_durations(seconds: float, spelled: str) -> None:
    assert spell_seconds(seconds) == spelled


@pytest.mark.parametrize(
    ("at_ms", "offset", "spelled"),
    [
        (0, 0, "1970-01-01T00:00:00+00:00"),
        (1_780_663_000_000, 480, "2026-06-05T20:36:40+08:00"),
        (1, -210, "1969-12-31T20:30:00.001-03:30"),
        (None, 60, None),
        (10**17, 0, None),
        (-(10**17), 0, None),
    ],
)
def test_instants_are_iso_8601_by_their_own_clock(
    at_ms: int | None, offset: int, spelled: str | None
) -> None:
    assert iso(at_ms, offset) == spelled


def test_tables_keep_one_row_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("id", "name"), [(1, "a\nb"), (1000, None)])
    assert capsys.readouterr().out == "id    name\n1     a b\n1000\n"
