"""Try a language model on this machine: how fast it is, and whether it reads rightly."""

import dataclasses
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apexmem_desktop.domain.errors import UserError
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink, ignore_progress
from apexmem_desktop.domain.reading import SelfTest
from apexmem_desktop.services import machine
from apexmem_desktop.services.completing import Completion, complete
from apexmem_desktop.services.locations import model_tests_path
from apexmem_desktop.services.workspace import Workspace

if TYPE_CHECKING:
    from apexmem_desktop.inference.language import LanguageHost

_PROMPT = "read"
# Message, question, what a right answer holds. Two of them have no answer in the message.
_QUESTIONS = (
    (
        "3 May 2024, Ida: I start at the bakery on Monday, bye office!",
        "Where will Ida work?",
        "bakery",
    ),
    ("9 June 2024, Max: we called the kitten Pepper", "What is Max's cat called?", "pepper"),
    ("11 June 2024, Ida: the train was late again, an hour", "Where does Ida live?", "none"),
    ("2 July 2024, Max: moved from Turin to Graz last week", "Where does Max live now?", "graz"),
    ("2024年5月8日, 王芳: 我从去年开始学钢琴了", "王芳在学什么?", "钢琴"),
    ("20 July 2024, Ida: no meat for me since January", "Which film did Ida see?", "none"),
)  # fmt: skip


def run(
    ws: Workspace,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
    *,
    name: str = "",
) -> SelfTest:
    """Ask a model a fixed few questions and time it.

    Args:
        name: Of the catalogue, or the path of a GGUF file; "" for the model in use.

    Raises:
        ModelMissingError: The model is not on this machine.
        CancelledError: The user cancelled.
    """
    token = cancel or CancelToken()
    started = time.monotonic()
    with ws.language_to_try(name) as host:
        right = _count_right(ws, host, progress, token)
        reading, writing = _speeds(ws, host, token)
        return SelfTest(
            model=host.model_id,
            right=right,
            asked=len(_QUESTIONS),
            reading_per_s=reading,
            writing_per_s=writing,
            seconds=round(time.monotonic() - started, 1),
            at_ms=ws.now_ms(),
            machine=machine.described(machine.look()),
        )


def keep(name: str, test: SelfTest, path: Path | None = None) -> None:
    """Remember how a model did, in the place of what was known of it before.

    Raises:
        UserError: The file cannot be written.
    """
    path = path or model_tests_path()
    known = {**find_kept(path), name: test}
    told = {one: dataclasses.asdict(kept) for one, kept in known.items()}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".new")
        aside.write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")
        aside.replace(path)
    except OSError as error:
        raise UserError(
            f"How the model did cannot be kept in {path}: {error.strerror}.",
            hint="Check that the folder is yours to write and the disk has room.",
        ) from error


def find_kept(path: Path | None = None) -> dict[str, SelfTest]:
    """Give how each model did when it was last tried; what cannot be read is not known."""
    try:
        told = json.loads((path or model_tests_path()).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    known = {one: _read(kept) for one, kept in told.items()} if isinstance(told, dict) else {}
    return {one: test for one, test in known.items() if test is not None}


def _read(kept: Any) -> SelfTest | None:
    try:
        return SelfTest(**kept)
    except TypeError:  # of another version of the program
        return None


def _count_right(
    ws: Workspace, host: "LanguageHost", progress: ProgressSink, token: CancelToken
) -> int:
    message = "1 May 2024, Ida: hello"  # the first answer takes as long as the model takes to load
    complete(ws, _PROMPT, host=host, message=message, question="Who is Max?", cancel=token)
    told: list[bool] = []
    for number, (message, question, right) in enumerate(_QUESTIONS):
        progress(Progress("Testing the model", number, len(_QUESTIONS), "questions"))
        said = complete(ws, _PROMPT, host=host, message=message, question=question, cancel=token)
        told.append(right in said.text.casefold())
    return sum(told)


def _speeds(ws: Workspace, host: "LanguageHost", token: CancelToken) -> tuple[float, float]:
    """Time a long text that is new to the model, and then a long reply to what it knows."""
    message = " ".join(f"{question} {message}" for message, question, _ in _QUESTIONS * 4)

    def timed(max_tokens: int) -> Completion:
        return complete(
            ws,
            _PROMPT,
            host=host,
            max_tokens=max_tokens,
            cancel=token,
            message=message,
            question="Who?",
        )

    read, wrote = timed(1), timed(32)
    fresh = read.prompt_tokens - read.reused_tokens
    return _rate(fresh, read.ms), _rate(wrote.output_tokens, wrote.ms)


def _rate(count: int, ms: int) -> float:
    return round(count * 1000 / max(1, ms), 1)
