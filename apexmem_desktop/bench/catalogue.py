"""The benches by name, from what the command line chose to a result that it prints."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from apexmem_desktop.bench import (
    coverage,
    graph,
    locomo,
    longmemeval,
    merging,
    online,
    queries,
    report,
    sealqa,
    speed,
)
from apexmem_desktop.bench.breaking import Breaker
from apexmem_desktop.bench.cases import Question, Scored, sample_questions
from apexmem_desktop.bench.figures import table
from apexmem_desktop.bench.provenance import Provenance, provenance
from apexmem_desktop.bench.running import Asking, Score, run
from apexmem_desktop.bench.speed_models import Bare
from apexmem_desktop.bench.systems import SYSTEMS
from apexmem_desktop.bench.vaults import (
    CONTEXT_TOKENS,
    Export,
    OpenWorkspace,
    Shelf,
    workspace_opener,
)
from apexmem_desktop.domain.errors import ModelMissingError, UserError
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.services import locations, models
from apexmem_desktop.services.rules_only import RULES_ONLY
from apexmem_desktop.services.settings import Settings, load_settings

# What is asked in the daily run: few questions on one conversation, which is not read into a graph
# for that: the samples are.
QUICK_SYSTEMS = ("apex", "rag")
QUICK_QUESTIONS = 8
ONLINE_QUESTIONS = 100
BARE_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Choices:
    """What to measure and how; the command line's options.

    Attributes:
        sample: How many facts to write to `out` for a person to judge.
        verdicts: Such a sheet with its verdicts, to be summed up instead of measuring.
        held_out: Ask the questions to the graph that nothing was written on.
        practice: Ask those that its routing was mended on.
        query_systems: Ask them of these; both by default.
        broken_percent: How many of a hundred queries to the graph to break, to see them mended.
        longmemeval: That data set, for `all`, where `data` is LoCoMo's; `sealqa` likewise.
        quick: A small share of everything, for every day.
        sizes: How much `bench speed` measures.
        open_workspace: How vaults are opened; None for the models of this machine.
        bare: How models are measured without this program.
    """

    vaults: Path
    data: Path | None = None
    systems: tuple[str, ...] = ("apex",)
    conversations: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0
    out: Path | None = None
    resume: bool = False
    build: bool = True
    any_code: bool = False
    sizes: speed.Sizes = field(default_factory=speed.Sizes)
    use_model: bool = True
    quick: bool = False
    sample: int = 0
    verdicts: Path | None = None
    held_out: bool = False
    practice: bool = False
    query_systems: tuple[str, ...] = queries.SYSTEMS
    broken_percent: int = 0
    longmemeval: Path | None = None
    sealqa: Path | None = None
    model: str = ""
    progress: ProgressSink = ignore_progress
    cancel: CancelToken = field(default_factory=CancelToken)
    open_workspace: OpenWorkspace | None = None
    bare: Bare = field(default_factory=Bare)


@dataclass(frozen=True, slots=True)
class Result:
    """One bench's figures, as a JSON document and as lines for people.

    Attributes:
        origin: Where the figures come from; None where nothing was measured, only summed up.
        recorded: The lines for a Markdown file, where these are not all lines.
    """

    document: dict[str, Any]
    lines: list[str]
    origin: Provenance | None = None
    scored: tuple[Scored, ...] = ()
    recorded: tuple[str, ...] = ()


def run_locomo(choices: Choices) -> Result:
    """Ask LoCoMo's questions of each system."""
    data = _data(choices)
    exports = locomo.read_conversations(data, choices.conversations)
    questions = sample_questions(locomo.read_questions(data, exports), choices.limit, choices.seed)
    asking = Asking(
        choices.systems, exports, questions, locomo.score,
        build=choices.build, out=choices.out, resume=choices.resume,
    )  # fmt: skip
    return _asked("locomo", choices, asking, locomo.CATEGORIES, score="token F1")


def run_longmemeval(choices: Choices) -> Result:
    """Ask LongMemEval's questions, each on its own chats; only what it needs is read."""
    data = _data(choices)
    entries = longmemeval.read_entries_of(data, choices.conversations)
    questions = sample_questions(entries.questions, choices.limit, choices.seed)
    asking = _asking_online(choices, entries.exports, questions, longmemeval.score)
    kinds = _kinds(questions)
    result = _asked(
        "longmemeval", choices, asking, kinds,
        score="accuracy; long answers: F1", total_of=longmemeval.total_of,
    )  # fmt: skip
    return replace(
        result,
        document=result.document | {"sessions": longmemeval.session_recall(result.scored)},
        lines=[*result.lines, *longmemeval.session_lines(result.scored)],
    )


def run_sealqa(choices: Choices) -> Result:
    """Ask SealQA's questions on pages that contradict one another."""
    data = _data(choices)
    exports, questions = sealqa.read_pages(data, choices.conversations)
    questions = sample_questions(questions, choices.limit, choices.seed)
    asking = _asking_online(choices, exports, questions, sealqa.score)
    result = _asked("sealqa", choices, asking, _kinds(questions), score="accuracy")
    told = [f"{one.system}: {one.question.gold!r} — {one.reply.answer!r}" for one in result.scored]
    return replace(result, lines=[*result.lines, *told])


def run_graph(choices: Choices) -> Result:
    """Judge built graphs: of LoCoMo's conversations where given, else of the sample exports."""
    if choices.verdicts is not None:
        verdicts = coverage.read_verdicts(choices.verdicts)
        return Result({"bench": "graph", **verdicts.to_json()}, verdicts.lines())
    if choices.data is not None:
        return _graph_of_conversations(choices, choices.data)
    shelf, origin = _shelf_of_graphs(choices)
    measured, built = graph.measure_samples(shelf)
    cost = report.build_costs([built])
    lines = measured.lines() + report.build_lines("samples", cost)
    merged = merging.measure(choices.vaults, shelf.open_workspace, use_model=choices.use_model)
    lines += merged.lines() + _beside_bare(choices, shelf, cost)
    document = {"bench": "graph", "origin": asdict(origin), **measured.to_json()}
    document["merging"] = merged.to_json()
    return Result(document | {"build_costs": cost}, lines, origin)


def _graph_of_conversations(choices: Choices, data: Path) -> Result:
    exports = locomo.read_conversations(data, choices.conversations)
    shelf, origin = _shelf_of_graphs(choices)
    found, facts, events, reports = coverage.measure_conversations(shelf, exports, data)
    cost = report.build_costs(reports)
    lines = found.lines() + report.build_lines("LoCoMo", cost) + _beside_bare(choices, shelf, cost)
    answerable = [q for q in locomo.read_questions(data, exports) if not q.declinable]
    drawn = sample_questions(answerable, choices.limit or ONLINE_QUESTIONS, choices.seed)
    steps = online.measure(shelf, exports, drawn)
    lines += ["Sessions that online construction would read:", *online.lines(steps)]
    if choices.out is not None:
        rows = coverage.sheet_rows(facts, events)
        written = coverage.write_sheet(choices.out, rows, choices.sample or 50, choices.seed)
        lines.append(f"Wrote {written} facts and events to judge to {choices.out.name}.")
    document = {"bench": "graph", "origin": asdict(origin), **found.to_json()}
    counts = {"facts": len(facts), "events": len(events), "online": online.to_json(steps)}
    return Result(document | counts | {"build_costs": cost}, lines, origin)


def _beside_bare(choices: Choices, shelf: Shelf, cost: Mapping[str, Any] | None) -> list[str]:
    """Hold a build's tokens to llama.cpp alone on the same; not where models are injected.

    Of a build that an earlier run began, only plain prompts can be held against it.
    """
    if not cost or not cost["tokens_per_s"] or choices.open_workspace is not None:
        return []
    journal = shelf.journal
    with (
        tempfile.TemporaryDirectory() as passing,
        shelf.open_workspace(Path(passing) / "bare.apexmem", CONTEXT_TOKENS) as ws,
    ):
        bare_s = choices.bare.evaluation_s(ws, BARE_TOKENS)
        lines = report.llama_lines(cost, BARE_TOKENS / bare_s)
        if journal is not None and journal.exists():
            lines += report.replay_lines(cost, choices.bare.replay_s(ws, journal))
            journal.unlink()
    return lines


def run_sql(choices: Choices) -> Result:
    """Ask what only a query over the whole graph answers, with GraphSQL and without.

    Where queries are broken, only with it: there is nothing else to break.
    """
    shelf, origin = _shelf(choices)
    percent = choices.broken_percent
    file = queries.PRACTICE if choices.practice else queries.OWN
    file = queries.HELD_OUT if choices.held_out else file
    found = queries.measure(
        choices.vaults, shelf.open_workspace, progress=choices.progress, cancel=choices.cancel,
        systems=queries.SYSTEMS[:1] if percent else choices.query_systems,
        questions=queries.read_graph_questions(file), breaker=Breaker(percent, choices.seed),
    )  # fmt: skip
    asked = {
        "questions": file,
        "held_out": choices.held_out,
        "broken_percent": percent,
        "seed": choices.seed,
    }
    document = {"bench": "sql", "origin": asdict(origin), **asked, "systems": found.to_json()}
    return Result(document, found.lines(), origin)


def run_all(choices: Choices) -> Result:
    """Run every bench whose data is given; with `quick` what a day's change is judged by."""
    results = [run_speed(choices)]
    if choices.use_model:
        results.append(run_graph(replace(choices, data=None, out=None)))
        results += _asked_of_all(replace(choices, out=None, resume=False))
    lines = [line for result in results for line in (*result.lines, "")]
    recorded = tuple(line for one in results for line in (*(one.recorded or one.lines), ""))
    document = {"bench": "all", "benches": [one.document for one in results]}
    return Result(document, lines, results[0].origin, recorded=recorded)


def _asked_of_all(choices: Choices) -> Iterator[Result]:
    if choices.quick:
        if choices.data is not None:
            yield run_locomo(_daily(choices, choices.data))
        return
    choices = replace(choices, systems=SYSTEMS)
    if choices.data is not None:
        yield run_graph(choices)
        yield run_locomo(choices)
    if choices.longmemeval is not None:
        yield run_longmemeval(replace(choices, data=choices.longmemeval, conversations=()))
    if choices.sealqa is not None:
        yield run_sealqa(replace(choices, data=choices.sealqa, conversations=()))


def _daily(choices: Choices, data: Path) -> Choices:
    first = locomo.read_conversations(data)[0].name
    limit = choices.limit or QUICK_QUESTIONS
    return replace(choices, systems=QUICK_SYSTEMS, conversations=(first,), limit=limit, build=False)


def run_speed(choices: Choices) -> Result:
    """Measure importing, indexing, searching, and with the model reading and asking."""
    shelf, origin = _shelf(choices)
    figures = speed.measure(shelf, choices.sizes, use_model=choices.use_model, bare=choices.bare)
    document = {"bench": "speed", "origin": asdict(origin)}
    told = {"figures": [one.to_json() for one in figures]}
    rows = table(figures)
    lines = [*(one.line() for one in figures), "", *rows]
    return Result(document | told, lines, origin, recorded=tuple(rows))


def _asking_online(
    choices: Choices, exports: Sequence[Export], questions: Sequence[Question], score: Score
) -> Asking:
    """Ask questions that each have a vault of their own; read only what they need."""
    asked = {question.vault for question in questions}
    return Asking(
        choices.systems, [one for one in exports if one.name in asked], questions, score,
        build=choices.build, online=True, out=choices.out, resume=choices.resume,
    )  # fmt: skip


def _kinds(questions: Sequence[Question]) -> dict[str, str]:
    return {name: name for name in sorted({question.category for question in questions})}


def _asked(
    bench: str,
    choices: Choices,
    asking: Asking,
    categories: dict[str, str],
    *,
    score: str,
    total_of: report.TotalOf = report.answerable,
) -> Result:
    shelf, origin = _shelf(choices)
    stamp = f"{origin.code}/{origin.model[:12]}"
    done = run(replace(asking, stamp=stamp, any_code=choices.any_code), shelf)
    by_system = {
        system: [one for one in done.scored if one.system == system] for system in asking.systems
    }
    summed = {
        system: report.groups(scored, categories, seed=choices.seed, total_of=total_of)
        for system, scored in by_system.items()
    }
    lines = report.table(summed, score=score)
    document: dict[str, Any] = {"bench": bench, "origin": asdict(origin), "systems": {}}
    for system, scored in by_system.items():
        cost = report.costs(scored)
        built = report.build_costs(list(done.built[system].values()))
        lines += report.cost_lines(system, cost) + report.build_lines(system, built)
        document["systems"][system] = {
            "groups": [one.to_json() for one in summed[system]],
            "answer_costs": cost,
            "build_costs": built,
        }
    return Result(document, lines, origin, done.scored)


def _shelf(choices: Choices) -> tuple[Shelf, Provenance]:
    named = choices.model or load_settings().language_model
    model = "injected" if choices.open_workspace else _model_sha256(named)
    shelf = Shelf(
        choices.vaults, model, choices.open_workspace or workspace_opener(named),
        any_code=choices.any_code, progress=choices.progress, cancel=choices.cancel,
    )  # fmt: skip
    return shelf, provenance(model)


def _shelf_of_graphs(choices: Choices) -> tuple[Shelf, Provenance]:
    """Give the shelf whose vaults the model builds; or, where it is left out, the rules alone."""
    if choices.open_workspace is not None:
        return _shelf(choices)
    if choices.use_model:
        shelf, origin = _shelf(choices)
        return replace(shelf, journal=choices.vaults / "journal.jsonl"), origin
    shelf = Shelf(
        choices.vaults, RULES_ONLY, workspace_opener(choices.model, use_model=False),
        any_code=choices.any_code, progress=choices.progress, cancel=choices.cancel,
    )  # fmt: skip
    return shelf, provenance(RULES_ONLY)


def _model_sha256(named: str) -> str:
    """Return the sha256 of the model that will answer; a file of the user's own by its name."""
    if named.endswith(".gguf"):
        return Path(named).stem
    listed = models.list_models(Settings(language_model=named), locations.models_dir())
    for one in listed:
        if one.in_use and one.use == "language":
            return one.sha256
    raise ModelMissingError(
        "No language model is in use.", hint="Choose one with: apexmem models use NAME"
    )


def _data(choices: Choices) -> Path:
    if choices.data is None:
        raise UserError("This bench needs its data.", hint="Name the file with --data FILE.")
    return choices.data
