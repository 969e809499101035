"""Questions to the whole graph, asked with GraphSQL and without: whether the tool earns its place.

The graph is the one that the rules read from the sample exports, so that it is the same everywhere;
only the questions are put to the model. Some of its queries may be broken before they run, to see
whether they are mended.
"""

import re
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apexmem_desktop.bench import breaking, report
from apexmem_desktop.bench.breaking import Breaker, Broken, Mending
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
OWN, HELD_OUT = "graph_questions.toml", "graph_questions_held_out.toml"
PRACTICE = "graph_questions_practice.toml"
DEFAULT_NOW = "2025-07-31"


@dataclass(frozen=True, slots=True)
class Told:
    """What was answered to one question, and whether it is right.

    Attributes:
        steps: Its tool calls, without a query that was broken on purpose.
        mending: What became of such a query; None where none was broken.
    """

    question: str
    kind: str
    answer: str
    right: bool
    cited: bool
    model_calls: int
    ms_first_words: int
    steps: tuple[dict[str, Any], ...]
    mending: Mending | None = None

    @property
    def is_asked_of_graph(self) -> bool:
        """Whether a query of it ran."""
        return any(step["tool"] == "GraphSQL" and not step["error"] for step in self.steps)


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

    def mendings(self, system: str) -> list[Mending]:
        """List what became of a system's broken queries."""
        return [one.mending for one in self.told[system] if one.mending is not None]

    def kinds(self, system: str) -> dict[str, list[Told]]:
        """Sort a system's answers by the kind of question; all of them last."""
        told = self.told[system]
        kinds = dict.fromkeys(one.kind for one in told)
        return {kind: [one for one in told if one.kind == kind] for kind in kinds} | {
            "all": list(told)
        }

    def to_json(self) -> dict[str, Any]:
        """Give all of it as plain JSON values."""
        return {
            system: {
                "right": self.right(system).to_json(),
                "kinds": {
                    kind: {
                        "right": share([one.right for one in of]).to_json(),
                        "asked_of_graph": sum(one.is_asked_of_graph for one in of),
                    }
                    for kind, of in self.kinds(system).items()
                },
                "sql": self.sql(system),
                "broken": breaking.counts(self.mendings(system)),
                "answers": [
                    {
                        "question": one.question,
                        "answer": one.answer,
                        "right": one.right,
                        "broken": one.mending and asdict(one.mending),
                    }
                    for one in told
                ],
            }
            for system, told in self.told.items()
        }

    def lines(self) -> list[str]:
        """Say it for people: a table, how the queries went, and what was wrong."""
        lines = ["| system | kind | n | right (95 %) | asked of graph |", "|---|---|---|---|---|"]
        for system in self.told:
            for kind, of in self.kinds(system).items():
                right = share([one.right for one in of]).spell()
                asked = sum(one.is_asked_of_graph for one in of)
                lines.append(f"| {system} | {kind} | {len(of)} | {right} | {asked} |")
        for system, told in self.told.items():
            calls = sum(one.model_calls for one in told) / max(1, len(told))
            words = quantile([one.ms_first_words / 1000 for one in told], 0.5)
            lines.append(
                f"{system}: {calls:.2f} model calls a question, first words after {words:.2f} s "
                "median."
            )
            lines += report.query_line(system, self.sql(system))
            lines += breaking.lines(self.mendings(system))
        first = next(iter(self.told.values()), [])
        wrong = [one for one in first if not one.right]
        return [*lines, *(f"Wrong: {one.question} {one.answer!r}" for one in wrong)]


def read_graph_questions(name: str = OWN) -> list[dict[str, Any]]:
    """Read the questions with their answers, of one of the three files."""
    file = resources_dir() / "samples" / name
    questions: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    return questions


def is_right(question: Mapping[str, Any], answer: str) -> bool:
    """Tell whether all that must stands in an answer, and nothing that must not.

    Latin words and numbers match whole ones only: no "2" stands in "2025".
    """
    needed = (one.split("|") for one in question["all_of"])
    if not all(any(_stands_in(form, answer) for form in forms) for forms in needed):
        return False
    return not any(_stands_in(one, answer) for one in question.get("none_of", ()))


def _stands_in(form: str, answer: str) -> bool:
    before = "(?<![a-z0-9])" if form[0].isascii() else ""
    after = "(?![a-z0-9])" if form[-1].isascii() else ""
    return re.search(f"{before}{re.escape(form)}{after}", answer, re.IGNORECASE) is not None


def measure(
    folder: Path,
    open_workspace: OpenWorkspace,
    *,
    progress: ProgressSink,
    cancel: CancelToken,
    systems: Sequence[str] = SYSTEMS,
    questions: Sequence[Mapping[str, Any]] = (),
    breaker: Breaker | None = None,
) -> Queries:
    """Read the samples by rule, and ask every system.

    Args:
        questions: What to ask; () for those that the routing was written on.
        breaker: Breaks some of the queries before they run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    questions = questions or read_graph_questions()
    breaker = breaker or Breaker(percent=0, seed=0)
    with tempfile.TemporaryDirectory(dir=folder) as passing:
        path = Path(passing) / "samples.apexmem"
        with workspace_opener("", use_model=False)(path, CONTEXT_TOKENS) as ws:
            samples.import_samples(ws)
            building.build(ws)
        with open_workspace(path, CONTEXT_TOKENS) as ws:
            building.embed_pending(ws)
            asked = _Asking(ws, breaker, progress, cancel, len(questions) * len(systems))
            return Queries({s: [asked.ask(q, s) for q in questions] for s in systems})


@dataclass
class _Asking:
    """Asks one question after another."""

    ws: Workspace
    breaker: Breaker
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
        self.breaker.next_question(question["question"])
        answer = asking.ask(
            self.ws,
            question["question"],
            options,
            cancel=self.cancel,
            change_query=self.breaker.change,
        )
        self.done += 1
        self.progress(Progress("Asking", self.done, self.total, "questions", system))
        return _told(question, answer, self.breaker.broken)


def _told(question: Mapping[str, Any], answer: Answer, broken: Broken | None) -> Told:
    said = "" if answer.abstained else answer.answer
    right = is_right(question, said)
    mending = None
    if broken is not None:
        mending = breaking.read_mending(
            broken, answer.steps, by_model=answer.usage.model_calls > 0, right=right
        )
    return Told(
        question=question["question"],
        kind=question["kind"],
        answer=said,
        right=right,
        cited=bool(answer.citations),
        model_calls=answer.usage.model_calls,
        ms_first_words=answer.usage.ms_first_words,
        steps=tuple(
            {"tool": step.tool, "error": step.error}
            for step in answer.steps
            if broken is None or step.arguments != broken.sql
        ),
        mending=mending,
    )
