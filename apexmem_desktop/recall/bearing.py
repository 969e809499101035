"""How much a turn bears on a question for advice beside what the search gave it. Pure."""

from dataclasses import dataclass
from itertools import pairwise

from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.telling import tells_of_oneself
from apexmem_desktop.recall.vocabulary import CJK, english_words, root
from apexmem_desktop.recall.weights import Weights


@dataclass(frozen=True, slots=True)
class Topic:
    """What advice is asked on.

    Attributes:
        words: The words to look for, each cut to what its forms share; Chinese as they are.
        pairs: Those that stand side by side in the question: a "fish tank" is no tank and no fish.
    """

    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]

    def shared(self, text: str) -> frozenset[str]:
        """Give the words of the topic that a text has, in any form."""
        told = self.words.intersection(root(word) for word in english_words(text))
        return told | {word for word in self.words if CJK.search(word) and word in text}


def topic_of(read: Understood) -> Topic:
    """Take the topic of a question for advice."""
    words = frozenset(root(word) for word in read.words)
    asked = pairwise(root(word) for word in english_words(read.topic))
    return Topic(words, frozenset(pair for pair in asked if words.issuperset(pair)))


def bearing_factor(turn: Turn, topic: Topic, asker: str, weights: Weights) -> float:
    """Tell by what to multiply a turn's score.

    The asker's turns that tell nothing of themselves count less; turns with several words of the
    topic, or with two that belong together, more.
    """
    factor = 1.0
    if turn.speaker == asker and not tells_of_oneself(turn.text):
        factor *= weights.untelling
    told = [root(word) for word in english_words(turn.text)]
    factor *= 1 + weights.each_more * max(0, len(topic.shared(turn.text)) - 1)
    if topic.pairs.intersection(pairwise(told)):
        factor *= 1 + weights.pair
    return factor
