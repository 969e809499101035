"""How likely it is that somebody would note something of a turn: the gate's score, no model.

Logistic regression on a few cheap features; weights and threshold are in
`resources/gate/weights.toml` and come from `gate_training.py`, which reads chat of our own.
"""

import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.standing import VIEWS
from apexmem_desktop.building.statements import Saying, speaks_of_self, split_sentences
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.turn import Turn

FEATURES = (
    "new_words", "opens", "plain_facts", "after_a_question", "of_self", "questions", "thanks",
    "names", "exclaims", "courtesies", "deeds", "first",
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{3,}")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_THANKS = re.compile(
    r"\W*(?:thanks|thank you|wow|awesome|cool|nice|sounds|that['’]?s|that|谢|哇|哈|好的)",
    re.IGNORECASE,
)
_DEED = re.compile(
    r"\b(?:been|started|tried|made|got|went|have|had|joined|bought|found|took)\b|了|过",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？]")
_CAPTION = re.compile(r"\[shared image:[^\]]*\]")
_COMMON = frozenset(
    [
        "the",
        "and",
        "you",
        "that",
        "this",
        "was",
        "are",
        "for",
        "with",
        "but",
        "not",
        "have",
        "has",
        "had",
        "your",
        "our",
        "just",
        "really",
        "very",
        "about",
        "what",
        "how",
        "when",
        "where",
        "who",
        "can",
        "could",
        "will",
        "would",
        "some",
        "any",
        "more",
        "much",
        "it's",
        "i'm",
        "that's",
        "you're",
        "thanks",
        "great",
        "good",
        "nice",
        "cool",
        "wow",
        "hey",
        "glad",
        "sounds",
        "like",
        "love",
        "know",
        "think",
        "get",
        "got",
        "going",
        "time",
        "one",
        "make",
        "made",
        "see",
        "look",
        "feel",
        "way",
        "lot",
        "things",
        "thing",
        "well",
        "yeah",
        "sure",
        "amazing",
        "awesome",
        "they",
        "from",
        "out",
        "all",
        "been",
    ]
)


@dataclass(frozen=True, slots=True)
class Weights:
    """What the training gave.

    Attributes:
        threshold: A turn is passed over below it.
        weights: One for each of FEATURES.
    """

    threshold: float
    bias: float
    weights: tuple[float, ...]


@lru_cache(maxsize=1)
def load_weights() -> Weights:
    """Read threshold and weights."""
    with (resources_dir() / "gate" / "weights.toml").open("rb") as file:
        table = tomllib.load(file)
    given = table["weights"]
    return Weights(table["threshold"], table["bias"], tuple(given[name] for name in FEATURES))


def score(turn: Turn, before: Sequence[Turn], told: Sequence[Candidate], *, opens: bool) -> float:
    """Give the probability that something of the turn would be noted.

    Args:
        told: What the rules read of it.
        opens: Whether any of its sentences told or may tell something.
    """
    weights = load_weights()
    values = features(turn, before, told, opens=opens)
    total = weights.bias + sum(w * v for w, v in zip(weights.weights, values, strict=True))
    return 1 / (1 + math.exp(-total))


def features(
    turn: Turn, before: Sequence[Turn], told: Sequence[Candidate], *, opens: bool
) -> tuple[float, ...]:
    """Measure a turn, in the order of FEATURES."""
    text = _CAPTION.sub("", turn.text)
    earlier = {word for one in before for word in _words(one.text)}
    sentences = split_sentences(text[:2000])
    plain = [one for one in told if one.shape not in VIEWS]
    return (
        math.log1p(len(_words(text) - earlier)),
        float(opens),
        float(bool(plain)),
        float(bool(before) and _QUESTION.search(before[-1].text) is not None),
        float(speaks_of_self(text)),
        float(min(3, len(_QUESTION.findall(text)))),
        float(_THANKS.match(text) is not None),
        float(min(3, len(_NAME.findall(text)))),
        float(min(3, text.count("!"))),
        float(min(3, sum(one.saying is Saying.COURTESY for one in sentences))),
        float(_DEED.search(text) is not None),
        float(not before),
    )


def _words(text: str) -> set[str]:
    """Give the words that carry something; Chinese by its characters, in pairs."""
    found = {word.casefold() for word in _WORD.findall(text) if not _HAN.search(word)}
    han = "".join(_HAN.findall(text))
    return (found - _COMMON) | {han[at : at + 2] for at in range(0, len(han) - 1, 2)}
