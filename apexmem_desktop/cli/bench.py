"""The command `bench`: the measurements. The one place outside `bench` that loads it."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from apexmem_desktop.bench import catalogue, record, report, speed
from apexmem_desktop.bench.catalogue import Choices, Result
from apexmem_desktop.cli import output
from apexmem_desktop.cli.bench_arguments import QUERY_SYSTEMS


def run_locomo(options: argparse.Namespace) -> None:
    """Ask LoCoMo's questions."""
    _run(options, catalogue.run_locomo)


def run_longmemeval(options: argparse.Namespace) -> None:
    """Ask LongMemEval's questions."""
    _run(options, catalogue.run_longmemeval)


def run_sealqa(options: argparse.Namespace) -> None:
    """Ask SealQA's questions."""
    _run(options, catalogue.run_sealqa)


def run_graph(options: argparse.Namespace) -> None:
    """Hold the graph of the samples against its gold."""
    _run(options, catalogue.run_graph)


def run_sql(options: argparse.Namespace) -> None:
    """Ask the samples' graph, with GraphSQL and without."""
    _run(options, catalogue.run_sql)


def run_speed(options: argparse.Namespace) -> None:
    """Measure the machine and the program on it."""
    _run(options, catalogue.run_speed)


def run_all(options: argparse.Namespace) -> None:
    """Run what a day's change is judged by."""
    _run(options, catalogue.run_all)


def _run(options: argparse.Namespace, bench: Callable[[Choices], Result]) -> None:
    with _vaults(options.vaults) as folder:
        result = bench(_choices(options, folder))
    if options.json:
        output.print_json(result.document)
    else:
        origin = report.origin_lines(result.origin) if result.origin else []
        print("\n".join([*origin, *result.lines]))
    if options.record is not None and result.origin is not None:
        command = record.spell_command(sys.argv[1:])
        title = f"bench {result.document['bench']}"
        on = datetime.now(UTC).date()
        lines = result.recorded or result.lines
        record.append_section(
            options.record, title, lines, command=command, on=on, origin=result.origin
        )


def _choices(options: argparse.Namespace, folder: Path) -> Choices:
    return Choices(
        vaults=folder,
        data=getattr(options, "data", None),
        longmemeval=getattr(options, "longmemeval", None),
        sealqa=getattr(options, "sealqa", None),
        quick=getattr(options, "quick", False),
        systems=tuple(getattr(options, "systems", None) or ("apex",)),
        conversations=tuple(getattr(options, "conversations", ())),
        limit=getattr(options, "limit", None),
        seed=getattr(options, "seed", 0),
        out=getattr(options, "out", None),
        resume=getattr(options, "resume", False),
        build=not getattr(options, "no_build", False),
        any_code=getattr(options, "any_code", False),
        sizes=_sizes(options),
        use_model=not getattr(options, "no_model", False),
        sample=getattr(options, "sample", 0),
        verdicts=getattr(options, "verdicts", None),
        held_out=getattr(options, "held_out", False),
        practice=getattr(options, "practice", False),
        query_systems=tuple(getattr(options, "query_systems", None) or QUERY_SYSTEMS),
        broken_percent=getattr(options, "broken_percent", 0),
        model=options.model,
        progress=output.progress_sink(options),
        cancel=options.cancel,
    )


def _sizes(options: argparse.Namespace) -> speed.Sizes:
    sizes = speed.QUICK if getattr(options, "quick", False) else speed.Sizes()
    messages = getattr(options, "messages", None)
    return replace(sizes, messages=tuple(messages)) if messages else sizes


@contextmanager
def _vaults(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="apexmem-bench-") as passing:
        yield Path(passing)
