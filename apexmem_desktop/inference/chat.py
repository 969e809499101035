"""From messages to tokens, by the model's own chat template.

The template is filled with place marks, not with the texts: so a control token that somebody wrote
into a message is split like any other text and cannot begin a message of its own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from apexmem_desktop.inference.llama import Llama
from apexmem_desktop.inference.requests import Message

CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
_MARK = re.compile("\ue000([0-9]+)\ue001")


@dataclass(frozen=True, slots=True)
class PromptTokens:
    """A prompt as tokens; the first `static` of them belong to the static messages."""

    tokens: list[int]
    static: int


class ChatTemplate:
    """Writes prompts the way the model was trained to read them."""

    def __init__(self, llama: Llama) -> None:
        self._llama = llama
        template = llama.chat_template() or CHATML
        begin, end = llama.token_text("bos"), llama.token_text("eos")
        self._begin_text = begin
        self._whole = Jinja2ChatFormatter(template, end, begin, add_generation_prompt=True)
        self._part = Jinja2ChatFormatter(template, end, begin, add_generation_prompt=False)

    def prompt(
        self, messages: Sequence[Message], static_messages: int, answer_start: str
    ) -> PromptTokens:
        """Turn messages into tokens, up to where the model's reply begins."""
        whole = self._render(self._whole, messages)
        static = self._render(self._part, messages[:static_messages]) if static_messages else ""
        if not whole.startswith(static):  # the template says otherwise what comes after
            static = ""
        first = self._tokens(static, messages)
        if self._llama.adds_begin_token() and not whole.startswith(self._begin_text):
            first = [self._llama.begin_token(), *first]
        rest = self._tokens(whole[len(static) :], messages)
        start = self._llama.tokenize(answer_start, special=False) if answer_start else []
        return PromptTokens([*first, *rest, *start], len(first) if static else 0)

    def _render(self, formatter: Jinja2ChatFormatter, messages: Sequence[Message]) -> str:
        marked = [
            {"role": message.role, "content": f"\ue000{number}\ue001"}
            for number, message in enumerate(messages)
        ]
        # Models that would think aloud first are asked not to: a grammar leaves no room for it.
        return str(formatter(messages=marked, enable_thinking=False).prompt)

    def _tokens(self, rendered: str, messages: Sequence[Message]) -> list[int]:
        tokens: list[int] = []
        for at, part in enumerate(_MARK.split(rendered)):
            if at % 2:
                tokens += self._llama.tokenize(messages[int(part)].text, special=False)
            elif part:
                tokens += self._llama.tokenize(part, special=True)
        return tokens
