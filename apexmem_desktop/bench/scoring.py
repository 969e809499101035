"""Scores of one answer: the LoCoMo authors' token F1, evidence recall, and short-answer checks.

Source: the evaluation of LoCoMo (Maharana et al., ACL 2024): lower case, without punctuation and
articles, stemmed; category 1 holds several answers, of category 3 the first alternative counts.
"""

import re
import string
from collections import Counter
from collections.abc import Collection, Sequence

from apexmem_desktop.bench.porter import stem

MULTI_HOP, TEMPORAL, OPEN_DOMAIN, SINGLE_HOP, ADVERSARIAL = "1", "2", "3", "4", "5"

_ARTICLES = re.compile(r"\b(a|an|the|and)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_DECLINES = re.compile(
    r"\bnot? (?:\w+ ){0,2}(?:mention|information|answer|enough|in your memory|known|specified)"
    r"|\b(?:unknown|unanswerable|cannot be determined)"
    r"|\b(?:does|do|did)(?: not|n't) (?:say|tell|know)",
    re.IGNORECASE,
)
_NUMBER_WORDS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "once": "1", "twice": "2",
}  # fmt: skip


def normalised(text: str) -> str:
    """Make a text comparable: lower case, no punctuation, no articles, single spaces."""
    plain = text.replace(",", "").lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", plain).split())


def stems(text: str) -> list[str]:
    """Split a text into the stems that are compared."""
    return [stem(word) for word in normalised(text).split()]


def token_f1(answer: str, gold: str) -> float:
    """Return the harmonic mean of the precision and recall of an answer's stems, 0 to 1."""
    said, wanted = stems(answer), stems(gold)
    same = sum((Counter(said) & Counter(wanted)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(said), same / len(wanted)
    return 2 * precision * recall / (precision + recall)


def several_f1(answer: str, gold: str) -> float:
    """Return the mean, over the gold's comma-separated parts, of the best fitting part's F1."""
    said = [part.strip() for part in answer.split(",")]
    wanted = [part.strip() for part in gold.split(",")]
    return sum(max(token_f1(one, part) for one in said) for part in wanted) / len(wanted)


def locomo_f1(answer: str, gold: str, category: str) -> float:
    """Score an answer as LoCoMo's authors do for its category (1 to 4)."""
    if category == MULTI_HOP:
        return several_f1(answer, gold)
    if category == OPEN_DOMAIN:
        gold = gold.split(";")[0].strip()
    return token_f1(answer, gold)


def recall_at(found: Sequence[str] | None, evidence: Collection[str], limit: int) -> float | None:
    """Return the share of the evidence among the first found; None where there is no such share.

    That is where the data names no evidence, or the system ranks no turns (`found` is None).
    """
    if not evidence or found is None:
        return None
    return len(set(found[:limit]) & set(evidence)) / len(set(evidence))


def declines(answer: str) -> bool:
    """Tell whether a plain reader's words say that it does not know."""
    return not answer.strip() or _DECLINES.search(answer) is not None


def tells(answer: str, gold: str) -> bool:
    """Tell whether an answer holds a short gold answer: its words in order, numbers as digits."""
    wanted = _spelled(gold)
    return bool(wanted) and f" {wanted} " in f" {_spelled(answer)} "


def alternatives(gold: str) -> tuple[str, ...]:
    """Split "5 days. 6 days (including the last day) is also acceptable." into what may be said."""
    parts = re.split(r"(?<=\w)\.\s+|\s+or\s+", re.sub(r"\([^)]*\)", "", gold).strip())
    plain = (re.sub(r"\s*(?:is|are) also acceptable\.?", "", part).strip(" .") for part in parts)
    return tuple(part for part in plain if part)


def _spelled(text: str) -> str:
    words = normalised(re.sub(r"[/–—-]", " ", text)).split()
    return " ".join(_NUMBER_WORDS.get(word, stem(word)) for word in words)
