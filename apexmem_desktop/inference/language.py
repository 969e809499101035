"""The language model as the rest of the program sees it: requests in, replies out.

The model runs in a child process; nothing here imports llama.cpp.
"""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from apexmem_desktop.domain.errors import CancelledError, ModelMissingError, UserError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.adapters import reader_for
from apexmem_desktop.inference.host import ChildHost, ChildRefusedError, worker_command
from apexmem_desktop.inference.requests import GenerateRequest, Generation, Message, ModelTime
from apexmem_desktop.inference.verified import recorded_sha256

__all__ = ["GenerateRequest", "Generation", "LanguageHost", "Message", "PromptTooLongError"]

TextSink = Callable[[int, str], None]


class PromptTooLongError(UserError, ValueError):
    """A prompt and its reply do not fit the model's context; nothing was generated."""


class LanguageHost:
    """One language model in its own process, started at the first call.

    Attributes:
        path: The model's file.
        context_tokens: Most tokens of one prompt and its reply together.
        spent: What its calls took so far.
    """

    def __init__(self, model_path: Path, *, context_tokens: int = 8192, threads: int = 0) -> None:
        self.path = Path(model_path)
        self.context_tokens = context_tokens
        self.spent = ModelTime()
        self._adapter = reader_for(self.path)
        self._host = ChildHost(
            worker_command(
                "language",
                self.path,
                f"--context={context_tokens}",
                f"--threads={threads}",
                *([f"--adapter={self._adapter}"] if self._adapter is not None else []),
            )
        )

    @property
    def is_taught(self) -> bool:
        """Whether there is an adapter for this model, for requests that are `adapted`."""
        return self._adapter is not None

    @property
    def model_id(self) -> str:
        """What `runs` keeps of the model: the file's sha256 if it was verified, else its name."""
        return recorded_sha256(self.path) or self.path.name

    @property
    def pid(self) -> int | None:
        """The child's process number; None while it is not running."""
        return self._host.pid

    def generate(
        self,
        requests: Sequence[GenerateRequest],
        *,
        on_text: TextSink | None = None,
        cancel: CancelToken | None = None,
    ) -> list[Generation]:
        """Answer all requests as one batch of parallel sequences, in their order.

        Args:
            requests: 16 at once take a CPU as long as 8 do, and up to 48 gain: send many, with
                no more max_tokens than they need, since room is kept for all of them.
            on_text: Called on this thread with a request's index and more of its reply.
            cancel: Once set, replies come back as they are, with finish "cancelled".

        Raises:
            ModelCrashedError: The child died; the next call starts a new one.
            ModelMissingError: There is no such file, or it cannot be loaded.
            PromptTooLongError: One of them does not fit the context; none was answered.
            ValueError: A grammar cannot be read.
        """
        if not requests:
            return []
        message = {
            "op": "generate",
            "requests": [request.to_json() for request in requests],
            "stream": on_text is not None,
        }
        said = [""] * len(requests)

        def take(event: dict[str, Any]) -> None:
            said[event["index"]] += event["text"]
            if on_text is not None:
                on_text(event["index"], event["text"])

        began = time.monotonic()
        try:
            result = self._call(message, on_event=take, cancel=cancel)
        except CancelledError:
            return [Generation(text=text, finish="cancelled") for text in said]
        waited_s = time.monotonic() - began
        self.spent = self.spent.plus(waited_s, result["decode_s"], result["decoded_tokens"])
        return [Generation(**one) for one in result["generations"]]

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a plain text, as this model splits it."""
        return int(self._call({"op": "count", "text": text})["tokens"])

    def keep_journal(self, path: Path) -> None:
        """Write down from now on what llama.cpp is made to compute, for `bare.replay_s`."""
        self._call({"op": "journal", "path": str(path)})

    def log(self) -> tuple[str, ...]:
        """Give the last lines llama.cpp wrote, for a report of a fault."""
        return self._host.log()

    def close(self) -> None:
        """End the child process."""
        self._host.close()

    def __enter__(self) -> Self:
        """Give the host itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the child process."""
        self.close()

    def _call(
        self,
        message: dict[str, Any],
        *,
        on_event: Callable[[dict[str, Any]], None] | None = None,
        cancel: CancelToken | None = None,
    ) -> dict[str, Any]:
        self._check_file()
        try:
            result, _ = self._host.call(message, on_event=on_event, cancel=cancel)
        except ChildRefusedError as error:
            raise self._error_for(error) from error
        return result

    def _check_file(self) -> None:
        if not os.access(self.path, os.R_OK) or not self.path.is_file():
            raise ModelMissingError(
                f"The language model {self.path.name} is not in {self.path.parent}.",
                hint="Fetch it with: apexmem models pull",
            )

    def _error_for(self, error: ChildRefusedError) -> Exception:
        if error.kind == "too_long":
            return PromptTooLongError(str(error), hint="Ask with less text at once.")
        if error.kind == "unreadable":
            return ModelMissingError(
                f"The language model {self.path.name} cannot be loaded: {error}.",
                hint="Check it with: apexmem models verify",
            )
        return ValueError(str(error))
