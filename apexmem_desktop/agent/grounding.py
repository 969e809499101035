"""An answer may say only what its proof says: its numbers, dates and names are looked up there."""

import re
from collections.abc import Iterable

from apexmem_desktop.domain.small_numbers import AMOUNTS
from apexmem_desktop.storage.names import normalise

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w’'-]+")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_STARTERS = frozenset(
    """the a an no yes they he she it his her because after before in on at by to since about around
    from both not never none nothing january february march april may june july august september
    october november december monday tuesday wednesday thursday friday saturday sunday""".split()  # noqa: SIM905
)
# Han characters of an answer that must stand in the proof or the question.
LEAST_HAN_SHARE = 0.6
# A shorter name with an ending is another word.
LEAST_INFLECTED = 4


def find_unsupported(answer: str, proof: Iterable[str], question: str) -> list[str]:
    """Find what stands in the answer but neither in its proof nor in the question."""
    told = normalise(" ".join([*proof, question]))
    words = set(re.findall(r"[^\W_]+", told))
    words |= {AMOUNTS[word] for word in words if word in AMOUNTS}
    missing = [n for n in _NUMBER.findall(answer) if not _has_number(n, told, words)]
    for name in _NAME.findall(answer):
        bare = normalise(name).removesuffix("'s").removesuffix("’s")
        if bare not in _STARTERS and not _has_name(bare, told):
            missing.append(name)
    han = _HAN.findall(answer)
    if han and sum(char in told for char in han) < LEAST_HAN_SHARE * len(han):
        missing.append(answer)
    return missing


def _has_number(number: str, told: str, words: set[str]) -> bool:
    """Whether a number stands there as one: 2 is not in 2024."""
    if number in words:
        return True
    return re.search(rf"(?<!\d){re.escape(normalise(number))}(?!\d)", told) is not None


def _has_name(name: str, told: str) -> bool:
    """Whether a name stands there as one, perhaps inflected: Tobias' is, Al in also is not."""
    ending = r"\w{0,3}" if len(name) >= LEAST_INFLECTED else ""
    pattern = rf"(?<![a-z0-9]){re.escape(name)}{ending}(?![a-z0-9])"
    return re.search(pattern, told) is not None


def shares_words(answer: str, proof: Iterable[str]) -> bool:
    """Whether anything of the answer's substance stands in the proof (yes and no need none)."""
    told = normalise(" ".join(proof))
    content = [w for w in re.findall(r"[^\W_]{3,}", normalise(answer)) if w not in _STARTERS]
    if not content or _HAN.search(answer):
        return True
    return any(word[:5] in told for word in content)
