"""A fact whose first proof is erased lives on by what was said again, as if only that was said.

Part of erasing, and runs only while it has lifted the triggers.
"""

from typing import Any

from sqlalchemy import select

from apexmem_desktop.domain.graph import MemoryType, Modality, NewEvent, NewFact, Quote, ValueType
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.storage.bounds import find_bound, read_bound
from apexmem_desktop.storage.cascade import SHAKEN, Cascade, doomed, staying
from apexmem_desktop.storage.events import append_event
from apexmem_desktop.storage.facts import replace_row
from apexmem_desktop.storage.tables import facts
from apexmem_desktop.storage.vault import Connection

_SAYING = (
    "SELECT e.*, t.said_at_ms, "  # noqa: S608
    "substr(t.text, e.start_char + 1, e.end_char - e.start_char) AS words "
    "FROM evidence e JOIN turns_unpacked t ON t.id = e.turn_id "
    f"WHERE e.fact_id = ? AND e.recorded_at_ms NOT NULL AND e.id {staying('evidence')} "
    "ORDER BY e.tells_when DESC, e.id LIMIT 1"
)


def reprove(db: Connection, cascade: Cascade) -> None:
    """Let each fact that stays without its first proof be proved by the next saying of it."""
    shaken = f"SELECT id FROM ({SHAKEN}) WHERE id {staying('facts')} ORDER BY id"  # noqa: S608
    for number in list(db.exec_driver_sql(shaken).scalars()):
        saying = db.exec_driver_sql(_SAYING, (number,)).one()
        old = db.execute(select(facts).where(facts.c.id == number)).one()
        event_id = _event_of(db, old, saying)
        fact = _retold(old, saying, event_id)
        replace_row(db, number, fact, recorded_at_ms=saying.recorded_at_ms)
        cascade.spare("event_kinds", "SELECT kind_id FROM events WHERE id = ?", event_id)
        cascade.spare("fact_kinds", "SELECT kind_id FROM facts WHERE id = ?", number)
        cascade.add("evidence", "SELECT ? AS id", saying.id)  # it is the first proof now


def _retold(old: Any, saying: Any, event_id: int) -> NewFact:
    return NewFact(
        subject_id=old.subject_id,
        property_id=old.property_id,
        value=old.value,
        value_type=ValueType(old.value_type),
        validity=_when(old, saying),
        quotes=(_quote(saying),),
        confidence=old.confidence if saying.confidence is None else saying.confidence,
        modality=Modality(old.modality),
        memory_type=MemoryType(old.memory_type),
        polarity=bool(old.polarity),
        holder_id=saying.holder_id,
        event_id=event_id,
        value_entity_id=old.value_entity_id,
        run_id=saying.run_id,
    )


def _when(old: Any, saying: Any) -> Validity:
    """Give the time that the saying tells: the fact's own only where its words tell that, too."""
    if saying.tells_when:
        return Validity(read_bound(old, "from"), find_bound(old, "to"), old.phrase)
    by_then = Bound(None, saying.said_at_ms, Precision.UNKNOWN, TimeSource.MESSAGE_TIME)
    is_done = old.memory_type == MemoryType.ACTION and old.modality == Modality.ASSERTED
    return Validity(by_then, by_then if is_done else None)


def _event_of(db: Connection, old: Any, saying: Any) -> int:
    """Give the event that the fact hangs on: the old one, where it stays, or the saying's."""
    kept = f"SELECT id FROM events WHERE id = ? AND id {staying('events')}"  # noqa: S608
    found: int | None = db.exec_driver_sql(kept, (old.event_id,)).scalar()
    if found is not None:
        return found
    told = db.exec_driver_sql(
        "SELECT type, summary, place_id FROM events_told WHERE id = ?", (old.event_id,)
    ).one_or_none()
    said = Bound(saying.said_at_ms, saying.said_at_ms, Precision.INSTANT, TimeSource.MESSAGE_TIME)
    happened = told is not None and told.type != "statement"
    event = NewEvent(
        type=told.type if told is not None and happened else "statement",
        # Written by rule of the fact's own words, none of them the erased message's alone.
        summary=told.summary if told is not None and happened else saying.words,
        validity=_when(old, saying) if happened else Validity(said, said),
        quotes=(_quote(saying),),
        modality=Modality(old.modality) if happened else Modality.ASSERTED,
        participants=tuple(_participants(db, old.event_id)) if happened else (),
        run_id=saying.run_id,
    )
    return append_event(db, event, recorded_at_ms=saying.recorded_at_ms)


def _participants(db: Connection, event_id: int) -> list[tuple[int, str]]:
    rows = db.exec_driver_sql(
        "SELECT entity_id, role FROM event_participants "  # noqa: S608
        f"WHERE event_id = ? AND role <> 'speaker' AND NOT entity_id {doomed('entities')}",
        (event_id,),
    )
    return [(row.entity_id, row.role) for row in rows]


def _quote(saying: Any) -> Quote:
    return Quote(saying.turn_id, saying.start_char, saying.end_char, saying.words)
