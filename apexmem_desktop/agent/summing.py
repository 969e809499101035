"""Adds up and compares amounts that turns tell: the model never reckons.

"$120 for the cover and $20 for the spray" is $140 in total, and $100 more for the one. Only amounts
of one kind are reckoned with: of one currency, or of one unit.
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
# "How much more was the offer than the price?"
_MORE = re.compile(
    r"^\W*how (?:much|many)(?: \w+)? (?:more|less|fewer|\w+er)(?: \w+)?? "
    r"(?P<aux>was|is|are|were|did|do|does|has|have|had|will|would) (?P<a>.+?),? "
    r"(?:than|compared (?:to|with)|as against) (?P<b>.+?)\W*$",
    re.IGNORECASE,
)
# "What is the difference in price between the tent and the stove?"
_BETWEEN = re.compile(
    r"\bwhat (?:is|was) the (?:(?P<what>price|cost|age|weight|time|length|height) )?difference"
    r"(?: in (?P<in>[\w ]+?))? between (?P<a>.+?) and (?P<b>.+?)\W*$",
    re.IGNORECASE,
)
# "How much will I save by taking the ferry instead of a cab?"
_SAVED = re.compile(
    r"^\W*how much (?:money |time )?(?:did|do|does|will|would|can|could) .+? save (?:by )?"
    r"(?P<a>.+?) (?:instead of|rather than|over|compared (?:to|with)) (?P<b>.+?)\W*$",
    re.IGNORECASE,
)


def summed(question: str, answer: str) -> str:
    """Give the sum of the amounts of an answer; the answer itself where there is none to give."""
    if not _ASKS_ALL.search(question) or _PER.search(answer):
        return answer
    parts = list(_AMOUNT.finditer(answer))
    kinds = {_kind(part) for part in parts}
    if not 2 <= len(parts) <= MAX_PARTS or len(kinds) != 1:
        return answer
    numbers = [_number(part) for part in parts]
    total = sum(numbers, Decimal(0))
    if len(parts) > 2 and any(number == total - number for number in numbers):
        return answer  # the turns tell the sum, too
    # The parts stay beside it: they are what the turns tell.
    return f"{_written(parts[0], total)} ({answer})"


def read_difference(question: str) -> tuple[str, str] | None:
    """Give the questions for the two amounts that a question in English compares; else None."""
    more = _MORE.match(question)
    if more is not None:
        aux = more["aux"]
        return f"How much {aux} {more['a']}?", f"How much {_of_a_thing(aux)} {more['b']}?"
    between = _BETWEEN.search(question)
    if between is not None:
        what = between["what"] or between["in"] or "amount"
        return f"What is the {what} of {between['a']}?", f"What is the {what} of {between['b']}?"
    saved = _SAVED.match(question)
    if saved is not None:
        return f"How much does {saved['a']} cost?", f"How much does {saved['b']} cost?"
    return None


def difference(one: str, other: str) -> str:
    """Say by how much two told amounts differ; "" where they are not one amount each of a kind."""
    parts = [list(_AMOUNT.finditer(told)) for told in (one, other)]
    if any(len(found) != 1 for found in parts) or _kind(parts[0][0]) != _kind(parts[1][0]):
        return ""
    (first,), (second,) = parts
    apart = abs(_number(first) - _number(second))
    return f"{_written(first, apart)} ({one}, {other})"


def _of_a_thing(aux: str) -> str:
    """After "than" mostly a thing is named, whatever one did with the other."""
    return aux if aux.casefold() in ("was", "is", "are", "were") else "was"


def _written(part: re.Match[str], number: Decimal) -> str:
    unit = _unit(part)
    return f"{part['currency'] or ''}{number:,}{f' {unit}' if unit else ''}"


def _number(part: re.Match[str]) -> Decimal:
    return Decimal(part["number"].replace(",", ""))


def _kind(part: re.Match[str]) -> tuple[str, str]:
    return part["currency"] or "", "" if part["currency"] else root(_unit(part))


def _unit(part: re.Match[str]) -> str:
    unit = part["unit"] or ""
    return "" if part["currency"] or unit.casefold() in _NO_UNITS else unit
