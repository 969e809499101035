"""Whether a turn tells the number that is asked for: then it is read, and nothing is counted.

"I've tried three of Emma's recipes" answers how many, however few of them the graph knows.
"""

import re
from collections.abc import Iterable

from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.small_numbers import AMOUNTS
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.vocabulary import root

_WORD = re.compile(r"[^\W_]+(?:['’,.][^\W_]+)*")
_COUNTED = re.compile(
    r"\bhow many\b(?P<what>.+?)(?=\b(?:do|does|did|have|has|had|am|is|are|was|were|can|could|will|"
    r"would|should|in|on|at|from|with|of my|of the)\b|\?|$)",
    re.IGNORECASE,
)
_NUMBERS = frozenset(AMOUNTS) - {"one", "once", "twice"} | frozenset(
    """eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty
    forty fifty sixty seventy eighty ninety hundred dozen couple""".split()  # noqa: SIM905
)
# "three of my sister's old recipes"
MOST_BETWEEN = 4


def counted_word(read: Understood) -> str:
    """Give the word for what an English question counts; "" where it counts nothing.

    "How many times" is counted by nobody: no turn numbers them.
    """
    counted = _COUNTED.search(read.question)
    words = _WORD.findall(counted["what"]) if counted is not None else []
    return words[-1].casefold() if words and root(words[-1]) != root("times") else ""


def is_number_told(read: Understood, hits: Iterable[TurnHit]) -> bool:
    """Tell whether a turn has a number with what the question counts."""
    counted = counted_word(read)
    return bool(counted) and any(_numbers(hit.text, root(counted)) for hit in hits)


def _numbers(text: str, counted: str) -> bool:
    words = [word.casefold() for word in _WORD.findall(text)]
    places = [at for at, word in enumerate(words) if root(word) == counted]
    return any(
        word in _NUMBERS or word.replace(",", "").isdigit()
        for at in places
        for word in words[max(0, at - MOST_BETWEEN) : at]
    )
