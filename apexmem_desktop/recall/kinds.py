"""What a question asks for, told from its words: no model."""

import re
from enum import StrEnum

from apexmem_desktop.domain.graph import MemoryType
from apexmem_desktop.recall.advice import asks_advice


class Kind(StrEnum):
    """What is asked for."""

    CURRENT = "current"
    AT_TIME = "at_time"
    WHEN = "when"
    HOW_LONG = "how_long"
    HOW_MANY = "how_many"
    BEFORE = "before"
    AFTER = "after"
    WHY = "why"
    WHO = "who"
    LIST = "list"
    YES_NO = "yes_no"
    COMPARISON = "comparison"
    CHANGED = "changed"
    ADVICE = "advice"
    OPEN = "open"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE)


_MORE = (
    r"earlier|later|more(?! or)|less|better|worse|"
    r"(?:old|young|tall|long|short|bigg|small|cheap|clos|fast|new)er"
)
# The first that matches decides, so the narrower comes first ("when did it change").
_ENGLISH: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        Kind.COMPARISON,
        _any(
            rf"^\W*(?:and |so |but )?(?:which|who|what)\b.*\b(?:first|{_MORE})\b.*\bor\b",
            rf"^\W*(?:and |so |but )?(?:which|who|what)\b.*\b(?:{_MORE})\b.*\bthan\b",
            r"\b(?:difference between|compared (?:to|with)|in comparison)\b",
        ),
    ),
    (
        Kind.CHANGED,
        _any(
            r"\b(?:has|have|had|did)\b.*\bchang(?:e|ed)\b",
            r"\bhow\b.*\b(?:chang(?:e|ed)|evolved?)\b",
            r"\bwhen\b.*\b(?:chang(?:e|ed)|switch(?:ed)?)\b",
            r"\bhistory of\b",
            r"\bused to\b.*\bbut\b",
        ),
    ),
    (
        Kind.HOW_LONG,
        _any(
            r"\b(?:how|so) long\b(?! ago)",
            r"\bfor how (?:long|many (?:years|months|weeks|days|hours))\b",
            r"\bhow many (?:years|months|weeks|days|hours)\b(?! ago)",
            r"\bsince when\b.*\bhow\b",
            r"\bwhat (?:is|was) the duration\b",
        ),
    ),
    (
        Kind.WHEN,
        _any(
            r"^\W*(?:and |so |but )?(?:since |until |till )?when\b",
            r"\bhow long ago\b",
            r"\bhow many (?:years|months|weeks|days) ago\b",
            r"\b(?:what|which|on what|in which|in what) (?:day|date|month|year|week|season|time)\b",
            r"\bwhat (?:is|was) the date\b",
            r"\btell me when\b",
            r"\b(?:since|until|till|and|exactly) when\b",
        ),
    ),
    (Kind.HOW_MANY, _any(r"\bhow (?:many|much|often)\b", r"\bnumber of\b", r"\bcount\b")),
    (
        Kind.BEFORE,
        _any(
            r"\bbefore\b",
            r"\bprevious(?:ly)?\b",
            r"\bformer(?:ly)?\b",
            r"\bused to\b",
            r"\boriginal(?:ly)?\b",
            r"\bprior to\b",
            r"\bearlier\b",
        ),
    ),
    (Kind.AFTER, _any(r"\bafter\b", r"\bfollowing\b", r"\bnext\b(?! (?:week|month|year))")),
    (
        Kind.WHY,
        _any(
            r"\bwhy\b",
            r"\bwhat (?:made|caused|led|motivated|inspired|prompted)\b",
            r"\bfor what reason\b",
            r"\bhow come\b",
            r"\breasons? (?:for|why|behind)\b",
        ),
    ),
    (Kind.WHO, _any(r"^\W*(?:and |so |but )?(?:with |to |from |by )?who(?:m|se)?\b", r"\bwho\b")),
    (
        Kind.LIST,
        _any(
            r"\b(?:what|which) (?:[\w-]+ ){0,3}"
            r"(?:activities|hobbies|books|places|things|kinds|types|"
            r"countries|cities|events|items|instruments|pets|games|movies|foods|sports|names)\b",
            # "What recipes has she made?"; not "what class", "what does".
            r"^\W*(?:what|which) (?:(?!does|is|was|has)[\w+'-]+ ){0,3}?"
            r"(?!does|is|was|has|news)[a-z]+(?<![siu])s (?:has|have|do|does|did|are|were)\b",
            # "What are Ana's favourite kites?"
            r"^\W*what are (?:my|your|our|their|his|her|(?:[\w-]+ )?[\w-]+s?['’]s?) "
            r"(?:[\w-]+ ){0,2}[a-z]+(?<![siu])s\W*$",
            # "Where has she camped?", "what has Ana painted?"; not what has changed.
            r"^\W*(?:what|where|which places) (?:has|have) (?:[\w'’-]+ ){1,3}"
            r"(?:been|(?!decided|changed|moved|happened|named|called|planned)[a-z]+ed)\W*$",
            r"\blist\b",
            r"\ball (?:the|of)\b",
            r"\bname (?:all|every|the)\b",
        ),
    ),
    (
        Kind.YES_NO,
        _any(
            r"^\W*(?:and |so |but )?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|"
            r"would|should|might)(?:n't)?\b"
        ),
    ),
)
_CHINESE: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.COMPARISON, _any(r"[先更].*还是", r"还是.*[先更]", r"(?:谁|哪个)更", r"相比|区别")),
    (Kind.CHANGED, _any(r"变(?:了|化|过|成)", r"改(?:了|变)", r"换(?:了|过|成)")),
    (Kind.HOW_LONG, _any(r"多久(?!以?前)", r"多长时间", r"几(?:年|个月|天|周|个星期|小时)(?!前)")),
    (
        Kind.WHEN,
        _any(
            r"什么时候",
            r"何时",
            r"哪(?:一)?(?:天|年|个?月|周)",
            r"几(?:月|号|点)",
            r"什么(?:时间|日期)",
            r"多久以?前",
        ),
    ),
    (Kind.HOW_MANY, _any(r"多少", r"几(?:个|次|只|本|位|家|人|种|条|张)", r"多大")),
    (Kind.WHY, _any(r"为什么", r"为啥", r"怎么会", r"原因")),
    (Kind.BEFORE, _any(r"之前", r"以前", r"原来", r"从前", r"过去", r"曾经", r"原先")),
    (Kind.AFTER, _any(r"之后", r"以后", r"后来", r"接着")),
    (Kind.WHO, _any(r"谁", r"哪位")),
    (Kind.LIST, _any(r"哪些", r"有什么", r"都.*什么", r"列出")),
    (Kind.YES_NO, _any(r"吗", r"是否", r"有没有", r"是不是", r"会不会", r"能不能", r"喜不喜欢")),
)
_NOW = _any(
    r"\b(?:now|currently|current|nowadays|these days|at the moment|today|still|latest|recent)\b",
    r"现在|目前|如今|最近|还(?:在|是)",
)
# A question in the present tense about a state is about now.
_PRESENT = _any(
    r"^\W*(?:and |so |but )?(?:where|what|which|how)"
    r"(?:'s|\b.{0,40}?\b(?:is|are|does|do|has|have)\b)",
)
_PAST = _any(r"\b(?:did|was|were|had|would|might|could)\b")


def kind_of(question: str, *, language: str, has_time: bool) -> Kind:
    """Tell what is asked for.

    Args:
        language: "en" or "zh".
        has_time: Whether the question names a time other than now.
    """
    if asks_advice(question, language):
        return Kind.ADVICE
    for kind, pattern in _CHINESE if language == "zh" else _ENGLISH:
        if pattern.search(question):
            return _with_time(kind, has_time)
    if has_time:
        return Kind.AT_TIME
    if _NOW.search(question):
        return Kind.CURRENT
    if language == "zh":
        return Kind.OPEN if "了" in question or "过" in question else Kind.CURRENT
    if _PRESENT.search(question) and not _PAST.search(question):
        return Kind.CURRENT
    return Kind.OPEN


# Words that ask for a kind of memory.
_TYPES: tuple[tuple[frozenset[MemoryType], re.Pattern[str]], ...] = (
    (
        frozenset((MemoryType.PLAN, MemoryType.GOAL)),
        _any(
            r"\b(?:plan(?:s|ned|ning)?|going to|intend(?:s|ed)?)\b",
            r"\b(?:hop(?:e|es|ing) to|goals?|dreams?)\b",
            r"打算|计划|目标|想要",
        ),
    ),
    (
        frozenset((MemoryType.HABIT,)),
        _any(
            r"\b(?:usual(?:ly)?|often|every|always|regular(?:ly)?|habits?|routine)\b",
            r"经常|通常|每",
        ),
    ),
    (
        frozenset((MemoryType.PREFERENCE,)),
        _any(
            r"\b(?:(?:dis)?likes?|loves?|favou?rites?|prefers?|enjoys?|hates?)\b",
            r"喜欢|最爱|讨厌",
        ),
    ),
)


def memory_types_of(question: str, kind: Kind) -> frozenset[MemoryType]:
    """Tell which kinds of memory a question asks for; none where it does not say."""
    told = next((types for types, words in _TYPES if words.search(question)), frozenset())
    if not told and kind in (Kind.WHEN, Kind.HOW_MANY):
        return frozenset((MemoryType.ACTION,))
    return told


def asks_about_now(question: str) -> bool:
    """Tell whether the words themselves say "now"."""
    return bool(_NOW.search(question))


def _with_time(kind: Kind, has_time: bool) -> Kind:
    """Read "before 2023" as a time, "before the move" as an order of events."""
    return Kind.AT_TIME if has_time and kind in (Kind.BEFORE, Kind.AFTER) else kind
