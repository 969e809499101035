"""What a small model makes of words that do not say it: checks of what it proposed alone.

Found by judging its facts beside their messages (docs/quality.md): half of them were wrong, nearly
all in one of these ways.
"""

import re

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.domain.turn import Turn

_ANIMAL = re.compile(
    r"\b(?:dogs?|cats?|pup(?:py|pies|s)?|kitt(?:en|y|ies|ens)|rabbits?|bunn(?:y|ies)|hamsters?|"
    r"guinea pigs?|birds?|parrots?|budgies?|fish|goldfish|turtles?|tortoises?|snakes?|lizards?|"
    r"geckos?|horses?|pon(?:y|ies)|ferrets?|gerbils?|rats?|mice|mouse|frogs?|hens?|chickens?|"
    r"ducks?|goats?|hedgehogs?|canar(?:y|ies))\b",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_ONCE = re.compile(r"\bused to (?:have|own|keep)\b|\bwhen I was\b|\bas a (?:kid|child)\b", re.I)
_ADVICE = re.compile(r"\b(?:rec+om+end\w*|suggest\w*|advise|should|you could)\b", re.IGNORECASE)
_READS = re.compile(
    r"\b(?:I|we)(?:['’]ve|['’]m| have| am)?(?: \w+){0,2} (?:read|reading|finished|re-?read)\b",
    re.IGNORECASE,
)
_BARE_THING = re.compile(
    r"(?:an? |the |some |this |that )?(?:book|movie|film|series|game|show|idea|thing|one|another|"
    r"song|stuff|place|plans?|business plans?|biz|business|acting|part|way)s?",
    re.IGNORECASE,
)
_WORK = re.compile(r"\b(?:biz|business|compan\w+|startup|store|shop|jobs?|work)\b", re.IGNORECASE)
# "I love the acting": of what, was said before.
_THE = re.compile(r"\b(?:all )?(?:the|these|those|this|that)\s+$", re.IGNORECASE)


# "They've introduced me to jazz": they did, not the speaker.
_OF_THEM = re.compile(
    r"(?:^|[,;:.!–—-]\s*|\b(?:and|but|so|because)\s+)(?:they|he|she|it)"
    r"(?:['’](?:ve|s)| have| has)?"
    r"(?: \w+ly| just| also| even)* [a-z]+(?:ed|t|de|ve|me|ew|ught)\b(?!.*\b(?:I|we|We)\b)",
    re.IGNORECASE,
)


def why_misread(turn: Turn, candidate: Candidate) -> str:
    """Say why what the model proposed is not what the words say; "" when nothing speaks for it."""
    value, sentence, shape = candidate.value, candidate.sentence, candidate.shape
    if _BARE_THING.fullmatch(value.strip()):
        return "value says nothing"
    if shape == "pet" and not _is_pet(value):
        return "value is no animal"
    if shape in ("pet", "owns", "lives_in", "works_at") and _ONCE.search(sentence):
        return "told of long ago"
    if shape in ("read", "watched", "reads") and not _is_read_by_speaker(sentence):
        return "recommended, not done"
    if shape == "plans":
        return "plans are read by rule"
    if shape == "practises" and _WORK.search(value):
        return "work is not practised"
    front = sentence[: max(0, candidate.value_start - candidate.sentence_start)]
    if _OF_THEM.search(front):
        return "told of somebody else"
    before = turn.text[: candidate.value_start]
    if shape in ("likes", "dislikes") and _THE.search(before) and len(value.split()) < 4:
        return "value says nothing"
    return ""


def _is_pet(value: str) -> bool:
    return bool(_ANIMAL.search(value) or value[:1].isupper() or _CJK.search(value))


def _is_read_by_speaker(sentence: str) -> bool:
    if _CJK.search(sentence):
        return True
    return bool(_READS.search(sentence)) or not _ADVICE.search(sentence)
