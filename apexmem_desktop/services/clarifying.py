"""What to clarify: contradictions, names that may be one, dates that can be read two ways.

Each question is decided by a ruling, with the reason kept, and comes back when that is undone.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from apexmem_desktop.chronology.clock import Clock, bound_in
from apexmem_desktop.domain.clarifying import OpenKind, OpenQuestion
from apexmem_desktop.domain.errors import RulingRefusedError
from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.people import Proposal
from apexmem_desktop.domain.rulings import RulingKind, RulingResult, Touched
from apexmem_desktop.domain.wall import clock_of
from apexmem_desktop.recall.holding import (
    LIFELONG,
    OPPOSITES,
    find_conflicts,
    judge,
    rival_names,
)
from apexmem_desktop.services import merging, rulings
from apexmem_desktop.services.browsing import sources
from apexmem_desktop.services.proposals import find_proposals
from apexmem_desktop.services.ruling_log import read_log, write_ruling
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import canon, doubts, entities, entity_links, facts
from apexmem_desktop.storage.rulings import find_rulings
from apexmem_desktop.storage.same_links import APART, SAME, Link, standing
from apexmem_desktop.storage.vault import Connection

_EVERY_FACT = 1_000_000_000
_TOPICS_AT_ONCE = 2000
_MOST_COMPARED = 5000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# "5/6", "05.06.2023": with both numbers up to twelve, day and month can be exchanged.
_NUMBERS = re.compile(r"(?<!\d)(\d{1,2})[./-](\d{1,2})(?:[./-](\d{2}|\d{4}))?(?!\d)")


def open_questions(ws: Workspace, *, limit: int = 200) -> tuple[OpenQuestion, ...]:
    """List what only the user can settle, contradictions first.

    Args:
        limit: At most so many of each kind.
    """
    alike = find_proposals(ws)
    with ws.vault.read() as db:
        conflicts = list(_conflicts(_judged(db, ws.now_ms())))
        dates = list(_dates(db))
        names = list(_same(db, alike))
        settled = _settled_sources(db)
    orders = [
        OpenQuestion(OpenKind.ORDER, f"order-{one.id}", source=one)
        for one in sources(ws)
        if not one.date_order_certain and one.id not in settled
    ]
    return tuple(one for group in (conflicts, names, dates, orders) for one in group[:limit])


def decide(ws: Workspace, question: OpenQuestion, choice: int, *, reason: str = "") -> RulingResult:
    """Settle a question by one of its choices, counted from zero.

    A conflict: that side is right. Two names: 0 they are one, 1 they are two. A date: 0 as it was
    read, 1 with day and month exchanged. An import's order of dates: 0 it was guessed right.

    Raises:
        RulingRefusedError: There is no such choice, or it was settled meanwhile.
    """
    if question.kind is OpenKind.CONFLICT and choice < len(question.sides):
        return rulings.prefer(ws, question.sides[choice].id, reason=reason)
    if question.kind is OpenKind.SAME:
        one, other = question.entities
        rule = merging.merge if choice == 0 else merging.tell_apart
        return rule(ws, one.id, other.id, reason=reason)
    if question.kind is OpenKind.DATE:
        fact = question.sides[0]
        if choice == 0:
            return rulings.confirm(ws, fact.id, reason=reason)
        other_start = question.other_start
        return rulings.correct(ws, fact.id, fact.value, valid_from=other_start, reason=reason)
    if question.kind is OpenKind.ORDER and choice == 0 and question.source is not None:
        return _accept_order(ws, question.source.id, reason)
    raise RulingRefusedError(
        "This cannot be decided so.", hint="Bring the file in again with another order of dates."
    )


def _accept_order(ws: Workspace, source_id: int, reason: str) -> RulingResult:
    with ws.vault.write() as db:
        return write_ruling(
            db,
            RulingKind.CONFIRM,
            f"confirmed the order of dates of import {source_id}",
            Touched(),
            at_ms=ws.now_ms(),
            reason=reason,
            source_id=source_id,
        )


def _settled_sources(db: Connection) -> set[int]:
    log = read_log(db)
    # What was undone and made again stands as a new row, which names the first one.
    rows = [log.get(row.detail["again"]) if "again" in row.detail else row for row in log.standing]
    return {row.detail["source_id"] for row in rows if "source_id" in row.detail}


def _judged(db: Connection, now_ms: int) -> list[Fact]:
    """Judge the facts of which some may contest each other."""
    topics = doubts.find_contestable_topics(db, lifelong=LIFELONG, topics=OPPOSITES)
    judged: list[Fact] = []
    for begin in range(0, len(topics), _TOPICS_AT_ONCE):
        some = topics[begin : begin + _TOPICS_AT_ONCE]
        wanted = [(subject, name) for subject, topic in some for name in rival_names([topic])]
        stored = facts.find_facts(db, topics=wanted, limit=_EVERY_FACT)
        ruled = find_rulings(db, [fact.id for fact in stored])
        judged += judge(stored, as_of_ms=now_ms, rulings=ruled)
    return judged


def _dates(db: Connection) -> Iterator[OpenQuestion]:
    asked = facts.find_facts(db, ids=doubts.find_facts_of_numeric_dates(db), limit=_EVERY_FACT)
    ruled = find_rulings(db, [fact.id for fact in asked])
    for fact in asked:
        if fact.id not in ruled and (question := _date(fact)) is not None:
            yield question


def _conflicts(judged: Sequence[Fact]) -> Iterator[OpenQuestion]:
    for conflict in find_conflicts(judged):
        sides = tuple(sorted(conflict.sides, key=lambda fact: fact.id))
        key = f"conflict-{'-'.join(str(fact.id) for fact in sides)}"
        yield OpenQuestion(OpenKind.CONFLICT, key, property_name=conflict.property, sides=sides)


def _same(db: Connection, alike: Sequence[Proposal]) -> Iterator[OpenQuestion]:
    """Ask of what a model joined, of senders alike, and of names that begin another's."""
    links = standing(canon.read_links(db))
    apart = {frozenset((link.a, link.b)) for link in links if link.kind == APART}
    joined = [link for link in links if _is_doubtful(db, link, apart)]
    known = {e.id: e for e in entities.find_entities(db, limit=_MOST_COMPARED)}
    stands = canon.canonical_ids(db)
    told = {frozenset(stands.get(number, number) for number in pair) for pair in apart}
    for link in joined:
        if stands[link.a] == stands[link.b]:
            yield _pair(_own(db, link.a), _own(db, link.b), joined=True)
    for left, right in _unproven(db, links, stands):
        if frozenset((stands[left], stands[right])) not in told:
            told.add(frozenset((stands[left], stands[right])))
            yield _pair(_own(db, left), _own(db, right), joined=False)
    for one in alike:
        told.add(frozenset((one.first.id, one.second.id)))
        asked = _pair(one.first, one.second, joined=False)
        yield replace(asked, apps=one.formats) if one.first.name == one.second.name else asked
    for short, full in _begins_alike(list(known.values())):
        if frozenset((short.id, full.id)) not in told:
            yield _pair(short, full, joined=False)


def _unproven(
    db: Connection, links: Sequence[Link], stands: Mapping[int, int]
) -> Iterator[tuple[int, int]]:
    """Give the pairs that links would join through others, and nothing else says are one."""
    waiting = sorted(
        {n for k in links if k.kind == SAME and stands[k.a] != stands[k.b] for n in (k.a, k.b)}
    )
    yield from canon.settle_around(db, waiting).unproven.values() if waiting else ()


def _pair(one: Entity, other: Entity, *, joined: bool) -> OpenQuestion:
    low, high = sorted((one, other), key=lambda entity: entity.id)
    key = f"same-{low.id}-{high.id}"
    return OpenQuestion(OpenKind.SAME, key, entities=(low, high), joined=joined)


def _own(db: Connection, number: int) -> Entity:
    """Give an entity by its own name, although another stands for it."""
    stands = entities.get_entity(db, number)
    name = dict(entities.find_members(db, number))[number]
    return Entity(number, name, stands.type, is_speaker=stands.is_speaker)


def _is_doubtful(db: Connection, link: Link, apart: set[frozenset[int]]) -> bool:
    if link.kind != SAME or link.by != "model" or frozenset((link.a, link.b)) in apart:
        return False
    return not entity_links.is_merged_by_user(db, link.a, link.b)


def _begins_alike(known: Sequence[Entity]) -> Iterator[tuple[Entity, Entity]]:
    """Pair each first name with the one full name of that sort that begins with it."""
    full: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for entity in known:
        first, _, rest = entity.name.casefold().partition(" ")
        if rest:
            full[first, entity.type].append(entity)
    for entity in known:
        for other in full.get((entity.name.casefold(), entity.type), ()):
            yield entity, other


def _date(fact: Fact) -> OpenQuestion | None:
    other = exchanged(fact)
    if other is None:
        return None
    return OpenQuestion(
        OpenKind.DATE, f"date-{fact.id}", fact.property, sides=(fact,), other_start=other
    )


def exchanged(fact: Fact) -> Bound | None:
    """Give a fact's start with day and month exchanged; None where its words leave no doubt."""
    start = fact.valid_from
    found = _NUMBERS.search(fact.phrase)
    if found is None or start.precision is not Precision.DAY or start.earliest_ms is None:
        return None
    first, second = int(found[1]), int(found[2])
    if not 1 <= first <= 12 or not 1 <= second <= 12 or first == second:
        return None
    clock = clock_of(fact.evidence).of_bound(start)
    day = clock.day(start.earliest_ms)
    if {day.day, day.month} != {first, second}:
        return None
    other = Clock(start.earliest_ms, clock.offset_minutes, clock.zone)
    span = other.span(other.day(day.replace(day=day.month, month=day.day)), fact.phrase, 0)
    return bound_in(span.start_ms, span.end_ms, Precision.DAY, TimeSource.USER)
