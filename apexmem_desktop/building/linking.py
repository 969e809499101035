"""How a new fact bears on what was told before: the same, otherwise, in more words, or because.

A cause is one only where it was said to be ("because", "so", 因为). What is merely near in time and
of the kind that one thing often leads to another is a possible cause, and is called no more.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.ontology import PropertyShape
from apexmem_desktop.domain.graph import Fact, LinkKind, Modality, NewFact, ValueType
from apexmem_desktop.domain.values import value_key
from apexmem_desktop.storage.names import normalise

_DAY_MS = 86_400_000
MOST_DAYS_APART = 14
POSSIBLE = 0.3  # how sure a possible cause is, told in its reason

_BECAUSE = re.compile(r"\b(?:because|['’]cause|cuz|since|as)\b|因为|由于", re.IGNORECASE)
_SO = re.compile(r"\b(?:so|therefore|that['’]s why|which is why|hence)\b|所以|因此", re.IGNORECASE)
_RESULT = re.compile(
    r"\b(?:thanks to|due to|as a result of|after all that)\b|多亏|由于", re.IGNORECASE
)
_LED_TO = re.compile(r"\b(?:led to|resulted in|as a result,?)\b|导致|结果", re.IGNORECASE)
_PART = re.compile(
    r"\b(?:during|as part of|while (?:on|in|at)|on (?:my|our|the) (?:trip|holiday|tour)"
    r"(?: to| in)?)\b|期间",
    re.IGNORECASE,
)
# What one thing often leads to; the later one of the two is the possible effect.
_MAY_LEAD_TO = {
    "health": frozenset({"stopped", "practises", "cancelled", "diet", "started"}),
    "hurt": frozenset({"stopped", "practises", "cancelled"}),
    "left_job": frozenset({"works_at", "started", "lives_in", "job_title"}),
    "lives_in": frozenset({"left_job", "works_at", "sold", "bought"}),
    "relationship_status": frozenset({"lives_in", "sold", "bought"}),
    "works_at": frozenset({"lives_in", "bought"}),
}
MAY_LEAD = frozenset(_MAY_LEAD_TO)
MAY_FOLLOW = frozenset(name for names in _MAY_LEAD_TO.values() for name in names)
PLANS = frozenset({"plans"})
_DONE = frozenset({"visited", "attended", "bought", "started", "did_activity", "made", "lives_in"})
COMES_TRUE = _DONE
_WORD = re.compile(r"[^\W\d_]{4,}|[\u4e00-\u9fff]")
_EMPTY = frozenset(
    ("going", "want", "wants", "plan", "plans", "planning", "visit", "visiting", "next", "this",
     "that", "with", "from", "trip", "travel", "take", "taking", "week", "month", "year", "have",
     "will", "some", "about")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bond:
    """A link to be stored: from one fact to another, and why."""

    from_id: int
    to_id: int
    kind: LinkKind
    reason: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A fact that was just stored.

    Attributes:
        said_ms: When its words were said, UTC; None when that is not known.
    """

    id: int
    fact: NewFact
    candidate: Candidate
    said_ms: int | None


def with_same_property(
    new: Stored, shape: PropertyShape, earlier: Sequence[Fact]
) -> Iterator[Bond]:
    """Link a fact with those of the same subject and property, by what they say."""
    superseded: Fact | None = None
    for one in earlier:
        same = value_key(one) == value_key(new.fact)
        if same and one.polarity == new.fact.polarity and one.modality is new.fact.modality:
            yield Bond(new.id, one.id, LinkKind.CORROBORATES, "the same was said again")
        elif same and one.polarity != new.fact.polarity and one.modality is not Modality.PLANNED:
            yield _turned(new, one)
        elif shape.fixed and not same:
            why = "this cannot change, and two values were said"
            yield Bond(new.id, one.id, LinkKind.CONTRADICTS, why)
        elif _is_fuller(new, one):
            yield Bond(new.id, one.id, LinkKind.ELABORATES, f"it says more of “{one.value}”")
        elif shape.single_valued and _takes_place_of(new, one):
            superseded = (
                one if superseded is None or _began(one) > _began(superseded) else superseded
            )
    if superseded is not None:
        why = f"the later value of what has one at a time; before it “{superseded.value}”"
        yield Bond(new.id, superseded.id, LinkKind.SUPERSEDES, why)


def within_turn(new: Stored, others: Sequence[Stored]) -> Iterator[Bond]:
    """Link facts of one message by the words that stand between them."""
    for one in others:
        a, b = sorted((one, new), key=lambda each: each.candidate.value_start)
        between = _between(a, b)
        if between is None:
            continue
        if match := _RESULT.search(between):
            yield Bond(a.id, b.id, LinkKind.RESULT_OF, f"“{match.group()}” was said")
        elif match := _BECAUSE.search(between):
            yield Bond(b.id, a.id, LinkKind.CAUSES, f"“{match.group()}” was said")
        elif match := _LED_TO.search(between):
            yield Bond(b.id, a.id, LinkKind.RESULT_OF, f"“{match.group()}” was said")
        elif match := _SO.search(between):
            yield Bond(a.id, b.id, LinkKind.CAUSES, f"“{match.group()}” was said")
        elif match := _PART.search(between):
            yield Bond(a.id, b.id, LinkKind.PART_OF, f"“{match.group()}” was said")


def with_plans(new: Stored, plans: Sequence[Fact]) -> Iterator[Bond]:
    """Link what came true, or was called off, with the plan that was told before it."""
    for plan in plans:
        if not _was_told_before(plan, new) or not _share_words(plan.value, new.fact.value):
            continue
        if plan.modality is not Modality.PLANNED and plan.property not in PLANS:
            continue
        if not plan.polarity or plan.id == new.id:
            continue
        called_off = new.fact.modality is not Modality.PLANNED and (
            new.candidate.property == "cancelled"
            or (new.candidate.property in PLANS and not new.fact.polarity)
        )
        if called_off:
            yield Bond(new.id, plan.id, LinkKind.CONTRADICTS, "the plan fell through")
        elif (
            new.candidate.property in COMES_TRUE
            and new.fact.polarity
            and new.fact.modality is Modality.ASSERTED
        ):
            yield Bond(new.id, plan.id, LinkKind.RESULT_OF, "the plan came true")


def possible_causes(new: Stored, before: Sequence[Fact]) -> Iterator[Bond]:
    """Link what was told shortly before, and is of a kind that often leads to it: the nearest."""
    near = [
        (days, one)
        for one in before
        if new.candidate.property in _MAY_LEAD_TO.get(one.property, frozenset())
        and one.modality is Modality.ASSERTED
        and new.fact.modality is Modality.ASSERTED
        and one.polarity
        and (days := _days_between(one, new)) is not None
        and days <= MOST_DAYS_APART
    ]
    if near:
        days, one = min(near, key=lambda pair: (pair[0], -pair[1].id))
        why = (
            f"possible only ({POSSIBLE:.0%}): told {days} days before, nobody said that it was why"
        )
        yield Bond(one.id, new.id, LinkKind.POSSIBLY_CAUSES, why)


def _turned(new: Stored, one: Fact) -> Bond:
    """Link what is said to be so with what is said not to be: later it has changed, else not."""
    if _days_between(one, new) is not None:
        return Bond(new.id, one.id, LinkKind.SUPERSEDES, "it was told to be otherwise later")
    why = "it was said to be so, and not to be"
    return Bond(new.id, one.id, LinkKind.CONTRADICTS, why)


def _is_fuller(new: Stored, one: Fact) -> bool:
    """Whether the new value has all words of the old one and more; names are no such thing."""
    if new.fact.value_type is ValueType.ENTITY or not (one.polarity and new.fact.polarity):
        return False
    ours, theirs = _all_words(new.fact.value), _all_words(one.value)
    return bool(theirs) and theirs < ours


def _all_words(text: str) -> set[str]:
    return set(normalise(text).split())


def _takes_place_of(new: Stored, one: Fact) -> bool:
    """Whether both were told as so, and the new one surely began later."""
    told_as_so = one.modality is Modality.ASSERTED and new.fact.modality is Modality.ASSERTED
    start = new.fact.validity.start
    began = start.earliest_ms if start.earliest_ms is not None else start.latest_ms
    positive = one.polarity and new.fact.polarity
    return told_as_so and positive and began is not None and began > _began(one)


def _began(fact: Fact) -> int:
    """By when an earlier fact had surely begun."""
    start = fact.valid_from
    known = start.latest_ms if start.latest_ms is not None else start.earliest_ms
    return known if known is not None else 2**53


def _between(a: Stored, b: Stored) -> str | None:
    """The words between two values of one sentence; None where they are not of one."""
    start, end = a.candidate.value_end, b.candidate.value_start
    text = a.candidate.sentence
    offset = a.candidate.sentence_start
    same_sentence = offset == b.candidate.sentence_start
    if not same_sentence or start > end:
        return None
    return text[start - offset : end - offset]


def _was_told_before(plan: Fact, new: Stored) -> bool:
    told = [one.said_at_ms for one in plan.evidence if one.said_at_ms is not None]
    return not told or new.said_ms is None or min(told) < new.said_ms


def _days_between(one: Fact, new: Stored) -> int | None:
    told = [shown.said_at_ms for shown in one.evidence if shown.said_at_ms is not None]
    if not told or new.said_ms is None or min(told) >= new.said_ms:
        return None
    return (new.said_ms - min(told)) // _DAY_MS


def _share_words(a: str, b: str) -> bool:
    ours, theirs = ({word.casefold() for word in _WORD.findall(text)} - _EMPTY for text in (a, b))
    return any(_alike(one, other) for one, other in product(ours, theirs))


def _alike(a: str, b: str) -> bool:
    """Whether two words are one, but for an ending."""
    return a == b or (min(len(a), len(b)) > 4 and a[:5] == b[:5])
