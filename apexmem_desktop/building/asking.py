"""Asks the model many things at once and gets an answer or a reason for each, whatever happens.

A reply that cannot be used is asked for once more in a narrower form. A request on which the
model's process dies is found by asking each of its batch alone. What fails twice is given up with
its reason; the rest goes on. Only a model that dies of anything at all is an error of the whole.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from apexmem_desktop.domain.errors import ModelCrashedError
from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.language import (
    GenerateRequest,
    Generation,
    Message,
    PromptTooLongError,
)

# Requests that the model reads side by side: on two cores 32 replies cost a third less than
# one by one.
MODEL_BATCH = 32
TOO_LONG = "it is too long for the model"
UNREADABLE = "the model cannot be asked about it"
_HEALTH = GenerateRequest(messages=(Message("user", "Say yes."),), choices=("yes", "no"))


class Language(Protocol):
    """What reading needs of a language model."""

    @property
    def model_id(self) -> str:
        """Identify the weights, for `runs`."""

    def generate(
        self, requests: Sequence[GenerateRequest], *, cancel: CancelToken | None = None
    ) -> list[Generation]:
        """Answer the requests, in their order."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, how it is asked again, and what makes its reply of no use.

    Attributes:
        narrower: Asks for less, in fewer words.
        why_bad: Says what is wrong with the reply to a request; "" when nothing is.
    """

    request: GenerateRequest
    narrower: GenerateRequest
    why_bad: Callable[[GenerateRequest, Generation], str]


@dataclass(slots=True)
class Outcome:
    """What came of one request.

    Attributes:
        reply: The usable reply; None when there is none.
        failure: Why there is none.
        replies: Every reply that was had, the useless ones too: they were paid for.
        schemas: Digest of what held each of the replies.
        deaths: How often the model's process died of it.
    """

    reply: Generation | None = None
    failure: str = ""
    replies: list[Generation] = field(default_factory=list)
    schemas: list[str] = field(default_factory=list)
    deaths: int = 0


def ask_all(language: Language, asked: Sequence[Asked], cancel: CancelToken) -> list[Outcome]:
    """Ask everything, in parts of `MODEL_BATCH`.

    Raises:
        CancelledError: The user cancelled; no reply counts.
        ModelCrashedError: The model dies even of the plainest request.
    """
    outcomes: list[Outcome] = []
    for start in range(0, len(asked), MODEL_BATCH):
        outcomes += _Part(language, asked[start : start + MODEL_BATCH], cancel).ask()
    return outcomes


class _Part:
    """One batch on its way."""

    def __init__(self, language: Language, asked: Sequence[Asked], cancel: CancelToken) -> None:
        self._language = language
        self._asked = asked
        self._cancel = cancel
        self._outcomes = [Outcome() for _ in asked]

    def ask(self) -> list[Outcome]:
        self._try([(at, one.request) for at, one in enumerate(self._asked)])
        again = [at for at, one in enumerate(self._outcomes) if one.failure]
        self._try([(at, self._asked[at].narrower) for at in again])
        return self._outcomes

    def _try(self, requests: Sequence[tuple[int, GenerateRequest]]) -> None:
        """Ask together; when that cannot be, each alone, so that one harms no other."""
        if not requests:
            return
        try:
            replies = self._generate([request for _, request in requests])
        except (ModelCrashedError, PromptTooLongError, ValueError):
            for at, request in requests:
                self._try_alone(at, request)
            return
        for (at, request), reply in zip(requests, replies, strict=True):
            self._take(at, request, reply)

    def _try_alone(self, at: int, request: GenerateRequest) -> None:
        outcome = self._outcomes[at]
        try:
            [reply] = self._generate([request])
        except ModelCrashedError as error:
            self._generate([_HEALTH])  # a model that dies of this too is no message's fault
            outcome.deaths += 1
            outcome.failure = f"the model's process ended on it, tried {_times(outcome.deaths)}"
            if error.detail:
                outcome.failure += f" ({error.detail})"
        except PromptTooLongError:
            outcome.failure = TOO_LONG
        except ValueError:
            outcome.failure = UNREADABLE
        else:
            self._take(at, request, reply)

    def _take(self, at: int, request: GenerateRequest, reply: Generation) -> None:
        outcome = self._outcomes[at]
        outcome.replies.append(reply)
        outcome.schemas.append(request.schema_sha256)
        outcome.failure = self._asked[at].why_bad(request, reply)
        outcome.reply = None if outcome.failure else reply

    def _generate(self, requests: Sequence[GenerateRequest]) -> list[Generation]:
        self._cancel.check()
        replies = self._language.generate(requests, cancel=self._cancel)
        # Replies that were cut short by a cancel must not pass for a turn that was read.
        self._cancel.check()
        return replies


def _times(count: int) -> str:
    return "once" if count == 1 else "twice" if count == 2 else f"{count} times"
