"""Adds up what turns tell in parts, where a question asks for all of it: the model never adds.

"$120 for the cover and $20 for the spray" is $140 in total. Only amounts of one kind are added: of
one currency, or of one unit.
"""

import re
from decimal import Decimal

from apexmem_desktop.recall.vocabulary import root

_ASKS_ALL = re.compile(
    r"\b(?:total|altogether|in all|combined|sum of|overall (?:cost|number|amount))\b"
    r"|一共|总共|合计",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?<![A-Za-z0-9.,])(?P<currency>[$€£¥₹])?\s?(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?![\w,.]*\d)(?:\s*(?P<unit>[^\W\d_]+))?"
)
# "$20 each" is no part of a sum.
_PER = re.compile(r"\b(?:each|per|apiece|every)\b|每", re.IGNORECASE)
# After a bare number these name no unit.
_NO_UNITS = frozenset(
    "and or for on in at from to of with by plus then was were is are the a an".split()  # noqa: SIM905
)
MAX_PARTS = 8


def summed(question: str, answer: str) -> str:
    """Give the sum of the amounts of an answer; the answer itself where there is none to give."""
    if not _ASKS_ALL.search(question) or _PER.search(answer):
        return answer
    parts = list(_AMOUNT.finditer(answer))
    kinds = {_kind(part) for part in parts}
    if not 2 <= len(parts) <= MAX_PARTS or len(kinds) != 1:
        return answer
    currency, unit = parts[0]["currency"] or "", _unit(parts[0])
    total = sum(Decimal(part["number"].replace(",", "")) for part in parts)
    # The parts stay beside it: they are what the turns tell.
    return f"{currency}{total:,}{f' {unit}' if unit else ''} ({answer})"


def _kind(part: re.Match[str]) -> tuple[str, str]:
    return part["currency"] or "", "" if part["currency"] else root(_unit(part))


def _unit(part: re.Match[str]) -> str:
    unit = part["unit"] or ""
    return "" if part["currency"] or unit.casefold() in _NO_UNITS else unit
