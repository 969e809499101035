"""Looking around in the memory: people, facts, timelines, conversations, search, SQL."""

from collections.abc import Iterable, Mapping, Sequence

from apexmem_desktop.chronology import zones
from apexmem_desktop.domain.answers import SearchResult
from apexmem_desktop.domain.errors import NotFoundError
from apexmem_desktop.domain.graph import Entity, Event, Fact, FactStatus, Modality
from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.reports import (
    ConversationSummary,
    SourceSummary,
    SqlResult,
    TimelineItem,
    VaultStatus,
)
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.recall.holding import order_ms
from apexmem_desktop.recall.lookup import judged_facts, near_entities
from apexmem_desktop.recall.question import understand
from apexmem_desktop.recall.search import hybrid_search
from apexmem_desktop.services.notes import NOTES_FORMAT
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import conversations as stored_conversations
from apexmem_desktop.storage import counts, entities, events, graphsql, jobs, turns
from apexmem_desktop.storage import sources as stored_sources
from apexmem_desktop.storage.facts import quote_facts
from apexmem_desktop.storage.namesakes import find_namesakes
from apexmem_desktop.storage.vault import Connection

_STANDING = (FactStatus.CURRENT, FactStatus.CONTESTED, FactStatus.PLANNED)
_EVERY_EVENT = 100_000
# The type of the events that building/clauses.py makes of plain verbs.
_DEED = "deed"
_PERSON = "person"


def list_entities(
    ws: Workspace,
    *,
    type: str = "",  # noqa: A002
    limit: int = 200,
    matching: str = "",
) -> tuple[Entity, ...]:
    """List the people and things that most is known of.

    Args:
        type: One of the ontology's types; "" for all.
        matching: Part of a name; "" for all.
    """
    with ws.vault.read() as db:
        return tuple(entities.find_entities(db, type=type, limit=limit, matching=matching))


def find_entity(ws: Workspace, name_or_id: str, *, known_at_ms: int | None = None) -> Entity:
    """Find the entity of a name, an alias, a first name, or a number.

    Args:
        known_at_ms: Who it was by what was known then: before a merge the two are two.

    Raises:
        NotFoundError: Nothing is called so, or several are; the hint names what is near.
    """
    wanted = name_or_id.strip()
    with ws.vault.read() as db:
        if wanted.isdecimal():
            return entities.get_entity(db, int(wanted), known_at_ms=known_at_ms)
        named = entities.find_entities_named(db, wanted, known_at_ms=known_at_ms)
        if not named:
            near = near_entities(db, wanted)
            named = [e for e in near if _is_part_of_name(wanted, e)]
            if not named:
                raise NotFoundError(f'Nothing is known of "{wanted}".', hint=_suggest(near))
        return _only(db, wanted, named)


def find_alike(
    ws: Workspace, name_or_id: str, *, known_at_ms: int | None = None
) -> tuple[Entity, list[int]]:
    """Find the entity of a name, and the numbers of all whose facts the name asks for.

    These are several where people of different apps bear the very same name and nobody said yet
    whether they are one. A number means one alone.

    Raises:
        NotFoundError: As `find_entity` does.
    """
    entity = find_entity(ws, name_or_id, known_at_ms=known_at_ms)
    if name_or_id.strip().isdecimal():
        return entity, [entity.id]
    with ws.vault.read() as db:
        return entity, find_namesakes(db, entity, known_at_ms=known_at_ms)


def facts_of(
    ws: Workspace,
    name: str,
    *,
    property: str = "",  # noqa: A002
    as_of_ms: int | None = None,
    known_at_ms: int | None = None,
    history: bool = False,
) -> tuple[Entity, tuple[Fact, ...]]:
    """Tell what holds of an entity, by property, the newest first.

    Args:
        property: Only this property; "" for all.
        as_of_ms: UTC instant to judge for; None for now.
        known_at_ms: Use only what had been recorded by this UTC instant.
        history: Give also what had ended, what had not begun, and what the user rejected.
    """
    entity, numbers = find_alike(ws, name, known_at_ms=known_at_ms)
    at_ms = as_of_ms if as_of_ms is not None else ws.now_ms()
    with ws.vault.read() as db:
        wanted = [
            fact
            for number in numbers
            for fact in judged_facts(
                db,
                number,
                as_of_ms=at_ms,
                known_at_ms=known_at_ms,
                properties=(property,) if property else (),
                with_words=history,  # else most facts are not shown
            )
        ]
        if not history:
            wanted = quote_facts(db, [f for f in wanted if _stands(f, at_ms)])
    return entity, tuple(sorted(wanted, key=lambda f: (f.property, -order_ms(f), -f.id)))


def property_history(
    ws: Workspace,
    entity_id: int,
    property: str,  # noqa: A002
) -> tuple[Fact, ...]:
    """Give every version of one property, the newest first."""
    with ws.vault.read() as db:
        versions = judged_facts(db, entity_id, as_of_ms=ws.now_ms(), properties=(property,))
    return tuple(sorted(versions, key=lambda f: (-order_ms(f), -f.id)))


def timeline_of(
    ws: Workspace,
    name: str,
    *,
    from_ms: int | None = None,
    to_ms: int | None = None,
    as_of_ms: int | None = None,
    known_at_ms: int | None = None,
) -> tuple[Entity, tuple[TimelineItem, ...]]:
    """Give an entity's facts and events in the order they began, what is told by both once.

    A plan that came true or was called off is not on the timeline any more; its history has it.

    Args:
        from_ms: Leave out what had ended before this UTC instant.
        to_ms: Leave out what began at or after this UTC instant.
        as_of_ms: UTC instant to judge facts for; None for now.
        known_at_ms: Use only what had been recorded by this UTC instant.
    """
    entity, numbers = find_alike(ws, name, known_at_ms=known_at_ms)
    at_ms = as_of_ms if as_of_ms is not None else ws.now_ms()
    with ws.vault.read() as db:
        judged = [
            fact
            for number in numbers
            for fact in judged_facts(db, number, as_of_ms=at_ms, known_at_ms=known_at_ms)
        ]
        happened = events.find_events(
            db,
            entity_ids=numbers,
            known_at_ms=known_at_ms,
            limit=_EVERY_EVENT,
        )
        people = _people_in(db, judged, happened, besides=entity.name)
    deeds = {e.id for e in happened if e.type == _DEED}
    items = [
        _fact_item(f, people, is_deed=f.event_id in deeds) for f in judged if _is_on_timeline(f)
    ]
    # What carries a fact of theirs is told by the fact: a purchase stood there twice.
    told = {f.event_id for f in judged}
    untold = (e for e in happened if e.type != "statement" and e.id not in told)
    items += [_event_item(event, people) for event in untold]
    shown = (i for i in items if _touches(i, from_ms, to_ms))
    return entity, tuple(sorted(shown, key=lambda i: (_began_ms(i.start), i.lane, i.label)))


def search(
    ws: Workspace,
    words: str,
    *,
    person: str = "",
    from_ms: int | None = None,
    to_ms: int | None = None,
    limit: int = 20,
    now_ms: int | None = None,
    known_at_ms: int | None = None,
) -> SearchResult:
    """Search turns, facts and entities by words and by meaning.

    Args:
        person: Only turns of this speaker; a first name or an alias will do.
        from_ms: Only turns said at or after this UTC instant.
        to_ms: Only turns said before this UTC instant.
        now_ms: What "last week" among the words is reckoned from; None for the clock.
        known_at_ms: Only what had been imported and recorded by this UTC instant.
    """
    speaker = _speaker_called(ws, person) if person else ""
    now_ms = ws.now_ms() if now_ms is None else now_ms
    with ws.vault.read() as db:
        offset = zones.offset_at(now_ms, ws.zone)
        read = understand(db, words, now_ms=now_ms, offset_minutes=offset, zone=ws.zone)
    return hybrid_search(
        ws.vault,
        ws.searching_embedder(),
        words,
        understood=read,
        person=speaker,
        from_ms=from_ms,
        to_ms=to_ms,
        limit=limit,
        known_at_ms=known_at_ms,
    )


def turns_around(
    ws: Workspace, turn_id: int, *, before: int = 6, after: int = 6
) -> tuple[Turn, ...]:
    """Give a turn with its neighbours in its conversation, in time order.

    Raises:
        NotFoundError: There is no such turn.
    """
    with ws.vault.read() as db:
        turns.get_turn(db, turn_id)
        return tuple(turns.find_turns_around(db, turn_id, before, after))


def conversations(ws: Workspace) -> tuple[ConversationSummary, ...]:
    """List the conversations."""
    with ws.vault.read() as db:
        return tuple(stored_conversations.find_conversations(db))


def conversation_turns(
    ws: Workspace, conversation_id: int, *, limit: int = 500, after_position: int = -1
) -> tuple[Turn, ...]:
    """Give one page of a conversation, in time order."""
    with ws.vault.read() as db:
        return tuple(
            turns.find_conversation_turns(
                db, conversation_id, limit=limit, after_position=after_position
            )
        )


def sources(ws: Workspace) -> tuple[SourceSummary, ...]:
    """List the imports; what the user noted here is none."""
    with ws.vault.read() as db:
        return tuple(one for one in stored_sources.find_sources(db) if one.format != NOTES_FORMAT)


def run_sql(ws: Workspace, sql: str) -> SqlResult:
    """Run one read-only query, with exactly the agent's limits.

    Raises:
        QueryRefusedError: It is not one SELECT, it is wrong, or it ran too long.
    """
    return graphsql.run_select(ws.vault, sql)


def schema_text() -> str:
    """Describe the views a query can use."""
    return graphsql.schema_text()


def status(ws: Workspace) -> VaultStatus:
    """Count what is in the vault."""
    with ws.vault.read() as db:
        queue = jobs.counts(db)
        of = counts.count_all(db)
    return VaultStatus(
        turns=of["turns"],
        sessions=of["sessions"],
        entities=of["entities"],
        facts=of["facts"],
        events=of["events"],
        pending=queue["pending"],
        failed=queue["failed"],
        vault_bytes=ws.vault.size_bytes(),
        encrypted=ws.vault.key is not None,
    )


def _only(db: Connection, wanted: str, named: list[Entity]) -> Entity:
    if len(named) == 1:
        return named[0]
    # Where only one of them speaks or is known of at all, that one is meant.
    known = [e for e in named if e.is_speaker] or [e for e in named if e.fact_count]
    known.sort(key=lambda e: (-e.fact_count, e.id))
    if known and {e.id for e in known} <= {*find_namesakes(db, known[0])}:
        return known[0]
    several = ", ".join(f"{e.name} ({e.type}, number {e.id})" for e in named[:5])
    raise NotFoundError(
        f'"{wanted}" can be {len(named)} people or things.', hint=f"Give a number: {several}."
    )


def _suggest(near: Iterable[Entity]) -> str:
    names = ", ".join(e.name for e in near)
    return f"Did you mean: {names}?" if names else "See all names with: apexmem entities"


def _is_part_of_name(wanted: str, entity: Entity) -> bool:
    """Tell whether it is a first or last name: a whole word of the name."""
    word = wanted.casefold()
    return any(word in n.casefold().split() for n in (entity.name, *entity.aliases))


def _speaker_called(ws: Workspace, person: str) -> str:
    """Turn a first name into the name that the turns bear.

    Raises:
        NotFoundError: Nobody of that name speaks, or several do.
    """
    with ws.vault.read() as db:
        speakers = [name for name, _ in turns.find_speakers(db) if name]
        aliases = {
            n.casefold()
            for e in entities.find_entities_named(db, person)
            for n in (e.name, *e.aliases)
        }
    wanted = person.strip().casefold()
    for fits in (
        [s for s in speakers if s.casefold() == wanted or s.casefold() in aliases],
        [s for s in speakers if wanted in s.casefold().split()],
        [s for s in speakers if wanted and wanted in s.casefold()],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise NotFoundError(
                f'"{person}" can be {len(fits)} speakers.', hint=f"Say which: {', '.join(fits)}."
            )
    raise NotFoundError(
        f'Nobody called "{person}" speaks in this memory.',
        hint=f"Those who speak: {', '.join(speakers[:10])}."
        if speakers
        else "Import a chat first.",
    )


def _stands(fact: Fact, at_ms: int) -> bool:
    """Tell whether a judged fact belongs to what holds at that time.

    A plan stands from when it was said. What is only said later is not known to hold yet.
    """
    if fact.status is not FactStatus.PLANNED:
        return fact.status in _STANDING
    if fact.modality in (Modality.ASSERTED, Modality.NEGATED):
        return False
    said = [e.said_at_ms for e in fact.evidence if e.said_at_ms is not None]
    return fact.modality is Modality.PLANNED and (not said or min(said) <= at_ms)


def _is_on_timeline(fact: Fact) -> bool:
    if fact.status is FactStatus.REJECTED:
        return False
    return fact.modality is not Modality.PLANNED or fact.status is FactStatus.PLANNED


def _people_in(
    db: Connection, judged: Sequence[Fact], happened: Sequence[Event], *, besides: str
) -> dict[int, str]:
    """Name the people that facts have as their value, or that took part in events."""
    named = {fact.value_entity_id for fact in judged if fact.value_entity_id is not None}
    named |= {one[0] for event in happened for one in event.participants}
    found = entities.find_names_of_type(db, sorted(named), _PERSON)
    return {number: name for number, name in found.items() if name != besides}


def _fact_item(fact: Fact, people: Mapping[int, str], *, is_deed: bool) -> TimelineItem:
    """Show a fact in its property's lane; all that was done once, each by its verb, in one lane."""
    denied = not fact.polarity or fact.modality is Modality.NEGATED
    label = f"{fact.property.replace('_', ' ')} {fact.value}" if is_deed else fact.value
    return TimelineItem(
        kind="fact",
        lane=_DEED if is_deed else fact.property,
        label=f"not {label}" if denied else label,
        start=fact.valid_from,
        end=fact.effective_to,
        confidence=fact.confidence,
        planned=fact.modality not in (Modality.ASSERTED, Modality.NEGATED),
        contested=fact.status is FactStatus.CONTESTED,
        fact_id=fact.id,
        event_id=fact.event_id,
        evidence=fact.evidence,
        denied=denied,
        people=_named(people, fact.value_entity_id),
        deed=fact.property if is_deed else "",
    )


def _named(people: Mapping[int, str], *ids: int | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(people[n] for n in ids if n is not None and n in people))


def _event_item(event: Event, people: Mapping[int, str]) -> TimelineItem:
    return TimelineItem(
        kind="event",
        lane=event.type,
        label=event.summary,
        start=event.start,
        end=event.end,
        confidence=1.0,
        planned=event.modality not in (Modality.ASSERTED, Modality.NEGATED),
        contested=False,
        fact_id=None,
        event_id=event.id,
        evidence=event.evidence,
        people=_named(people, *(one[0] for one in event.participants)),
    )


def _touches(item: TimelineItem, from_ms: int | None, to_ms: int | None) -> bool:
    if to_ms is not None and _began_ms(item.start) >= to_ms:
        return False
    if from_ms is None or item.end is None:
        # An event without an end is over when its own span is; a fact goes on.
        return from_ms is None or item.kind == "fact" or _latest_ms(item.start) >= from_ms
    return _latest_ms(item.end) >= from_ms


def _began_ms(bound: Bound) -> int:
    known = [m for m in (bound.earliest_ms, bound.latest_ms) if m is not None]
    return known[0] if known else 0


def _latest_ms(bound: Bound) -> int:
    known = [m for m in (bound.latest_ms, bound.earliest_ms) if m is not None]
    return known[0] if known else 0
