"""Answers that can be worked out from judged facts: no model decides what holds, when, or how many.

Each proposal is put to the model once, yes or no, before it is given: the facts are right, but they
may be the answer to another question.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.agent.wording import fact_line, joined, offset_of
from apexmem_desktop.chronology import spell
from apexmem_desktop.domain.graph import Fact, FactStatus, MemoryType, Modality
from apexmem_desktop.domain.interval import Bound, Precision
from apexmem_desktop.recall import history
from apexmem_desktop.recall.holding import is_positive, order_ms
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.vocabulary import same_stem
from apexmem_desktop.storage.names import normalise

MAX_LISTED = 6
_DAY_MS = 86_400_000
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Proposal:
    """One possible answer.

    Attributes:
        answer: The shortest true answer, in the question's language.
        facts: What proves it, in the order to be cited.
        how: What was worked out, for the trace.
        certain: Whether it needs no check: the question names both who and what was denied.
    """

    answer: str
    facts: tuple[Fact, ...]
    how: str
    certain: bool = False

    def proof(self, language: str) -> str:
        """Say the facts behind it, for the check."""
        return ". ".join(fact_line(fact, language) for fact in self.facts)


def propose(read: Understood, facts: Sequence[Fact], *, as_of_ms: int) -> list[Proposal]:
    """Work out what the judged facts answer, the most fitting first.

    Args:
        read: The question.
        facts: Judged facts of whom the question names; all of them, so that none is missed.
        as_of_ms: The UTC instant that "now" means for the question.
    """
    wanted = _properties(read, facts)
    proposals = []
    for name in wanted:
        group = [fact for fact in facts if fact.property == name]
        for subject_id in dict.fromkeys(fact.subject_id for fact in group):
            own = [fact for fact in group if fact.subject_id == subject_id]
            proposal = _of_kind(read, own, as_of_ms)
            if proposal is not None:
                proposals.append(proposal)
    return proposals


def _properties(read: Understood, facts: Sequence[Fact]) -> list[str]:
    """Which properties the question may be about, by its words and its hints."""
    have = dict.fromkeys(fact.property for fact in facts)
    by_word = [p for p in have if _shares_word(p, read.words)]
    by_hint = [hint for hint in read.property_hints[:6] if hint in have]
    by_hint.sort(key=lambda name: not _is_value_asked(read, facts, name))
    always = {Kind.WHEN: "took_place_on", Kind.YES_NO: "plans"}.get(read.kind)
    return list(dict.fromkeys([*by_word, *by_hint, *([always] if always in have else [])]))


def _is_value_asked(read: Understood, facts: Sequence[Fact], name: str) -> bool:
    return any(_value_asked(fact, read) for fact in facts if fact.property == name)


def _shares_word(name: str, words: Sequence[str]) -> bool:
    own = [part for part in name.split("_") if part not in ("in", "at", "on", "went", "from")]
    return any(same_stem(part, word.casefold()) for part in own for word in words if word.isascii())


def _of_kind(read: Understood, facts: Sequence[Fact], as_of_ms: int) -> Proposal | None:
    language = read.language
    if read.kind is Kind.BEFORE:
        return _neighbour(read, facts, step=-1)
    if read.kind is Kind.AFTER:
        return _neighbour(read, facts, step=1)
    if read.kind in (Kind.WHEN, Kind.CHANGED):
        return _when(read, facts)
    if read.kind is Kind.HOW_MANY:
        return _count(read, facts)
    if read.kind is Kind.HOW_LONG:
        return _duration(facts, as_of_ms, language)
    if read.kind is Kind.WHO:
        return _who(read, facts)
    if read.kind is Kind.YES_NO:
        return _yes_or_no(read, facts)
    if read.kind in (Kind.CURRENT, Kind.AT_TIME, Kind.LIST):
        return _current(read, facts)
    return None


def _current(read: Understood, facts: Sequence[Fact]) -> Proposal | None:
    contested = [fact for fact in facts if fact.status is FactStatus.CONTESTED]
    holding = contested or [
        f for f in facts if f.status is FactStatus.CURRENT and is_positive(f) == _is_liking(f)
    ]
    if read.kind is Kind.AT_TIME and not holding:
        holding = [f for f in facts if _begins_in(f, read) and f.polarity]
    if not holding:
        return None
    newest = sorted(holding, key=order_ms, reverse=True)
    distinct = list({normalise(fact.value): fact for fact in reversed(newest)}.values())[::-1]
    if distinct[0].single_valued and not contested:
        distinct = distinct[:1]
    shown = distinct[:MAX_LISTED]
    how = "sides that conflict" if contested else "what holds then"
    return Proposal(joined([fact.value for fact in shown], read.language), tuple(shown), how)


def _is_liking(fact: Fact) -> bool:
    """A dislike that holds is "not positive" in the order of likes, and is what was asked for."""
    return fact.property not in ("dislikes", "hates", "does_not_like")


def _begins_in(fact: Fact, read: Understood) -> bool:
    """Whether the question's time and the fact's start overlap."""
    start, end = fact.valid_from.earliest_ms, fact.valid_from.latest_ms
    if start is None or end is None:
        return False
    return any(start < span.end_ms and end >= span.start_ms for span in read.spans)


def _neighbour(read: Understood, facts: Sequence[Fact], *, step: int) -> Proposal | None:
    """The value before or after the one that the question names, else before the newest."""
    ordered = history.runs(facts)
    if not ordered or not ordered[0].first.single_valued:
        return None
    named = [i for i, run in enumerate(ordered) if _named_in(run.first.value, read.question)]
    place = named[-1] if named else len(ordered) - 1
    if not 0 <= place + step < len(ordered):
        return None
    there, here = ordered[place + step].first, ordered[place].first
    how = "the value before" if step < 0 else "the value after"
    return Proposal(there.value, (there, here), how)


def _named_in(value: str, question: str) -> bool:
    return normalise(value) in normalise(question)


def _when(read: Understood, facts: Sequence[Fact]) -> Proposal | None:
    dates = [fact for fact in facts if fact.property == "took_place_on"]
    if dates:
        distinct = list({normalise(fact.value): fact for fact in dates}.values())
        values = [fact.value for fact in distinct]
        return Proposal(joined(values, read.language), tuple(distinct), "the dates that were told")
    named = [fact for fact in facts if _value_asked(fact, read) and fact.polarity]
    if not named and len({normalise(fact.value) for fact in facts}) == 1:
        named = [fact for fact in facts if fact.polarity]
    dated = [fact for fact in named if fact.valid_from.precision is not Precision.UNKNOWN]
    if not dated:
        return None
    first = max(dated, key=order_ms) if _again(read) else min(dated, key=order_ms)
    told = spell.spell_bound(first.valid_from, offset_of(first.evidence), read.language)
    return Proposal(told, (first,), "when it began")


def _value_asked(fact: Fact, read: Understood) -> bool:
    """Whether the question names a fact's value, in its own form or by its words' stems."""
    if _named_in(fact.value, read.question):
        return True
    words = [w.casefold() for w in _WORDS.findall(fact.value) if len(w) > 2]
    asked = [w.casefold() for w in read.words]
    return bool(words) and any(same_stem(a, b) for a in words for b in asked)


def _again(read: Understood) -> bool:
    return bool(re.search(r"\bagain\b|\bresum|重新|又", read.question, re.IGNORECASE))


def _count(read: Understood, facts: Sequence[Fact]) -> Proposal | None:
    counted = {
        (normalise(fact.value), _day(fact)): fact
        for fact in facts
        if fact.polarity
        and fact.modality is Modality.ASSERTED
        and fact.status is not FactStatus.REJECTED
        and (not read.spans or _begins_in(fact, read))
        and (fact.memory_type is MemoryType.ACTION or fact.status is FactStatus.CURRENT)
    }
    if not counted:
        return None
    ordered = sorted(counted.values(), key=order_ms)
    return Proposal(str(len(ordered)), tuple(ordered), "counted in the graph")


def _day(fact: Fact) -> int | None:
    """Which day it was: said twice, it is still one; a return to the same place is another."""
    start = fact.valid_from.earliest_ms
    return None if start is None else start // _DAY_MS


def _duration(facts: Sequence[Fact], as_of_ms: int, language: str) -> Proposal | None:
    """From a stop to its end, else since the newest value began."""
    stopped = sorted((f for f in facts if not f.polarity), key=order_ms)
    resumed = sorted((f for f in facts if f.polarity), key=order_ms)
    for stop in stopped:
        after = [f for f in resumed if order_ms(f) > order_ms(stop)]
        if after:
            length = _middle(after[0].valid_from) - _middle(stop.valid_from)
            if length < _DAY_MS:
                continue
            answer = spell.spell_duration(length, language)
            return Proposal(answer, (stop, after[0]), "from the stop to the resumption")
    held = [f for f in resumed if f.valid_from.precision is not Precision.UNKNOWN]
    if not held:
        return None
    newest = held[-1]
    end = newest.effective_to
    length = (as_of_ms if end is None else _middle(end)) - _middle(newest.valid_from)
    if length < _DAY_MS:
        return None
    return Proposal(spell.spell_duration(length, language), (newest,), "from its start to its end")


def _middle(bound: Bound) -> int:
    known = [ms for ms in (bound.earliest_ms, bound.latest_ms) if ms is not None]
    return sum(known) // len(known) if known else 0


def _who(read: Understood, facts: Sequence[Fact]) -> Proposal | None:
    """The subjects of the facts whose value the question names."""
    named = [f for f in facts if f.status is FactStatus.CURRENT and _value_asked(f, read)]
    if not named:
        return None
    subjects = list(dict.fromkeys(fact.subject for fact in named))
    return Proposal(joined(subjects, read.language), tuple(named), "whose fact it is")


def _yes_or_no(read: Understood, facts: Sequence[Fact]) -> Proposal | None:
    """Yes where what the question names holds, no where it was denied or called off."""
    named = [f for f in facts if _named_in(f.value, read.question)]
    called_off = [f for f in named if not f.polarity and f.status is FactStatus.CURRENT]
    if called_off:
        plans = [f for f in facts if f.modality is Modality.PLANNED and _value_asked(f, read)]
        answer = "没有" if read.language == "zh" else "No"
        return Proposal(answer, (*called_off, *plans), "it was denied or called off", certain=True)
    held = [f for f in named if f.status is FactStatus.CURRENT and f.property != "plans"]
    if not held:
        return None
    return Proposal("是" if read.language == "zh" else "Yes", tuple(held), "it holds")
