"""The commands `status` and `verify`."""

import argparse
from dataclasses import asdict, replace

from apexmem_desktop.cli import json_shapes, opening, output
from apexmem_desktop.services import browsing, maintenance, models


def run_status(options: argparse.Namespace) -> None:
    """Show counts, queue, models and sizes."""
    with opening.open_workspace(options) as ws:
        here = models.list_models(ws.settings, ws.models_dir)
        status = replace(browsing.status(ws), models=here)
        path = ws.vault.path
    if options.json:
        output.print_json(json_shapes.status_shape(status) | {"vault": str(path)})
        return
    secret = ", encrypted" if status.encrypted else ""
    print(f"{path}: {output.spell_bytes(status.vault_bytes)}{secret}")
    print(f"{status.turns:,} turns in {status.sessions:,} sessions")
    print(f"{status.entities:,} entities, {status.facts:,} facts, {status.events:,} events")
    print(f"{status.pending:,} turns wait to be read, {status.failed:,} failed")
    for model in status.models:
        if model.in_use or model.present:
            print(f"{model.name}: {'here' if model.present else 'missing'}"
                  f"{', in use' if model.in_use else ''}")  # fmt: skip


def run_verify(options: argparse.Namespace) -> int | None:
    """Check the memory."""
    with opening.open_workspace(options) as ws:
        checks = maintenance.verify(ws)
    ok = all(check.ok for check in checks)
    if options.json:
        output.print_json({"ok": ok, "checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            print(f"{'ok  ' if check.ok else 'BAD '} {check.name}: {check.detail}")
    return None if ok else 1
