"""The clauses of an English sentence, and where each one's own words begin.

A sentence of a chat opens with "Yeah, thanks Ben, but" before it says something. What is read by
the shape of its first words (`views`, `others`) is read from here on.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apexmem_desktop.building.statements import Sentence

_BREAK = re.compile(
    r"\s+[-–—]+\s*|(?<=\w)[-–]\s+(?!(?:and|or|to)\b)|--+|—|;\s*|:\s+|…\s*|\.\.+\s*|\s*\(|\)\s*"
    r"|,?\s+(?P<tie>even though|but|because|['’]cause|cause(?= (?:I|we|it|they|he|she|you|there|"
    r"my)\b)|cuz|plus|though|although|since|while|"
    r"when|whenever|if|unless|until|till|['’]til|who|which|where|"
    r"so(?=\s+(?:I|we|you|it|my|now|no)\b)|"
    r"and(?=\s+(?:I|we|it|they|you['’](?:re|ve)|it['’]s|that['’]s|he|she|they['’]re|"
    r"that (?:all |really |just )?(?:is|was|sounds|looks|makes))\b))(?=\s|$)"
    r"|,\s+(?=(?:can['’]t|couldn['’]t|don['’]t|I|[Ww]e|it|they|you|he|she|this|that|there|just|mostly|especially|even)\b)"
    # "Why I'm learning to row" hangs on what stands before it.
    r"|(?<!why)(?<!know)(?<!feel)(?<!believe)(?<!knowing)(?<!how)(?<!what)(?<!that)(?<!thing)(?<!thought)(?<!because)(?<!where)(?<!when)"
    r"\s+(?=(?:I['’]m|I['’]ve|I['’]ll)\s)",
)
_DEPENDENT_TIES = frozenset(
    ("since", "while", "when", "whenever", "if", "unless", "until", "till", "'til", "’til", "who",
     "which", "where", "although", "though", "even though", "so that")
)  # fmt: skip
# "I'll bring plates so we can both eat": what it is for, and no view.
_PURPOSE = re.compile(r"\s*(?:I|we|they|you)(?: both| all)? (?:can|could|won['’]t|don['’]t)\b")
_CONDITION = re.compile(r"\b(?:if|unless)\b", re.IGNORECASE)
_TIME = (
    r"(?:(?:last|this|next|every|the other) (?:\w+day|week(?:end)?|month|year|night|morning|"
    r"summer|winter|spring|autumn|fall)|yesterday|today|tonight|tomorrow|recently|lately|"
    r"nowadays|"
    r"these days|right now|on \w+day|(?:a few|two|three|some) (?:days|weeks|months|years) ago)"
)
_LEAD = re.compile(
    r"(?:\W*(?:"
    r"(?i:thanks|thank you)(?: so much| a lot| a bunch| again)?(?:,? [A-Z]\w+)?(?=[,!.])"
    r"|(?i:yeah|yes|yep|yup|yay|ya|no(?=[,!.])|nope|oh|ooh|wow|whoa|woah|well|and|but|so|also|plus|hey|hi|"
    r"hah|haha+|lol|ok|okay|absolutely|definitely|totally|exactly|honestly|actually|anyway|btw|"
    r"by the way|of course|sure|true|indeed|luckily|sadly|unfortunately|fortunately|for me|to me|"
    r"in fact|besides|overall|finally|right|agreed|then|sometimes|personally|you know|"
    r"in my opinion|really|now|still|bet|i (?:totally |completely )?agree|i get it|"
    r"you['’]re right|seriously|"
    r"congrats)(?![\w'’])(?:,? [A-Z]\w+(?=[,!]))?"
    rf"|(?i:{_TIME})(?=,|\s+(?:I|we|our|my)\b)"
    r"|[A-Z]\w+(?=,\s)"
    r")(?:[,!.]+\s*|\s+))*",
)
_TAIL = re.compile(
    r"(?P<tail>[\s,!.?~:;\-–—]+|,\s+[A-Z][a-z]+|,?\s+(?:though|even|too|as well|"
    r"haha+|lol|huh|tbh|"
    r"buddy|pal|"
    r"btw|by the way|anyway|for sure)|[^\w\s)%°\"”'’]+)$"
)
# "Moss is so soft like that", but not "games like that".
_LIKE_THAT = re.compile(
    r"\b(?:is|are|was|were|['’]s)(?: (?:so|really|very|just|quite))* [a-z]+"
    r"(?P<tail> like (?:that|this))$"
)


@dataclass(frozen=True, slots=True)
class Segment:
    """One clause, by character offsets into its sentence.

    Attributes:
        start: Where its own words begin, behind "Yeah, thanks," and the like.
        dependent: It begins with "when", "if", "who" and the like, or hangs on a condition.
    """

    text: str
    start: int
    end: int
    dependent: bool

    @property
    def first(self) -> str:
        """Its first word, lower case."""
        return self.text.split()[0].casefold() if self.text else ""


def find_segments(sentence: Sentence) -> Iterator[Segment]:
    """Take a sentence apart into its clauses."""
    start, tie = 0, ""
    conditional = bool(_CONDITION.search(sentence.text))
    gaps = [*_BREAK.finditer(sentence.text), None]
    for gap, after in zip(gaps, [*gaps[1:], None], strict=True):
        end = gap.start() if gap else len(sentence.text)
        if gap and _names_them(sentence.text, start, gap, after):
            continue
        segment = _segment(sentence.text, start, end, conditional or tie in _DEPENDENT_TIES)
        if segment is not None:
            yield segment
        if gap is not None:
            start, tie = gap.end(), (gap["tie"] or "").casefold()
            if tie == "so" and _PURPOSE.match(sentence.text, start):
                tie = "so that"


# "It helps to be around people who listen": without the rest it is not told what people.
_PEOPLE = re.compile(
    r"\b(?:people|someone|somebody|others|friends?|kids|folks|those|everyone|anyone|person|men|women|"
    r"children|students|veterans|members|teammates|colleagues|family)$"
)
_MOST_NAMED = 17  # words of a clause with its "who …"


def _names_them(text: str, start: int, gap: re.Match[str], after: re.Match[str] | None) -> bool:
    """Whether "who" goes on about the people just named, within a readable clause."""
    if gap.group().strip() != "who" or _PEOPLE.search(text[start : gap.start()]) is None:
        return False
    end = after.start() if after else len(text)
    return len(text[start:end].split()) <= _MOST_NAMED


def _segment(text: str, start: int, end: int, dependent: bool) -> Segment | None:
    lead = _LEAD.match(text, start, end)
    start = lead.end() if lead else start
    while start < end and not (text[start].isalnum() or text[start] in "\"“'‘"):
        start += 1
    end = trim_end(text, start, end)
    if start >= end:
        return None
    return Segment(text[start:end], start, end, dependent or _opens_dependent(text[start:end]))


def _opens_dependent(text: str) -> bool:
    return text.split()[0].casefold() in _DEPENDENT_TIES


def trim_end(text: str, start: int, end: int) -> int:
    """Find where a clause's words end, before a name called out, "too" or "haha"."""
    while tail := _TAIL.search(text[start:end]) or _LIKE_THAT.search(text[start:end]):
        end = start + tail.start("tail")
    return end
