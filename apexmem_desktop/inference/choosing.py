"""How probable each of a few given replies is, read off the model's logits without generating."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.inference.llama import Llama, Logits
from apexmem_desktop.inference.sampling import logprobs
from apexmem_desktop.inference.sequences import CachedTokens, Feed, SequencePool


@dataclass(frozen=True, slots=True)
class ChoiceScores:
    """The choices' probabilities (together 1), and the probability of any of them at all."""

    probabilities: dict[str, float]
    mass: float

    @property
    def best(self) -> str:
        """The most probable choice."""
        return max(self.probabilities, key=self.probabilities.__getitem__)


@dataclass(frozen=True, slots=True)
class _Fork:
    """Choices that agree in their first `depth` tokens."""

    choices: dict[str, list[int]]
    depth: int
    logprob: float


def score_choices(
    llama: Llama,
    pool: SequencePool,
    sequence: CachedTokens,
    logits: Logits,
    choices: Sequence[str],
) -> ChoiceScores:
    """Tell the choices apart by the first token in which they differ.

    Tokens that choices have in common are fed, so "new" against "new one" works too: there the end
    of the reply is what differs.
    """
    tokens = {choice: llama.tokenize(choice, special=False) for choice in choices}
    start = len(sequence.tokens)
    found: dict[str, float] = {}
    forks = [_Fork(tokens, 0, 0.0)]
    while forks:
        fork = forks.pop()
        if fork.depth:
            pool.truncate(sequence, start)
            common = next(iter(fork.choices.values()))[: fork.depth]
            logits = pool.feed([Feed(sequence, common, wants_logits=True)])[0].copy()
        forks += _split(fork, logits, llama.end_token, found)
    return _scores(found, choices)


def _split(fork: _Fork, logits: Logits, end_token: int, found: dict[str, float]) -> list[_Fork]:
    """Note the choices that are alone from here on; give the groups that still agree."""
    groups: dict[int, dict[str, list[int]]] = {}
    for choice, tokens in fork.choices.items():
        token = tokens[fork.depth] if fork.depth < len(tokens) else end_token
        groups.setdefault(token, {})[choice] = tokens
    further: list[_Fork] = []
    scored = zip(groups.values(), logprobs(logits, list(groups)), strict=True)
    for group, logprob in scored:
        if len(group) == 1:
            found[next(iter(group))] = fork.logprob + logprob
        else:
            further.append(_Fork(group, fork.depth + 1, fork.logprob + logprob))
    return further


def _scores(found: dict[str, float], choices: Sequence[str]) -> ChoiceScores:
    raw = {choice: math.exp(found[choice]) for choice in choices}
    mass = math.fsum(raw.values())
    if mass <= 0.0:
        return ChoiceScores({choice: 1 / len(raw) for choice in raw}, 0.0)
    return ChoiceScores({choice: value / mass for choice, value in raw.items()}, mass)
