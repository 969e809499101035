"""What the model copied from turns: cleaned, and compared with what they say."""

import re
from collections.abc import Iterable

from apexmem_desktop.domain.small_numbers import NUMBERS
from apexmem_desktop.inference.language import Generation
from apexmem_desktop.storage.names import normalise

# Share of an answer's words that must stand in the turns: it is copied, not thought up.
LEAST_COPIED = 0.75

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
# "His tournament friends" is told by "my tournament friends". No negation is among them.
_CARRIES_NOTHING = frozenset(
    """a an the my your his her its our their mine yours hers ours theirs i you he she it we they me
    him us them in on at of to for from with by and or got gets was were is are be""".split()  # noqa: SIM905
)
_NEGATIONS = frozenset({"no", "not", "never", "nobody", "nothing", "none", "t", "没", "不"})
_NAME = re.compile(r"(?<!^)\b[A-ZÀ-Þ][\w’'-]*")
# 和平饭店 and 呼和浩特 are one thing each: there 和 is a part of a word.
_PART = re.compile(
    r",\s*(?:and\s+)?|\s+and\s+|、|，"
    r"|(?<![温暖柔缓共饱祥随亲附])和(?![平田谐睦气风服尚解声善蔼]|浩特)"
)
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


def is_copied(answer: str, told: str) -> bool:
    """Tell whether an answer is made of what was told: nearly all words, or all that carry it.

    No name, number or negation may be its own.
    """
    words, there = words_of(answer), set(words_of(told))
    own = [word for word in words if word not in there]
    if any(word.isdigit() or word in _NEGATIONS for word in own) or _names(answer) & set(own):
        return False
    if len(own) <= (1 - LEAST_COPIED) * len(words):
        return bool(words)
    carrying = [word for word in words if word not in _CARRIES_NOTHING]
    return bool(carrying) and not set(own) & set(carrying)


def _names(answer: str) -> set[str]:
    """Give the words with a capital in the middle of the answer, as `words_of` writes them."""
    named = {word for name in _NAME.findall(answer) for word in words_of(name)}
    return named - _CARRIES_NOTHING


def copied_parts(answer: str, told: str) -> tuple[list[str], list[str]]:
    """Split an answer that lists things into those that were told and those that were not."""
    parts = [part for part in _PART.split(answer) if part.strip()]
    kept = [part for part in parts if is_copied(part, told)]
    return kept, [part for part in parts if part not in kept]


def comma(language: str) -> str:
    """Give what stands between the things of a list."""
    return "、" if language == "zh" else ", "


def joined_parts(answers: Iterable[str]) -> list[str]:
    """Give the things that several answers list, each once, in their order."""
    joined: dict[str, str] = {}
    for part in (part.strip() for answer in answers for part in _PART.split(answer)):
        bare = " ".join(word for word in words_of(part) if word not in _CARRIES_NOTHING)
        if bare and not any(bare in other or other in bare for other in joined):
            joined[bare] = part
    return list(joined.values())


def repeats(answer: str, question: str) -> bool:
    """Tell whether it only gives back what the question says."""
    return normalise(answer) in normalise(question)
