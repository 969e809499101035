"""Answers about time that are worked out from judged facts: when, since when, for how long."""

import re
from collections.abc import Sequence

from apexmem_desktop.agent.proposal import Proposal, Puzzle
from apexmem_desktop.agent.wording import began, joined
from apexmem_desktop.chronology import spell
from apexmem_desktop.domain.graph import Fact, FactStatus, Modality
from apexmem_desktop.domain.interval import Bound, Precision
from apexmem_desktop.domain.wall import WallClock, clock_of
from apexmem_desktop.recall import history
from apexmem_desktop.recall.holding import order_ms
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.vocabulary import same_stem, synonyms
from apexmem_desktop.storage.names import normalise

_DAY_MS = 86_400_000
BEGAN = "when it began"
_WEEK_DAYS, _YEAR_DAYS = 7, 365
# From so many days up to so many a stretch is easier to grasp in weeks.
_SHOWN_IN_WEEKS = range(15, 60)
# A cause and the stop that it made are told within so many days of each other.
_CAUSE_DAYS = 7
_WORDS = re.compile(r"[^\W_]+")
_STOP = re.compile(
    r"\b(?:stop\w*|quit\w*|paus\w*|gave up|giv\w+ up|break from|without|off|end(?:ed)?"
    r"|no longer|unable|not able)\b|停|戒|不再|不能|没法",
    re.IGNORECASE,
)
AGAIN = re.compile(r"\bagain\b|\bresum|重新|又", re.IGNORECASE)


_OUT = (FactStatus.PAST, FactStatus.REJECTED)


def when(puzzle: Puzzle) -> Proposal | None:
    """The dates that were told of an event; else when what the question names began or stopped."""
    read = puzzle.read
    dates = [f for f in puzzle.facts if f.property == "took_place_on" and _is_asked(f, read)]
    # A date that was ruled against, or gave way to another, is no side any more.
    dates = [f for f in dates if f.status not in _OUT] or dates
    if dates:
        distinct = list({normalise(fact.value): fact for fact in dates}.values())
        values = [fact.value for fact in distinct]
        return Proposal(joined(values, read.language), tuple(distinct), "the dates that were told")
    if _STOP.search(read.question) and not AGAIN.search(read.question):
        stop = _stopped(puzzle)
        if stop is not None:
            return stop
    dated = [fact for fact in _asked_or_only(puzzle) if is_dated(fact)]
    if not dated:
        return None
    first = max(dated, key=order_ms) if AGAIN.search(read.question) else min(dated, key=order_ms)
    return Proposal(began(first, read.language), (first,), BEGAN)


def changed(puzzle: Puzzle) -> Proposal | None:
    """The last change of a value, from what to what; without two values there is none."""
    language = puzzle.read.language
    for change in reversed(history.changes(puzzle.facts)):
        before, after = change.before, change.after
        if before is None or after is None:
            continue
        day = began(after, language)
        if after.valid_from.precision is Precision.UNKNOWN:
            day = spell.spell_bound(change.when, clock_of(after.evidence), language)
        if language == "zh":
            return Proposal(f"{day}，从{before.value}变成{after.value}", (after, before), "changed")
        told = f"{day}, from {before.value} to {after.value}"
        return Proposal(told, (after, before), "when it changed")
    return None


def how_long(puzzle: Puzzle) -> Proposal | None:
    """From a stop to its end where the question asks for one, else from a value's start on."""
    if _STOP.search(puzzle.read.question):
        return _pause(puzzle)
    held = [fact for fact in _asked_or_only(puzzle) if is_dated(fact)]
    if not held:
        return None
    newest = max(held, key=order_ms)
    end = newest.effective_to
    end_ms = puzzle.as_of_ms if end is None else _middle(end)
    return _lasting(puzzle, newest.valid_from, end_ms, (newest,), "from its start to its end")


def begins_in(fact: Fact, read: Understood) -> bool:
    """Whether the question's time and the fact's start overlap."""
    start, end = fact.valid_from.earliest_ms, fact.valid_from.latest_ms
    if start is None or end is None:
        return False
    return any(start < span.end_ms and end >= span.start_ms for span in read.spans)


def names(fact: Fact, read: Understood) -> bool:
    """Whether the question names a fact's value, in full or by another word for the same."""
    value, question = normalise(fact.value), normalise(read.question)
    if not value:
        return False
    if not value.isascii():
        return value in question
    if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", question):
        return True
    return any(same_stem(value, other) for word in read.words for other in (word, *synonyms(word)))


def is_value_asked(fact: Fact, read: Understood) -> bool:
    """Whether the question names a fact's value, or any word of it in some form."""
    if names(fact, read):
        return True
    words = [w.casefold() for w in _WORDS.findall(fact.value) if len(w) > 2]
    asked = [w.casefold() for w in read.words]
    return any(same_stem(a, b) for a in words for b in asked)


def _is_asked(fact: Fact, read: Understood) -> bool:
    """Whether the question names what a fact is about."""
    if fact.subject_id in read.entity_ids:
        return True
    own = [w for w in _WORDS.findall(fact.subject) if len(w) > 2]
    return any(same_stem(a, b) for a in own for b in read.words)


def _asked_or_only(puzzle: Puzzle) -> list[Fact]:
    """Give what was so of what the question names; of anything, where there is but one value."""
    was_so = [f for f in puzzle.facts if f.polarity and f.modality is Modality.ASSERTED]
    named = [fact for fact in was_so if is_value_asked(fact, puzzle.read)]
    if named or len({normalise(fact.value) for fact in puzzle.facts}) > 1:
        return named
    return was_so


def _stopped(puzzle: Puzzle) -> Proposal | None:
    """When the question's value was said to be over: by a denial, or by a stated end."""
    denied = [f for f in puzzle.facts if not f.polarity and is_value_asked(f, puzzle.read)]
    dated = [fact for fact in denied if is_dated(fact)]
    if dated:
        last = max(dated, key=order_ms)
        return Proposal(began(last, puzzle.read.language), (last,), "when it stopped")
    ended = [f for f in _asked_or_only(puzzle) if f.valid_to is not None]
    if not ended or ended[-1].valid_to is None:
        return None
    told = spell.spell_bound(ended[-1].valid_to, clock_of(ended[-1].evidence), puzzle.read.language)
    return Proposal(told, (ended[-1],), "when it ended")


def _pause(puzzle: Puzzle) -> Proposal | None:
    """From when something was given up to when it was taken up again, else to now."""
    for stop in sorted((f for f in puzzle.facts if not f.polarity), key=order_ms):
        after = [
            fact
            for fact in puzzle.facts
            if fact.polarity
            and normalise(fact.value) == normalise(stop.value)
            and order_ms(fact) > order_ms(stop)
        ]
        cause = _cause(stop, puzzle)
        start = stop.valid_from if cause is None else cause.valid_from
        proof = (stop,) if cause is None else (cause, stop)
        if not after:
            return _lasting(puzzle, start, puzzle.as_of_ms, proof, "from the stop on")
        again = min(after, key=order_ms)
        end_ms = _middle(again.valid_from)
        found = _lasting(puzzle, start, end_ms, (*proof, again), "from the stop to the resumption")
        if found is not None:
            return found
    return None


def _cause(stop: Fact, puzzle: Puzzle) -> Fact | None:
    """Return what the question names as the cause of a stop, where it was told shortly before."""
    asked = [word for word in puzzle.read.words if not same_stem(word, stop.value)]
    for fact in puzzle.beside:
        days = (_middle(stop.valid_from) - _middle(fact.valid_from)) / _DAY_MS
        told = _WORDS.findall(" ".join(one.quote for one in fact.evidence))
        if (
            fact.property == "health"
            and fact.subject_id == stop.subject_id
            and is_dated(fact)
            and 0 <= days <= _CAUSE_DAYS
            and any(same_stem(a, b) for a in told for b in asked)
        ):
            return fact
    return None


def _lasting(
    puzzle: Puzzle, start: Bound, end_ms: int, proof: Sequence[Fact], how: str
) -> Proposal | None:
    start_ms, wall = _middle(start), clock_of(proof[0].evidence)
    if end_ms - start_ms < _DAY_MS:
        return None
    return Proposal(spell_length(start_ms, end_ms, wall, puzzle.read.language), tuple(proof), how)


def spell_length(start_ms: int, end_ms: int, wall: WallClock, language: str) -> str:
    """Say how long lies between two instants, by the calendar of a clock on the wall."""
    # By the calendar: a change of clocks in between takes no day away.
    days = round((wall.local_ms(end_ms) - wall.local_ms(start_ms)) / _DAY_MS)
    if days >= _YEAR_DAYS:
        return spell.spell_lasting(start_ms, end_ms, wall, language)
    told = spell.spell_duration(days * _DAY_MS, language)
    if days not in _SHOWN_IN_WEEKS or days % _WEEK_DAYS == 0:
        return told
    weeks = spell.spell_duration(round(days / _WEEK_DAYS) * _WEEK_DAYS * _DAY_MS, language)
    return f"{told}（约{weeks}）" if language == "zh" else f"{told} (about {weeks})"


def is_dated(fact: Fact) -> bool:
    """Tell whether it was told when the fact began."""
    return fact.valid_from.precision is not Precision.UNKNOWN


def _middle(bound: Bound) -> int:
    known = [ms for ms in (bound.earliest_ms, bound.latest_ms) if ms is not None]
    return sum(known) // len(known) if known else 0
