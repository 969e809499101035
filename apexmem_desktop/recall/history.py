"""When something changed, from what to what. Pure: works on facts that `holding.judge` has seen."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.domain.graph import Fact, FactStatus, Modality
from apexmem_desktop.domain.interval import Bound, TimeSource
from apexmem_desktop.domain.values import order, value_key
from apexmem_desktop.recall.holding import is_positive, order_ms, stop_ms, topic_of


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a property.

    Attributes:
        before: The last fact of the old value; None where something began that had been ended.
        after: The first fact of the new value; None where the old value ended and none followed.
        when: Between which instants it changed.
    """

    subject: str
    property: str
    before: Fact | None
    after: Fact | None
    when: Bound


@dataclass(frozen=True, slots=True)
class Run:
    """One value for as long as it held without a break; its facts in valid-time order."""

    facts: tuple[Fact, ...]

    @property
    def first(self) -> Fact:
        """The fact it began with."""
        return self.facts[0]

    @property
    def last(self) -> Fact:
        """The fact it was last said by."""
        return self.facts[-1]

    @property
    def ended(self) -> Bound | None:
        """When it ended, by whoever says it held longest; None while it holds."""
        return _latest_end(self.facts)


def runs(facts: Sequence[Fact]) -> list[Run]:
    """Join judged facts of the same value that nothing ended between, oldest first.

    Plans, imaginings, denials, and what the user rejected or decided against are no values that
    anything had.
    """
    open_runs: dict[tuple[int, str, str], list[Fact]] = {}
    finished: list[list[Fact]] = []
    for fact in sorted(filter(_had_it, facts), key=lambda f: (order_ms(f), f.id)):
        key = (fact.subject_id, topic_of(fact), value_key(fact))
        current = open_runs.get(key)
        if current is not None and not _broken(current, fact):
            current.append(fact)
            continue
        open_runs[key] = [fact]
        finished.append(open_runs[key])
    return [Run(tuple(run)) for run in finished]


def direction(change: Change) -> int | None:
    """Tell whether a value became more (1) or less (-1); None where that cannot be said."""
    before, after = change.before, change.after
    if before is None or after is None:
        return None
    return order(after.value, before.value, after.value_type)


def changes(facts: Sequence[Fact]) -> list[Change]:
    """Find every change among judged facts, oldest first.

    In a single-valued property the next value follows the one before. In a many-valued one a
    value only ends, and may begin again.
    """
    groups: dict[tuple[int, str], list[Run]] = defaultdict(list)
    for run in runs(facts):
        groups[run.first.subject_id, topic_of(run.first)].append(run)
    found = [
        change
        for group in groups.values()
        for change in (_in_turn(group) if group[0].first.single_valued else _apart(group))
    ]
    return sorted(found, key=_when_ms)


def _in_turn(group: Sequence[Run]) -> list[Change]:
    found: list[Change] = []
    for index, run in enumerate(group):
        following = group[index + 1] if index + 1 < len(group) else None
        ended = run.ended
        if following is None:
            found += [_ended(run.last, ended)] if ended is not None else []
        elif ended is not None and _gap(ended, following.first):
            found += [_ended(run.last, ended)]
            found += [_began(following.first)]
        elif order_ms(following.first) > order_ms(run.last):
            found += [_followed(run.last, following.first, ended or following.first.valid_from)]
    return found


def _apart(group: Sequence[Run]) -> list[Change]:
    found: list[Change] = []
    seen: set[str] = set()
    for run in group:
        if value_key(run.first) in seen:
            found.append(_began(run.first))
        seen.add(value_key(run.first))
        if run.ended is not None:
            found.append(_ended(run.last, run.ended))
    return found


def _ended(before: Fact, when: Bound) -> Change:
    return Change(before.subject, before.property, before, None, when)


def _began(after: Fact) -> Change:
    return Change(after.subject, after.property, None, after, after.valid_from)


def _followed(before: Fact, after: Fact, when: Bound) -> Change:
    return Change(after.subject, after.property, before, after, when)


def _had_it(fact: Fact) -> bool:
    real = fact.modality in (Modality.ASSERTED, Modality.NEGATED)
    standing = fact.status is not FactStatus.REJECTED and not _never_held(fact)
    return real and standing and is_positive(fact)


def _never_held(fact: Fact) -> bool:
    """Tell whether another took its place as it began: the user's word settled a conflict."""
    ended = fact.effective_to
    if ended is None or ended.source is not TimeSource.NEXT_VALUE or ended.latest_ms is None:
        return False
    return ended.latest_ms <= order_ms(fact)


def _latest_end(facts: Sequence[Fact]) -> Bound | None:
    ends = [fact.effective_to for fact in facts]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        return None
    return max(known, key=lambda end: (stop_ms(end) is None, stop_ms(end) or 0))


def _broken(before: Sequence[Fact], after: Fact) -> bool:
    """Tell whether the value ended between facts that say it."""
    ended = _latest_end(before)
    if ended is None:
        return False
    last = stop_ms(ended)
    return last is None or last <= order_ms(after)


def _gap(ended: Bound | None, after: Fact) -> bool:
    """Tell whether the old value had ended on its own before the new one began."""
    began = after.valid_from
    if ended is None or ended.latest_ms is None or began.earliest_ms is None:
        return False
    return ended.latest_ms < began.earliest_ms


def _when_ms(change: Change) -> int:
    known = [m for m in (change.when.latest_ms, change.when.earliest_ms) if m is not None]
    return known[0] if known else 0
