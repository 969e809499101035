"""Which entities the links make one, and which links must give way.

Joining is never blind: what a rule or a model takes for the same joins two groups only where each
of the one is linked with each of the other. A=B and B=C alone leave A and C two: the link that
would join them is unproven, and held back until something says that A is C. Whom the user joined
counts as one, and a merge of the user's speaks for all that it brought together when it was made.

The user's word goes before any rule's or model's; among those, older evidence goes before newer. A
link that must give way stays stored and is held back: it counts again when what stood against it is
taken back.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

SAME, APART = "same_as", "not_same_as"
USER = "user"


@dataclass(frozen=True, slots=True)
class Link:
    """One stored link between two entities.

    Attributes:
        by: "rule", "model" or "user".
        undoes_id: Set on a row that only takes another row back, be that a link or a taking back.
    """

    id: int
    a: int
    b: int
    kind: str
    by: str
    reason: str
    undoes_id: int | None
    recorded_at_ms: int


@dataclass(frozen=True, slots=True)
class Settled:
    """What links come to.

    Attributes:
        canon: Each entity, and the oldest of those that it is one with.
        held: Links that do not count now, by number, with the link each gives way to.
        unproven: Links that do not count either: each would make one of two, by their numbers, of
            whom nothing says that they are.
    """

    canon: dict[int, int]
    held: dict[int, Link] = field(default_factory=dict)
    unproven: dict[int, tuple[int, int]] = field(default_factory=dict)


def standing_rows(links: Iterable[Link]) -> dict[int, Link]:
    """Keep the rows that no standing row takes back; rows that take others back among them."""
    rows = sorted(links, key=lambda link: link.id)
    undone: set[int] = set()
    kept = []
    for row in reversed(rows):  # a row is only ever taken back by a later one
        if row.id in undone:
            continue
        kept.append(row)
        if row.undoes_id is not None:
            undone.add(row.undoes_id)
    return {row.id: row for row in reversed(kept)}


def standing(links: Iterable[Link]) -> list[Link]:
    """List the links proper that stand, oldest first."""
    return [link for link in standing_rows(links).values() if link.undoes_id is None]


def settle(ids: Iterable[int], links: Iterable[Link]) -> Settled:
    """Join entities as far as the links allow; links with an end outside `ids` do not count.

    Args:
        links: All rows, those that were taken back and those that take back among them.
    """
    family = {number: {number} for number in ids}
    rows = [k for k in sorted(links, key=lambda k: k.id) if k.a in family and k.b in family]
    for row in rows:
        one, other = family[row.a], family[row.b]
        if row.kind == SAME and one is not other:
            one |= other
            family.update(dict.fromkeys(other, one))
    told: dict[int, list[Link]] = {}
    for row in rows:
        if family[row.a] is family[row.b]:
            told.setdefault(id(family[row.a]), []).append(row)
    found = Settled({number: number for number in family})
    for members in {id(some): some for some in family.values() if len(some) > 1}.values():
        _settle_family(members, told[id(members)], found)
    return found


def _settle_family(members: Collection[int], rows: Sequence[Link], found: Settled) -> None:
    """Settle those whom links ever joined."""
    shown: dict[int, set[frozenset[int]]] = {}
    for at, row in enumerate(rows):
        if row.by == USER and row.kind == SAME and row.undoes_id is None:
            groups = _joined(members, rows[:at], shown).groups
            pairs = product(groups[row.a], groups[row.b])
            shown[row.id] = {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
    joining = _joined(members, rows, shown)
    found.canon.update((number, min(group)) for number, group in joining.groups.items())
    found.held.update(joining.held)
    found.unproven.update(joining.unproven)


def _joined(
    members: Iterable[int], rows: Sequence[Link], shown: Mapping[int, set[frozenset[int]]]
) -> "_Joining":
    """Join a family as its rows say.

    Args:
        shown: Of each merge of the user's, by its number, the pairs that it brought together.
    """
    alive = standing(rows)
    mine = [link for link in alive if link.by == USER]
    proven = {frozenset((link.a, link.b)) for link in alive if link.kind == SAME}
    proven.update(*(shown[link.id] for link in mine if link.kind == SAME))
    joining = _Joining(members)
    for link in (*(k for k in mine if k.kind == APART), *(k for k in mine if k.kind == SAME)):
        joining.add(link)
    joining.prove(proven)
    for link in alive:
        if link.by != USER:
            joining.add(link)
    return joining


class _Joining:
    """Groups of entities that grow."""

    def __init__(self, ids: Iterable[int]) -> None:
        self.groups = {number: {number} for number in ids}
        self.held: dict[int, Link] = {}
        self.unproven: dict[int, tuple[int, int]] = {}
        self._apart: list[Link] = []
        self._joined: dict[frozenset[int], Link] = {}
        self._mine: dict[int, int] = {}  # each, and the least of those that the user made one
        self._proven: set[frozenset[int]] = set()

    def prove(self, pairs: Iterable[frozenset[int]]) -> None:
        """Take these pairs for proven from here on, for all whom the user made one with them."""
        self._mine = {number: min(group) for number, group in self.groups.items()}
        self._proven = {frozenset(self._mine[number] for number in pair) for pair in pairs}

    def add(self, link: Link) -> None:
        """Let a link count, or hold it back."""
        one, other = self.groups[link.a], self.groups[link.b]
        if link.kind == APART:
            if one is other:  # they are one by older evidence
                self.held[link.id] = self._joined.get(frozenset((link.a, link.b)), link)
            else:
                self._apart.append(link)
            return
        against = None if one is other else self._against(one, other)
        missing = None if link.by == USER else next(self._missing(one, other), None)
        if against is not None:
            self.held[link.id] = against
        elif one is not other and missing is not None:
            self.unproven[link.id] = missing
            return
        elif one is not other:
            one |= other
            self.groups.update(dict.fromkeys(other, one))
        self._joined.setdefault(frozenset((link.a, link.b)), link)

    def _against(self, one: set[int], other: set[int]) -> Link | None:
        """Find the oldest link that keeps two groups apart."""
        found = [
            k for k in self._apart if (k.a in one and k.b in other) or (k.a in other and k.b in one)
        ]
        return min(found, key=lambda link: link.id, default=None)

    def _missing(self, one: set[int], other: set[int]) -> Iterator[tuple[int, int]]:
        """Find the pairs of two groups of which nothing says that they are one."""
        for a, b in product(sorted(one), sorted(other)):
            pair = frozenset((self._mine[a], self._mine[b]))
            if len(pair) > 1 and pair not in self._proven:
                yield min(a, b), max(a, b)
