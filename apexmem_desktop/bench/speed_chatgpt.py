"""How fast a ChatGPT export is imported: generated, of any size, the same each time."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apexmem_desktop.bench import speed_limits
from apexmem_desktop.bench.figures import Figure, Took, rate, took
from apexmem_desktop.bench.speed_chat import made_up_words
from apexmem_desktop.bench.speed_import import import_apart, memory
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink, ignore_progress

_FIRST_S = 1_650_000_000
_MOST_MESSAGES = 60
_JSON, _ROWS, _WORDS = "json.loads of each conversation", "sqlite3 executemany", "FTS5 rebuild"


def measure_chatgpt(
    folder: Path,
    megabytes: float,
    *,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> list[Figure]:
    """Import a generated export into a new vault, then again, then do bare what it cannot avoid."""
    token = cancel or CancelToken()
    export, vault = folder / "conversations.json", folder / "chatgpt.apexmem"
    write_chatgpt(export, megabytes, progress, token)
    first = import_apart(vault, export, progress=progress, cancel=token)
    again = import_apart(vault, export, progress=progress, cancel=token)
    if again.turns_new:
        raise RuntimeError(f"the same file gave {again.turns_new} new turns")
    parsed = took(lambda: _parse(export))
    rows, words = speed_limits.take_sqlite(vault, progress, token)
    name = f"import of a ChatGPT export of {megabytes:g} MB"
    limits = _limits(parsed, rows, words)
    size = export.stat().st_size
    figures = [
        *rate(name, size / 1e6, "MB/s", first.seconds, *limits),
        *rate(f"{name}, again", size / 1e6, "MB/s", again.seconds,
              ("the first time", first.seconds)),
    ]  # fmt: skip
    if first.peak_bytes is not None:
        figures.append(memory(f"peak memory, {name}", first.peak_bytes, export))
    return figures


def _limits(parsed: Took, rows: Took, words: Took) -> list[tuple[str, float]]:
    together = f"{_JSON}, {_ROWS} and {_WORDS} one after the other"
    whole = parsed + rows + words
    named = ((_JSON, parsed), (_ROWS, rows), (_WORDS, words), (together, whole))
    return [(name, bare.seconds) for name, bare in named]


def write_chatgpt(
    path: Path,
    megabytes: float,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> None:
    """Write an export of about that size: a line a conversation, none of them broken."""
    done, total = 0, int(megabytes * 1e6)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for conversation in _conversations():
            line = json.dumps(conversation, ensure_ascii=False)
            file.write(("[\n" if done == 0 else ",\n") + line)
            done += len(line.encode()) + 2
            (cancel or CancelToken()).check()
            progress(Progress("Generating conversations", min(done, total), total, "bytes"))
            if done >= total:
                break
        file.write("\n]\n")


def _parse(export: Path) -> None:
    with export.open(encoding="utf-8") as file:
        for line in file:
            if line.startswith("{"):
                json.loads(line.rstrip(",\n"))


def _conversations() -> Iterator[dict[str, Any]]:
    draw = random.Random(5)  # noqa: S311 - made-up chatter, no secret
    words = made_up_words()
    number = 0
    while True:
        number += 1
        yield _conversation(draw, words, number)


def _conversation(draw: random.Random, words: list[str], number: int) -> dict[str, Any]:
    at_s = float(_FIRST_S + number * 4000)
    last = "root"
    mapping: dict[str, Any] = {last: {"id": last, "message": None, "parent": None, "children": []}}
    for place in range(draw.randrange(2, _MOST_MESSAGES)):
        by_user = place % 2 == 0
        said = draw.choices(words, k=draw.randrange(5, 40) if by_user else draw.randrange(60, 300))
        at_s += draw.random() * 60
        message_id = f"{draw.getrandbits(128):032x}"
        mapping[last]["children"].append(message_id)
        message = _message(message_id, "user" if by_user else "assistant", at_s, " ".join(said))
        mapping[message_id] = {
            "id": message_id, "message": message, "parent": last, "children": [],
        }  # fmt: skip
        last = message_id
    return {
        "title": " ".join(draw.choices(words, k=4)), "create_time": at_s, "update_time": at_s,
        "mapping": mapping, "moderation_results": [], "current_node": last, "plugin_ids": None,
        "conversation_id": f"conversation-{number}", "is_archived": False, "safe_urls": [],
        "default_model_slug": "gpt-4o", "id": f"conversation-{number}",
    }  # fmt: skip


def _message(message_id: str, role: str, at_s: float, text: str) -> dict[str, Any]:
    return {
        "id": message_id, "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at_s, "update_time": None,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully", "end_turn": True, "weight": 1.0,
        "metadata": {"request_id": message_id[:16], "timestamp_": "absolute",
                     "model_slug": "gpt-4o", "message_type": None},
        "recipient": "all", "channel": None,
    }  # fmt: skip
