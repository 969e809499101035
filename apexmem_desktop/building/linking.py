"""How a new fact bears on what was told before or after it: the same, otherwise, or in more words.

Messages are read newest first, so what is stored already may have been said later: of each two the
order in which they were said decides, never the order in which they were read. What the words of
one message say of cause and result is read in `reasons`; what is merely near in time, and of the
kind that one thing often leads to another, is a possible cause, and is called no more.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.ontology import PropertyShape
from apexmem_desktop.domain.graph import Fact, LinkKind, Modality, NewFact, ValueType
from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.topics import DENYING
from apexmem_desktop.domain.values import value_key
from apexmem_desktop.storage.names import normalise

_DAY_MS = 86_400_000
MOST_DAYS_APART = 14
MOST_MS_APART = (MOST_DAYS_APART + 1) * _DAY_MS  # days are counted whole
POSSIBLE = 0.3  # how sure a possible cause is, told in its reason

# What one thing often leads to; the later one of the two is the possible effect.
_MAY_LEAD_TO = {
    "health": frozenset({"stopped", "practises", "cancelled", "diet", "started", "drinks", "eats"}),
    "hurt": frozenset({"stopped", "practises", "cancelled"}),
    "allergic_to": frozenset({"eats", "drinks", "diet"}),
    "left_job": frozenset({"works_at", "started", "lives_in", "job_title"}),
    "lives_in": frozenset({"left_job", "works_at", "sold", "bought"}),
    "relationship_status": frozenset({"lives_in", "sold", "bought"}),
    "life_event": frozenset({"lives_in", "drinks", "left_job", "practises", "bought"}),
    "works_at": frozenset({"lives_in", "bought"}),
}
MAY_LEAD = frozenset(_MAY_LEAD_TO)
MAY_FOLLOW = frozenset(name for names in _MAY_LEAD_TO.values() for name in names)
PLANS = frozenset({"plans", "wants"})
COMES_TRUE = frozenset(
    ("visited", "attended", "bought", "started", "did_activity", "made", "lives_in", "ran",
     "studies", "practises", "relationship_status", "works_at", "watched", "saw", "met", "got",
     "adopted", "pet", "joined", "sold", "left_job", "read", "life_event", "moved_into")
)  # fmt: skip
CALLED_OFF = "cancelled"
BEARS_ON_PLANS = PLANS | COMES_TRUE | {CALLED_OFF}
_WORD = re.compile(r"[^\W\d_\u4e00-\u9fff]{4,}")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_EMPTY = frozenset(
    ("going", "want", "wants", "plan", "plans", "planning", "visit", "visiting", "next", "this",
     "that", "with", "from", "trip", "travel", "take", "taking", "week", "month", "year", "have",
     "will", "some", "about", "一个", "一辆", "一只", "下个", "个月", "下周", "明年", "今年",
     "月去", "年去", "旅行", "旅游")
)  # fmt: skip
_SAME = {"wedding": "married", "marry": "married", "marrying": "married"}


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


@dataclass(frozen=True, slots=True)
class _Told:
    """What links need of a fact, whether it was just stored or long before."""

    id: int
    name: str
    value: str
    key: str
    is_name: bool
    holds: bool
    modality: Modality
    start: Bound
    said_ms: int | None
    is_explained: bool = False

    @property
    def is_so(self) -> bool:
        """Whether it speaks for what its topic is about: "hates tofu" does not for "likes tofu"."""
        return self.holds != (self.name in DENYING)

    @property
    def is_plan(self) -> bool:
        return self.modality is Modality.PLANNED or self.name in PLANS


def with_same_property(new: Stored, shape: PropertyShape, known: Sequence[Fact]) -> Iterator[Bond]:
    """Link a fact with those of the same subject and property, by what they say."""
    told = _of_stored(new)
    before: list[_Told] = []
    after: list[_Told] = []
    for other in map(_of_fact, known):
        first, later = (told, other) if _was_said_before(told, other) else (other, told)
        if other.name != told.name:  # "hates" beside "likes"
            if other.key == told.key and other.is_so != told.is_so:
                yield _turned(first, later)
            continue
        bond = _alike(first, later, fixed=shape.fixed)
        if bond is not None:
            yield bond
        elif shape.single_valued and _takes_place_of(told, other):
            before.append(other)
        elif shape.single_valued and _takes_place_of(other, told):
            after.append(other)
    if before:
        yield _superseding(told, max(before, key=_begun))
    if after:
        yield _superseding(min(after, key=_begun), told)


def _alike(first: _Told, later: _Told, *, fixed: bool) -> Bond | None:
    same = first.key == later.key
    agree = first.holds == later.holds
    if same and agree and first.modality is later.modality:
        return Bond(later.id, first.id, LinkKind.CORROBORATES, "the same was said again")
    if same and not agree and first.modality is not Modality.PLANNED:
        return _turned(first, later)
    for short, full in ((first, later), (later, first)):
        if not same and _is_fuller(full, short) and (full is later or fixed):
            why = f"it says more of “{short.value}”"
            return Bond(full.id, short.id, LinkKind.ELABORATES, why)
    if fixed and not same:
        why = "this cannot change, and two values were said"
        return Bond(later.id, first.id, LinkKind.CONTRADICTS, why)
    return None


def with_plans(new: Stored, others: Sequence[Fact]) -> Iterator[Bond]:
    """Link what came true, or was called off, with the plan that was told before it."""
    told = _of_stored(new)
    for other in map(_of_fact, others):
        first, later = (told, other) if _was_said_before(told, other) else (other, told)
        if not first.is_plan or not first.holds or told.said_ms == other.said_ms is not None:
            continue
        if not sharing_words(first.value, {later.id: later.value}):
            continue
        if _is_called_off(later):
            yield Bond(later.id, first.id, LinkKind.CONTRADICTS, "the plan fell through")
        elif later.name in COMES_TRUE and later.holds and later.modality is Modality.ASSERTED:
            yield Bond(later.id, first.id, LinkKind.RESULT_OF, "the plan came true")


def _is_called_off(told: _Told) -> bool:
    if told.modality is Modality.PLANNED:
        return False
    return told.name == CALLED_OFF or (not told.holds and told.name in PLANS)


def possible_causes(new: Stored, others: Sequence[Fact]) -> Iterator[Bond]:
    """Link what was told shortly before, and is of a kind that often leads to it: the nearest.

    What nobody gave a reason for is also linked with a cause that is read only now.
    """
    told = _of_stored(new)
    known = [_of_fact(one) for one in others]
    causes = [(days, one) for one in known if (days := _days_to_effect(one, told)) is not None]
    if causes:
        days, cause = min(causes, key=lambda pair: (pair[0], -pair[1].id))
        yield _possible(cause, told, days)
    for one in known:
        days_after = None if one.is_explained else _days_to_effect(told, one)
        if days_after is not None:
            yield _possible(told, one, days_after)


def _possible(cause: _Told, effect: _Told, days: int) -> Bond:
    why = f"possible only ({POSSIBLE:.0%}): told {days} days before, nobody said that it was why"
    return Bond(cause.id, effect.id, LinkKind.POSSIBLY_CAUSES, why)


def _days_to_effect(cause: _Told, effect: _Told) -> int | None:
    """How many days after a possible cause something was told; None where it is none of it."""
    if effect.name not in _MAY_LEAD_TO.get(cause.name, frozenset()):
        return None
    told_as_so = cause.modality is Modality.ASSERTED and effect.modality is Modality.ASSERTED
    if not (told_as_so and cause.holds and _was_said_before(cause, effect)):
        return None
    if cause.said_ms is None or effect.said_ms is None:
        return None
    began, had_begun = cause.start.earliest_ms, effect.start.latest_ms
    if began is None:
        began = cause.said_ms - MOST_DAYS_APART * _DAY_MS
    if effect.start.earliest_ms is not None and had_begun is not None and had_begun < began:
        return None  # it held long before
    days = (effect.said_ms - cause.said_ms) // _DAY_MS
    return days if days <= MOST_DAYS_APART else None


def _turned(first: _Told, later: _Told) -> Bond:
    """Link what is said to be so with what is said not to be: later it has changed, else not."""
    if _was_said_before(first, later):
        return Bond(later.id, first.id, LinkKind.SUPERSEDES, "it was told to be otherwise later")
    why = "it was said to be so, and not to be"
    return Bond(later.id, first.id, LinkKind.CONTRADICTS, why)


def _superseding(later: _Told, earlier: _Told) -> Bond:
    why = f"the later value of what has one at a time; before it “{earlier.value}”"
    return Bond(later.id, earlier.id, LinkKind.SUPERSEDES, why)


def _is_fuller(full: _Told, short: _Told) -> bool:
    """Whether a value has all words of the other one and more; names are no such thing."""
    if full.is_name or short.is_name or not (full.holds and short.holds):
        return False
    ours, theirs = (set(normalise(one.value).split()) for one in (full, short))
    if _HAN.fullmatch(full.value) and _HAN.fullmatch(short.value):  # 绿茶 is a kind of 茶
        return full.value != short.value and full.value.endswith(short.value)
    return bool(theirs) and theirs < ours


def _takes_place_of(later: _Told, earlier: _Told) -> bool:
    """Whether both were told as so, and the one surely began later."""
    told_as_so = earlier.modality is Modality.ASSERTED and later.modality is Modality.ASSERTED
    begins = later.start.earliest_ms
    begins = begins if begins is not None else later.start.latest_ms
    both_hold = earlier.holds and later.holds
    return told_as_so and both_hold and begins is not None and begins > _begun(earlier)


def _begun(told: _Told) -> int:
    """By when it had surely begun."""
    start = told.start
    known = start.latest_ms if start.latest_ms is not None else start.earliest_ms
    return known if known is not None else 2**53


def _was_said_before(one: _Told, other: _Told) -> bool:
    """Whether one was surely said before the other."""
    if one.said_ms is None or other.said_ms is None:
        return False
    return one.said_ms < other.said_ms


def _of_stored(new: Stored) -> _Told:
    fact = new.fact
    return _Told(
        new.id, new.candidate.property, fact.value, value_key(fact),
        fact.value_type is ValueType.ENTITY, fact.polarity, fact.modality, fact.validity.start,
        new.said_ms,
    )  # fmt: skip


def _of_fact(fact: Fact) -> _Told:
    said = [one.said_at_ms for one in fact.evidence if one.said_at_ms is not None]
    causing = (LinkKind.CAUSES, LinkKind.POSSIBLY_CAUSES)
    explained = any(link.kind in causing and link.to_id == fact.id for link in fact.links)
    return _Told(
        fact.id, fact.property, fact.value, value_key(fact),
        fact.value_type is ValueType.ENTITY, fact.polarity, fact.modality, fact.valid_from,
        min(said, default=None), explained,
    )  # fmt: skip


def sharing_words(value: str, others: Mapping[int, str]) -> list[int]:
    """Tell which of many values have a word in common with one, but for an ending."""
    ours, pairs = _telling_words(value), _pairs_of_signs(value)
    return [
        number
        for number, other in others.items()
        if any(_is_one_word(*both) for both in product(ours, _telling_words(other)))
        or not pairs.isdisjoint(_pairs_of_signs(other))
    ]


def _telling_words(text: str) -> set[str]:
    return {_SAME.get(word.casefold(), word.casefold()) for word in _WORD.findall(text)} - _EMPTY


def _pairs_of_signs(text: str) -> set[str]:
    """Chinese has no spaces: two signs that stand together stand for a word."""
    runs = _HAN.findall(text)
    return {run[i : i + 2] for run in runs for i in range(len(run) - 1)} - _EMPTY


def _is_one_word(a: str, b: str) -> bool:
    """Whether two words are one, but for an ending."""
    return a == b or (min(len(a), len(b)) > 4 and a[:5] == b[:5])
