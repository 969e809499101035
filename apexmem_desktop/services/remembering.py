"""A fact that the user makes by hand, of words in a turn: these words are its proof."""

from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.resolution import AmbiguousNameError, ensure_entity
from apexmem_desktop.domain.errors import RulingRefusedError
from apexmem_desktop.domain.graph import (
    MemoryType,
    Modality,
    NewEvent,
    NewFact,
    Quote,
    ValueType,
)
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.rulings import RulingKind, RulingResult, Touched
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.domain.values import parse
from apexmem_desktop.services.ruling_log import write_consequence, write_ruling
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import entities, events, facts, pages, properties, turns
from apexmem_desktop.storage.vault import Connection

_SURE = 1.0  # the user said so
_UNKNOWN_KIND = "person"  # of a name that nobody bears yet


def remember(
    ws: Workspace,
    turn_id: int,
    start: int,
    end: int,
    *,
    subject: str,
    property: str,  # noqa: A002
    value: str,
    valid_from: Bound | None = None,
) -> RulingResult:
    """Make a fact of the words [start, end) of a turn; `changed.fact_ids` is the new one.

    Args:
        subject: A name; who or what is not known yet is made.
        property: A name of the ontology or any other, with spaces or underscores.
        valid_from: Since when it holds; None for: it held when it was said.

    Raises:
        NotFoundError: There is no such turn.
        RulingRefusedError: The subject, the property or the value is empty, or no words are meant.
    """
    subject, value = " ".join(subject.split()), " ".join(value.split())
    name = "_".join(property.casefold().split())
    at_ms = ws.now_ms()
    with ws.vault.write() as db:
        turn = turns.get_turn(db, turn_id)
        quote = _quote(turn, start, end)
        if not (subject and name and value):
            raise RulingRefusedError(
                "A fact needs somebody or something, what is told of it, and the value.",
                hint="Fill in the three lines.",
            )
        number = _append(db, turn, quote, subject, name, value, valid_from, at_ms)
        result = write_ruling(
            db,
            RulingKind.CONFIRM,
            f"told by the user: {subject}, {name.replace('_', ' ')}: {value}",
            Touched(fact_ids=(number,), turn_ids=(turn_id,)),
            at_ms=at_ms,
            fact_id=number,
        )
        # The fact came with the ruling, and goes with it where that is taken back.
        write_consequence(db, result.ruling.id, RulingKind.CONFIRM, fact_id=number, at_ms=at_ms)
        return result


def known_properties(ws: Workspace) -> tuple[str, ...]:
    """List the names of properties to choose from: those in use first, then the ontology's."""
    with ws.vault.read() as db:
        used = pages.find_property_names(db)
    return tuple(dict.fromkeys([*used, *sorted(load_shapes())]))


def _quote(turn: Turn, start: int, end: int) -> Quote:
    text = turn.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    if not text:
        raise RulingRefusedError(
            "No words are selected to prove it.", hint="Select words of the message."
        )
    return Quote(turn.id, start, start + len(text), text)


def _append(
    db: Connection,
    turn: Turn,
    quote: Quote,
    subject: str,
    name: str,
    value: str,
    valid_from: Bound | None,
    at_ms: int,
) -> int:
    shape = load_shapes().get(name)
    subject_id = _subject(db, subject, turn, at_ms)
    entities.append_mention(db, subject_id, turn.id, "mentioned")
    prop = properties.ensure_property(
        db,
        name=name,
        value_type=ValueType.STRING if shape is None else shape.value_type,
        single_valued=shape is not None and shape.single_valued,
        recorded_at_ms=at_ms,
    )
    plain = ValueType.STRING if prop.value_type is ValueType.ENTITY else prop.value_type
    fact = NewFact(
        subject_id=subject_id,
        property_id=prop.id,
        value=value,
        value_type=parse(value, plain).type,
        validity=Validity(valid_from or _when_said(turn), None, ""),
        quotes=(quote,),
        confidence=_SURE,
        modality=Modality.ASSERTED,
        memory_type=MemoryType.FACT,
        polarity=True,
        event_id=_append_event(db, quote, turn, at_ms),
        value_entity_id=None,
    )
    return facts.append_fact(db, fact, recorded_at_ms=at_ms)


def _subject(db: Connection, name: str, turn: Turn, at_ms: int) -> int:
    """Find who or what is meant, whatever its type; make it where nobody is called that."""
    named = entities.find_entities_named(db, name)
    if len(named) == 1:
        return entities.own_id(db, named[0].id, name)
    try:
        return ensure_entity(
            db, name, _UNKNOWN_KIND, turn_id=turn.id, recorded_at_ms=at_ms, run_id=None
        )
    except AmbiguousNameError as error:
        raise RulingRefusedError(
            f'"{name}" can be several people or things.', hint="Give the whole name."
        ) from error


def _when_said(turn: Turn) -> Bound:
    return Bound(None, turn.said_at_ms, Precision.UNKNOWN, TimeSource.MESSAGE_TIME)


def _append_event(db: Connection, quote: Quote, turn: Turn, at_ms: int) -> int:
    said = Bound(turn.said_at_ms, turn.said_at_ms, Precision.INSTANT, TimeSource.MESSAGE_TIME)
    event = NewEvent(
        type="statement",
        summary=quote.text,
        validity=Validity(said, said),
        quotes=(quote,),
    )
    return events.append_event(db, event, recorded_at_ms=at_ms)
