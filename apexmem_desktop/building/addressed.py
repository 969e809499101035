"""Whose "your" is: in a conversation of two it is the other one's, and has a name.

"Your support means a lot" says little by itself; "Lena's support" does. The quote keeps the words
as they were said; only where one other person alone spoke before is "your" theirs.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.domain.turn import Turn

_YOUR = re.compile(r"\b[Yy]our\b(?! (?:own|self|life)\b)")
_ONLY_YOUR = re.compile(r"\b(?:you(?:['’]\w+)?|yours|yourself|u|ur|y['’]all)\b", re.IGNORECASE)
_OF_DEEDS = frozenset({"thanks_for", "admires"})
_DEED = re.compile(r"\w+ing\b")
# "Share more recipes with you soon", but not "thanks to you I sing", "for you to see".
_TO_YOU = re.compile(
    r"(?<=\w )(with|like|to|from|for|behind) you(?=$|[,.]| (?:and|soon|on|at|in|who|too)\b)"
)
# Of advice the one advised is known, and "your" is as well whoever reads it.
_ADVICE = frozenset({"advises", "suggests"})


def with_names(
    turn: Turn, told: Iterable[Candidate], before: Sequence[Turn]
) -> Iterator[Candidate]:
    """Put the name of the one spoken to for "your" in what was told."""
    others = {one.speaker for one in before if one.speaker != turn.speaker}
    name = others.pop() if len(others) == 1 else ""
    for one in told:
        named = _named(one, name) if name and name.isascii() else one.value
        yield one if named == one.value else replace(one, value=named, as_said=one.value)


def _named(one: Candidate, name: str) -> str:
    if one.shape in _ADVICE or one.from_question or one.by != "rule" or one.as_said:
        return one.value
    first = name.split()[0]
    value = _TO_YOU.sub(rf"\1 {first}", one.value, count=1)
    if _ONLY_YOUR.search(value):
        return one.value  # "your work as you grow" would be half of each
    if value != one.value:
        return value if _YOUR.search(value) is None else _YOUR.sub(f"{first}'s", value)
    if one.property in _OF_DEEDS and _DEED.match(one.value):
        # "Thanks for using your voice": it is the other one's deed.
        return f"{first} {_YOUR.sub('their', one.value)}"
    return _YOUR.sub("their", _YOUR.sub(f"{first}'s", one.value, count=1))


def says_whose(said: str, value: str) -> bool:
    """Whether a value is what was said, but for a name in the place of "your"."""
    parts = [re.escape(part) for part in _YOUR.split(said)]
    pattern = r"(?:[\w'’-]+['’]s|their)".join(parts)
    pattern = re.sub(r"\\ you\b", r"\\ [\\w'’-]+", pattern)
    return re.fullmatch(rf"(?:[\w'’-]+ )?{pattern}", value) is not None
