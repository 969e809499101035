"""Stand-ins for the two model processes, with the same interface and no model."""

import hashlib
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.requests import ModelTime

Reply = str | Generation | Exception
WIDTH = 384


class ScriptedLanguage:
    """Replies from a queue, or from a function of the request; an Exception is raised.

    A reply to a request with choices is the choice that gets 0.98 of the probability.

    Attributes:
        requests: Every request so far, in order.
    """

    def __init__(self, script: Iterable[Reply] | Callable[[GenerateRequest], Reply]) -> None:
        self._answer = script if callable(script) else None
        self._queue = [] if callable(script) else list(script)
        self.requests: list[GenerateRequest] = []
        self.model_id = "scripted"
        self.pid: int | None = None
        self.context_tokens = 8192
        self.is_taught = False
        self.spent = ModelTime()
        self.closed = False

    def generate(
        self,
        requests: Sequence[GenerateRequest],
        *,
        on_text: Callable[[int, str], None] | None = None,
        cancel: CancelToken | None = None,
    ) -> list[Generation]:
        """Give the scripted replies."""
        found = []
        for index, request in enumerate(requests):
            if cancel is not None and cancel.cancelled:
                found.append(Generation(text="", finish="cancelled"))
                continue
            reply = self._next(request)
            if on_text is not None and reply.text and not request.choices:
                on_text(index, reply.text)
            found.append(reply)
            self.spent = self.spent.plus(0.002, 0.001, reply.prompt_tokens + reply.output_tokens)
        return found

    def count_tokens(self, text: str) -> int:
        """Count a token for each four characters."""
        return (len(text) + 3) // 4

    def log(self) -> tuple[str, ...]:
        """Give nothing."""
        return ()

    def close(self) -> None:
        """Note that it was closed."""
        self.closed = True

    def _next(self, request: GenerateRequest) -> Generation:
        self.requests.append(request)
        if self._answer is None and not self._queue:
            raise AssertionError(f"the script has no reply left for {request.messages[-1].text!r}")
        reply = self._answer(request) if self._answer is not None else self._queue.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Generation):
            return reply
        prompt = sum(self.count_tokens(message.text) for message in request.messages)
        return Generation(
            text=reply,
            finish="stop",
            prompt_tokens=prompt,
            output_tokens=self.count_tokens(reply),
            ms=1,
            mean_logprob=-0.1,
            choice_probabilities=_probabilities(request.choices, reply),
            choice_mass=1.0 if request.choices else 0.0,
        )


class HashEmbedder:
    """Unit vectors that are near where texts share words; the same text gives the same vector."""

    def __init__(self, embedder_id: str = f"hash/{WIDTH}") -> None:
        self.embedder_id = embedder_id
        self.pid: int | None = None
        self.closed = False
        self.texts: list[str] = []

    def embed(
        self, texts: Sequence[str], *, cancel: CancelToken | None = None
    ) -> NDArray[np.float32]:
        """Give one vector a text: the sum of a fixed random vector a word."""
        if cancel is not None:
            cancel.check()
        self.texts.extend(texts)
        if not texts:
            return np.empty((0, WIDTH), dtype=np.float32)
        return np.stack([_vector(text) for text in texts])

    def close(self) -> None:
        """Note that it was closed."""
        self.closed = True


def _probabilities(choices: Sequence[str], likely: str) -> dict[str, float]:
    if likely not in choices:
        return {choice: 1 / len(choices) for choice in choices}
    if len(choices) == 1:
        return {likely: 1.0}
    rest = 0.02 / (len(choices) - 1)
    return {choice: 0.98 if choice == likely else rest for choice in choices}


def _vector(text: str) -> NDArray[np.float32]:
    words = text.casefold().split() or [""]
    total = np.sum([_word_vector(word) for word in words], axis=0)
    unit: NDArray[np.float32] = (total / np.linalg.norm(total)).astype(np.float32)
    return unit


def _word_vector(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(WIDTH)
