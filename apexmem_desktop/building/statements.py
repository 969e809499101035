"""A turn's sentences, each with its place in the text and what kind of saying it is.

A small model that reads a whole turn makes facts of thanks, praise and questions. So the turn is
taken apart first, and only what states something goes on.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Saying(StrEnum):
    """What a sentence does."""

    STATEMENT = "statement"
    HYPOTHETICAL = "hypothetical"
    QUESTION = "question"
    COURTESY = "courtesy"  # greetings, thanks, praise, encouragement
    EMPTY = "empty"  # too little to hold anything


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a turn, by character offsets into the turn's text."""

    text: str
    start: int
    end: int
    saying: Saying


_END = re.compile(
    r"(?<=[.!?…。！？；])[\"'”’)\]]*\s+|(?<=[。！？；])|\n+|(?<=[a-z]{2})\s[:;]-?[()DP]+\s+"
    r"|(?<=\w),\s+(?=but\b)"
    r"|(?<=\w)\s+[-–—]+\s+(?=(?:want|wanna|do you|did you|are you|have you|can you|how|what|any)\b"
    r"[^.!?\n]*\?)"
    # "I moved to Rome, how about you?" states something before it asks.
    r"|(?<=\w),\s+(?=(?:what|where|why|how|when|who|do you|did you|are you|have you|can you)\b"
    r"[^,.!?\n]*\?)"
    r"|(?<=\w)[,，]\s*(?=那?你[^,，。!！\n]*(?:[?？]|[吗呢]))"
)
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|vs|etc|e\.g|i\.e|approx|No|Sr|Jr|z\.B|bzw|ca)\.$")
_ORDINAL = re.compile(
    r"(?<=\d\.)\s+(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|"
    r"November|Dezember|bis|und)\b"
)
_QUESTION = re.compile(
    r"[?？]\s*\W*$|(?:吗|呢|么)[。！\s]*$"
    # "When I was younger, we kept bees" asks nothing.
    r"|^(?:(?:and|so|but|well|oh|hey|wait|ok|okay)[, ]+)?"
    r"(?:when(?! (?:i|we|my|our|he|she|they) [^?？]*,)|who|what|where|why|which|whose|"
    r"how(?: about| come| are| is| was| did| do| does| many| much| long| old)|do you|did you|does|"
    r"are you|have you|were you|can you|could you|would you|will you|is it|is there|any idea)\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if (?:i|we|you|he|she|they|it|my|only|ever)|i wish|imagine|what if|"
    r"would(?: probably)? be (?:nice|cool|great|fun)|"
    r"i(?:'d| would) (?:love to|rather|probably|maybe)|"
    r"(?:might|may) (?:be|have been) (?:nice|fun)|in another life|hypothetically|someday|one day)\b"
    r"|如果|要是|假如|假设|万一|倘若",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    # A name behind such a word may look like another of them: no more than eight are tried.
    r"^\W*(?:(?:aw++|oh|wow|hey|hi|hello|yeah|yes|yep|no|haha++|lol|ok(?:ay)?|well|and|so|but|"
    r"thanks?|great|totally|absolutely|exactly|sure|cool|nice)"
    r"[\s,!.]*+(?:\w{2,12}[,!]\s*+)?){0,8}"
    r"(?:thank(?:s| you)|congrat|good (?:morning|night|luck|job|evening|for you|to (?:hear|see))|"
    r"see (?:you|u|ya)|take care|have (?:a|fun)|"
    r"(?:that|this|it|you|they|those|these)"
    r"(?:'s|'re|’s|’re| is| are| was| were| sounds?| looks?| must| seems?)?(?: be| been)? "
    r"(?:so |really |very |such |pretty |absolutely |a )*"
    r"(?:great|cool|awesome|amazing|nice|lovely|beautiful|sweet|funny|fun|wonderful|fantastic|"
    r"incredible|inspiring|impressive|cute|adorable|perfect|true|right|wild|crazy|good|bad|tough|"
    r"rough|terrible|awful|sad|rock)\b|"
    r"(?:sounds?|looks?) (?:good|great|fun|like|amazing|awesome|lovely|so|really|perfect)|"
    r"(?:i'm |i am |i’m )?(?:so |really |very )*(?:glad|happy|proud|sorry|excited) "
    r"(?:for|of|that|to hear|you|to see)|"
    r"keep (?:it )?(?:up|going)|way to go|well done|you(?:'ve| have)? got this|"
    r"no (?:way|worries|problem)|you're welcome|same here|me too|i agree|agreed|"
    r"let me know|can't wait|i bet|i hope|hope (?:you|it|that)|wish you|good (?:call|point|idea)|"
    r"any ?time|talk (?:soon|later)|catch you|bye|cheers|happy birthday|merry|welcome)",
    re.IGNORECASE,
)
_CHINESE_COURTESY = re.compile(
    r"^\W*(?:哈+|嗯+|好的?|好吧|谢谢|多谢|晚安|早安?|早上好|再见|拜拜|恭喜|加油|没事|没关系|不客气|对啊?|"
    r"是啊|真的|太好了|太棒了|哇+|辛苦了|收到|行|可以)[\W啊呀哦呢吧了~]*$"
)
_SELF = re.compile(
    r"\b(?:i|i'm|i've|i'll|i'd|im|ive|me|my|mine|we|we're|we've|we'll|us|our|ours|myself)\b|我|咱",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def split_sentences(text: str) -> list[Sentence]:
    """Take a turn apart; offsets hold to the character, so quotes can be cut from them."""
    pieces: list[tuple[int, int]] = []
    start = 0
    for gap in _END.finditer(text):
        if _ABBREVIATION.search(text[start : gap.start()]) or _ORDINAL.match(text, gap.start()):
            continue
        pieces.append((start, gap.start()))
        start = gap.end()
    pieces.append((start, len(text)))
    return [_sentence(text, begin, end) for begin, end in pieces if text[begin:end].strip()]


def _sentence(text: str, begin: int, end: int) -> Sentence:
    raw = text[begin:end]
    begin += len(raw) - len(raw.lstrip())
    stripped = raw.strip()
    return Sentence(stripped, begin, begin + len(stripped), classify(stripped))


def classify(sentence: str) -> Saying:
    """Tell what one sentence does; in doubt it is a statement, so that nothing real is lost."""
    letters = len(_LETTERS.findall(sentence))
    if letters < (3 if _CJK.search(sentence) else 6):
        return Saying.EMPTY
    if _QUESTION.search(sentence):
        return Saying.QUESTION
    if _HYPOTHETICAL.search(sentence):
        return Saying.HYPOTHETICAL
    if _CHINESE_COURTESY.match(sentence):
        return Saying.COURTESY
    courtesy = _COURTESY.match(sentence)
    if courtesy and not _says_more(sentence[courtesy.end() :]):
        return Saying.COURTESY
    return Saying.STATEMENT


def _says_more(rest: str) -> bool:
    """Whether something of the speaker's own follows a courtesy: "Thanks, I moved to Rome"."""
    return bool(_SELF.search(rest)) and len(rest.split()) > 3


def speaks_of_self(sentence: str) -> bool:
    """Whether the sentence has a first person in it."""
    return bool(_SELF.search(sentence))
