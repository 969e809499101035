"""Which entities the links make one, and which links must give way.

Joining is never blind: A=B and B=C make A and C one only while nobody has told A and C apart. The
user's word goes before any rule's or model's; among those, older evidence goes before newer. A link
that must give way stays stored and is held back: it counts again when what stood against it is
taken back.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

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
    """

    canon: dict[int, int]
    held: dict[int, Link] = field(default_factory=dict)


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
    joining = _Joining(ids)
    inside = [k for k in standing(links) if k.a in joining.root and k.b in joining.root]
    mine = [link for link in inside if link.by == USER]
    others = [link for link in inside if link.by != USER]
    for link in (
        *(link for link in mine if link.kind == APART),
        *(link for link in mine if link.kind == SAME),
        *others,
    ):
        joining.add(link)
    return Settled({number: joining.find(number) for number in joining.root}, joining.held)


class _Joining:
    """Groups of entities that grow; the smallest number stands for its group."""

    def __init__(self, ids: Iterable[int]) -> None:
        self.root = {number: number for number in ids}
        self.held: dict[int, Link] = {}
        self._apart: dict[int, list[Link]] = {}  # by group: the links that keep others from it
        self._joined: dict[frozenset[int], Link] = {}

    def find(self, number: int) -> int:
        while self.root[number] != number:
            self.root[number] = self.root[self.root[number]]
            number = self.root[number]
        return number

    def add(self, link: Link) -> None:
        """Let a link count, or hold it back."""
        low, high = sorted((self.find(link.a), self.find(link.b)))
        if link.kind == APART:
            self._keep_apart(link, low, high)
            return
        against = self._against(low, high)
        if against is not None:
            self.held[link.id] = against
        elif low != high:
            self.root[high] = low
            self._apart.setdefault(low, []).extend(self._apart.pop(high, ()))
        self._joined.setdefault(frozenset((link.a, link.b)), link)

    def _keep_apart(self, link: Link, low: int, high: int) -> None:
        if low == high:  # they are one by older evidence
            self.held[link.id] = self._joined.get(frozenset((link.a, link.b)), link)
            return
        self._apart.setdefault(low, []).append(link)
        self._apart.setdefault(high, []).append(link)

    def _against(self, low: int, high: int) -> Link | None:
        """Find the oldest link that keeps two groups apart."""
        if low == high:
            return None
        near, far = sorted((low, high), key=lambda g: len(self._apart.get(g, ())))
        found = [k for k in self._apart.get(near, ()) if far in (self.find(k.a), self.find(k.b))]
        return min(found, key=lambda link: link.id, default=None)
