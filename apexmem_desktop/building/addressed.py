"""Whose "your" is: in a conversation of two it is the other one's, and has a name.

"Your kindness means the world" says little by itself; "Lena's kindness" does. The quote keeps the
words as they were said; only where one other person alone spoke before is "your" theirs.
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
# "Tell more of it to you soon", but not "thanks to you I sing", "for you to see".
_TO_YOU = re.compile(
    r"(?<=\w )(with|like|to|from|for|behind) you(?=$|[,.]| (?:and|soon|on|at|in|who|too)\b)"
)
_DEEDS_TO_ME = "mentioned|recommended|suggested|gave|made|sent|shared|showed|told|lent|brought"
# The other one stands in the speaker's words as their subject: "how well you've settled".
_AS_SUBJECT = (
    (re.compile(r"^you (?=\w+ing\b)"), r"{} "),
    (re.compile(r"\b(how(?: \w+)?) you(?:['’]re| are) "), r"\1 {} is "),
    (re.compile(r"\b(how(?: \w+)?) you(?:['’]ve| have) "), r"\1 {} has "),
    (re.compile(rf"\byou (?=(?:{_DEEDS_TO_ME})\b)"), r"{} "),
    (
        re.compile(
            r"\b(send|give|show|lend|bring|owe|tell|help|support|for) you\b"
            r"(?=$| (?:an?|some|the|my|more|with|in|out)\b)"
        ),
        r"\1 {}",
    ),
    (re.compile(r"^you$"), "{}"),
    (re.compile(r"^[Yy]ou(?:['’]re| are) "), "{} is "),
    (re.compile(r"^[Yy]ou(?:['’]ve| have) "), "{} has "),
)  # fmt: skip
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
    for pattern, named in _AS_SUBJECT:
        value = pattern.sub(named.format(first), value, count=1)
    if one.property in _OF_DEEDS:
        value = re.sub(r"\byourself\b", "themself", value)
        value = re.sub(r"\byour own\b", "their own", value)
    if _ONLY_YOUR.search(value):
        return one.value  # "your work as you grow" would be half of each
    if value.startswith((f"{first} is ", f"{first} has ")) or (
        value.startswith(f"{first} ") and _DEED.search(value)
    ):
        return _YOUR.sub("their", value)
    if value != one.value and not (one.property in _OF_DEEDS and _DEED.match(value)):
        return value if _YOUR.search(value) is None else _YOUR.sub(f"{first}'s", value)
    if one.property in _OF_DEEDS and _DEED.match(value):
        # "Thanks for using your voice": it is the other one's deed.
        return f"{first} {_YOUR.sub('their', value)}"
    return _YOUR.sub("their", _YOUR.sub(f"{first}'s", one.value, count=1))


_WORDS_OF_YOU = re.compile(
    r"\b[Yy]our own\b|\b[Yy]our(?:self)?\b|\b[Yy]ou(?:['’](?:re|ve)| are| have)?(?![\w'’])"
)
_IN_ITS_PLACE = (
    r"(?:[\w'’-]+['’]s(?: own)?|their own|their|themself|[Yy]our(?: own|self)?|[Yy]ou(?: are|"
    r" have)?|"
    r"[\w'’-]+(?: is| has)?)"
)


def says_whose(said: str, value: str) -> bool:
    """Whether a value is what was said, but for a name in the place of "you" and "your"."""
    parts = [re.escape(part) for part in _WORDS_OF_YOU.split(said)]
    pattern = _IN_ITS_PLACE.join(parts)
    return re.fullmatch(rf"(?:[\w'’-]+ )?{pattern}", value) is not None
