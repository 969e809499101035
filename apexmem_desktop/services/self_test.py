"""Try the language model on this machine: how fast it is, and whether it reads rightly."""

import time

from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink, ignore_progress
from apexmem_desktop.domain.reading import SelfTest
from apexmem_desktop.services.completing import Completion, complete
from apexmem_desktop.services.workspace import Workspace

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
) -> SelfTest:
    """Ask the model in use a fixed few questions and time it.

    Raises:
        ModelMissingError: There is no model on this machine.
        CancelledError: The user cancelled.
    """
    token = cancel or CancelToken()
    started = time.monotonic()
    complete(ws, _PROMPT, message="1 May 2024, Ida: hello", question="Who is Max?", cancel=token)
    told: list[tuple[Completion, bool]] = []
    for number, (message, question, right) in enumerate(_QUESTIONS):
        progress(Progress("Testing the model", number, len(_QUESTIONS), "questions"))
        said = complete(ws, _PROMPT, message=message, question=question, cancel=token)
        told.append((said, right in said.text.casefold()))
    reading, writing = _speeds(ws, token)
    return SelfTest(
        model=ws.language().model_id,
        right=sum(1 for _, is_right in told if is_right),
        asked=len(told),
        reading_per_s=reading,
        writing_per_s=writing,
        seconds=time.monotonic() - started,
    )


def _speeds(ws: Workspace, token: CancelToken) -> tuple[float, float]:
    """Time a long text that is new to the model, and then a long reply to what it knows."""
    message = " ".join(f"{question} {message}" for message, question, _ in _QUESTIONS * 4)
    read = complete(ws, _PROMPT, message=message, question="Who?", max_tokens=1, cancel=token)
    fresh = read.prompt_tokens - read.reused_tokens
    wrote = complete(ws, _PROMPT, message=message, question="Who?", max_tokens=32, cancel=token)
    return _rate(fresh, read.ms), _rate(wrote.output_tokens, wrote.ms)


def _rate(count: int, ms: int) -> float:
    return round(count * 1000 / max(1, ms), 1)
