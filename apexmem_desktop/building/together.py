"""Who is in "we": the speaker, and whoever was just named beside, or the one spoken to.

Each of them is given the same fact. Where neither the message nor the one before it says who else
is meant, "we" is told of the speaker alone, and not as surely.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from apexmem_desktop.building import confidence
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.patterns import CHINESE_RELATIONS, RELATIONS
from apexmem_desktop.domain.graph import Quote
from apexmem_desktop.domain.turn import Turn

_REACH_CHARS = 160  # how far before "we" somebody may be named: a sentence or two
_OF_NOW = frozenset({"likes", "dislikes", "does", "is", "wants", "practises", "values"})
_BOTH = re.compile(
    r"\b(?:[Ww]e both|[Bb]oth of us|[Yy]ou and I|[Ww]e['’]re both|[Ww]e['’]ve both)\b"
    r"|我们俩|咱俩|我们都"
)
# "We're flying to Oslo in May, you and I": said beside the clause, and of nobody else.
_YOU_AND_I = re.compile(
    r"\b(?:you and (?:I|me)|me and you|I and you|both of us|the two of us|us two|just us|"
    r"together with you)\b|(?:跟|和|与)你一起|你(?:跟|和)我",
    re.IGNORECASE,
)
_WE = re.compile(r"\bwe(?:['’]\w+)?\b|我们|咱们?", re.IGNORECASE)
_INCLUSIVE = re.compile(r"咱们?(?!的)")  # the one spoken to is always one of 咱们
# "It was great seeing you on Sunday! We walked to the mill": the one spoken to was there.
_WAS_THERE = re.compile(
    r"\b(?:seeing|to see|meeting|to meet|having|catching up with|hanging out with|visiting|with) "
    r"you(?: (?:all|both|guys))?(?: again)?(?: in person)? (?:yesterday|today|last|on|at|this|in|"
    r"over|the other|there|after)\b|\bthanks? (?:you )?for (?:coming|joining|visiting|having me)\b"
    r"|(?:见到|看到)你|(?:跟|和|与)你(?:去|见|吃|玩|逛|看|聚)|你(?:上次|上周|昨天)?来(?:看我|我家|玩)",
    re.IGNORECASE,
)
# What the other one said before: a thing to do for both, or a question about both.
_PROPOSED = re.compile(
    r"\blet['’]?s\b(?! see| say| hope| be honest)|\b(?:shall|should|could|can|will|are|were|did|do|"
    r"have|had|when|where) we\b|\bdo you (?:want|wanna) (?:to )?(?:come|join|go|meet)\b|"
    r"\btogether,? we\b|\bwith me\?|\bjoin me\b|咱们?|我们.*(?:吧|吗|呢)|一起.*[吧吗]",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"\bwe(?:['’]ll|\s+(?:will|can|should|could|shall|are going to|plan)|['’]re (?:going|meeting|"
    r"flying|driving|leaving))\b|我们.*(?:要|会|打算|准备|计划)",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"\b(?:kids|children|family|fam|friends|team|everyone|everybody|guys|gang|buddies|group|"
    r"class(?:mates)?|colleagues|students|couple|people|they|them|we all|volunteers)\b"
    r"|大家|朋友们|同事|家人|孩子|全家",
    re.IGNORECASE,
)
_RELATION = "|".join(one for one in RELATIONS if one.isascii())
_MINE = rf"[Mm]y (?:\w+ )?(?:{_RELATION})"
_NAME = (
    r"(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Jan|Feb|March|April|May\b|June|July|Aug|Sep|"
    r"Oct|Nov|Dec|Christmas|Easter|He\b|She\b|They\b|You\b|It\b|And\b|But\b|So\b)[A-Z][a-z]+"
)
_ONE = rf"(?P<one>{_MINE}|{_NAME})"
_AND_I = re.compile(rf"\b{_ONE} and I\b")
_WITH = re.compile(rf"\b(?:I|[Ww]e)\b[^.!?]{{0,60}}? with {_ONE}\b(?! and\b|['’]s| [A-Z])")
_MET = re.compile(
    rf"\bI (?:just |finally )?met (?:up with )?{_ONE}\b(?! and\b|['’]s| [A-Z])"
    rf"|\b(?P<who>{_MINE}|{_NAME}) "
    r"(?:came (?:over|to (?:see|visit))|joined|visited|met) (?:me|us)\b"
)
_RELATION_AT_END = re.compile(rf"^[Mm]y (?:\w+ )?(?P<relation>{_RELATION})$")


_CLAUSE_END = re.compile(
    r"[.!?;:()\n…]|\s[-–—]+\s|,?\s(?:but|because|so|who|which|that|while|when)\s"
    r"|,?\sand (?:I|we|he|she|they|it|then|there)\b"
)
# What is done in company; "I made it with Blender" names a tool, "a call with Lumo" a firm.
_IN_COMPANY = re.compile(
    r"(?:visited|went|had|attended|took|played|saw|watched|celebrated|travel|flew|drove|hiked|"
    r"camped|ate|spent|explored|walked|danced|sang|chilled|hung|came|did|ran|swam|cycled|biked|"
    r"rode|moved|stayed|got_back)",
)
_OF_BUSINESS = re.compile(
    r"\b(?:meeting|interview|call|appointment|deal|contract|trouble|problems?|account|job|flight|"
    r"order|booking|chat)\b",
    re.IGNORECASE,
)
_EACH = re.compile(rf"{_MINE}|{_NAME}(?: {_NAME})?")
_BESIDE = re.compile(
    rf"\b(?:with|alongside|together with) (?P<those>(?:{_MINE}|{_NAME}(?: {_NAME})?)"
    rf"(?:(?:,| and|, and) (?:{_MINE}|{_NAME}(?: {_NAME})?))*)(?!['’]s|\w| [A-Z])"
)


# 我和小雨一起去, 跟我妹妹看了: they took part.
_CHINESE_BESIDE = re.compile(
    rf"(?:和|跟|与|陪着?)(?:我的?(?P<relation>{CHINESE_RELATIONS})"
    r"|(?P<name>(?![你我他她它咱大别]|家人|朋友|同学|同事|孩子)(?:[小老阿][\u4e00-\u9fff]|[\u4e00-\u9fff]{2,3}?)))"
    r"(?=一起|昨|今|前天|上|去|在|到|看|吃|逛|爬|玩|参加|周)"
)


def with_companions(
    turn: Turn, told: Sequence[Candidate], before: Sequence[Turn]
) -> Iterator[Candidate]:
    """Give each fact, and for "we" and "Tom and I" the same of each other one who is meant."""
    others = {one.speaker for one in before if one.speaker != turn.speaker}
    for one in told:
        front = one.sentence[: max(0, one.value_start - one.sentence_start)]
        if one.who != turn.speaker or one.beside:
            yield one
        elif len(others) == 1 and _is_of_both(turn, one, front, before):
            [other] = others
            spoken = next(b for b in reversed(before) if b.speaker == other)
            proof = Quote(spoken.id, 0, len(spoken.text), spoken.text)
            yield one
            yield replace(one, who=other, beside=(proof,))
        elif found := _AND_I.search(front):
            yield one
            yield _twin(one, found["one"])
        elif _says_we(front):
            yield _unsure(one)
            yield from _named_before(turn, one, front)
        else:
            yield one


def named_with(candidate: Candidate) -> Iterator[tuple[str, bool]]:
    """Give whom "with Lena and my brother" names in a deed's own clause, as (words, a relation).

    "I went to Rome with Lena" and "I had dinner with my sister on Friday": they took part.
    """
    start = max(0, candidate.value_start - candidate.sentence_start)
    clause_start = max(candidate.sentence.rfind(mark, 0, start) for mark in ",，;；。") + 1
    for one in _CHINESE_BESIDE.finditer(candidate.sentence[clause_start:start]):
        yield (one["relation"], True) if one["relation"] else (one["name"], False)
    if not _IN_COMPANY.match(candidate.property) or _OF_BUSINESS.search(candidate.value):
        return
    clause = _CLAUSE_END.split(candidate.sentence[start:], maxsplit=1)[0]
    front = candidate.sentence[:start]
    before = front[max(front.rfind(", "), front.rfind("I "), 0) :]
    for group in _BESIDE.finditer(f"{before}{clause}"):
        for one in _EACH.finditer(group["those"]):
            relation = _RELATION_AT_END.match(one.group())
            if relation:
                yield relation["relation"].casefold(), True
            elif not one.group().casefold().startswith("my "):
                yield one.group(), False


def _is_of_both(turn: Turn, one: Candidate, front: str, before: Sequence[Turn]) -> bool:
    # "We both helped" may be the two of the story; what holds now is of those who speak.
    if one.shape in _OF_NOW and _BOTH.search(front):
        return True
    if _INCLUSIVE.search(front):
        return True
    said_so = _YOU_AND_I.search(one.sentence.replace(one.value, " "))
    if said_so is not None and _WE.search(front) is not None:
        return True
    if not _says_we(front) or _GROUP.search(one.sentence):
        return False
    if _WAS_THERE.search(_just_before(turn, one)):
        return True
    last = before[-1]
    proposed = last.speaker != turn.speaker and _PROPOSED.search(last.text[-200:])
    return bool(proposed) and (one.shape == "plans" or _AHEAD.search(front) is not None)


def _says_we(front: str) -> bool:
    """Whether the clause of a value has "we" for its subject, and nobody else behind it."""
    found = list(_WE.finditer(front))
    return bool(found) and not re.search(
        r"\b(?:I|he|she|they|you)\b|我(?!们)|[他她你]", front[found[-1].end() :]
    )


def _just_before(turn: Turn, one: Candidate) -> str:
    """The words before a sentence, as far as somebody named in them can still be meant."""
    return turn.text[max(0, one.sentence_start - _REACH_CHARS) : one.sentence_start]


def _named_before(turn: Turn, one: Candidate, front: str) -> Iterator[Candidate]:
    """Give the fact of the one person who was named just before "we", if there is one alone."""
    earlier = _just_before(turn, one)
    begin = one.sentence_start - len(earlier)
    we = list(_WE.finditer(front))[-1].start()
    text = earlier + front[:we]
    named = [found for rule in (_AND_I, _WITH, _MET) for found in rule.finditer(text)]
    spoken = {_who(found): found for found in named}
    if len(spoken) != 1 or _GROUP.search(text) or _GROUP.search(one.sentence):
        return
    [(who, found)] = spoken.items()
    start, end = begin + found.start(), begin + found.end()
    words = turn.text[start:end]
    beside = () if start >= one.sentence_start else (Quote(turn.id, start, end, words),)
    yield replace(_twin(_unsure(one), who), beside=beside)


def _who(found: re.Match[str]) -> str:
    parts = found.groupdict()
    return str(parts.get("one") or parts.get("who"))


def _twin(one: Candidate, who: str) -> Candidate:
    relation = _RELATION_AT_END.match(who)
    if relation:
        return replace(one, who=relation["relation"].casefold(), of_speaker=True)
    return replace(one, who=who)


def _unsure(one: Candidate) -> Candidate:
    """Who "we" are is not said: it is of the speaker, but not as surely as "I"."""
    return replace(one, confidence=min(one.confidence, confidence.BY_WE))
