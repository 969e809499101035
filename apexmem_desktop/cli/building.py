"""The command `build`."""

import argparse

from apexmem_desktop.cli import json_shapes, opening, output
from apexmem_desktop.services import building


def run_build(options: argparse.Namespace) -> None:
    """Read waiting turns into the graph."""
    with opening.open_workspace(options) as ws:
        report = building.build(
            ws,
            limit=options.limit,
            about=options.about,
            progress=output.progress_sink(options),
            cancel=options.cancel,
        )
    if options.json:
        output.print_json(json_shapes.build_shape(report))
        return
    dropped = sum(report.facts_dropped.values())
    print(f"Read {report.turns_read:,} turns; {report.turns_gated_out:,} held nothing lasting.")
    print(
        f"New: {report.facts_new:,} facts, {report.events_new:,} events, "
        f"{report.entities_new:,} entities; {dropped:,} candidates did not stand."
    )
    print(
        f"{report.model_calls:,} model calls, {report.prompt_tokens:,} + "
        f"{report.output_tokens:,} tokens, {output.spell_seconds(report.seconds)}."
    )
