"""What a question is about beside whom: the words of it that a turn which answers it may share."""

import re
from collections.abc import Sequence

from apexmem_desktop.agent.whose import About, is_kin
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.vocabulary import CJK, same_stem, synonyms
from apexmem_desktop.storage.names import normalise

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def topic_words(read: Understood, about: About) -> tuple[str, ...]:
    """Give the question's words that name nobody: not whom it is about, nor what they are to whom.

    "What does Mira's sister Ada hate?" is about hating.
    """
    names = normalise(" ".join([*about.names, *(named.words for named in read.entities)]))
    return tuple(
        word for word in read.words if normalise(word) not in names.split() and not is_kin(word)
    )


def is_on_topic(text: str, topic: Sequence[str]) -> bool:
    """Tell whether a text has one of the words, in some form or by a synonym."""
    return share_on_topic(text, topic) > 0


def share_on_topic(text: str, topic: Sequence[str]) -> float:
    """Tell which share of the words a text has, in some form or by a synonym; 0 for no words."""
    told = [word.casefold() for word in _WORD.findall(text)]
    return sum(_stands_in(word, text, told) for word in topic) / len(topic) if topic else 0.0


def _stands_in(word: str, text: str, told: Sequence[str]) -> bool:
    if CJK.search(word):
        return any(pair in text for pair in _pairs(word))
    return any(same_stem(other, one) for other in (word, *synonyms(word)) for one in told)


def _pairs(word: str) -> list[str]:
    """Two neighbouring signs mean something; one alone stands everywhere."""
    return [word[i : i + 2] for i in range(len(word) - 1)] or [word]
