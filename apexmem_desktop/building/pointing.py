"""Values that point at what is not told in them: at the one spoken to, at "their", at "it".

"Lovely to hear their verdict", "submit it to a festival", "those kids", "how well you've settled":
true where they were said, and of nobody and nothing to whoever reads them alone. English only.
"""

import re

from apexmem_desktop.building.candidates import Candidate

_ADVICE = frozenset({"advises", "suggests"})
_VIEWS = frozenset({"thinks", "feels", "values", "finds", "advises", "suggests", "likes"})
_THEIRS = re.compile(r"\b(?:their|them|they|themselves)\b", re.IGNORECASE)
# Whose "their" can be, where it stands before it: several, or somebody of whom it is not said who.
_SEVERAL = re.compile(
    r"\b(?:(?!(?:always|perhaps|besides|sometimes|towards|whereas|does|goes|makes|takes|gives)\b)"
    r"\w{3,}(?<![su'’])(?<!i)s|people|folks|kids|children|men|women|everyone|everybody|someone|"
    r"somebody|anyone|person|each|those|family|fam|team|group|community|crew|couple|band|police|"
    r"others)\b|(?-i:^[A-Z][\w'’-]*(?:['’]s\b| (?=\w+ing\b)))",
    re.IGNORECASE,
)
_ITS = re.compile(r"\b(?:it|them)\b(?!['’])(?! (?:takes|took|is|was|feels|means|easy|hard)\b)")
_A_THING = re.compile(
    r"\b(?:an?|the|my|our|this|that|these|some|another|every|\w+['’]s) \w+|^\w+(?: \w+)* and\b|"
    r"(?<!^)\b[A-Z]\w+|\w{4,}s\b"
)
_OF_DEEDS = frozenset({"plans", "wants", "needs", "did", "does", "is", "own"})
# "Try that out", "include this at the start", "a bit of this with me": no noun behind it.
_BARE = re.compile(
    r"\b(?:that|this|those|these)(?= (?:at|in|on|out|up|to|for|with|together|myself)\b|$)"
    r"(?<!like this)(?<!like that)"
)
# "Those kids", "these reminders": which ones? "Those who help", "this ring I wore" name theirs.
_THOSE = re.compile(
    r"\b(?:those|these|that kind of|this kind of|that sort of) "
    r"(?!who\b|in\b|with\b|around\b|of\b|we\b|I\b|days\b|close\b|from\b|little ones\b)"
    r"(?:(?!that\b|who\b|which\b|I\b|we\b|with\b|from\b|of\b|in\b|like\b)[\w'’-]+(?: |$)){1,3}+"
    r"(?!that\b|who\b|which\b|I\b|we\b|with\b|from\b|of\b|in\b|like\b|.*\b(?:to|for) me\b)",
    re.IGNORECASE,
)
_THAT_GUY = re.compile(
    r"\b(?:that|this|those|these) (?:little )?(?:guys?|dudes?|fellows?)\b"
    r"|^\w+ (?:him|her) (?:some|an?|the|to|up)\b",
    re.IGNORECASE,
)
_LIKE_THESE = re.compile(r"\w+ like (?:these|this|that|those)\b", re.IGNORECASE)
_YOU = re.compile(
    r"\byou(?:['’](?:re|ve)| are| have)\b"
    r"|\b(?:like|as) you (?:said|mentioned|told|suggested|wrote)\b"
    r"|\byou (?:mentioned|recommended|suggested|gave|made|sent|shared|showed|told|lent|brought)\b"
    r"|^you \w+ing\b|\blike you to\b"
    r"|\b(?:send|give|show|lend|bring|owe) you\b",
    re.IGNORECASE,
)


# "They Might Be Giants" points at nobody: it is a name.
_TITLE = re.compile(r"(?:[A-ZÀ-Þ0-9][\w'’-]*(?: (?:of|the|and|a|an|in|to|at|for))*(?: |$)){2,}")


def points_elsewhere(candidate: Candidate, value: str) -> bool:
    """Whether a value speaks of somebody or something that it does not name."""
    if _TITLE.fullmatch(value):
        return False
    if candidate.property not in _ADVICE and _YOU.search(value):
        return True
    if _LIKE_THESE.match(value) or _THAT_GUY.search(value) or _points_at_them(value):
        return True
    if candidate.shape in _OF_DEEDS or candidate.property == "thanks_for":
        its = _ITS.search(value)
        if its and not _A_THING.search(value[: its.start()]):
            return True
        if _BARE.search(value):
            return True
    return candidate.shape in _VIEWS and _those_unnamed(value)


def _points_at_them(value: str) -> bool:
    their = _THEIRS.search(value)
    return their is not None and _SEVERAL.search(value[: their.start()]) is None


def _those_unnamed(value: str) -> bool:
    found = _THOSE.search(value)
    if found is None:
        return False
    if re.search(r"\b(?:I|we)\b", value[: found.end() + 12][found.start() :]):
        return False
    return found.start() == 0 or not re.search(r"\b\w{4,}s\b", value[: found.start()])
