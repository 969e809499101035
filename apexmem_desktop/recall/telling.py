"""What in a message tells of who says it: their likes, habits, things and limits, not what they ask.

"I gave up dairy. Which milk is best for porridge?" tells in its first sentence and asks in its second.
"""

import re
from collections.abc import Iterator

LEAST_CHARS = 8  # a shorter sentence tells nothing: "I see.", "My bad."
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\.(?=\w)[^.!?。！？\n]*)*[.!?。！？]*")
_ASKS = re.compile(r"[?？]\s*$|[吗呢么]\s*[。！!.]?$")
_OFTEN = r"(?: (?:also|really|still|just|recently|already|always|usually|often|never|only|actually))*"
# "I wonder" and "I am looking for" say what is asked for, not what somebody is or has.
_ENGLISH = re.compile(
    rf"\b(?:I(?:['’]ve| have){_OFTEN} \w+|"
    rf"I(?:['’]m| am){_OFTEN} (?!looking|interested|wondering|thinking|trying|curious|sorry|not sure|glad"
    rf"|happy to)\w+|"
    rf"I{_OFTEN} (?!wonder|think|see|guess|want to know|need to know|hope|understand|appreciate|mean"
    r"|should|would|could|can|will|might|may|do\b|have\b|am\b|and\b|or\b|to\b|was wondering)\w+|"
    r"(?:my|our) (?!question|apolog|bad\b)\w+|we(?:['’]ve|['’]re| have| are)? (?!should|could|can)\w+)",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"我(?!想问|想知道|想了解|觉得你|能问|可以问|该|应该|明白|知道了|懂了)")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Give where each sentence of a text stands, without the blanks around it, in characters."""
    for match in _SENTENCE.finditer(text):
        bare = match.group().strip()
        if bare:
            start = match.start() + len(match.group()) - len(match.group().lstrip())
            yield start, start + len(bare)


def is_asked(sentence: str) -> bool:
    """Tell whether a sentence is a question."""
    return _ASKS.search(sentence) is not None


def is_own(sentence: str) -> bool:
    """Tell whether a sentence speaks of who says it."""
    return bool(_ENGLISH.search(sentence) or _CHINESE.search(sentence))


def tells_of_oneself(text: str) -> bool:
    """Tell whether any sentence of a text tells something of who says it."""
    parts = (text[start:end] for start, end in sentences(text))
    return any(len(one) >= LEAST_CHARS and not is_asked(one) and is_own(one) for one in parts)
