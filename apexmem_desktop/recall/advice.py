"""Questions that ask for advice: told from their words, and what is left of them is their topic.

"Can you recommend a film for tonight?" asks for what no memory holds. What it may hold is what the
asker told of themselves that bears on films. "Did you recommend a film?" is a question about the
past, and none for advice.
"""

import re
from collections.abc import Iterable

# Words of wishing and weighing that stand in questions for advice, whatever they are about.
_NO_TOPIC = frozenset(
    """
    good better best great nice new another something anything someone thing things kind sort some
    extra different helpful useful need needs want wanted like love feel feeling felt think thinking
    thought lately recently currently soon bit little really maybe perhaps possible looking trying
    try planning plan plans idea ideas help advice suggestion suggestions recommendation tips tip
    way ways place places option options wondering worth time next right buy get getting going go
    start starting begin make making done doing wait resources anxious sure choose choosing decide
    买 做 好 新 东西 想 合适 比较
    """.split()
)
_ANY_FORM = (
    r"(?:advice|advise|tips?|suggestions?|recommendations?|ideas?|pointers?|thoughts|inspiration)"
)
_LISTENER = r"(?:can|could|would|will|can't|couldn't|might) you (?:please |maybe |perhaps |also )?"
_GOOD = (
    r"(?:a |an |the |any )?(?:\w+ )?(?:good|bad|great|smart|wise|sensible|better|best|worth\w*|right|"
    r"okay|ok|silly|mistake|time|safe|crazy|reasonable|idea)\b"
)
_HELP = (
    r"help me (?:to )?(?:choose|pick|decide|plan|find|figure out|select|come up with|think of)|"
    r"(?:choosing|picking|deciding|planning|selecting)"
)
# "Any idea where Ana lives?" asks what somebody knows; "any idea what I could cook?" does not.
_NOT_KNOWN = (
    r"(?! (?:about )?(?:what|where|when|why|who|which|how|if|whether)\b"
    r"(?! (?:\w+ ){0,2}(?:(?:I|we) (?:should|could|can|might)|to)\b))"
)
_DOING = (
    r"(?:cook|bake|make|eat|drink|wear|do|read|watch|buy|get|give|bring|serve|plant|try|play|order|"
    r"visit|listen|pack|pair|add|paint|use|learn|study|train|start|begin|improve|relax|prepare)"
)
_NOT_A_TIME = (
    r"(?!when\b|(?:what|which|at what|on what|on which) (?:time|day|date|hour|room|gate)\b)"
)

# What asks for advice; the words that match are no words of the topic.
_ENGLISH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_LISTENER}(?:recommend|suggest|advise|propose)\b(?: me\b)?",
        rf"\b{_LISTENER}give (?:me |us )?(?:some |any |a few |a )?(?:\w+ )?{_ANY_FORM}\b",
        rf"\b{_LISTENER}(?:{_HELP})\b",
        r"\b(?:what|which|where|who|how)\b(?P<of>[^.?!]*?)\b(?:do|would|should|could|can|might) you "
        r"(?:recommend|suggest|advise|propose)\b",
        r"\b(?:do|would) you (?:recommend|suggest|advise)\b",
        r"\b(?:what|how) would you (?:do|choose|pick|go for|buy|advise)\b",
        rf"\b(?:do you have|have you(?: got)?|got|is there|are there)(?: any| some)? (?:\w+ ){{0,2}}"
        rf"{_ANY_FORM}\b{_NOT_KNOWN}",
        rf"(?:^|[.?!;,:—–-]\s*)(?:(?:so|and|but|well|please|also),? )?(?:any|some|give me(?: some| any)?"
        rf"|share(?: some| any)?) (?:\w+ ){{0,2}}{_ANY_FORM}\b{_NOT_KNOWN}",
        rf"\bI(?:'m| am|’m)? ?(?:need|could use|would like|'d like|’d like|want|looking for|seeking|hoping for|"
        rf"after)(?: some| any| your| a few)? (?:\w+ )?{_ANY_FORM}\b",
        rf"\bI(?:'m| am|’m)? ?(?:need|could use|would like|want)(?: some| your| a bit of)? help"
        rf"(?: with| in| to)? (?:{_HELP})\b",
        r"(?:^|[.?!;,:—–-]\s*)(?:(?:so|and|but),? )?(?:please )?(?:recommend|suggest|advise|help me "
        r"(?:choose|pick|decide|plan|find))\b(?: me\b)?",
        rf"(?:^|[.?!;,:—–-]\s*)(?:(?:so|and|but|or),? )?{_NOT_A_TIME}(?:(?:what|which|where|how)\b"
        r"(?P<which>(?! (?:much|many|often|long|late|early|far)\b)[^.?!,]{0,40}?) )?(?:should|shall) "
        r"(?:I|we)\b(?: (?:get|consider|try|go for)\b)?(?! (?:meet|be|pick up|call|send)\b)",
        rf"\b(?:what|which)\b(?P<kind>[^.?!,]{{0,30}}?) (?:can|could|might) (?:I|we) (?=(?:possibly |best )?"
        rf"{_DOING}\b)",
        r"\bhow (?:can|could|might|do) (?:I|we) (?:best )?(?=(?:improve|relax|get better|get around|learn|start|"
        r"begin|prepare|choose|decide|train|make (?:my|our|it|them))\b)",
        r"\bwhat do you think(?= ?[.?!]|$| (?:I|we) (?:should|could))"
        r"|\bwhat do you think (?:about|of)(?= (?:me|my|us|our|getting|\w+ing)\b)",
        rf"\bdo you think (?:that )?(?:(?:it|that|this)(?: is|'s|’s| would be| might be)|would be) {_GOOD}"
        r"(?: to\b| for (?:me|us)\b)?",
        r"\bdo you think (?:that )?(?:I|we)(?:'d| should| could| ought to| would| can|’d)\b",
        rf"\b(?:is|would) (?:it|that|this|now)(?: still| really)?(?: be)? (?:really )?{_GOOD}"
        r"(?: for (?:me|us))?(?= to\b| (?:\w+ing)\b| ?[?]| for (?:me|us)| if I\b)",
        r"\b(?:what|which)\b(?P<fit>[^.?!,]{0,40}?) (?:would|might|could) (?:suit|work(?: best)?(?= for)|go(?: well)? "
        r"with|fit|match)\b(?: me\b)?",
        r"\bwhat(?: would| could| might|'s| is|’s) (?:be )?(?:a|some|the) (?:good|nice|great|fun|suitable|"
        r"thoughtful|best|easy|healthy)(?= (?:\w+ ){1,4}?(?:(?:for|with)\b|to \w))(?!.*\b(?:name|called|went to)\b)",
        r"\bI(?:'m| am|’m) (?:trying to decide|torn between|wondering (?:if|whether) I should|not sure"
        r" (?:if|whether) I should|undecided)\b(?: whether to\b| if I should\b| between\b)?",
        r"\bI (?:can't|cannot|can’t) decide\b(?: whether to\b| between\b| which\b| what\b)?",
    )
)
# What was said or done before is asked about.
_ENGLISH_PAST = re.compile(
    r"\bremind me\b|\byou (?:recommended|suggested|advised|mentioned|told|said|gave)\b"
    r"|\bdid\b[^.?!]*\b(?:recommend|suggest|advise|propose|say|tell|think|give|mention|want)\b"
    r"|\b(?:what|which|who|when|where|whose)\b[^.?!]*\b(?:recommended|suggested|advised)\b"
    r"|\bI (?:told|said|asked|mentioned)\b",
    re.IGNORECASE,
)
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:你)?(?:能不能|可不可以|能否|可否|能|可以|请|麻烦你?|帮我|给我|求)(?:你)?(?:帮我|给我|给我们|为我)?"
        r"(?:再)?(?:推荐|建议|出个?主意|想个?办法|参谋|支个?招)(?!过|了)(?:一下|一些|几个|一个|几本|几部|一本|一部"
        r"|一款|一家|几家|点|些)?",
        r"(?:你)?有没?有?(?:什么|啥|没有)?(?:好的?|别的|其他|合适的)?(?:建议|推荐|主意|想法|点子|办法|好招|窍门)"
        r"(?=吗|呢|么|没有|[？?]|$)",
        r"(?:我|我们)?(?:应不应该|该不该|要不要|是不是应?该|需不需要)",
        r"(?:我|我们)(?:到底|究竟)?(?:应该|该|最好)(?=[^。？?]{0,14}(?:什么(?!时候|时间)|哪(?!天|年|个?月)|怎么|如何|吗|呢))",
        r"(?:我|我们)(?:还)?(?:可以|能)(?=[^。？?]{0,8}(?:什么(?!时候|时间)|怎么|如何|哪些))",
        r"你(?:觉得|认为|看)(?:呢|怎么样|如何|我|这个?主意|值得?|有必要)",
        r"(?:值不值得|值得(?=[^。？?]{0,8}吗)|是个?好主意(?=吗|么)|好不好(?=[？?]|$)|合不合适)",
        r"(?:推荐|建议)(?:我)?(?:一下|几个|一些|一个|几本|几部|一本|一部|一款|一家|几家|点|些|哪)",
        r"你(?:会)?(?:推荐|建议)(?!过|了|的)",
        r"(?:送|买|选|挑|做)(?:点|些|个)?什么(?:[^。？?了过]{0,6})(?:比较)?(?:好|合适)",
        r"什么(?:[^。？?了过]{0,6})适合我",
    )
)
_CHINESE_PAST = re.compile(
    r"提醒我|(?:推荐|建议)(?:过|了|的是|给)|(?:说|提到|告诉|讲)过|上次|之前(?:你|他|她)|的(?:推荐|建议)(?:是|呢)"
)


def asks_advice(question: str, language: str) -> bool:
    """Tell whether a question asks for advice, not for what was said or done.

    Args:
        language: "en" or "zh".
    """
    past = _CHINESE_PAST if language == "zh" else _ENGLISH_PAST
    return not past.search(question) and bool(_asking(question, language))


def advice_topic(question: str, language: str) -> str:
    """Give the question with blanks where it asks for advice, as long as it was.

    So names and time words stand in it where they stood.
    """
    kept = list(question)
    for start, end in _asking(question, language):
        kept[start:end] = " " * (end - start)
    topic = "".join(kept)
    return topic if re.search(r"\w", topic) else question


def advice_words(words: Iterable[str]) -> tuple[str, ...]:
    """Leave out words that every question for advice may have, and that tell nothing of its topic.

    Where nothing is left they all stay.
    """
    words = tuple(words)
    kept = tuple(word for word in words if word.casefold() not in _NO_TOPIC)
    return kept or words


def _asking(question: str, language: str) -> list[tuple[int, int]]:
    """Find the words that ask; what kind of thing is asked for stands between two parts of them."""
    spans: list[tuple[int, int]] = []
    for pattern in _CHINESE if language == "zh" else _ENGLISH:
        for match in pattern.finditer(question):
            inner = next((n for n, v in match.groupdict().items() if v), "")
            if inner:
                spans += [(match.start(), match.start(inner)), (match.end(inner), match.end())]
            else:
                spans.append(match.span())
    return spans
