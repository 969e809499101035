"""What the words of a message say of why: "because", "so", 因为, "that's why", "as a result".

A cause is one only where it was said to be. The word stands between two facts, before the first of
them ("Because I moved, I sold the car"), or opens the next sentence ("That's why I sold the car").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apexmem_desktop.building.linking import Bond, Stored
from apexmem_desktop.domain.graph import LinkKind
from apexmem_desktop.domain.turn import Turn

_WHO = r"(?:(?:now|then|today|yesterday|finally|of course) )?(?:I|we|he|she|they|it|my|our|the)\b"
_BECAUSE = re.compile(
    rf"\b(?:because|['’]cause|cuz|due to|owing to)\b|\bsince(?= {_WHO})|, as(?= {_WHO})|因为|由于",
    re.IGNORECASE,
)
_SO = re.compile(
    rf"\bso(?=,? {_WHO})|[,;] so(?! (?:much|many|far|good|long|very|glad|happy|excited|that)\b)"
    r"|\b(?:therefore|that['’]s why|which is why|hence|for that reason)\b|所以|因此|于是|因而",
    re.IGNORECASE,
)
_RESULT = re.compile(r"\b(?:thanks to|as a result of|after all that)\b|多亏", re.IGNORECASE)
_LED_TO = re.compile(
    r"\b(?:led to|resulted in|as a result(?! of)|consequently)\b|导致|结果", re.IGNORECASE
)
_PART = re.compile(
    r"\b(?:during|as part of|while (?:on|in|at)|on (?:my|our|the) (?:trip|holiday|tour)"
    r"(?: to| in)?)\b",
    re.IGNORECASE,
)
_PART_BEHIND = re.compile(r"期间|的时候")
# Before the first of two facts, in its own clause.
_CLAUSE = r"(?=[^,;，；]*$)"
_BECAUSE_BEFORE = re.compile(
    r"(?:^|[,;，；] ?(?:and |but |so )?)\W*"
    rf"(?:because|since|seeing that|given that|due to|owing to|因为|由于|既然)(?!\w){_CLAUSE}"
    rf"|(?:^|[,;，；] ?)(?:因为|由于|既然){_CLAUSE}",
    re.IGNORECASE,
)
_RESULT_BEFORE = re.compile(rf"(?:^|[,;，；] ?)(?:thanks to|多亏){_CLAUSE}", re.IGNORECASE)
_PART_BEFORE = re.compile(
    rf"(?:^|[,;] ?)(?:during|on (?:my|our|the) (?:trip|holiday|tour)){_CLAUSE}", re.IGNORECASE
)
_REASON_BEFORE = re.compile(r"\bthe (?:main |only |real )?reason\b(?=[^,;]*$)", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|was|being)\b")
# "Since I moved here I've been rowing": since when, not why.
_EVER_SINCE = re.compile(r"['’]ve\b|\b(?:have|has|ever)\b")
# What opens a sentence of its own.
_SO_NEXT = re.compile(
    rf"(?:and )?(?:so,?(?= {_WHO})|that['’]?s (?:exactly )?why|that is why|this is why"
    r"|therefore|hence|as a result|consequently|because of (?:that|this)|for that reason"
    r"|所以|因此|于是|因而|结果|这就是为什么)",
    re.IGNORECASE,
)
_BECAUSE_NEXT = re.compile(
    r"(?:just |mainly |mostly |it['’]s |that['’]s |this is )?because(?! of (?:that|this))"
    r"|(?:主要是|就是)?因为",
    re.IGNORECASE,
)
_MAIN_CLAUSE = re.compile(r"[,，]")
_GAP = " \t\n.!?。！？…;；:)(~"


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two facts of one message, in the order in which their values stand."""

    first: Stored
    second: Stored
    text: str

    @property
    def is_one_sentence(self) -> bool:
        return self.first.candidate.sentence_start == self.second.candidate.sentence_start

    @property
    def before(self) -> str:
        """What stands in the first one's sentence before its value."""
        one = self.first.candidate
        return self.text[one.sentence_start : one.value_start]

    @property
    def between(self) -> str:
        return self.text[self.first.candidate.value_end : self.second.candidate.value_start]

    @property
    def are_neighbours(self) -> bool:
        """Whether the second one's sentence follows the first one's."""
        one, other = self.first.candidate, self.second.candidate
        gap = self.text[one.sentence_start + len(one.sentence) : other.sentence_start]
        return other.sentence_start > one.sentence_start and not gap.strip(_GAP)


def within_turn(text: str, new: Stored, others: Sequence[Stored]) -> Iterator[Bond]:
    """Link facts of one message by what its words say of why.

    Args:
        text: The whole message.
        others: The facts that were read from it before.
    """
    for one in others:
        first, second = sorted((one, new), key=lambda each: each.candidate.value_start)
        pair = _Pair(first, second, text)
        if first.candidate.value_end > second.candidate.value_start:
            continue
        if pair.is_one_sentence:
            bond = _of_words_before(pair) or _of_words_between(pair)
        else:
            bond = _of_next_sentence(pair) if pair.are_neighbours else None
        if bond is not None:
            yield bond


_WHY = re.compile(
    r"\b(?:why|how come|what made you|what happened)\b|为什么|为啥|怎么(?!样)", re.IGNORECASE
)


def in_answer(new: Stored, heard: Sequence[tuple[Turn, Sequence[Stored]]]) -> Iterator[Bond]:
    """Link what answers "why?" with what the same speaker said just before that question.

    Args:
        heard: The newest turns with the facts read from each; the last one tells the new fact.
    """
    if len(heard) < 3:
        return
    (said, facts), (asked, _), (answer, _) = heard[-3:]
    is_answer = _BECAUSE_NEXT.match(answer.text.lstrip(" \"'“(-")) and _WHY.search(asked.text)
    talks = {turn.session_id for turn in (said, asked, answer)}
    if not is_answer or len(talks) > 1 or said.speaker != answer.speaker != asked.speaker:
        return
    if answer.text[: new.candidate.value_start].count(".") == 0:
        for one in facts:
            yield Bond(new.id, one.id, LinkKind.CAUSES, "it was the answer to why")


def _of_words_before(pair: _Pair) -> Bond | None:
    before, between = pair.before, pair.between
    if not _MAIN_CLAUSE.search(between) and not _SO.search(between):
        if _REASON_BEFORE.search(before) and _IS.search(between):
            return _bond(pair.second, pair.first, LinkKind.CAUSES, "the reason")
        return None
    if match := _BECAUSE_BEFORE.search(before):
        word = match.group().strip(" ,;，；")
        if word.casefold() != "since" or not _EVER_SINCE.search(between):
            return _bond(pair.first, pair.second, LinkKind.CAUSES, word)
    if match := _RESULT_BEFORE.search(before):
        return _bond(pair.second, pair.first, LinkKind.RESULT_OF, match.group())
    if match := _PART_BEFORE.search(before):
        return _bond(pair.second, pair.first, LinkKind.PART_OF, match.group())
    return None


def _of_words_between(pair: _Pair) -> Bond | None:
    first, second, between = pair.first, pair.second, pair.between
    if match := _RESULT.search(between):
        return _bond(first, second, LinkKind.RESULT_OF, match.group())
    if match := _LED_TO.search(between):
        return _bond(second, first, LinkKind.RESULT_OF, match.group())
    if match := _BECAUSE.search(between):
        lasting = match.group().casefold() == "since" and _EVER_SINCE.search(pair.before)
        return None if lasting else _bond(second, first, LinkKind.CAUSES, match.group())
    if match := _SO.search(between):
        return _bond(first, second, LinkKind.CAUSES, match.group())
    if match := _PART_BEHIND.search(between):
        return _bond(second, first, LinkKind.PART_OF, match.group())
    if match := _PART.search(between):
        return _bond(first, second, LinkKind.PART_OF, match.group())
    return None


def _of_next_sentence(pair: _Pair) -> Bond | None:
    sentence = pair.second.candidate.sentence.lstrip(" \"'“(-")
    if match := _SO_NEXT.match(sentence):
        return _bond(pair.first, pair.second, LinkKind.CAUSES, match.group())
    match = _BECAUSE_NEXT.match(sentence)
    if match and not _MAIN_CLAUSE.search(sentence):
        return _bond(pair.second, pair.first, LinkKind.CAUSES, match.group())
    return None


def _bond(from_one: Stored, to_one: Stored, kind: LinkKind, word: str) -> Bond:
    return Bond(from_one.id, to_one.id, kind, f"“{word.strip(' ,;，；')}” was said")
