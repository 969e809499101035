"""Which people may be one: listed for the user, who merges them or tells them apart."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from apexmem_desktop.building.alike import is_phone, name_words, why_alike
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.domain.names import normalise
from apexmem_desktop.domain.owner import OWNER, means_owner
from apexmem_desktop.domain.people import Proposal
from apexmem_desktop.services.owner import remembered_owner
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, senders
from apexmem_desktop.storage.entity_links import find_standing
from apexmem_desktop.storage.same_links import APART
from apexmem_desktop.storage.vault import Connection

_MOST_PEOPLE = 5000
_LONGEST_BUCKET = 40  # a name that so many share tells nobody apart
_TAIL_DIGITS = 7


def find_proposals(ws: Workspace) -> tuple[Proposal, ...]:
    """List pairs of senders who may be one person, and whom nobody ruled on yet.

    Two who speak in one chat are two, unless they bear one number: a chat has names of its own.
    """
    owner = remembered_owner(ws)
    with ws.vault.read() as db:
        speaking = senders.find_speaking(db)
        formats = senders.find_chat_formats(db)
        people = entities.find_entities_by_ids(db, sorted(speaking))[:_MOST_PEOPLE]
        apart = _told_apart(db, people)
        found = []
        for a, b in _pairs(people, owner):
            why = _why(a, b, owner, together=bool(speaking[a.id] & speaking[b.id]))
            if why and frozenset((a.id, b.id)) not in apart:
                of = tuple(
                    tuple(sorted({formats[chat] for chat in speaking[one.id]})) for one in (a, b)
                )
                found.append(Proposal(a, b, (of[0], of[1]), why))
    return tuple(found)


def _pairs(people: Sequence[Entity], owner: str) -> Iterator[tuple[Entity, Entity]]:
    """Pair those who share a word of a name, an address or the end of a number, each pair once."""
    buckets: dict[str, list[Entity]] = {}
    for one in people:
        for mark in _marks(one, owner):
            buckets.setdefault(mark, []).append(one)
    seen: set[tuple[int, int]] = set()
    for bucket in buckets.values():
        if len(bucket) > _LONGEST_BUCKET:
            continue
        for a, b in combinations(sorted(bucket, key=lambda one: one.id), 2):
            if (a.id, b.id) not in seen:
                seen.add((a.id, b.id))
                yield a, b


def _marks(one: Entity, owner: str) -> set[str]:
    marks: set[str] = set()
    for name in (one.name, *one.aliases):
        if is_phone(name):
            marks.add("".join(char for char in name if char.isdecimal())[-_TAIL_DIGITS:])
        elif "@" in name:
            marks.add(name.casefold())
        else:
            marks |= {*name_words(name), f"={normalise(name)}"}
        if means_owner(name) or name == owner:
            marks.add(OWNER)
    return marks


def _why(a: Entity, b: Entity, owner: str, *, together: bool) -> str:
    names = ((a.name, *a.aliases), (b.name, *b.aliases))
    if together:
        names = tuple(tuple(filter(is_phone, some)) for some in names)  # type: ignore[assignment]
    elif owner and any(means_owner(x.name) and y.name == owner for x, y in ((a, b), (b, a))):
        return f"you said that you are {owner}"
    return why_alike(*names)


def _told_apart(db: Connection, people: Sequence[Entity]) -> set[frozenset[int]]:
    """List the pairs that were told apart, by the numbers that stand for them."""
    stands = {number: one.id for one in people for number, _ in entities.find_members(db, one.id)}
    links = find_standing(db, list(stands), kind=APART)
    return {frozenset((stands.get(link.a, link.a), stands.get(link.b, link.b))) for link in links}
