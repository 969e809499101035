"""Questions to the whole graph, asked with GraphSQL and without: whether the tool earns its place.

The graph is the one that the rules read from the sample exports, so that it is the same everywhere;
only the questions are put to the model.
"""

import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apexmem_desktop.bench import report
from apexmem_desktop.bench.intervals import Estimate, quantile, share
from apexmem_desktop.bench.systems import TOOLS_OF
from apexmem_desktop.bench.vaults import CONTEXT_TOKENS, OpenWorkspace, workspace_opener
from apexmem_desktop.domain.answers import Answer, AskOptions
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.services import asking, building, samples
from apexmem_desktop.services.dates import parse_date
from apexmem_desktop.services.workspace import Workspace

SYSTEMS = ("apex", "no-sql")
DEFAULT_NOW = "2025-07-31"


@dataclass(frozen=True, slots=True)
class Told:
    """What was answered to one question, and whether it is right."""

    question: str
    kind: str
    answer: str
    right: bool
    cited: bool
    model_calls: int
    ms_first_words: int
    steps: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Queries:
    """The answers by system."""

    told: Mapping[str, Sequence[Told]]

    def right(self, system: str) -> Estimate:
        """Tell the share of right answers of a system."""
        return share([one.right for one in self.told[system]])

    def sql(self, system: str) -> dict[str, int]:
        """Count a system's queries."""
        return report.query_counts([one.steps for one in self.told[system]])

    def to_json(self) -> dict[str, Any]:
        """Give all of it as plain JSON values."""
        return {
            system: {
                "right": self.right(system).to_json(),
                "sql": self.sql(system),
                "answers": [
                    {"question": one.question, "answer": one.answer, "right": one.right}
                    for one in told
                ],
            }
            for system, told in self.told.items()
        }

    def lines(self) -> list[str]:
        """Say it for people: a table, how the queries went, and what was wrong."""
        lines = ["| system | kind | n | right (95 %) |", "|---|---|---|---|"]
        for system, told in self.told.items():
            for kind in dict.fromkeys(one.kind for one in told):
                of_kind = [one.right for one in told if one.kind == kind]
                lines.append(f"| {system} | {kind} | {len(of_kind)} | {share(of_kind).spell()} |")
            lines.append(f"| {system} | all | {len(told)} | {self.right(system).spell()} |")
        for system, told in self.told.items():
            calls = sum(one.model_calls for one in told) / max(1, len(told))
            words = quantile([one.ms_first_words / 1000 for one in told], 0.5)
            lines.append(
                f"{system}: {calls:.2f} model calls a question, first words after {words:.2f} s "
                "median."
            )
            lines += report.query_line(system, self.sql(system))
        wrong = [one for one in self.told[SYSTEMS[0]] if not one.right]
        return [*lines, *(f"Wrong: {one.question} {one.answer!r}" for one in wrong)]


def read_graph_questions() -> list[dict[str, Any]]:
    """Read the questions with their answers."""
    file = resources_dir() / "samples" / "graph_questions.toml"
    questions: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    return questions


def is_right(question: Mapping[str, Any], answer: str) -> bool:
    """Tell whether all that must stands in an answer, and nothing that must not."""
    said = answer.casefold()
    needed = (one.casefold().split("|") for one in question["all_of"])
    if not all(any(form in said for form in forms) for forms in needed):
        return False
    return not any(one.casefold() in said for one in question.get("none_of", ()))


def measure(
    folder: Path,
    open_workspace: OpenWorkspace,
    *,
    progress: ProgressSink,
    cancel: CancelToken,
    systems: Sequence[str] = SYSTEMS,
) -> Queries:
    """Read the samples by rule, and ask every system."""
    folder.mkdir(parents=True, exist_ok=True)
    questions = read_graph_questions()
    with tempfile.TemporaryDirectory(dir=folder) as passing:
        path = Path(passing) / "samples.apexmem"
        with workspace_opener("", use_model=False)(path, CONTEXT_TOKENS) as ws:
            samples.import_samples(ws)
            building.build(ws)
        with open_workspace(path, CONTEXT_TOKENS) as ws:
            building.embed_pending(ws)
            asked = _Asking(ws, progress, cancel, len(questions) * len(systems))
            return Queries({s: [asked.ask(q, s) for q in questions] for s in systems})


@dataclass
class _Asking:
    """Asks one question after another."""

    ws: Workspace
    progress: ProgressSink
    cancel: CancelToken
    total: int
    done: int = 0

    def ask(self, question: Mapping[str, Any], system: str) -> Told:
        self.cancel.check()
        now_ms = parse_date(question.get("now", DEFAULT_NOW)).start_ms(samples.ZONE)
        options = AskOptions(
            now_ms=now_ms, zone=samples.ZONE, tools=TOOLS_OF[system], is_kept=False
        )
        answer = asking.ask(self.ws, question["question"], options, cancel=self.cancel)
        self.done += 1
        self.progress(Progress("Asking", self.done, self.total, "questions", system))
        return _told(question, answer)


def _told(question: Mapping[str, Any], answer: Answer) -> Told:
    said = "" if answer.abstained else answer.answer
    return Told(
        question=question["question"],
        kind=question["kind"],
        answer=said,
        right=is_right(question, said),
        cited=bool(answer.citations),
        model_calls=answer.usage.model_calls,
        ms_first_words=answer.usage.ms_first_words,
        steps=tuple({"tool": step.tool, "error": step.error} for step in answer.steps),
    )
