"""When two spellings are the same name: one function for Python, SQL and every stored column."""

import re
import unicodedata

# What a reader does not see: direction marks, zero-width signs, soft hyphens, variation selectors,
# Hangul fillers, controls. Not here: U+200D, which joins emoji, and the tags that tell flags apart.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0100-\U000e01ef]"
)
_SPACES = re.compile(r"\s+")
# A joiner means something only between two signs that are neither letters nor digits: 👩‍👧 is one.
_JOINERS = re.compile("\u200d+")
_IDLE_JOINER = re.compile("(?<![^\\w\\s])\u200d|\u200d(?![^\\w\\s])")
# casefold() keeps the dotless ı apart from I, and gives "i" + U+0307 for the Turkish capital İ.
_LETTERS = str.maketrans({"İ": "i", "ı": "i", "’": "'", "‘": "'", "ʼ": "'"})
_DOTTED_I = "i\u0307"
_PHONE = re.compile(r"\+[\d\s()./\u2010-\u2015-]+")
_LEAST_PHONE_DIGITS = 7


def normalise(name: str) -> str:
    """Give the form by which names are compared: case, width, spaces and marks do not count.

    Accents do count: José is not Jose. A name that shows nothing at all keeps its signs, so that
    two such names are not one; an international phone number is its digits, however it is set.
    """
    if name.isascii() and name.isprintable() and "+" not in name:
        return " ".join(name.casefold().split())  # most names; the long way gives the same
    text = name
    for _ in range(_MOST_ROUNDS):
        folded = _fold(text)
        if folded == text:
            break
        text = folded
    return text or "".join(unicodedata.normalize("NFKC", name).split())


_MOST_ROUNDS = 8  # one round can bring together what the next one composes; three have been seen


def _fold(text: str) -> str:
    seen = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    letters = seen.translate(_LETTERS).casefold().replace(_DOTTED_I, "i")
    single = _JOINERS.sub("\u200d", unicodedata.normalize("NFKC", letters))
    joined = _IDLE_JOINER.sub("", single)
    spaced = _SPACES.sub(" ", joined).strip()
    return _digits(spaced) if _PHONE.fullmatch(spaced) else spaced


def _digits(phone: str) -> str:
    digits = "".join(str(unicodedata.decimal(sign)) for sign in phone if sign.isdecimal())
    return f"+{digits}" if len(digits) >= _LEAST_PHONE_DIGITS else phone
