"""What the model copied from turns: cleaned, and compared with what they say."""

import re

from apexmem_desktop.domain.small_numbers import NUMBERS
from apexmem_desktop.inference.language import Generation
from apexmem_desktop.storage.names import normalise

# Share of an answer's words that must stand in the turns: it is copied, not thought up.
LEAST_COPIED = 0.75

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
# "my 5th project" tells that there are five.
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
# Not a value of its own: whom one speaks to, and the speaker.
_NOBODY = frozenset({"", "none", "i", "me", "you", "unknown", "n/a", "not mentioned", "没有", "无"})


def cleaned(reply: Generation) -> str:
    """Take the quotes and the full stop off; "" for what is cut off, or no value of its own."""
    answer = reply.text.strip().strip("\"'“”").rstrip(".。")
    return "" if reply.finish != "stop" or normalise(answer) in _NOBODY else answer


def words_of(text: str) -> list[str]:
    """Split into words, Han and kana sign by sign, small numbers and ordinals as digits."""
    return [_digits(word) for word in _WORD.findall(normalise(text))]


def _digits(word: str) -> str:
    ordinal = _ORDINAL.fullmatch(word)
    if ordinal is not None:
        return ordinal.group(1)
    return NUMBERS.get(word, word)


def share_copied(answer: str, told: str) -> float:
    """Tell which share of an answer's words stands in what was told; 0 for no words."""
    words, there = words_of(answer), set(words_of(told))
    return sum(word in there for word in words) / len(words) if words else 0.0


def repeats(answer: str, question: str) -> bool:
    """Tell whether it only gives back what the question says."""
    return normalise(answer) in normalise(question)
