"""Answers that can be worked out from judged facts: no model decides what holds, when, or how many.

Each proposal is put to the model once, yes or no, before it is given: the facts are right, but they
may be the answer to another question.
"""

import re
from collections.abc import Callable, Sequence

from apexmem_desktop.agent import timing
from apexmem_desktop.agent.happening import when_told
from apexmem_desktop.agent.proposal import Proposal, Puzzle
from apexmem_desktop.agent.topic import is_on_topic
from apexmem_desktop.agent.wording import joined
from apexmem_desktop.domain.graph import Fact, FactStatus, MemoryType, Modality
from apexmem_desktop.recall import history
from apexmem_desktop.recall.holding import is_positive, order_ms
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.question import Understood, everyday_names, hint_properties
from apexmem_desktop.recall.vocabulary import same_stem
from apexmem_desktop.storage.names import normalise

__all__ = ["Proposal", "propose"]

MAX_LISTED = 6
_DAY_MS = 86_400_000
_STEM_CHARS = 5
_IN_ENGLISH = re.compile(
    r"\b(?:what|which|who(?:se|m)?|where|when|why|how|do|does|did|is|are|were|has|have|had|can"
    r"|could|would|should|tell)\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W_]+")
_AUXILIARY = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would)\b", re.IGNORECASE
)
# "Did she ever …?" asks whether it was so, not whether it is.
_ASKS_PAST = re.compile(r"^\W*(?:did|was|were|had)\b|\b(?:ever|been)\b|[过曾]", re.IGNORECASE)
# Kinds of question that may be about a property which only the value's name tells.
_BY_VALUE = (Kind.WHEN, Kind.HOW_LONG, Kind.YES_NO, Kind.CHANGED)
# Kinds of question that no turn answers by itself.
_ONLY_WORKED_OUT = (
    Kind.BEFORE,
    Kind.AFTER,
    Kind.CHANGED,
    Kind.HOW_LONG,
    Kind.HOW_MANY,
    Kind.YES_NO,
)
# One may have many favourites, each of another kind: by themselves they are the wrong one.
_OF_TASTE = "favourite"
# An amount or a habit is told; the facts about it are not its number.
_AMOUNT = re.compile(
    r"\bhow much\b|\bhow often (?:do|does|am|is|are)\b|多少钱|多久.{0,6}一次", re.IGNORECASE
)
# Where a plan or an event stands, whatever words the question has for it.
_ALWAYS = {Kind.WHEN: "took_place_on", Kind.YES_NO: "plans"}


def is_surest(read: Understood, proposal: Proposal, facts: Sequence[Fact]) -> bool:
    """Tell whether an answer is more than its turns tell: a count, an order, what holds of many.

    The rest are values that were told as such. Those the turns' own wording answers better: with
    it stand the words around them, which a fact of one property has not.

    Args:
        facts: All that were read for the question.
    """
    if proposal.certain or read.kind in _ONLY_WORKED_OUT:
        return True
    if read.kind is Kind.WHEN:
        return len(proposal.facts) > 1  # two dates were told of it: both are to be shown
    if not all(fact.single_valued for fact in proposal.facts):
        return False
    first = proposal.facts[0]
    told = {
        normalise(fact.value)
        for fact in facts
        if (fact.subject_id, fact.property) == (first.subject_id, first.property)
    }
    return len(told) > 1 or not first.property.startswith(_OF_TASTE)


def propose(
    read: Understood, facts: Sequence[Fact], *, as_of_ms: int, that: str = ""
) -> list[Proposal]:
    """Work out what the judged facts answer, the most fitting first.

    Args:
        read: The question.
        facts: Judged facts of whom the question is about; all of them, so that none is missed.
        as_of_ms: The UTC instant that "now" means for the question.
        that: The answer before, which a follow-up question points back to.
    """
    work_out = _WAYS.get(read.kind)
    if work_out is None:
        return [] if _IN_ENGLISH.search(read.question) else _told_alike(read, facts)
    proposals = []
    for name in _properties(read, facts):
        group = [fact for fact in facts if fact.property == name]
        for subject_id in dict.fromkeys(fact.subject_id for fact in group):
            own = tuple(fact for fact in group if fact.subject_id == subject_id)
            proposal = work_out(Puzzle(read, own, tuple(facts), as_of_ms, that))
            if proposal is not None:
                proposals.append(proposal)
    return _with_told_times(read, facts, proposals) if read.kind is Kind.WHEN else proposals


def _with_told_times(
    read: Understood, facts: Sequence[Fact], worked_out: list[Proposal]
) -> list[Proposal]:
    """Put what was told in the question's own words before what only its property fits."""
    first = [one for one in worked_out if one.how != timing.BEGAN]
    rest = [one for one in worked_out if one.how == timing.BEGAN]
    return [*first, *when_told(read, facts), *rest]


def _told_alike(read: Understood, facts: Sequence[Fact]) -> list[Proposal]:
    """What holds and was told in the question's own words, for questions we cannot read.

    That is those in languages whose question words we do not know ("Wo arbeitet …?").
    """
    found = []
    for fact in facts:
        told = _WORDS.findall(normalise(" ".join(one.quote for one in fact.evidence)))
        shared = sum(any(_begins_alike(word, one) for one in told) for word in read.words)
        holds = fact.status is FactStatus.CURRENT and fact.polarity
        if shared and holds and not timing.names(fact, read):
            found.append((shared, order_ms(fact), fact))
    found.sort(key=lambda one: one[:2], reverse=True)
    return [Proposal(fact.value, (fact,), "told in the same words") for *_, fact in found]


def _begins_alike(a: str, b: str) -> bool:
    """Whether two words are likely forms of one, in a language whose endings we do not know."""
    a = normalise(a)
    return min(len(a), len(b)) >= _STEM_CHARS and a[:_STEM_CHARS] == b[:_STEM_CHARS]


def _properties(read: Understood, facts: Sequence[Fact]) -> list[str]:
    """Which properties the question may be about: by its words, its hints, a value it names.

    First those that it calls by another name: "favourite film" is no other favourite.
    """
    have = dict.fromkeys(fact.property for fact in facts)
    by_name = [name for name in everyday_names(read.question) if name in have]
    by_word = [p for p in have if shares_word(p, read.words)]
    by_hint = [p for hint in read.property_hints[:6] for p in have if is_hinted(p, (hint,))]
    by_hint.sort(key=lambda name: not _is_value_asked(read, facts, name))
    by_value = [f.property for f in facts if read.kind in _BY_VALUE and timing.names(f, read)]
    always = [name for name in (_ALWAYS.get(read.kind),) if name in have]
    return list(
        dict.fromkeys(name for name in (*by_name, *by_word, *by_hint, *by_value, *always) if name)
    )


def _is_value_asked(read: Understood, facts: Sequence[Fact], name: str) -> bool:
    return any(timing.is_value_asked(f, read) for f in facts if f.property == name)


def is_hinted(name: str, hints: Sequence[str]) -> bool:
    """Whether a property is one of these, or a kind of one: favourite_restaurant of favourite."""
    return name in hints or any(name.startswith(f"{hint}_") for hint in hints)


def shares_word(name: str, words: Sequence[str]) -> bool:
    """Whether a property's name has one of these words in some form."""
    own = [part for part in name.split("_") if part not in ("in", "at", "on", "went", "from")]
    return any(same_stem(part, word.casefold()) for part in own for word in words if word.isascii())


def _current(puzzle: Puzzle) -> Proposal | None:
    read, facts = puzzle.read, _on_topic(puzzle.read, puzzle.facts)
    contested = [fact for fact in facts if fact.status is FactStatus.CONTESTED]
    holding = contested or [
        f for f in facts if f.status is FactStatus.CURRENT and is_positive(f) == _is_liking(f)
    ]
    if read.kind is Kind.AT_TIME and not holding:
        holding = [f for f in facts if timing.begins_in(f, read) and f.polarity]
    if not holding:
        return None
    newest = sorted(holding, key=order_ms, reverse=True)
    distinct = list({normalise(fact.value): fact for fact in reversed(newest)}.values())[::-1]
    if distinct[0].single_valued and not contested:
        distinct = distinct[:1]
    shown = distinct[:MAX_LISTED]
    how = "sides that conflict" if contested else "what holds then"
    return Proposal(joined([fact.value for fact in shown], read.language), tuple(shown), how)


def _on_topic(read: Understood, facts: Sequence[Fact]) -> list[Fact]:
    """Leave out, of many values, those that tell nothing of what else the question names.

    "What does she love about her garden?" is not answered by all that she loves. The words before
    the verb name the kind of answer ("which instruments does …"), and need not be told.
    """
    if not facts or facts[0].single_valued:
        return list(facts)
    name = facts[0].property
    asked = _AUXILIARY.split(read.question, maxsplit=1)[-1].casefold()
    topic = [
        word
        for word in read.words
        if word.casefold() in asked
        and not shares_word(name, (word,))
        and not is_hinted(name, hint_properties(word, ()))
    ]
    if not topic:
        return list(facts)
    return [
        fact
        for fact in facts
        if is_on_topic(" ".join([fact.value, *(e.quote for e in fact.evidence)]), topic)
    ]


def _is_liking(fact: Fact) -> bool:
    """A dislike that holds is "not positive" in the order of likes, and is what was asked for."""
    return fact.property not in ("dislikes", "hates", "does_not_like")


def _before(puzzle: Puzzle) -> Proposal | None:
    return _neighbour(puzzle, step=-1)


def _after(puzzle: Puzzle) -> Proposal | None:
    return _neighbour(puzzle, step=1)


def _neighbour(puzzle: Puzzle, *, step: int) -> Proposal | None:
    """The value beside the one that "that" means or the question names, else the newest."""
    ordered = history.runs(puzzle.facts)
    if not ordered or not ordered[0].first.single_valued:
        return None
    pointed = [i for i, run in enumerate(ordered) if _is_in(run.first.value, puzzle.that)]
    named = [i for i, run in enumerate(ordered) if _is_in(run.first.value, puzzle.read.question)]
    place = [len(ordered) - 1, *named, *pointed][-1]
    if not 0 <= place + step < len(ordered):
        return None
    there, here = ordered[place + step].first, ordered[place].first
    how = "the value before" if step < 0 else "the value after"
    return Proposal(there.value, (there, here), how)


def _is_in(value: str, text: str) -> bool:
    return normalise(value) in normalise(text)


def _count(puzzle: Puzzle) -> Proposal | None:
    read = puzzle.read
    if _AMOUNT.search(read.question):
        return None
    counted = {
        (normalise(fact.value), _day(fact)): fact
        for fact in puzzle.facts
        if fact.polarity
        and fact.modality is Modality.ASSERTED
        and fact.status is not FactStatus.REJECTED
        and (not read.spans or timing.begins_in(fact, read))
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


def _who(puzzle: Puzzle) -> Proposal | None:
    """The subjects of facts whose value the question names; else who is that to whom it names."""
    read, holding = puzzle.read, (FactStatus.CURRENT, FactStatus.CONTESTED)
    named = [
        fact
        for fact in puzzle.facts
        if fact.status in holding and fact.polarity and timing.is_value_asked(fact, read)
    ]
    # Who is named is not who is asked for: "Who got Mira to run?"
    others = [fact for fact in named if fact.subject_id not in read.entity_ids]
    if others:
        subjects = list(dict.fromkeys(fact.subject for fact in others))
        return Proposal(joined(subjects, read.language), tuple(others), "whose fact it is")
    if named:
        return None
    is_named = any(fact.subject_id in read.entity_ids for fact in puzzle.facts)
    return _current(puzzle) if is_named else None


def _yes_or_no(puzzle: Puzzle) -> Proposal | None:
    """Yes where what the question names holds, or once did; no where it was denied or ended."""
    read = puzzle.read
    named = [f for f in puzzle.facts if timing.names(f, read)]
    once = [f for f in named if _was_so(f)]
    if once and _ASKS_PAST.search(read.question):
        return Proposal(_yes(read), tuple(once), "it was so")
    denied = [f for f in named if not f.polarity and f.status is FactStatus.CURRENT]
    if denied:
        plans = [
            fact
            for fact in puzzle.facts
            if fact.modality is Modality.PLANNED and timing.is_value_asked(fact, read)
        ]
        facts = (*denied, *plans)
        certain = _is_asked_outright(read, denied[0])
        return Proposal(_no(read), facts, "it was denied or called off", certain=certain)
    held = [f for f in named if f.status is FactStatus.CURRENT and f.property != "plans"]
    return Proposal(_yes(read), tuple(held), "it holds") if held else None


def _was_so(fact: Fact) -> bool:
    real = fact.modality is Modality.ASSERTED and fact.status is not FactStatus.REJECTED
    return real and fact.polarity and fact.property != "plans"


def _is_asked_outright(read: Understood, fact: Fact) -> bool:
    """Whether the question asks for the property itself, not only of something by that name."""
    return fact.property == "plans" or is_hinted(fact.property, read.property_hints[:6])


def _yes(read: Understood) -> str:
    return "是" if read.language == "zh" else "Yes"


def _no(read: Understood) -> str:
    return "没有" if read.language == "zh" else "No"


_WAYS: dict[Kind, Callable[[Puzzle], Proposal | None]] = {
    Kind.BEFORE: _before,
    Kind.AFTER: _after,
    Kind.WHEN: timing.when,
    Kind.CHANGED: timing.changed,
    Kind.HOW_MANY: _count,
    Kind.HOW_LONG: timing.how_long,
    Kind.WHO: _who,
    Kind.YES_NO: _yes_or_no,
    Kind.CURRENT: _current,
    Kind.AT_TIME: _current,
    Kind.LIST: _current,
}
