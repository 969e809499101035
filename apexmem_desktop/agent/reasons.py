"""Why something was: the clause that follows a "because" in a turn about what was asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.vocabulary import same_stem
from apexmem_desktop.storage.names import normalise

MAX_HITS = 8
MAX_REASON_CHARS = 160

_REASON = re.compile(
    r"\b(?:because|cos|cuz|'cause|since|as|due to|thanks to|the reason (?:is|was)(?: that)?)\s+"
    r"(?P<reason>[^.!?\n]{6,})|(?:是因为|因为|由于|原因是)(?P<han>[^。！？\n]{2,})",
    re.IGNORECASE,
)
# "since" and "as" are more often about time or comparison.
_WEAK = re.compile(r"^(?:since|as)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Reason:
    """A clause that tells why, and the turn that it stands in."""

    text: str
    hit: TurnHit


def find_reasons(read: Understood, hits: Sequence[TurnHit]) -> list[Reason]:
    """Find the reasons told in the turns that speak of what was asked, the nearest first."""
    found = []
    for place, hit in enumerate(hits[:MAX_HITS]):
        for match in _REASON.finditer(hit.text):
            if _WEAK.match(match.group()):
                continue
            reason = (match.group("reason") or match.group("han")).strip()[:MAX_REASON_CHARS]
            shared = _shared_words(read, hit.text[: match.start()])
            if shared:
                found.append((-shared, place, Reason(reason, hit)))
    return [reason for *_, reason in sorted(found, key=lambda one: one[:2])]


def _shared_words(read: Understood, before: str) -> int:
    """How many of the question's words stand before the reason, in any form."""
    told = [word.casefold() for word in _CLAUSE.findall(before)]
    text = normalise(before)
    return sum(
        any(same_stem(word.casefold(), one) for one in told)
        if word.isascii()
        else any(word[i : i + 2] in text for i in range(len(word) - 1))
        for word in read.words
    )
