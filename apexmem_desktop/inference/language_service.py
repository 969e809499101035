"""What the language child answers: generate, and count tokens."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from apexmem_desktop.inference.engine import Engine, PromptTooLongError
from apexmem_desktop.inference.frames import Frame
from apexmem_desktop.inference.journal import Journal
from apexmem_desktop.inference.llama import Llama, ModelUnreadableError
from apexmem_desktop.inference.requests import GenerateRequest
from apexmem_desktop.inference.sequences import sequences_of
from apexmem_desktop.inference.serving import Emit, RefusedError

# Replies that run at once. The kernels pay from 16 rows on (8 at once take as long as 16), and
# more keep them full when some replies end before others: 28 tokens/s for one, 47 for 16, 67 for
# 32, 74 for 48, 84 for 64.
PARALLEL = 48
KEPT_PREFIXES = 5
# Cells beyond one longest prompt, so that many replies find room beside what is kept.
EXTRA_CELLS = 4096
# Also the longest that a cancel waits for: about a second of prompt on two cores.
BATCH_TOKENS = 128


def load(path: Path, *, context_tokens: int, threads: int, adapter: Path | None = None) -> Llama:
    """Load a model with the cache that the service works in.

    Raises:
        ModelUnreadableError: llama.cpp cannot load it.
    """
    return Llama(
        path,
        cells=context_tokens + EXTRA_CELLS,
        sequences=sequences_of(PARALLEL, KEPT_PREFIXES),
        threads=threads,
        batch_tokens=BATCH_TOKENS,
        adapter=adapter,
    )


class LanguageService:
    """One language model, loaded."""

    def __init__(
        self, path: Path, *, context_tokens: int, threads: int, adapter: Path | None = None
    ) -> None:
        try:
            llama = load(path, context_tokens=context_tokens, threads=threads, adapter=adapter)
        except ModelUnreadableError as error:
            raise RefusedError("unreadable", str(error)) from error
        self._llama = llama
        self._engine = Engine(
            llama, context_tokens=context_tokens, parallel=PARALLEL, kept=KEPT_PREFIXES
        )

    def handle(
        self, message: dict[str, Any], *, emit: Emit, cancelled: Callable[[], bool]
    ) -> Frame:
        """Answer "generate", "count" and "journal"."""
        if message["op"] == "count":
            return {"tokens": self._engine.count_tokens(message["text"])}, b""
        if message["op"] == "journal":
            self._llama.journal = Journal(Path(message["path"]))
            return {}, b""
        requests = [GenerateRequest.from_json(one) for one in message["requests"]]
        streams = bool(message["stream"])

        def send(index: int, text: str) -> None:
            if streams:
                emit({"index": index, "text": text})

        decode_s, tokens = self._llama.decode_s, self._llama.decoded_tokens
        try:
            found = self._engine.generate(requests, on_text=send, cancelled=cancelled)
        except PromptTooLongError as error:
            raise RefusedError("too_long", str(error)) from error
        return {
            "generations": [asdict(one) for one in found],
            "decode_s": self._llama.decode_s - decode_s,
            "decoded_tokens": self._llama.decoded_tokens - tokens,
        }, b""
