"""The commands that need the window: `gui`, `screenshots`, and the picture of a timeline.

The one place outside `ui` that loads it, and only when such a command runs.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from apexmem_desktop.cli import opening, output
from apexmem_desktop.cli.passphrase import find_passphrase, given_passphrase
from apexmem_desktop.domain.errors import ModelMissingError, UserError
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.reports import TimelineItem
from apexmem_desktop.domain.wall import UTC_CLOCK, clock_of

_SCREEN_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def run_gui(options: argparse.Namespace) -> int:
    """Open the window and wait until it is closed."""
    if sys.platform.startswith("linux") and not any(map(os.environ.get, _SCREEN_VARIABLES)):
        raise UserError(
            "There is no screen here to open a window on.",
            hint="Every command works without one; see: apexmem --help",
        )
    with _told_when_qt_is_missing():
        from apexmem_desktop.ui.app import run
    path = opening.vault_path(options)
    shown = _tell_shown if options.until_shown else None
    return run(path, given_passphrase(options, path), on_shown=shown)


def _tell_shown() -> None:
    """Tell the process that waits for it, on one line, that the window is there."""
    from apexmem_desktop.services import measuring

    print(json.dumps({"resident_bytes": measuring.resident_bytes()}), flush=True)


def run_screenshots(options: argparse.Namespace) -> None:
    """Save a picture of every place, from the memory named or else from the samples."""
    with _told_when_qt_is_missing():
        from apexmem_desktop.ui.screenshots import write_screenshots

    with _pictured_vault(options) as (vault, passphrase):
        files = write_screenshots(
            vault,
            options.dir,
            passphrase=passphrase,
            text_percent=options.text_percent,
            looks=options.look or (),
        )
    if options.json:
        output.print_json({"files": [str(path) for path in files]})
    elif not options.quiet:
        print("\n".join(str(path) for path in files))


def draw_timeline(
    entity: Entity, items: Sequence[TimelineItem], path: Path, *, now_ms: int
) -> None:
    """Draw a timeline as the window does; needs no screen.

    Raises:
        UserError: The file cannot be written.
    """
    with _told_when_qt_is_missing():
        from apexmem_desktop.ui.timeline_picture import write_timeline_png

    clock = next((clock_of(item.evidence) for item in items if item.evidence), UTC_CLOCK)
    offset_minutes = clock.offset_minutes
    write_timeline_png(entity, items, path, now_ms=now_ms, offset_minutes=offset_minutes)


@contextmanager
def _pictured_vault(options: argparse.Namespace) -> Iterator[tuple[Path, str]]:
    """Give the memory of --vault and its passphrase; without one, a passing one of the samples.

    Never the user's own by default: pictures get shown around.
    """
    if options.vault:
        opening.check_there(options.vault)
        yield options.vault, find_passphrase(options, options.vault)
        return
    with tempfile.TemporaryDirectory(prefix="apexmem-") as folder:
        vault = Path(folder) / "samples.apexmem"
        _build_samples(options, vault)
        yield vault, ""


def _build_samples(options: argparse.Namespace, vault: Path) -> None:
    from apexmem_desktop.services import building, samples
    from apexmem_desktop.services.workspace import Workspace

    progress = output.progress_sink(options)
    with Workspace(vault) as ws:
        samples.import_samples(ws, progress, options.cancel)
        try:
            building.build(ws, progress=progress, cancel=options.cancel)
        except ModelMissingError as error:
            print(f"Pictures without facts: {error}", file=sys.stderr)


@contextmanager
def _told_when_qt_is_missing() -> Iterator[None]:
    """Tell that the system lacks a library of Qt's, which shows when Qt is loaded."""
    try:
        yield
    except ImportError as error:
        if "PySide6" not in str(error) and ".so" not in str(error):
            raise
        raise UserError(
            f"The window's library cannot be loaded: {error}.",
            hint="Install the system libraries of Qt, e.g. on Debian: libegl1 libgl1 libxkbcommon0",
        ) from error
