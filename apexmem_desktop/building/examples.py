"""Worked examples for the model, chosen by their similarity to the sentence it is asked of.

A small model does what an example has just shown it; so beside those that are always there it sees
the nearest of many more, which may note something or nothing. As in Liu and others, "What
Makes Good In-Context Examples for GPT-3?" (2022), but by words and cues instead of vectors: an
embedder need not be there, and what decides is which property the sentence may tell of.
"""

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from apexmem_desktop.building.ontology import find_cued
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.names import normalise
from apexmem_desktop.inference.language import Message

NOTHING = "-"
# Of two examples with as many words in common, that goes first which may tell of the same property.
CUE_WEIGHT = 2.0
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")

Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Example:
    """One worked example.

    Attributes:
        message: Speaker and words, as the prompt shows them.
        notes: What is noted of it, "-" where that is nothing.
    """

    message: str
    notes: str

    @property
    def words(self) -> str:
        """What is said, without who says it."""
        return self.message.split(": ", 1)[1]


def similar_example(sentence: str) -> tuple[Message, ...]:
    """Give the nearest example, as its two messages; none where none has anything in common."""
    wanted = _features(sentence)
    nearness, _, best = max(
        (_cosine(wanted, features, _rarity()), -place, example)
        for place, (example, features) in enumerate(_pool())
    )
    if nearness <= 0:
        return ()
    return (Message("user", best.message), Message("assistant", best.notes))


@lru_cache(maxsize=1)
def load_examples() -> tuple[Example, ...]:
    """Read `resources/prompts/extract_examples.toml`."""
    path = resources_dir() / "prompts" / "extract_examples.toml"
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["example"]
    return tuple(Example(row["message"], row.get("notes", NOTHING)) for row in rows)


@lru_cache(maxsize=1)
def _pool() -> tuple[tuple[Example, Features], ...]:
    return tuple((example, _features(example.words)) for example in load_examples())


@lru_cache(maxsize=1)
def _rarity() -> Features:
    """Weigh each feature by how few examples have it; one that none has counts nothing."""
    pool = _pool()
    having = Counter(name for _, features in pool for name in features)
    return {name: math.log(1 + len(pool) / count) for name, count in having.items()}


def _features(sentence: str) -> Features:
    words: Features = dict.fromkeys(_WORD.findall(normalise(sentence)), 1.0)
    return words | {f"cue {shape.name}": CUE_WEIGHT for shape in find_cued(sentence)}


def _cosine(one: Features, other: Features, weights: Features) -> float:
    shared = sum(one[name] * other[name] * weights[name] ** 2 for name in one.keys() & other.keys())
    return shared / (_length(one.items(), weights) * _length(other.items(), weights) or 1.0)


def _length(features: Iterable[tuple[str, float]], weights: Features) -> float:
    return math.sqrt(sum((value * weights.get(name, 0.0)) ** 2 for name, value in features))
