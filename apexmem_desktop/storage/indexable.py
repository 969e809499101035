"""How a text is written for the full-text index: who reads a file does it, without a database."""

import re
import unicodedata

# Ideographs, kana, Hangul, Thai, Lao, Burmese and Khmer: no spaces, or particles stuck to words.
UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af]+"
)
# English words that say nothing about a topic. Time words and negations stay out of this list.
_STOPWORDS_TEXT = """
a about am an and any are as at be been being but by can could did do does doing for from had has
have having he her hers him his how i i'm i've if in into is it its it's let me my of on or our
ours she should so some than that that's the their theirs them then there these they this those to
too us was we were what what's when where which while who whom whose why will with would you your
yours
"""
STOPWORDS = frozenset(_STOPWORDS_TEXT.split())
# As they are mostly written. What is written otherwise is indexed, and not looked for.
_NOT_INDEXED = STOPWORDS | {word.capitalize() for word in STOPWORDS}


def indexable(text: str) -> str:
    """Give the text as the index takes it: full-width letters narrowed, unspaced scripts cut."""
    if text.isascii():
        return text
    return UNSPACED.sub(_cut, unicodedata.normalize("NFKC", text))


def telling_words(text: str) -> str:
    """Leave out of a text the words that no search looks for: a quarter of an index is theirs."""
    words = text.split()
    telling = [word for word in words if word not in _NOT_INDEXED]
    return text if len(telling) == len(words) else " ".join(telling)


def _cut(run: re.Match[str]) -> str:
    signs = run.group()
    return f" {' '.join([*signs, *pairs(signs)])} "


def pairs(signs: str) -> list[str]:
    """List the pairs of neighbours."""
    return [signs[i : i + 2] for i in range(len(signs) - 1)]
