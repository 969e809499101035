"""Whether turns tell an answer: how surely it was copied, and how near they are to the question.

Asked outright whether turns answer a question, a small model tells nothing (AUC 0.50). What tells
is weighed here by a logistic regression, over 37 questions of the dev conversations and 19 that
were put to a conversation which they are not about: 1 of the former is declined, which was
answered wrong, and 13 of the latter.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.agent.topic import share_on_topic
from apexmem_desktop.domain.answers import TurnHit

# From which on an answer counts as told.
LEAST_TOLD = 0.45

_BIAS = -3.9
_SUPPORT = 0.5
_COPYING = 1.7
_CITED_ON_TOPIC = 2.8
_NEAR_ON_TOPIC = 3.7
_NEAREST_SCORE = 5.3


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for an answer being told.

    Attributes:
        support: The model's probability that its turns tell it, 0 to 1.
        mean_logprob: Of the tokens that were copied; 0 is sure.
        cited: The turns that have its words.
        near: The turns that were shown, the nearest first.
        topic: The words of what is asked, without names.
    """

    support: float
    mean_logprob: float
    cited: Sequence[TurnHit]
    near: Sequence[TurnHit]
    topic: Sequence[str]

    def told(self) -> float:
        """Weigh the signs to a probability, 0 to 1."""
        weighed = (
            _BIAS
            + _SUPPORT * self.support
            + _COPYING * min(0.0, self.mean_logprob)
            + _CITED_ON_TOPIC * _most_on_topic(self.cited, self.topic)
            + _NEAR_ON_TOPIC * _most_on_topic(self.near, self.topic)
            + _NEAREST_SCORE * max((hit.score for hit in self.near), default=0.0)
        )
        return 1 / (1 + math.exp(-weighed))


def _most_on_topic(hits: Sequence[TurnHit], topic: Sequence[str]) -> float:
    return max((share_on_topic(hit.text, topic) for hit in hits), default=0.0)
