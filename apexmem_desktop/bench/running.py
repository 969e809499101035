"""Asks all questions of all systems, scores, writes each down at once, and resumes after a kill."""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from apexmem_desktop.bench.cases import Question, Reply, Scored
from apexmem_desktop.bench.systems import asker
from apexmem_desktop.bench.vaults import Export, Shelf
from apexmem_desktop.domain.progress import Progress
from apexmem_desktop.domain.reports import BuildReport

Score = Callable[[Question, Reply], tuple[float, bool | None]]


@dataclass(frozen=True, slots=True)
class Asking:
    """What to ask of whom.

    Attributes:
        exports: One vault each; a question names its own.
        build: Whether the memory reads the turns into its graph first.
        online: Read for each question only what is relevant to it.
        out: JSON lines of every question; None to write none.
        resume: Keep what `out` holds already, and ask only the rest.
        stamp: Which code and model answer; a kept answer must bear the same.
        any_code: Keep answers whatever code and model gave them.
    """

    systems: Sequence[str]
    exports: Sequence[Export]
    questions: Sequence[Question]
    score: Score
    build: bool = True
    online: bool = False
    out: Path | None = None
    resume: bool = False
    stamp: str = ""
    any_code: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """Every scored answer, and by system and vault what reading it cost."""

    scored: tuple[Scored, ...]
    built: dict[str, dict[str, BuildReport]]


def run(asking: Asking, shelf: Shelf) -> Done:
    """Ask and score everything."""
    record = _Record(asking)
    built: dict[str, dict[str, BuildReport]] = {system: {} for system in asking.systems}
    with ExitStack() as stack:
        record.open(stack)
        for system in asking.systems:
            for export in asking.exports:
                report = _ask_of_one_vault(asking, shelf, record, system, export)
                if report is not None:
                    built[system][export.name] = report
    return Done(tuple(record.scored), built)


def _ask_of_one_vault(
    asking: Asking, shelf: Shelf, record: "_Record", system: str, export: Export
) -> BuildReport | None:
    """Ask what is left to ask; returns what reading the vault cost, if it was read."""
    mine = [question for question in asking.questions if question.vault == export.name]
    left = [question for question in mine if not record.has(system, question)]
    if not left:
        return None
    about = left[0].text if asking.online else ""
    with asker(system, shelf, export, build=asking.build, about=about) as opened:
        for question in left:
            shelf.cancel.check()
            reply = opened.ask(question)
            record.add(Scored(system, question, reply, *asking.score(question, reply)))
            shelf.progress(record.progress(f"{system}, {question.id}"))
        return opened.built


class _Record:
    """What was answered so far, in memory and, line by line, in the file."""

    def __init__(self, asking: Asking) -> None:
        self._out = asking.out
        self._stamp = asking.stamp
        self.scored: list[Scored] = []
        wanted = {(system, q.id) for system in asking.systems for q in asking.questions}
        if asking.resume and asking.out is not None and asking.out.is_file():
            text = asking.out.read_text(encoding="utf-8")
            lines = [json.loads(line) for line in text.split("\n") if line.strip()]
            kept = [
                Scored.from_json(line)
                for line in lines
                if asking.any_code or line["stamp"] == asking.stamp
            ]
            self.scored = [one for one in kept if (one.system, one.question.id) in wanted]
        self._known = {(one.system, one.question.id) for one in self.scored}
        self._write: Callable[[str], object] = len
        self._total = len(wanted)
        self._kept = len(self.scored)
        self._started = time.monotonic()

    def open(self, stack: ExitStack) -> None:
        """Open the file anew with what is kept in it."""
        if self._out is None:
            return
        self._out.parent.mkdir(parents=True, exist_ok=True)
        file = stack.enter_context(self._out.open("w", encoding="utf-8", buffering=1))
        self._write = file.write
        for one in self.scored:
            self._append(one)

    def has(self, system: str, question: Question) -> bool:
        """Tell whether it was answered in an earlier run."""
        return (system, question.id) in self._known

    def add(self, one: Scored) -> None:
        """Keep one more."""
        self.scored.append(one)
        self._append(one)

    def progress(self, item: str) -> Progress:
        """Tell how far it is; what an earlier run answered takes no time."""
        done = len(self.scored) - self._kept
        elapsed = time.monotonic() - self._started
        return Progress("Asking", done, self._total - self._kept, "questions", item, elapsed)

    def _append(self, one: Scored) -> None:
        line = {"stamp": self._stamp, **one.to_json()}
        self._write(json.dumps(line, ensure_ascii=False) + "\n")
