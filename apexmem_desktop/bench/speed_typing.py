"""How fast the window's own lists are in a filled vault: search as one types, what to clarify."""

from functools import partial

from apexmem_desktop.bench.figures import Figure, latencies, seconds
from apexmem_desktop.bench.speed_search import wanted_words
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.services import clarifying, seeking
from apexmem_desktop.services.workspace import Workspace

_MOST_MS = 50.0  # what feels as quick as the key that was pressed


def measure_typing(
    ws: Workspace, about: str, count: int, progress: ProgressSink, cancel: CancelToken
) -> list[Figure]:
    """Search as somebody types: first letters, a word, some words."""
    ms = []
    typed = [part for words in wanted_words(count) for part in _as_typed(words)]
    seeking.seek(ws, typed[0])
    for number, words in enumerate(typed, start=1):
        cancel.check()
        ms.append(1000 * seconds(partial(seeking.seek, ws, words)))
        progress(Progress("Searching as one types", number, len(typed), "searches"))
    return latencies(
        f"search everywhere as one types, {about}", ms, "what one feels", [_MOST_MS] * len(ms)
    )


def measure_questions(ws: Workspace, about: str) -> list[Figure]:
    """List what there is to clarify, as the place of that name does."""
    took_s = seconds(lambda: clarifying.open_questions(ws))
    return [Figure(f"the list of what to clarify, {about}", took_s, "s")]


def _as_typed(words: str) -> tuple[str, ...]:
    first, *_, last = words.split()
    return first[:1], first[:3], first, f"{first} {last[:3]}", words
