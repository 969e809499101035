"""From written blocks to tokens: one prompt's beginning, and how each question goes on from it.

The questions of a block share the turns, which are the greater part of a prompt: they are computed
once for all of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from apexmem_desktop.agent.taught import FIND
from apexmem_desktop.inference.chat import ChatTemplate
from apexmem_desktop.inference.llama import Llama
from apexmem_desktop.inference.prompts import load_prompt
from written import Block, answer_of

Tokens = list[int]


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A block as the model reads it.

    Attributes:
        prefix: What the prompts of all its questions begin with.
        parts: The rest of each prompt, and the reply with the token that ends it.
    """

    prefix: Tokens
    parts: tuple[tuple[Tokens, Tokens], ...]


class LessonWriter:
    """Writes lessons with the vocabulary and the chat template of a model's file."""

    def __init__(self, model: Path) -> None:
        # Nothing is computed with it: the smallest context does.
        self._llama = Llama(model, cells=512, sequences=2, threads=1, batch_tokens=64)
        self._chat = ChatTemplate(self._llama)

    def lessons(self, blocks: Iterable[Block], rng: Random) -> list[Lesson]:
        """Write each block, its turns shuffled; a question without its date is left out."""
        written = (self._lesson(block, rng) for block in blocks)
        return [lesson for lesson in written if lesson is not None]

    def first_token(self, reply: str) -> int:
        """Give the token that a reply begins with."""
        return self._llama.tokenize(reply, special=False)[0]

    def _lesson(self, block: Block, rng: Random) -> Lesson | None:
        lines = block.lines()
        rng.shuffle(lines)
        turns = "\n".join(lines)
        told = ((question, answer_of(written, block)) for question, written in block.questions)
        pairs = [
            (self._prompt(question, turns), self._reply(answer))
            for question, answer in told
            if answer is not None
        ]
        if len(pairs) < 2:  # nothing is shared
            return None
        shared = _shared([prompt for prompt, _ in pairs])
        return Lesson(
            pairs[0][0][:shared], tuple((prompt[shared:], reply) for prompt, reply in pairs)
        )

    def _prompt(self, question: str, turns: str) -> Tokens:
        prompt = load_prompt(FIND)
        messages = prompt.render(question=question, turns=turns)
        return self._chat.prompt(messages, len(prompt.static), "").tokens

    def _reply(self, answer: str) -> Tokens:
        return [*self._llama.tokenize(answer, special=False), self._llama.end_token]


def _shared(prompts: list[Tokens]) -> int:
    """Count the tokens that all prompts begin with."""
    count = 0
    for column in zip(*prompts, strict=False):
        if len(set(column)) > 1:
            break
        count += 1
    return count
