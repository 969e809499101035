"""Facts: appended with their proof, never changed; which of them hold is decided by who asks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

from sqlalchemy import Select, func, insert, or_, select, update

from apexmem_desktop.domain.confidence import said_again
from apexmem_desktop.domain.graph import (
    Evidence,
    Fact,
    FactLink,
    FactStatus,
    LinkKind,
    MemoryType,
    Modality,
    NewFact,
    ValueType,
)
from apexmem_desktop.domain.interval import TimeSource
from apexmem_desktop.domain.ontology import load_ontology
from apexmem_desktop.domain.topics import said_ms
from apexmem_desktop.domain.values import normalised_text, parse
from apexmem_desktop.storage import words
from apexmem_desktop.storage.bounds import lean_bound, make_bound
from apexmem_desktop.storage.canon import same_as_any, standing
from apexmem_desktop.storage.evidence import (
    Proven,
    append_further,
    check_quotes,
    find_best_again,
    find_evidence,
    proven_by,
    quoted,
    read_quotes,
)
from apexmem_desktop.storage.indexable import telling_words
from apexmem_desktop.storage.kinds import Kinds
from apexmem_desktop.storage.lists import Later, among, as_list, later
from apexmem_desktop.storage.rulings import find_rulings
from apexmem_desktop.storage.tables import (
    entities,
    entity_names,
    evidence,
    fact_kinds,
    fact_links,
    fact_rows,
    facts,
    properties,
    turns,
)
from apexmem_desktop.storage.vault import Connection

__all__ = ["find_rulings"]

_SHARED_PLACES = 2  # a confidence of so many places is shared by many facts
_Named: TypeAlias = tuple[str, str]


def append_fact(db: Connection, fact: NewFact, *, recorded_at_ms: int) -> int:
    """Store a fact with its proof, index its words, and return its number.

    Raises:
        ValueError: It has no quote, or a quote is not what the turn says at its offsets.
    """
    return append_facts(db, [fact], recorded_at_ms=recorded_at_ms)[0]


def append_facts(db: Connection, new: Sequence[NewFact], *, recorded_at_ms: int) -> list[int]:
    """Store many facts as `append_fact` does one, and return their numbers in the same order.

    Raises:
        ValueError: One has no quote, or a quote that its turn does not say; none was stored.
    """
    if not new:
        return []
    if not all(fact.quotes for fact in new):
        raise ValueError("nothing is stored without the words that prove it")
    proven = check_quotes(db, [quote for fact in new for quote in fact.quotes])
    first = (db.execute(select(func.max(fact_rows.c.id))).scalar() or 0) + 1
    numbers = list(range(first, first + len(new)))
    names = _own_names(db, [fact.value_entity_id for fact in new])
    kinds = Kinds(db, fact_kinds)
    rows = [
        {"id": number, **_row(fact, proven, kinds, names), "recorded_at_ms": recorded_at_ms}
        for number, fact in zip(numbers, new, strict=True)
    ]
    db.execute(insert(fact_rows), rows)
    further = zip(numbers, new, strict=True)
    append_further(db, [(n, None, quote) for n, fact in further for quote in fact.quotes[1:]])
    words.index_facts(db, find_fact_words(db, numbers))
    return numbers


def replace_row(db: Connection, number: int, fact: NewFact, *, recorded_at_ms: int) -> None:
    """Write a fact's row anew while erasing has lifted the triggers; nothing else may.

    Raises:
        ValueError: A quote is not what its turn says at its offsets.
    """
    proven = check_quotes(db, fact.quotes)
    names = _own_names(db, [fact.value_entity_id])
    row = _row(fact, proven, Kinds(db, fact_kinds), names)
    stored = update(fact_rows).where(fact_rows.c.id == number)
    db.execute(stored.values(**row, recorded_at_ms=recorded_at_ms))


def _own_names(db: Connection, entity_ids: Sequence[int | None]) -> dict[int | None, _Named]:
    """Map entities to the name that each was first seen by, and how it is compared."""
    given = {_IDS: as_list({number for number in entity_ids if number is not None})}
    return {number: (name, normal) for number, name, normal in db.execute(_OWN_NAMES, given)}


_IDS = "ids"
_OWN_NAMES = (
    select(entities.c.id, entities.c.name, entity_names.c.normalised)
    .join(entity_names, entity_names.c.entity_id == entities.c.id)
    .where(entity_names.c.name == entities.c.name)
    .where(among(entities.c.id, later(_IDS)))
)


def _row(
    fact: NewFact, proven: Proven, kinds: Kinds, names: dict[int | None, _Named]
) -> dict[str, Any]:
    said_ms = proven.told_ms(fact.quotes)
    start = lean_bound("from", fact.validity.start, said_ms)
    end = lean_bound(
        "to", fact.validity.end, said_ms if start.anchor_ms is None else start.anchor_ms
    )
    name, normalised_name = names.get(fact.value_entity_id, (None, ""))
    is_name = fact.value == name
    normalised = normalised_text(fact.value, fact.value_type)
    is_shared = round(fact.confidence, _SHARED_PLACES) == fact.confidence
    return {
        "subject_id": fact.subject_id,
        "property_id": fact.property_id,
        "kind_id": kinds.of(
            value_type=str(stored_type(fact.value, fact.value_type)),
            polarity=int(fact.polarity),
            modality=str(fact.modality),
            memory_type=str(fact.memory_type),
            **start.shared,
            **end.shared,
            confidence=fact.confidence if is_shared else None,
        ),
        "value": None if is_name else fact.value,
        "value_number": value_number(fact.value, fact.value_type),
        "value_normalised": (
            None if normalised == (normalised_name if is_name else fact.value) else normalised
        ),
        "value_entity_id": fact.value_entity_id,
        **start.own,
        **end.own,
        "phrase": fact.validity.phrase or None,
        "confidence": None if is_shared else fact.confidence,
        "holder_id": fact.holder_id,
        "event_id": fact.event_id,
        **proven.row(fact.quotes),
        "run_id": fact.run_id,
    }


def stored_type(value: str, value_type: ValueType) -> ValueType:
    """Give the type that a value is stored with: what is not of its property's type is a string."""
    return value_type if value_type is ValueType.ENTITY else parse(value, value_type).type


def value_number(value: str, value_type: ValueType) -> float | None:
    """Give a value as a number for comparison in SQL; None when it is none."""
    return parse(value, value_type).number


def append_link(
    db: Connection,
    from_id: int,
    to_id: int,
    kind: LinkKind,
    by: str,
    reason: str,
    recorded_at_ms: int,
) -> None:
    """Say how one fact bears on another; the same link twice is kept once.

    Args:
        by: "rule", "model" or "user".

    Raises:
        ValueError: The ontology has no such relation.
    """
    load_ontology().check_relation(str(kind))
    db.execute(
        insert(fact_links)
        .prefix_with("OR IGNORE")
        .values(
            from_id=from_id,
            to_id=to_id,
            kind=str(kind),
            by=by,
            reason=reason,
            recorded_at_ms=recorded_at_ms,
        )
    )


def find_facts(
    db: Connection,
    *,
    subject_ids: Sequence[int] | None = None,
    property_names: Sequence[str] | None = None,
    ids: Sequence[int] | None = None,
    value_entity_ids: Sequence[int] | None = None,
    turn_ids: Sequence[int] | None = None,
    topics: Sequence[tuple[int, str]] | None = None,
    known_at_ms: int | None = None,
    limit: int = 1000,
    with_words: bool = True,
) -> list[Fact]:
    """Find facts in order of valid time; where there are more than `limit`, the newest.

    Entities count through their same-as links, and the facts name the one that stands for them.
    The status is provisional (current) and `effective_to` is the stated end: which facts hold at
    a time is for `recall.holding` to decide.

    Args:
        topics: Pairs of a subject, by the number that stands for it, and a property's name.
        known_at_ms: Leave out facts, links and merges recorded after this instant.
        with_words: Without them proofs have no words: `quote_facts` gives those of a few.
    """
    lists = {
        _SUBJECTS: subject_ids,
        _VALUES: value_entity_ids,
        _PROPERTIES: property_names,
        _NUMBERS: ids,
        _TURNS: turn_ids,
        _TOPICS: topics,
    }
    given = {name: as_list(values) for name, values in lists.items() if values is not None}
    wanted = _statement(frozenset(given), at_present=known_at_ms is None)
    rows = db.execute(wanted, {**given, _KNOWN: known_at_ms, _LIMIT: limit}).all()
    found = [row[0] for row in rows]
    proofs = find_evidence(
        db, fact_rows, evidence.c.fact_id, found, known_at_ms, with_words=with_words
    )
    again = find_best_again(db, found, known_at_ms) if _some_again(proofs) else {}
    links = _find_links(db, found, known_at_ms)
    return [
        _heard_again(_fact(row, proofs.get(number, ()), links.get(number, ())), again.get(number))
        for number, row in zip(reversed(found), reversed(rows), strict=True)
    ]


def quote_facts(db: Connection, found: Sequence[Fact]) -> list[Fact]:
    """Give facts that were read without them the words of their proofs."""
    words = read_quotes(db, (one for fact in found for one in fact.evidence))
    return [
        replace(
            fact,
            evidence=tuple(
                replace(one, quote=words.get((one.turn_id, one.start, one.end), ""))
                for one in fact.evidence
            ),
        )
        for fact in found
    ]


_SUBJECTS, _VALUES, _PROPERTIES = "subject_ids", "value_entity_ids", "property_names"
_NUMBERS, _TURNS, _TOPICS = "ids", "turn_ids", "topics"
_KNOWN, _LIMIT = "known_at_ms", "most_rows"


@cache
def _statement(given: frozenset[str], *, at_present: bool) -> Select[Any]:
    """Build the query that narrows by these lists, once for each set of them."""
    known_at_ms = None if at_present else later(_KNOWN)
    narrowed = {
        _SUBJECTS: facts.c.subject_id.in_(same_as_any(later(_SUBJECTS), known_at_ms)),
        _VALUES: facts.c.value_entity_id.in_(same_as_any(later(_VALUES), known_at_ms)),
        _PROPERTIES: among(properties.c.name, later(_PROPERTIES)),
        _NUMBERS: among(facts.c.id, later(_NUMBERS)),
        _TURNS: facts.c.id.in_(select(proven_by(later(_TURNS)).subquery().c.fact_id)),
        _TOPICS: facts.c.id.in_(_about(later(_TOPICS), known_at_ms)),
    }
    wanted = _select_facts(known_at_ms).where(*(narrowed[name] for name in sorted(given)))
    if known_at_ms is not None:
        wanted = wanted.where(facts.c.recorded_at_ms <= known_at_ms)
    return wanted.order_by(*_NEWEST_FIRST).limit(later(_LIMIT))


def _about(topics: Later, known_at_ms: Later | None) -> Select[Any]:
    """Select the facts of each subject and property, from one bound JSON value."""
    pair = func.json_each(topics).table_valued("value").c.value
    stands, known, named = standing(known_at_ms), fact_rows.alias(), properties.alias()
    return (
        select(known.c.id)
        .join(stands, stands.c.entity_id == known.c.subject_id)
        .join(named, named.c.id == known.c.property_id)
        .where(stands.c.canonical_id == func.json_extract(pair, "$[0]"))
        .where(named.c.name == func.json_extract(pair, "$[1]"))
    )


def get_own_subject_id(db: Connection, fact_id: int) -> int:
    """Give the entity that a fact was told of, as it was then, not who stands for it by now."""
    return find_own_entities(db, [fact_id])[fact_id][0]


def find_own_entities(db: Connection, ids: Sequence[int]) -> dict[int, tuple[int, int | None]]:
    """Give subject and value of facts, each the entity that was told of, not who stands for it."""
    of = fact_rows.c
    wanted = select(of.id, of.subject_id, of.value_entity_id).where(among(of.id, ids))
    return {number: (subject, value) for number, subject, value in db.execute(wanted)}


_NEWEST_FIRST = (
    func.coalesce(facts.c.from_earliest_ms, facts.c.from_latest_ms).desc(),
    facts.c.id.desc(),
)


def _select_facts(known_at_ms: Later | None) -> Select[Any]:
    """Select facts with the names and numbers of the entities that stood for theirs."""
    subject_canon, value_canon, holder_canon = (standing(known_at_ms) for _ in range(3))
    subject, holder = entities.alias(), entities.alias()
    return (
        select(
            facts,
            subject_canon.c.canonical_id.label("canonical_subject_id"),
            subject.c.name.label("subject"),
            value_canon.c.canonical_id.label("canonical_value_id"),
            holder.c.name.label("holder"),
            properties.c.name.label("property"),
            properties.c.single_valued,
        )
        .join(properties, properties.c.id == facts.c.property_id)
        .join(subject_canon, subject_canon.c.entity_id == facts.c.subject_id)
        .join(subject, subject.c.id == subject_canon.c.canonical_id)
        .outerjoin(value_canon, value_canon.c.entity_id == facts.c.value_entity_id)
        .outerjoin(holder_canon, holder_canon.c.entity_id == facts.c.holder_id)
        .outerjoin(holder, holder.c.id == holder_canon.c.canonical_id)
    )


def _find_links(
    db: Connection, ids: Sequence[int], known_at_ms: int | None
) -> dict[int, list[FactLink]]:
    """Read the links from and to each of the facts."""
    wanted = _links_statement(at_present=known_at_ms is None)
    found: dict[int, list[FactLink]] = {}
    for row in db.execute(wanted, {_NUMBERS: as_list(ids), _KNOWN: known_at_ms}):
        link = FactLink(row.from_id, row.to_id, LinkKind(row.kind), row.by, row.reason)
        for number in {row.from_id, row.to_id}:
            found.setdefault(number, []).append(link)
    return found


@cache
def _links_statement(*, at_present: bool) -> Select[Any]:
    numbers = later(_NUMBERS)
    ends = or_(among(fact_links.c.from_id, numbers), among(fact_links.c.to_id, numbers))
    wanted = select(fact_links).where(ends).order_by(fact_links.c.id)
    return wanted if at_present else wanted.where(fact_links.c.recorded_at_ms <= later(_KNOWN))


def _fact(row: Any, proof: tuple[Any, ...], links: Sequence[FactLink]) -> Fact:
    # By place, not by name: of a busy entity there are thousands.
    (
        number, _, property_id, value, value_type, _, _, _, polarity, modality, memory_type,
        from_earliest, from_latest, from_precision, from_source,
        to_earliest, to_latest, to_precision, to_source,
        phrase, confidence, _, event_id, recorded_at_ms, _,
        subject_id, subject, value_entity_id, holder, name, single_valued,
    ) = row  # fmt: skip
    start = make_bound(from_earliest, from_latest, from_precision, from_source)
    if start is None:
        raise ValueError(f"fact {number} has no start")
    stated_end = make_bound(to_earliest, to_latest, to_precision, to_source)
    return Fact(
        id=number,
        subject_id=subject_id,
        subject=subject,
        property_id=property_id,
        property=name,
        value=value,
        value_type=_VALUE_TYPES[value_type],
        polarity=bool(polarity),
        modality=_MODALITIES[modality],
        memory_type=_MEMORY_TYPES[memory_type],
        valid_from=start,
        valid_to=stated_end,
        effective_to=stated_end,
        confidence=confidence,
        holder=holder or "",
        recorded_at_ms=recorded_at_ms,
        phrase=phrase,
        status=FactStatus.CURRENT,
        single_valued=bool(single_valued),
        value_entity_id=value_entity_id,
        event_id=event_id,
        evidence=proof,
        links=tuple(links),
    )


def _some_again(proofs: Mapping[int, Sequence[Evidence]]) -> bool:
    several = (proof for proof in proofs.values() if len(proof) > 1)
    return any(one.again_at_ms is not None for proof in several for one in proof)


def _heard_again(fact: Fact, best_again: float | None) -> Fact:
    """Read a fact's later sayings into it: it is surer, and was so by the first of all of them."""
    if best_again is None:
        return fact
    start, said = fact.valid_from, said_ms(fact)
    if start.source is TimeSource.MESSAGE_TIME and start.earliest_ms is None:
        known = [ms for ms in (start.latest_ms, said) if ms is not None]
        start = replace(start, latest_ms=min(known, default=None))
    return replace(fact, valid_from=start, confidence=said_again(max(fact.confidence, best_again)))


_VALUE_TYPES = {str(one): one for one in ValueType}
_MODALITIES = {str(one): one for one in Modality}
_MEMORY_TYPES = {str(one): one for one in MemoryType}


def find_fact_words(db: Connection, ids: Sequence[int] | None = None) -> list[tuple[int, str]]:
    """Give what is indexed of facts: subject, property, value and quotes; None for all facts."""
    wanted, further = _words_of(of_all=ids is None)
    given = {} if ids is None else {_IDS: as_list(ids)}
    more: dict[int, str] = {}
    for number, quote in db.execute(further, given):
        more[number] = f"{more.get(number, '')} {quote}"
    return [
        (
            number,
            f"{subject} {name.replace('_', ' ')} {value} "
            + telling_words(f"{quote}{more.get(number, '')}"),
        )
        for number, subject, name, value, quote in db.execute(wanted, given)
    ]


@cache
def _words_of(*, of_all: bool) -> tuple[Select[Any], Select[Any]]:
    """Make the queries for what is indexed of facts: themselves, and their further quotes."""
    wanted = (
        select(
            facts.c.id, entities.c.name, properties.c.name, facts.c.value, func.coalesce(_FIRST, "")
        )
        .join(entities, entities.c.id == facts.c.subject_id)
        .join(properties, properties.c.id == facts.c.property_id)
        .order_by(facts.c.id)
    )
    further = (
        select(evidence.c.fact_id, func.coalesce(evidence.c.quote, quoted(evidence)))
        .join(turns, turns.c.id == evidence.c.turn_id)
        .where(evidence.c.fact_id.is_not(None))
        .order_by(evidence.c.id)
    )
    if of_all:
        return wanted, further
    return (
        wanted.where(among(facts.c.id, later(_IDS))),
        further.where(among(evidence.c.fact_id, later(_IDS))),
    )


_PROVEN = fact_rows.alias()
_FIRST = (
    select(quoted(_PROVEN))
    .join(turns, turns.c.id == _PROVEN.c.turn_id)
    .where(_PROVEN.c.id == facts.c.id)
    .correlate(facts)
    .scalar_subquery()
)
