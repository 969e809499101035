"""Runs many requests at once through one model: each step decodes one token of each reply."""

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from apexmem_desktop.inference.chat import ChatTemplate, PromptTokens
from apexmem_desktop.inference.choosing import ChoiceScores, score_choices
from apexmem_desktop.inference.llama import Llama, Logits
from apexmem_desktop.inference.replies import ReplyText
from apexmem_desktop.inference.requests import GenerateRequest, Generation
from apexmem_desktop.inference.sampling import Grammar, TokenChooser, logprob
from apexmem_desktop.inference.sequences import CachedTokens, Feed, SequencePool, common_length

TextSink = Callable[[int, str], None]
_CIRCLE_LONGEST = 24  # tokens in a phrase that repeats
_CIRCLE_TIMES = 6
_LEAST_SHARED = 64  # tokens beyond the static ones, from which on they are read once for two


class PromptTooLongError(Exception):
    """Prompt and reply together do not fit the context."""


@dataclass(slots=True)
class _Running:
    """One request while it is worked on."""

    index: int
    request: GenerateRequest
    sequence: CachedTokens
    waiting: list[int]  # prompt tokens that are not decoded yet
    prompt_tokens: int
    reused_tokens: int
    chooser: TokenChooser
    reply: ReplyText
    began: float
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    finish: str = ""
    withheld_probability: float = 0.0
    scores: ChoiceScores | None = None

    def cells_to_come(self) -> int:
        """Most cells it may still need."""
        if self.request.choices:
            return len(self.waiting) + _longest_choice(self.request)
        return len(self.waiting) + self.request.max_tokens - len(self.tokens)


class Engine:
    """Answers batches of requests. One thread uses it at a time."""

    def __init__(self, llama: Llama, *, context_tokens: int, parallel: int, kept: int) -> None:
        self._llama = llama
        self._chat = ChatTemplate(llama)
        self._pool = SequencePool(llama, active=parallel, kept=kept)
        self._parallel = parallel
        self._context_tokens = min(context_tokens, llama.cells)

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a plain text."""
        return len(self._llama.tokenize(text, special=False))

    def generate(
        self,
        requests: Sequence[GenerateRequest],
        *,
        on_text: TextSink,
        cancelled: Callable[[], bool],
    ) -> list[Generation]:
        """Answer all requests; replies that a cancel cut short say so."""
        found: dict[int, Generation] = {}
        for adapted in sorted({request.adapted for request in requests}):
            at = [i for i, request in enumerate(requests) if request.adapted is adapted]
            self._pool.adapt(adapted)
            own = [requests[i] for i in at]
            replies = self._generate(own, on_text=_numbered(on_text, at), cancelled=cancelled)
            found.update(zip(at, replies, strict=True))
        return [found[index] for index in range(len(requests))]

    def _generate(
        self,
        requests: Sequence[GenerateRequest],
        *,
        on_text: TextSink,
        cancelled: Callable[[], bool],
    ) -> list[Generation]:
        """Answer requests of one kind."""
        prompts = [self._prompt(request) for request in requests]
        shared = _shared(prompts)
        waiting = deque(range(len(requests)))
        running: list[_Running] = []
        done: dict[int, Generation] = {}
        try:
            while waiting or running:
                if cancelled():
                    break
                while waiting and self._admits(requests[waiting[0]], prompts[waiting[0]], running):
                    index = waiting.popleft()
                    self._lend(prompts[index], shared[index], cancelled)
                    running.append(self._start(index, requests[index], prompts[index], cancelled))
                self._step(running, on_text)
                running = self._collect(running, done, on_text)
        finally:
            for one in running:
                one.finish = "cancelled"
            self._collect(running, done, on_text)
            self._pool.end_loans()
        rest = Generation(text="", finish="cancelled")
        return [done.get(index, rest) for index in range(len(requests))]

    def _prompt(self, request: GenerateRequest) -> PromptTokens:
        prompt = self._chat.prompt(request.messages, request.static_messages, request.answer_start)
        needed = len(prompt.tokens) + _reply_tokens(request)
        if needed > self._context_tokens:
            raise PromptTooLongError(
                f"The prompt has {len(prompt.tokens)} tokens; with {_reply_tokens(request)} for "
                f"the reply that is more than the {self._context_tokens} the model can hold."
            )
        return prompt

    def _admits(
        self, request: GenerateRequest, prompt: PromptTokens, running: list[_Running]
    ) -> bool:
        """Whether there is room for one more; an idle engine forgets old prefixes to make it."""
        if len(running) >= self._parallel:
            return False
        promised = sum(one.cells_to_come() for one in running)
        while True:
            needed = len(prompt.tokens) - self._pool.reusable(prompt.tokens)
            needed += _reply_tokens(request)
            if self._pool.used_cells() + promised + needed <= self._llama.cells:
                return True
            if running or not self._pool.forget_oldest():
                return False

    def _start(
        self,
        index: int,
        request: GenerateRequest,
        prompt: PromptTokens,
        cancelled: Callable[[], bool],
    ) -> _Running:
        began = time.monotonic()
        # Checked first: a grammar that cannot be read must leave no sequence open.
        grammar = Grammar(self._llama, request.grammar) if request.grammar else None
        reused = self._pool.reusable(prompt.tokens[:-1])
        if prompt.static > reused:
            self._keep_prefix(prompt.tokens[: prompt.static], cancelled)
        sequence = self._pool.open(prompt.tokens[:-1])
        return _Running(
            index=index,
            request=request,
            sequence=sequence,
            waiting=prompt.tokens[len(sequence.tokens) :],
            prompt_tokens=len(prompt.tokens),
            reused_tokens=reused,
            chooser=TokenChooser(grammar, request.temperature, seed=index),
            reply=ReplyText(request.stop),
            began=began,
        )

    def _keep_prefix(self, tokens: list[int], cancelled: Callable[[], bool]) -> None:
        prefix = self._read(tokens, cancelled)
        if prefix is not None:
            self._pool.keep(prefix)

    def _lend(self, prompt: PromptTokens, shared: int, cancelled: Callable[[], bool]) -> None:
        """Read once what this prompt and the next of its batch begin with."""
        if not shared or not self._pool.may_lend:
            return
        if prompt.static > self._pool.reusable(prompt.tokens):
            self._keep_prefix(prompt.tokens[: prompt.static], cancelled)
        prefix = self._read(prompt.tokens[:shared], cancelled)
        if prefix is not None:
            self._pool.lend(prefix)

    def _read(self, tokens: list[int], cancelled: Callable[[], bool]) -> CachedTokens | None:
        """Feed tokens to a sequence of their own; None when cancelled."""
        read = self._pool.open(tokens)
        while len(read.tokens) < len(tokens):
            if cancelled():
                self._pool.close(read)
                return None
            start = len(read.tokens)
            part = tokens[start : start + self._llama.batch_tokens]
            self._pool.feed([Feed(read, part, wants_logits=False)])
        return read

    def _step(self, running: list[_Running], on_text: TextSink) -> None:
        """Decode one token of each reply under way and as much of the prompts as has room."""
        room = self._llama.batch_tokens
        feeds: list[tuple[_Running, Feed]] = []
        for one in sorted(running, key=lambda each: len(each.waiting) > 1):
            part = one.waiting[:room]
            if part:
                is_last = len(part) == len(one.waiting)
                feeds.append((one, Feed(one.sequence, part, wants_logits=is_last)))
                room -= len(part)
                del one.waiting[: len(part)]
        if not feeds:
            return
        found = self._pool.feed([feed for _, feed in feeds])
        to_score: list[tuple[_Running, Logits]] = []
        speaking = [one for one, feed in feeds if feed.wants_logits]
        for one, logits in zip(speaking, found, strict=True):
            if one.request.choices:  # a copy: scoring decodes on, and the memory is llama.cpp's
                to_score.append((one, logits.copy()))
            else:
                self._extend(one, logits, on_text)
        for one, logits in to_score:
            self._score(one, logits)

    def _extend(self, one: _Running, logits: Logits, on_text: TextSink) -> None:
        if one.request.withheld and not one.logprobs:
            logits = self._withhold(one, logits)
        token = one.chooser.choose(logits)
        one.logprobs.append(logprob(logits, token))
        if self._llama.is_end(token):
            one.finish = "stop"
            return
        one.tokens.append(token)
        fresh = one.reply.add(self._llama.piece(token))
        if fresh:
            on_text(one.index, fresh)
        if one.reply.stopped:
            one.finish = "stop"
        elif len(one.tokens) >= one.request.max_tokens or goes_in_circles(one.tokens):
            one.finish = "length"
        else:
            one.waiting.append(token)

    def _withhold(self, one: _Running, logits: Logits) -> Logits:
        """Note how probable a beginning is, and give the logits without it."""
        first = self._llama.tokenize(one.request.withheld, special=False)[0]
        one.withheld_probability = math.exp(logprob(logits, first))
        others = logits.copy()
        others[first] = -np.inf
        return others

    def _score(self, one: _Running, logits: Logits) -> None:
        one.scores = score_choices(
            self._llama, self._pool, one.sequence, logits, one.request.choices
        )
        one.finish = "stop"

    def _collect(
        self, running: list[_Running], done: dict[int, Generation], on_text: TextSink
    ) -> list[_Running]:
        for one in running:
            if one.finish:
                rest = one.reply.finish()
                if rest:
                    on_text(one.index, rest)
                self._pool.close(one.sequence)
                one.chooser.close()
                done[one.index] = _generation(one)
        return [one for one in running if not one.finish]


def _numbered(on_text: TextSink, at: Sequence[int]) -> TextSink:
    """Tell a part's texts with the numbers that the whole has for them."""
    return lambda index, text: on_text(at[index], text)


def _shared(prompts: Sequence[PromptTokens]) -> list[int]:
    """Count for each prompt the tokens that it and the next begin with, where it is worth it."""
    shared = [0] * len(prompts)
    for at, (one, other) in enumerate(pairwise(prompts)):
        length = common_length(one.tokens[:-1], other.tokens[:-1])
        if length - max(one.static, other.static) >= _LEAST_SHARED:
            shared[at] = length
    return shared


def goes_in_circles(tokens: Sequence[int]) -> bool:
    """Whether a reply ends in the same phrase many times over; small models do that."""
    for length in range(1, _CIRCLE_LONGEST + 1):
        span = length * _CIRCLE_TIMES
        if length == 1:
            span = 4 * _CIRCLE_TIMES  # "----" and spaces may well be long
        if len(tokens) < span:
            continue
        tail = tokens[-span:]
        if all(tail[at] == tail[at - length] for at in range(length, span)):
            return True
    return False


def _generation(one: _Running) -> Generation:
    scores = one.scores
    return Generation(
        text=scores.best if scores else one.reply.text,
        finish=one.finish,
        prompt_tokens=one.prompt_tokens,
        output_tokens=len(one.tokens),
        ms=round((time.monotonic() - one.began) * 1000),
        mean_logprob=sum(one.logprobs) / len(one.logprobs) if one.logprobs else 0.0,
        choice_probabilities=scores.probabilities if scores else {},
        choice_mass=scores.mass if scores else 0.0,
        withheld_probability=one.withheld_probability,
        reused_tokens=one.reused_tokens,
    )


def _reply_tokens(request: GenerateRequest) -> int:
    return _longest_choice(request) if request.choices else request.max_tokens


def _longest_choice(request: GenerateRequest) -> int:
    # A token stands for at least one byte, so this is never too few.
    return max(len(choice.encode()) for choice in request.choices)
