"""What a memory ought to know, kept beside it by other means: lists that only grow, and loops.

Nothing here reads the vault. `Ledger` is told each thing that is done; `Ledger.answers` works out
what the memory should say of an instant in the world, by what was known at another.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tests.recall.slow_reference import Told, answer, surely

Pair = frozenset[int]


@dataclass(frozen=True, slots=True)
class Known:
    """A thing told, with who it is about and when it was recorded; the subject is as told then."""

    told: Told
    recorded_ms: int
    value_entity: int | None = None
    again: tuple[tuple[int, int], ...] = ()  # when it was said again, and when that was recorded

    def by_then(self, known_ms: int) -> Told:
        """Give it as it was told by what was recorded until then: since the first saying of it."""
        said = [at for at, recorded_ms in self.again if recorded_ms <= known_ms]
        return replace(self.told, said=min([self.told.said, *said]))


@dataclass(slots=True)
class RuledOn:
    """A ruling on a fact, and when it was taken back."""

    fact_id: int
    kind: str
    since_ms: int
    until_ms: int | None = None


@dataclass(slots=True)
class Decision:
    """What the user did at once, so that undo takes back all of it."""

    ruled: list[RuledOn] = field(default_factory=list)
    joined: frozenset[Pair] | None = None  # the merges that stood after it; None: no change
    before: frozenset[Pair] = frozenset()
    new_fact: int | None = None


class Ledger:
    """All that was ever done, in the order it was done."""

    def __init__(self) -> None:
        self.known: list[Known] = []
        self.ruled: list[RuledOn] = []
        self.merges: list[tuple[int, frozenset[Pair]]] = []  # (since when, the pairs that stood)
        self.done: list[Decision] = []
        self.undone: list[Decision] = []

    def joined(self, known_ms: int) -> frozenset[Pair]:
        """Give the merges that stood for one who knew what was recorded by then."""
        found: frozenset[Pair] = frozenset()
        for since_ms, pairs in self.merges:
            if since_ms <= known_ms:
                found = pairs
        return found

    def find(self, fact_id: int) -> Known:
        return next(one for one in self.known if one.told.id == fact_id)

    def say_again(self, fact_id: int, said_ms: int, at_ms: int) -> None:
        """Take note of more proof of a fact."""
        old = self.find(fact_id)
        new = replace(old, again=(*old.again, (said_ms, at_ms)))
        self.known[self.known.index(old)] = new

    def rule(self, fact_id: int, kind: str, at_ms: int) -> None:
        """Take note of a ruling on a fact."""
        self._decide(Decision([self._rule(fact_id, kind, at_ms)]))

    def correct(self, fact_id: int, new_id: int, value: str, at_ms: int) -> None:
        """Take note of a correction: the new fact stands where the old one stood."""
        was = self.find(fact_id).by_then(at_ms)
        start = was.start
        if not was.fixed:
            by = surely(was)
            earliest = None if start is None or start[0] is None else min(start[0], by)
            start = (earliest, by if start is None else min(by, start[1]))
        told = replace(was, id=new_id, value=value, said=at_ms, start=start, replaces=fact_id)
        self.known.append(Known(told, at_ms))
        ruled = [self._rule(fact_id, "correct", at_ms), self._rule(new_id, "confirm", at_ms)]
        self._decide(Decision(ruled, new_fact=new_id))

    def merge(self, a: int, b: int, at_ms: int) -> None:
        """Take note of a merge that was done."""
        before = self.joined(at_ms)
        self._join(Decision(joined=before | {frozenset((a, b))}, before=before), at_ms)

    def split(self, one: int, at_ms: int) -> None:
        """Take note of a split: no merge of this one stands any more."""
        before = self.joined(at_ms)
        kept = frozenset(pair for pair in before if one not in pair)
        self._join(Decision(joined=kept, before=before), at_ms)

    def undo(self, at_ms: int) -> None:
        """Take back the newest decision that stands."""
        decision = self.done.pop()
        for ruling in decision.ruled:
            ruling.until_ms = at_ms
        if decision.joined is not None:
            self.merges.append((at_ms, decision.before))
        if decision.new_fact is not None:
            decision.ruled.append(self._rule(decision.new_fact, "reject", at_ms))
        self.undone.append(decision)

    def redo(self, at_ms: int) -> None:
        """Make the decision that was taken back last anew."""
        decision = self.undone.pop()
        again = Decision(
            [
                self._rule(ruling.fact_id, ruling.kind, at_ms)
                for ruling in decision.ruled
                if not (decision.new_fact == ruling.fact_id and ruling.kind == "reject")
            ],
            decision.joined,
            decision.before,
            decision.new_fact,
        )
        for ruling in decision.ruled:
            if ruling.until_ms is None:
                ruling.until_ms = at_ms
        if decision.joined is not None:
            self.merges.append((at_ms, decision.joined))
        self.done.append(again)

    def answers(self, at: int, known_ms: int) -> dict[int, str]:
        """Tell what each fact is at an instant of the world, by what was known at another."""
        pairs = self.joined(known_ms)
        told = [
            replace(
                one.by_then(known_ms),
                subject=stands_for(one.told.subject, pairs),
                value=one.told.value
                if one.value_entity is None
                else f"entity {stands_for(one.value_entity, pairs)}",
            )
            for one in self.known
            if one.recorded_ms <= known_ms
        ]
        return answer(told, self.standing(known_ms), at)

    def standing(self, known_ms: int) -> dict[int, str]:
        """Give the newest ruling on each fact that was not taken back by then."""
        return {
            ruling.fact_id: ruling.kind
            for ruling in self.ruled
            if ruling.since_ms <= known_ms
            and (ruling.until_ms is None or ruling.until_ms > known_ms)
        }

    def _rule(self, fact_id: int, kind: str, at_ms: int) -> RuledOn:
        self.ruled.append(RuledOn(fact_id, kind, at_ms))
        return self.ruled[-1]

    def _join(self, decision: Decision, at_ms: int) -> None:
        assert decision.joined is not None
        self.merges.append((at_ms, decision.joined))
        self._decide(decision)

    def _decide(self, decision: Decision) -> None:
        self.done.append(decision)
        self.undone.clear()


def stands_for(number: int, pairs: Iterable[Pair]) -> int:
    """Give the oldest of all that pairs join with an entity, walking until nobody new is met."""
    met, front = {number}, {number}
    every = list(pairs)
    while front:
        front = {n for pair in every if pair & front for n in pair} - met
        met |= front
    return min(met)
