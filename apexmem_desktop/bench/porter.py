"""Porter's stemmer (1980) with the extensions of NLTK's default mode, as LoCoMo's authors use it.

Written anew from the published algorithm, so that scores can be compared with theirs without a
further dependency.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

_Condition = Callable[[str], bool]
_Rule = tuple[str, str, _Condition | None]

_IRREGULAR = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of one word, in lower case."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plurals, _past_and_ing, _final_y, _double_suffixes, _full_ness, _long_suffixes):
        word = step(word)
    return _double_l(_final_e(word))


def _is_consonant(word: str, at: int) -> bool:
    if word[at] in "aeiou":
        return False
    return word[at] != "y" or at == 0 or not _is_consonant(word, at - 1)


def _measure(stem_: str) -> int:
    """How often a vowel is followed by a consonant (Porter's m)."""
    kinds = [_is_consonant(stem_, at) for at in range(len(stem_))]
    return sum(not before and after for before, after in pairwise(kinds))


def _positive(stem_: str) -> bool:
    return _measure(stem_) > 0


def _above_one(stem_: str) -> bool:
    return _measure(stem_) > 1


def _has_vowel(stem_: str) -> bool:
    return any(not _is_consonant(stem_, at) for at in range(len(stem_)))


def _ends_double(word: str) -> bool:
    return len(word) >= 2 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y; of two letters: vowel, consonant."""
    if len(word) == 2:
        return not _is_consonant(word, 0) and _is_consonant(word, 1)
    if len(word) < 3 or word[-1] in "wxy":
        return False
    kinds = [_is_consonant(word, len(word) - back) for back in (3, 2, 1)]
    return kinds == [True, False, True]


def _apply(word: str, rules: Sequence[_Rule]) -> str:
    """Apply the first rule whose suffix fits, and no other."""
    for suffix, instead, condition in rules:
        if word.endswith(suffix):
            base = word[: len(word) - len(suffix)]
            return base + instead if condition is None or condition(base) else word
    return word


def _plurals(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _apply(
        word, [("sses", "ss", None), ("ies", "i", None), ("ss", "ss", None), ("s", "", None)]
    )


def _past_and_ing(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        base = word[:-3]
        return base + "ee" if _positive(base) else word
    for suffix in ("ed", "ing"):
        base = word[: -len(suffix)]
        if word.endswith(suffix) and _has_vowel(base):
            return _mended(base)
    return word


def _mended(base: str) -> str:
    """Restore what "ed" and "ing" took: an e, or a doubled letter."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _ends_double(base):
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if _measure(base) == 1 and _ends_short(base) else base


def _final_y(word: str) -> str:
    fits = word.endswith("y") and len(word) > 2 and _is_consonant(word, len(word) - 2)
    return word[:-1] + "i" if fits else word


def _double_suffixes(word: str) -> str:
    if word.endswith("alli") and _positive(word[:-4]):
        return _double_suffixes(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _positive(word[:-3]) else word
    pairs = (
        ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"),
        ("izer", "ize"), ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"),
        ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"),
        ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
        ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
    )  # fmt: skip
    return _apply(word, [(suffix, instead, _positive) for suffix, instead in pairs])


def _full_ness(word: str) -> str:
    pairs = (
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
        ("ful", ""), ("ness", ""),
    )  # fmt: skip
    return _apply(word, [(suffix, instead, _positive) for suffix, instead in pairs])


def _long_suffixes(word: str) -> str:
    before = ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent")
    after = ("ou", "ism", "ate", "iti", "ous", "ive", "ize")
    rules: list[_Rule] = [(suffix, "", _above_one) for suffix in before]
    rules.append(("ion", "", lambda base: _above_one(base) and base[-1] in "st"))
    rules += [(suffix, "", _above_one) for suffix in after]
    return _apply(word, rules)


def _final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    base = word[:-1]
    m = _measure(base)
    return base if m > 1 or (m == 1 and not _ends_short(base)) else word


def _double_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _above_one(word[:-1]) else word
