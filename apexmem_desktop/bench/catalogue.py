"""The benches by name, from what the command line chose to a result that it prints."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from apexmem_desktop.bench import locomo, report
from apexmem_desktop.bench.provenance import Provenance, provenance
from apexmem_desktop.bench.running import Asking, run
from apexmem_desktop.bench.vaults import OpenWorkspace, Shelf, workspace_opener
from apexmem_desktop.domain.errors import ModelMissingError, UserError
from apexmem_desktop.domain.progress import CancelToken, ProgressSink, ignore_progress
from apexmem_desktop.services import locations, models
from apexmem_desktop.services.settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class Choices:
    """What to measure and how; the command line's options.

    Attributes:
        open_workspace: How vaults are opened; None for the models of this machine.
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
    messages: int = 10_000
    use_model: bool = True
    model: str = ""
    progress: ProgressSink = ignore_progress
    cancel: CancelToken = field(default_factory=CancelToken)
    open_workspace: OpenWorkspace | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One bench's figures, as a JSON document and as lines for people."""

    document: dict[str, Any]
    lines: list[str]


def run_locomo(choices: Choices) -> Result:
    """Ask LoCoMo's questions of each system."""
    data = _data(choices)
    exports = locomo.read_conversations(data, choices.conversations)
    questions = locomo.sample_questions(
        locomo.read_questions(data, exports), choices.limit, choices.seed
    )
    asking = Asking(
        choices.systems, exports, questions, locomo.score,
        build=choices.build, out=choices.out, resume=choices.resume,
    )  # fmt: skip
    return _asked("locomo", choices, asking, locomo.CATEGORIES, score="token F1")


def run_longmemeval(choices: Choices) -> Result:
    raise NotImplementedError


def run_sealqa(choices: Choices) -> Result:
    raise NotImplementedError


def run_graph(choices: Choices) -> Result:
    raise NotImplementedError


def run_speed(choices: Choices) -> Result:
    raise NotImplementedError


def _asked(
    bench: str, choices: Choices, asking: Asking, categories: dict[str, str], *, score: str
) -> Result:
    shelf, origin = _shelf(choices)
    done = run(asking, shelf)
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
    return Result(document, lines)


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
