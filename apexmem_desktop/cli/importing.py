"""The command `import`."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from apexmem_desktop.cli import dates, json_shapes, opening, output
from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.owner import means_owner
from apexmem_desktop.domain.reports import FileReport, ImportChoices
from apexmem_desktop.services import importing
from apexmem_desktop.services.chat_zones import find_unknown
from apexmem_desktop.services.dates import checked_zone
from apexmem_desktop.services.owner import remember_owner
from apexmem_desktop.services.workspace import Workspace

_SHOWN_PROBLEMS = 10
_SHOWN_CHATS = 20


def run_import(options: argparse.Namespace) -> int | None:
    """Import each file; one that fails does not keep the others out."""
    choices = ImportChoices(
        zone=checked_zone(options.zone),
        date_order=options.date_order,
        year=options.year,
        format=options.format,
        erased_too=options.erased_too,
        keep_branches=options.keep_branches,
        owner=options.owner,
        chat_zones=tuple((name, checked_zone(zone)) for name, zone in options.chat_zone),
    )
    reports: dict[Path, FileReport] = {}
    failed = 0
    with ExitStack() as stack:
        ws = _workspace(options, stack)
        if ws is not None and options.owner and not options.dry_run:
            remember_owner(ws, options.owner)
        for path in options.files:
            try:
                reports[path] = _one(options, ws, path, choices)
            except UserError as error:
                failed += 1
                print(f"{path}: {error}", file=sys.stderr)
        if ws is not None and not options.dry_run and any(r.turns_new for r in reports.values()):
            _show(options, reports)
            _embed(options, ws)
        else:
            _show(options, reports)
    return 1 if failed or _tell_unknown(choices, reports) else None


def _tell_unknown(choices: ImportChoices, reports: Mapping[Path, FileReport]) -> bool:
    """Tell of chats that were given a zone and are in none of the files."""
    chats = [chat for report in reports.values() for chat in report.chats]
    unknown = find_unknown(choices, chats) if reports else ()
    for name in unknown:
        shown = ", ".join(chat.title for chat in chats[:_SHOWN_CHATS])
        print(f'There is no chat "{name}" in it. The chats are: {shown}', file=sys.stderr)
    return bool(unknown)


def _workspace(options: argparse.Namespace, stack: ExitStack) -> Workspace | None:
    """Open the memory; a dry run makes none where there is none."""
    if options.dry_run and not opening.vault_path(options).exists():
        return None
    return stack.enter_context(opening.open_workspace(options, create=True))


def _one(
    options: argparse.Namespace, ws: Workspace | None, path: Path, choices: ImportChoices
) -> FileReport:
    progress = output.progress_sink(options)
    if ws is None or options.dry_run:
        return importing.preview_file(path, choices, progress, options.cancel, ws)
    return importing.import_file(ws, path, choices, progress, options.cancel)


def _embed(options: argparse.Namespace, ws: Workspace) -> None:
    """Index the meaning of the new turns too; without the embedder words alone will search."""
    if ws.embedder() is None:
        return
    from apexmem_desktop.services import building

    try:
        building.embed_pending(ws, progress=output.progress_sink(options), cancel=options.cancel)
    except UserError as error:  # the import is done and told; `build` computes the rest
        print(f"Stored, but not yet searchable by meaning: {error}", file=sys.stderr)


def _show(options: argparse.Namespace, reports: dict[Path, FileReport]) -> None:
    if options.json:
        shapes = [json_shapes.file_shape(one) | {"path": str(p)} for p, one in reports.items()]
        output.print_json({"files": shapes})
        return
    for report in reports.values():
        for line in spell_report(report, dry_run=options.dry_run):
            print(line)


def _owner_question(speakers: Sequence[str]) -> str:
    word = next((name for name in speakers if means_owner(name)), "")
    asked = f'whom does "{word}" stand for?' if word else "which of them are you?"
    return f"  {asked} say --owner NAME once; it is remembered"


def spell_report(report: FileReport, *, dry_run: bool) -> list[str]:
    """Spell one file's import for people."""
    verb = "would be new" if dry_run else "new"
    lines = [
        f"{report.file}: {report.format}, {report.turns_new:,} turns {verb}, "
        f"{report.turns_known:,} known, {report.sessions:,} sessions",
        f"  from {dates.iso(report.first_at_ms, report.first_offset_minutes) or '?'}"
        f" to {dates.iso(report.last_at_ms, report.offset_minutes) or '?'} ({report.zone})",
        f"  speakers: {', '.join(report.speakers[:12])}"
        + (f" and {len(report.speakers) - 12} more" if len(report.speakers) > 12 else ""),
    ]
    lines += [
        f'  the clock of "{chat.title}": {chat.zone}'
        for chat in [one for one in report.chats if one.zone != report.zone][:_SHOWN_CHATS]
    ]
    if report.date_order:
        sure = "" if report.date_order_certain else ", not certain: see --date-order"
        lines.append(f"  dates: {report.date_order}{sure}")
    lines += [f"  {skip.what}" for skip in report.skipped]
    if report.owner_asked:
        lines.append(_owner_question(report.speakers))
    lines += [f"  {told}" for told in report.people]
    lines += [f"  problem: {p.what} ({p.where})" for p in report.problems[:_SHOWN_PROBLEMS]]
    hidden = len(report.problems) - _SHOWN_PROBLEMS
    if hidden > 0:
        lines.append(f"  and {hidden:,} problems more: see --json")
    return lines
