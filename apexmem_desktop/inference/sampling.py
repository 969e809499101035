"""Which token comes next: the most probable, or a drawn one, that the grammar allows.

A grammar is slow to ask about a whole vocabulary (150,000 tokens) and fast to ask about one token.
So the most probable token is tried alone, then the best few, and only then all.
"""

import ctypes

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from apexmem_desktop.inference.llama import Llama, Logits

_CANDIDATE = np.dtype([("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
_FEW = 64
_DRAW_FROM = 40


class Grammar:
    """What may come next in one reply."""

    def __init__(self, llama: Llama, text: str) -> None:
        gbnf = _from_schema(text) if text.lstrip().startswith("{") else text
        sampler = llama_cpp.llama_sampler_init_grammar(llama.vocab, gbnf.encode(), b"root")
        if not sampler:
            raise ValueError("the grammar cannot be read by llama.cpp")
        self._sampler = sampler

    def allowed(self, tokens: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Tell for each token whether it may come next."""
        candidates = np.zeros(len(tokens), dtype=_CANDIDATE)
        candidates["id"] = tokens
        array = llama_cpp.llama_token_data_array(
            data=candidates.ctypes.data_as(llama_cpp.llama_token_data_p),
            size=len(tokens),
            selected=-1,
            sorted=False,
        )
        llama_cpp.llama_sampler_apply(self._sampler, ctypes.byref(array))
        allowed: NDArray[np.bool_] = candidates["logit"] > -np.inf
        return allowed

    def accept(self, token: int) -> None:
        """Go on behind a token that is allowed; any other would end the process."""
        llama_cpp.llama_sampler_accept(self._sampler, token)

    def close(self) -> None:
        """Free what llama.cpp holds for it."""
        if self._sampler:
            llama_cpp.llama_sampler_free(self._sampler)
            self._sampler = None


class TokenChooser:
    """Chooses the tokens of one reply."""

    def __init__(self, grammar: Grammar | None, temperature: float, seed: int) -> None:
        self._grammar = grammar
        self._temperature = temperature
        self._random = np.random.default_rng(seed)

    def choose(self, logits: Logits) -> int:
        """Choose the next token; ValueError when the grammar allows none."""
        token = self._draw(logits) if self._temperature > 0 else self._greedy(logits)
        if self._grammar is not None:
            self._grammar.accept(token)
        return token

    def close(self) -> None:
        """Free the grammar."""
        if self._grammar is not None:
            self._grammar.close()

    def _greedy(self, logits: Logits) -> int:
        best = int(np.argmax(logits))
        if self._grammar is None or self._grammar.allowed(np.array([best], np.int32))[0]:
            return best
        tokens = _allowed_best(logits, self._grammar, _FEW)
        return int(tokens[np.argmax(logits[tokens])])

    def _draw(self, logits: Logits) -> int:
        if self._grammar is None:
            tokens = _best(logits, _DRAW_FROM)
        else:
            tokens = _allowed_best(logits, self._grammar, _DRAW_FROM)
        scaled = logits[tokens].astype(np.float64) / self._temperature
        weights = np.exp(scaled - scaled.max())
        return int(self._random.choice(tokens, p=weights / weights.sum()))


def _allowed_best(logits: Logits, grammar: Grammar, count: int) -> NDArray[np.int32]:
    """Give the allowed tokens among the best few, or all allowed ones where none is among them."""
    few = _best(logits, count)
    kept = few[grammar.allowed(few)]
    if len(kept):
        return kept
    every = np.arange(len(logits), dtype=np.int32)
    kept = every[grammar.allowed(every)]
    if not len(kept):
        raise ValueError("the grammar allows no token here")
    return kept


def logprob(logits: Logits, token: int) -> float:
    """Give the natural logarithm of a token's probability."""
    return float(logits[token]) - _log_sum_exp(logits)


def logprobs(logits: Logits, tokens: list[int]) -> list[float]:
    """Give the natural logarithms of several tokens' probabilities."""
    total = _log_sum_exp(logits)
    return [float(logits[token]) - total for token in tokens]


def _log_sum_exp(logits: Logits) -> float:
    most = logits.max()
    return float(most) + float(np.log(np.exp(logits - most).sum(dtype=np.float64)))


def _best(logits: Logits, count: int) -> NDArray[np.int32]:
    return np.argpartition(logits, -count)[-count:].astype(np.int32)


def _from_schema(text: str) -> str:
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    return str(json_schema_to_gbnf(text))
