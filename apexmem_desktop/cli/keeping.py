"""The commands `backup`, `restore`, `export` and `erase`."""

import argparse
import sys
from dataclasses import asdict
from datetime import UTC, datetime

from apexmem_desktop.cli import dates, opening, output
from apexmem_desktop.cli.passphrase import find_passphrase
from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.reports import BackupSummary, EraseReport, EraseScope
from apexmem_desktop.services import exporting, maintenance


def run_backup(options: argparse.Namespace) -> None:
    """Copy the memory to a file."""
    with opening.open_workspace(options) as ws:
        made = maintenance.back_up(
            ws,
            options.file.expanduser(),
            over=options.replace,
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
    backup = options.file.expanduser()
    report = maintenance.restore(
        path,
        backup,
        passphrase=find_passphrase(options, backup),
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


def run_export(options: argparse.Namespace) -> None:
    """Write the memory into a folder."""
    with opening.open_workspace(options) as ws:
        report = exporting.export(
            ws,
            options.dir.expanduser(),
            options.form,
            progress=output.progress_sink(options),
            cancel=options.cancel,
        )
    if options.json:
        output.print_json(asdict(report))
        return
    counted = ", ".join(f"{n:,} {kind.replace('_', ' ')}" for kind, n in report.counted.items())
    print(f"{report.folder}: {counted}")


def run_erase(options: argparse.Namespace) -> None:
    """Erase an entity, a source or all, after showing what that takes."""
    with opening.open_workspace(options) as ws:
        scope = _scope(options)
        report = maintenance.preview_erasing(ws, scope)
        if not options.dry_run:
            _confirm(options, report)
            report = maintenance.erase(ws, scope)
    if options.json:
        output.print_json(asdict(report))
    else:
        print("\n".join(_spell_erasure(report)))


def _scope(options: argparse.Namespace) -> EraseScope:
    if options.entity is not None:
        return EraseScope("entity", options.entity, with_mentions=not options.keep_mentions)
    return EraseScope("all") if options.all else EraseScope("source", options.source)


def _confirm(options: argparse.Namespace, report: EraseReport) -> None:
    """Ask before it is done.

    Raises:
        UserError: The user did not agree, or cannot be asked.
    """
    if options.yes:
        return
    if not sys.stdin.isatty():
        raise UserError(
            "Nothing was erased: it cannot be undone, so it has to be confirmed.",
            hint="See what it takes with --dry-run, then say --yes.",
        )
    print("\n".join(_spell_erasure(report)), file=sys.stderr)
    print('This cannot be undone. Type "erase" to go on: ', end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip() != "erase":
        raise UserError("Nothing was erased.")


def _spell_erasure(report: EraseReport) -> list[str]:
    verb = "Erased" if report.finished else "Would erase"
    others = (
        f", {report.turns_by_others:,} of them said by others" if report.turns_by_others else ""
    )
    lines = [
        f"{verb} {report.what}: {report.turns:,} turns{others}, {report.facts:,} facts, "
        f"{report.events:,} events, {report.entities:,} people and things, "
        f"{report.sources:,} imports, {report.conversations:,} conversations, "
        f"{report.answers:,} past answers"
    ]
    lines += [f"  and the copy {copy}" for copy in report.copies]
    if report.finished:
        lines.append(f"  the memory file is {output.spell_bytes(report.bytes_freed)} smaller")
    if report.not_sought:
        names = ", ".join(report.not_sought)
        lines.append(
            f"  not looked for in what others said (others' names too, or common): {names}"
        )
    lines += [f"  NOT erased: your backup {backup}" for backup in report.backups_kept]
    return lines


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
