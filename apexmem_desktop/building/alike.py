"""Whether two senders may be one person, by their names and numbers. Nothing is merged here."""

import re
import unicodedata
from collections.abc import Iterable

from apexmem_desktop.domain.names import normalise

_SIGNS = re.compile(r"[^\w\s]|_")
_NOT_DIGITS = re.compile(r"\D+")
_PHONE = re.compile(r"[+(]?[\d\s()./\u2010-\u2015-]{7,24}")
_LEAST_DIGITS = 7
_TELLING_DIGITS = 9  # behind country and area codes, which are written or not


def why_alike(one: Iterable[str], other: Iterable[str]) -> str:
    """Say what two people's names and numbers have in common; "" when nothing tells.

    Args:
        one: All names of the first, numbers and addresses among them.
    """
    ours, theirs = list(one), list(other)
    for a in ours:
        for b in theirs:
            if why := _why(a, b):
                return why
    return ""


def _why(a: str, b: str) -> str:
    if is_phone(a) or is_phone(b):
        same = is_phone(a) and is_phone(b) and is_same_phone(a, b)
        return f"the same phone number ({a})" if same else ""
    if "@" in a or "@" in b:
        return f"the same address ({a})" if normalise(a) == normalise(b) else ""
    if normalise(a) == normalise(b):
        return f"the same name ({a})"
    left, right = name_words(a), name_words(b)
    if not left or not right:
        return ""
    if left == right:
        return f"the same name, written {a} and {b}"
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) < len(longer) and set(shorter) <= set(longer):
        return f"{a} and {b} share {' '.join(shorter)}"
    return ""


def is_phone(name: str) -> bool:
    """Tell a phone number from a name."""
    return (
        _PHONE.fullmatch(name.strip()) is not None
        and len(_NOT_DIGITS.sub("", name)) >= _LEAST_DIGITS
    )


def is_same_phone(a: str, b: str) -> bool:
    """Tell whether two numbers are one, with or without the codes before it."""
    left, right = _digits(a), _digits(b)
    if a.strip().startswith("+") and b.strip().startswith("+"):
        return left == right
    least = min(len(left), len(right), _TELLING_DIGITS)
    return least >= _LEAST_DIGITS and left[-least:] == right[-least:]


def _digits(number: str) -> str:
    return _NOT_DIGITS.sub("", unicodedata.normalize("NFKC", number)).lstrip("0")


def name_words(name: str) -> tuple[str, ...]:
    """Give the words of a name without accents, signs and emoji, in no order."""
    plain = unicodedata.normalize("NFKD", normalise(name))
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return tuple(sorted(_SIGNS.sub(" ", letters).split()))
