"""What of a message tells of who says it: likes, habits, things and limits, not what they ask.

"I gave up dairy. Which milk is best for porridge?" tells in its first sentence and asks in the
second.
"""

import re
from collections.abc import Iterator

LEAST_CHARS = 8  # a shorter sentence tells nothing: "I see.", "My bad."
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\.(?=\w)[^.!?。！？\n]*)*[.!?。！？]*")
_ASKS = re.compile(r"[?？]\s*$|[吗呢么]\s*[。！!.]?$")
_OFTEN = (
    r"(?: (?:also|really|still|just|recently|already|always|usually|often|never|only|actually))*"
)
# "I wonder" and "I am looking for" say what is asked for, not what somebody is or has.
_ENGLISH = re.compile(
    rf"\b(?:I(?:['’]ve| have){_OFTEN} \w+|"
    rf"I(?:['’]m| am){_OFTEN} (?!looking|interested|wondering|thinking|trying|curious|sorry"
    r"|not sure|glad|happy to)\w+|"
    rf"I{_OFTEN} (?!wonder|think|see|guess|want to know|need to know|hope|understand|appreciate"
    r"|mean|should|would|could|can|will|might|may|do\b|have\b|am\b|and\b|or\b|to\b"
    r"|was wondering)\w+"
    r"|(?:my|our) (?!question|apolog|bad\b)\w+"
    r"|we(?:['’]ve|['’]re| have| are)? (?!should|could|can)\w+)",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"我(?!想问|想知道|想了解|觉得你|能问|可以问|该|应该|明白|知道了|懂了)")
# What somebody likes, has, does again and again, or cannot: what to mind in advising them.
_OFTEN_OR_NOT = rf"(?:['’]ve| have)?{_OFTEN}(?: absolutely)?"
_LASTING = re.compile(
    rf"\bI{_OFTEN_OR_NOT} (?:love|adore|like|enjoy|prefer|hate|dislike|own|use|used|got|bought|been"
    r"|had|have|gave|went|play|played|work|live|visited|finished|started|stopped|tried|experiment\w*"
    r"|grew|grow|harvested|downloaded|drink|eat|tend|can['’]t|cannot)\b"
    r"|\bcan['’]t stand\b|\ballerg\w+|\bfavou?rite|\balways\b|\busually\b"
    r"|\bevery (?:day|week|morning|night)\b|\b(?:my|our)\b"
    r"|喜欢|最爱|讨厌|不吃|不喝|受不了|过敏|习惯|经常|每天|每周|一直|总是"
    r"|我(?:们家)?(?:有|用|买了|养了|住|怕)|我的",
    re.IGNORECASE,
)
_REQUESTS = re.compile(
    r"\bwondering if\b|\b(?:can|could) you\b|\bhelp (?:me|with)\b|\bI(?:['’]m| am) looking for\b"
    r"|\bI need (?:some|a|to)\b|\brecommend|\bsuggest|请问|能不能|推荐|建议|帮我",
    re.IGNORECASE,
)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Give where each sentence of a text stands, without the blanks around it, in characters."""
    for match in _SENTENCE.finditer(text):
        bare = match.group().strip()
        if bare:
            start = match.start() + len(match.group()) - len(match.group().lstrip())
            yield start, start + len(bare)


def is_telling_length(sentence: str) -> bool:
    """Tell whether a sentence is long enough to tell something; a Chinese sign says more."""
    return len(sentence) + sum(sign >= "\u3400" for sign in sentence) >= LEAST_CHARS


def is_asked(sentence: str) -> bool:
    """Tell whether a sentence is a question."""
    return _ASKS.search(sentence) is not None


def is_own(sentence: str) -> bool:
    """Tell whether a sentence speaks of who says it."""
    return bool(_ENGLISH.search(sentence) or _CHINESE.search(sentence))


def is_lasting(sentence: str) -> bool:
    """Tell whether a sentence speaks of a liking, a habit, a thing owned or a limit."""
    return _LASTING.search(sentence) is not None


def is_request(sentence: str) -> bool:
    """Tell whether a sentence asks the other for something, if not as a question."""
    return _REQUESTS.search(sentence) is not None


def tells_of_oneself(text: str) -> bool:
    """Tell whether any sentence of a text tells something of who says it."""
    parts = (text[start:end] for start, end in sentences(text))
    return any(is_telling_length(one) and not is_asked(one) and is_own(one) for one in parts)
