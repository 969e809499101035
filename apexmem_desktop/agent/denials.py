"""No, because somebody said so: a negation right before what a question of yes or no asks for."""

import re
from collections.abc import Sequence

from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.vocabulary import same_stem, synonyms

MAX_HITS = 8
# Words that may stand between the negation and what it denies: "don't really have any kids".
MAX_BETWEEN = 3

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NEGATION = re.compile(
    r"\b(?:no|not|never|without|(?:do|does|did|have|has|had|ca|could|wo|would|is|are|was|were)"
    r"n['’]?t)\b",
    re.IGNORECASE,
)
_HAN_NEGATION = re.compile(r"(?:没有|没|不|从不|从没)")
# What is asked, imagined or doubted is not denied.
_UNSURE = re.compile(r"\?|？|\bif\b|\bwhy\b|\bsure\b|\bthink\b|如果|要是", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。！？\n,;，；]+[.!?。！？]?")


def find_denials(read: Understood, hits: Sequence[TurnHit]) -> list[TurnHit]:
    """Find the turns that deny what a question of yes or no asks for, the nearest first."""
    asked = [word for word in read.words if len(word) > 1]
    wanted = [other for word in asked for other in (word, *synonyms(word))]
    return [hit for hit in hits[:MAX_HITS] if any(_denies(c, wanted) for c in _clauses(hit.text))]


def _clauses(text: str) -> list[str]:
    return [match.group() for match in _SENTENCE.finditer(text)]


def _denies(clause: str, wanted: Sequence[str]) -> bool:
    if _UNSURE.search(clause):
        return False
    for negation in _NEGATION.finditer(clause):
        after = _WORD.findall(clause[negation.end() :])[: MAX_BETWEEN + 1]
        if any(same_stem(a, b) for a in after for b in wanted if b.isascii()):
            return True
    han = _HAN_NEGATION.search(clause)
    return han is not None and any(
        not word.isascii() and word in clause[han.end() :] for word in wanted
    )
