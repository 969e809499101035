"""How a text is written for the full-text index: who reads a file does it, without a database."""

import re
import unicodedata

# Ideographs, kana, Hangul, Thai, Lao, Burmese and Khmer: no spaces, or particles stuck to words.
UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af]+"
)


def indexable(text: str) -> str:
    """Give the text as the index takes it: full-width letters narrowed, unspaced scripts cut."""
    if text.isascii():
        return text
    return UNSPACED.sub(_cut, unicodedata.normalize("NFKC", text))


def _cut(run: re.Match[str]) -> str:
    signs = run.group()
    return f" {' '.join([*signs, *pairs(signs)])} "


def pairs(signs: str) -> list[str]:
    """List the pairs of neighbours."""
    return [signs[i : i + 2] for i in range(len(signs) - 1)]
