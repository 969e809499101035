"""Let the model answer a prompt alone, without memory or tools: what benches compare with."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.services.workspace import Workspace

if TYPE_CHECKING:
    from apexmem_desktop.inference.language import GenerateRequest, LanguageHost


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model wrote and what it cost.

    Attributes:
        reused_tokens: Tokens of the prompt that were still in the model's cache.
    """

    text: str
    prompt_tokens: int
    output_tokens: int
    reused_tokens: int
    ms: int


def complete(
    ws: Workspace,
    prompt: str,
    *,
    context: str = "",
    max_tokens: int = 64,
    cancel: CancelToken | None = None,
    host: "LanguageHost | None" = None,
    **variables: str,
) -> Completion:
    """Answer one of the prompt files.

    Args:
        prompt: Name of the file under `resources/prompts/`.
        context: A long text put behind its instructions and kept in the model's cache, so that
            the next call with the same text does not read it again.
        host: Another model than the one in use.

    Raises:
        ModelMissingError: There is no model on this machine.
        PromptTooLongError: The text does not fit the model's context.
    """
    token = cancel or CancelToken()
    token.check()
    started = time.monotonic()
    request = _request(prompt, context, max_tokens, variables)
    reply = (host or ws.language()).generate([request], cancel=token)[0]
    token.check()
    ms = int((time.monotonic() - started) * 1000)
    return Completion(
        reply.text.strip(), reply.prompt_tokens, reply.output_tokens, reply.reused_tokens, ms
    )


def _request(
    name: str, context: str, max_tokens: int, variables: dict[str, str]
) -> "GenerateRequest":
    from apexmem_desktop.inference.language import GenerateRequest, Message
    from apexmem_desktop.inference.prompts import load_prompt, without_marks

    prompt = load_prompt(name)
    messages = prompt.render(**variables)
    if context:
        first = Message(messages[0].role, f"{messages[0].text}\n\n{without_marks(context)}")
        messages = (first, *messages[1:])
    return GenerateRequest(
        messages=messages, static_messages=len(prompt.static), max_tokens=max_tokens, stop=("\n",)
    )
