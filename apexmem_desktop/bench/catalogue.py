"""The benches by name, from what the command line chose to a result that it prints."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from apexmem_desktop.bench import coverage, graph, locomo, longmemeval, report, sealqa, speed
from apexmem_desktop.bench.cases import Question, Scored, sample_questions
from apexmem_desktop.bench.figures import table
from apexmem_desktop.bench.provenance import Provenance, provenance
from apexmem_desktop.bench.running import Asking, Score, run
from apexmem_desktop.bench.speed_models import Bare
from apexmem_desktop.bench.vaults import Export, OpenWorkspace, Shelf, workspace_opener
from apexmem_desktop.domain.errors import ModelMissingError, UserError
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.services import locations, models
from apexmem_desktop.services.settings import Settings, load_settings

# What is asked in the daily run: few questions on the shortest conversation of the public ten.
QUICK_SYSTEMS = ("apex", "rag")
QUICK_CONVERSATIONS = ("conv-30",)
QUICK_QUESTIONS = 12


@dataclass(frozen=True, slots=True)
class Choices:
    """What to measure and how; the command line's options.

    Attributes:
        sample: How many facts to write to `out` for a person to judge.
        verdicts: Such a sheet with its verdicts, to be summed up instead of measuring.
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
    sample: int = 0
    verdicts: Path | None = None
    model: str = ""
    progress: ProgressSink = ignore_progress
    cancel: CancelToken = field(default_factory=CancelToken)
    open_workspace: OpenWorkspace | None = None
    bare: Bare = field(default_factory=Bare)


@dataclass(frozen=True, slots=True)
class Result:
    """One bench's figures, as a JSON document and as lines for people."""

    document: dict[str, Any]
    lines: list[str]
    scored: tuple[Scored, ...] = ()


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
    result = _asked_online("longmemeval", choices, entries.exports, questions, longmemeval.score)
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
    result = _asked_online("sealqa", choices, exports, questions, sealqa.score)
    told = [f"{one.system}: {one.question.gold!r} — {one.reply.answer!r}" for one in result.scored]
    return replace(result, lines=[*result.lines, *told])


def run_graph(choices: Choices) -> Result:
    """Judge built graphs: of LoCoMo's conversations where given, else of the sample exports."""
    if choices.verdicts is not None:
        precision = coverage.read_verdicts(choices.verdicts)
        line = f"Facts judged right: {precision.spell()}, n = {precision.n}"
        return Result({"bench": "graph", "judged_precision": precision.to_json()}, [line])
    if choices.data is not None:
        return _graph_of_conversations(choices, choices.data)
    shelf, origin = _shelf(choices)
    measured, built = graph.measure_samples(shelf)
    lines = report.origin_lines(origin) + measured.lines()
    cost = report.build_costs([built])
    document = {"bench": "graph", "origin": asdict(origin), **measured.to_json()}
    return Result(document | {"build_costs": cost}, lines + report.build_lines("samples", cost))


def _graph_of_conversations(choices: Choices, data: Path) -> Result:
    exports = locomo.read_conversations(data, choices.conversations)
    shelf, origin = _shelf(choices)
    found, facts, reports = coverage.measure_conversations(shelf, exports, data)
    cost = report.build_costs(reports)
    lines = report.origin_lines(origin) + found.lines() + report.build_lines("LoCoMo", cost)
    if choices.out is not None:
        written = coverage.write_sheet(choices.out, facts, choices.sample or 50, choices.seed)
        lines.append(f"Wrote {written} facts to judge to {choices.out}.")
    document = {"bench": "graph", "origin": asdict(origin), **found.to_json()}
    return Result(document | {"facts": len(facts), "build_costs": cost}, lines)


def run_all(choices: Choices) -> Result:
    """Run what a day's change is judged by: the samples' graph, speed, and LoCoMo where given."""
    results = [run_speed(choices)]
    if choices.use_model:
        results.append(run_graph(replace(choices, data=None, out=None)))
    if choices.use_model and choices.data is not None:
        systems = replace(choices, systems=QUICK_SYSTEMS, conversations=QUICK_CONVERSATIONS)
        results.append(run_locomo(replace(systems, limit=choices.limit or QUICK_QUESTIONS)))
    lines = [line for result in results for line in (*result.lines, "")]
    return Result({"bench": "all", "benches": [one.document for one in results]}, lines)


def run_speed(choices: Choices) -> Result:
    """Measure importing, indexing, searching, and with the model reading and asking."""
    shelf, origin = _shelf(choices)
    figures = speed.measure(shelf, choices.sizes, use_model=choices.use_model, bare=choices.bare)
    lines = report.origin_lines(origin) + [one.line() for one in figures]
    lines += ["", *table(figures)]
    document = {"bench": "speed", "origin": asdict(origin)}
    return Result(document | {"figures": [one.to_json() for one in figures]}, lines)


def _asked_online(
    bench: str,
    choices: Choices,
    exports: Sequence[Export],
    questions: Sequence[Question],
    score: Score,
) -> Result:
    """Ask questions that each have a vault of their own; read only what they need."""
    asked = {question.vault for question in questions}
    asking = Asking(
        choices.systems, [one for one in exports if one.name in asked], questions, score,
        build=choices.build, online=True, out=choices.out, resume=choices.resume,
    )  # fmt: skip
    kinds = {name: name for name in sorted({question.category for question in questions})}
    return _asked(bench, choices, asking, kinds, score="accuracy")


def _asked(
    bench: str, choices: Choices, asking: Asking, categories: dict[str, str], *, score: str
) -> Result:
    shelf, origin = _shelf(choices)
    stamp = f"{origin.code}/{origin.model[:12]}"
    done = run(replace(asking, stamp=stamp, any_code=choices.any_code), shelf)
    by_system = {
        system: [one for one in done.scored if one.system == system] for system in asking.systems
    }
    summed = {
        system: report.groups(scored, categories, seed=choices.seed)
        for system, scored in by_system.items()
    }
    lines = report.origin_lines(origin) + report.table(summed, score=score)
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
    return Result(document, lines, done.scored)


def _shelf(choices: Choices) -> tuple[Shelf, Provenance]:
    named = choices.model or load_settings().language_model
    model = "injected" if choices.open_workspace else _model_sha256(named)
    shelf = Shelf(
        choices.vaults, model, choices.open_workspace or workspace_opener(named),
        any_code=choices.any_code, progress=choices.progress, cancel=choices.cancel,
    )  # fmt: skip
    return shelf, provenance(model)


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
