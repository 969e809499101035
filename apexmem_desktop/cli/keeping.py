"""The commands `backup` and `restore`."""

import argparse
from dataclasses import asdict
from datetime import UTC, datetime

from apexmem_desktop.cli import dates, opening, output
from apexmem_desktop.domain.reports import BackupSummary
from apexmem_desktop.services import maintenance


def run_backup(options: argparse.Namespace) -> None:
    """Copy the memory to a file."""
    with opening.open_workspace(options) as ws:
        made = maintenance.back_up(
            ws,
            options.file.expanduser(),
            replace=options.replace,
            progress=output.progress_sink(options),
            cancel=options.cancel,
        )
    if options.json:
        output.print_json(_backup_shape(made))
    else:
        print(f"{made.path}: {output.spell_bytes(made.bytes)}, checked")


def run_restore(options: argparse.Namespace) -> None:
    """Put a backup in the memory's place, or list the backups there are."""
    path = opening.vault_path(options)
    if options.file is None:
        _list_backups(options, maintenance.find_backups(path))
        return
    report = maintenance.restore(
        path,
        options.file.expanduser(),
        progress=output.progress_sink(options),
        cancel=options.cancel,
    )
    if options.json:
        output.print_json(asdict(report) | {"vault": str(path)})
        return
    print(f"{path}: {report.turns:,} turns and {report.facts:,} facts, "
          f"from {report.restored_from}")  # fmt: skip
    if report.kept_aside:
        print(f"What was there before is kept as {report.kept_aside}")


def _list_backups(options: argparse.Namespace, found: tuple[BackupSummary, ...]) -> None:
    if options.json:
        output.print_json({"backups": [_backup_shape(backup) for backup in found]})
    elif not found:
        print("No backup is known. Make one with: apexmem backup FILE")
    else:
        rows = [
            (_when(one), output.spell_bytes(one.bytes), "by itself" if one.automatic else "by you",
             one.path)
            for one in found
        ]  # fmt: skip
        output.print_table(("made", "size", "", "file"), rows)


def _backup_shape(backup: BackupSummary) -> dict[str, object]:
    made_at = {"made_at": dates.iso(backup.made_at_ms, 0)}
    return {key: value for key, value in asdict(backup).items() if key != "made_at_ms"} | made_at


def _when(backup: BackupSummary) -> str:
    made = datetime.fromtimestamp(backup.made_at_ms / 1000, UTC).astimezone()
    return made.strftime("%Y-%m-%d %H:%M")
