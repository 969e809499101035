"""What the commands print: one JSON document or plain lines on stdout, progress on stderr."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any, TextIO

from apexmem_desktop.domain.progress import Progress, ProgressSink, ignore_progress

_TTY_EVERY_S = 0.1
_LOG_EVERY_S = 5.0
_WIDTH = 100


def print_json(document: dict[str, Any]) -> None:
    """Print the one JSON document of a command."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows in columns; the last column may run on."""
    cells = [[_cell(value) for value in row] for row in (head, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        padded = [text.ljust(width) for text, width in zip(row[:-1], widths, strict=False)]
        print("  ".join((*padded, row[-1])).rstrip())


def _cell(value: object) -> str:
    return "" if value is None else " ".join(str(value).split())


def progress_sink(options: argparse.Namespace) -> ProgressSink:
    """Return what shows a long job's progress on stderr, as far as the options want it."""
    return ignore_progress if options.quiet else ProgressLine(sys.stderr)


class ProgressLine:
    """Shows progress: one updating line on a terminal, now and then a line in a log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_tty = stream.isatty()
        self._shown_at_s = float("-inf")
        self._stage = ""

    def __call__(self, progress: Progress) -> None:
        """Show a report, unless one was shown a moment ago."""
        ended = progress.total is not None and progress.done >= progress.total
        now_s = time.monotonic()
        every_s = _TTY_EVERY_S if self._is_tty else _LOG_EVERY_S
        if not ended and progress.stage == self._stage and now_s - self._shown_at_s < every_s:
            return
        self._stage = progress.stage
        self._shown_at_s = now_s
        line = spell_progress(progress)
        if self._is_tty:
            self._stream.write(f"\r\x1b[K{line[:_WIDTH]}" + ("\n" if ended else ""))
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()


def spell_progress(progress: Progress) -> str:
    """Spell one report: how far, how fast, how long yet."""
    parts = [f"{progress.stage}: {_amount(progress)}"]
    if progress.per_s > 0:
        parts.append(f"{_number(progress.per_s, progress.unit)}/s")
    remaining_s = progress.remaining_s
    if remaining_s is not None and progress.total is not None and progress.done < progress.total:
        parts.append(f"{spell_seconds(remaining_s)} left")
    if progress.item:
        parts.append(progress.item)
    return ", ".join(parts)


def spell_seconds(seconds: float) -> str:
    """Spell a duration for people: "40 s", "3 min 20 s", "2 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def spell_bytes(count: float) -> str:
    """Spell a size for people, in powers of ten as file dialogs do."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count:.0f} bytes"


def _amount(progress: Progress) -> str:
    done = _number(progress.done, progress.unit)
    if progress.total is None:
        return done
    share = 100 * progress.done // progress.total if progress.total else 100
    return f"{done} of {_number(progress.total, progress.unit)} ({share} %)"


def _number(count: float, unit: str) -> str:
    if unit == "bytes":
        return spell_bytes(count)
    spelled = f"{count:,.0f}" if count >= 10 or count == int(count) else f"{count:.1f}"
    return f"{spelled} {unit}"
