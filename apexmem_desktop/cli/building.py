"""The command `build`."""

import argparse

from apexmem_desktop.cli import json_shapes, opening, output
from apexmem_desktop.domain.reading import Drops, QueueOverview
from apexmem_desktop.domain.reports import BuildReport
from apexmem_desktop.services import building, reading_queue


def run_build(options: argparse.Namespace) -> None:
    """Read waiting turns into the graph, or tell how far that is, or what was not stored."""
    with opening.open_workspace(options) as ws:
        if options.status:
            _print_queue(options, reading_queue.overview(ws))
            return
        if options.dropped is not None:
            _print_drops(options, reading_queue.dropped(ws, reason=options.dropped))
            return
        if options.retry_failed:
            reading_queue.retry_failed(ws)
        if options.reread:
            reading_queue.queue_read_by_others(ws)
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
    _print_report(report)


def _print_report(report: BuildReport) -> None:
    dropped = sum(report.facts_dropped.values())
    print(f"Read {report.turns_read:,} turns; {report.turns_gated_out:,} held nothing lasting.")
    print(
        f"New: {report.facts_new:,} facts, {report.events_new:,} events, "
        f"{report.entities_new:,} entities; {dropped:,} candidates did not stand."
    )
    if dropped:
        print("See them, and why, with: apexmem build --dropped")
    print(
        f"{report.model_calls:,} model calls, {report.prompt_tokens:,} + "
        f"{report.output_tokens:,} tokens, {output.spell_seconds(report.seconds)}."
    )
    if report.turns_failed:
        print(f"{sum(report.turns_failed.values()):,} turns failed and were left aside:")
        for reason, count in report.turns_failed.items():
            print(f"  {count:,}: {reason}")
        print("Read them again with: apexmem build --retry-failed")


def _print_queue(options: argparse.Namespace, queue: QueueOverview) -> None:
    if options.json:
        output.print_json(json_shapes.queue_shape(queue))
        return
    print(
        f"{queue.pending:,} turns wait to be read, {queue.read:,} were read, "
        f"{queue.passed_over:,} hold nothing lasting, {queue.failed:,} failed."
    )
    if queue.read_by_others:
        print(
            f"{queue.read_by_others:,} were read by another model: "
            "apexmem build --reread reads them again."
        )
    for turn in queue.failures:
        print(f"  {turn.speaker}: {turn.text[:60]!r}: {turn.reason}")


def _print_drops(options: argparse.Namespace, drops: Drops) -> None:
    if options.json:
        output.print_json(json_shapes.drops_shape(drops))
        return
    if not drops.counts:
        print("Nothing that was read has been dropped.")
    for reason, count in drops.counts.items():
        print(f"{count:,}: {reason}")
    for one in drops.newest:
        print(f"  {one.candidate} ({one.reason})\n    {one.speaker}: {one.text[:60]!r}")
