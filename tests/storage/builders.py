"""Turns, facts and their proof, with as little said as a test needs."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count as count_up
from typing import Any

from apexmem_desktop.domain.graph import NewEvent, NewFact, Quote, ValueType
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource, Validity
from apexmem_desktop.domain.turn import ImportedTurn, Role, TurnKind
from apexmem_desktop.storage import (
    conversations,
    entities,
    events,
    facts,
    properties,
    sources,
    turns,
)
from apexmem_desktop.storage.vault import Connection, Vault

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
_NUMBERS = count_up()
START_MS = 1_683_450_000_000  # 7 May 2023, 09:00 UTC


def make_turn(
    text: str = "hello",
    *,
    speaker: str = "Ana",
    at_ms: int | None = START_MS,
    role: Role = Role.PERSON,
    kind: TurnKind = TurnKind.MESSAGE,
    offset_minutes: int = 0,
    **more: Any,
) -> ImportedTurn:
    """One turn of an export; its key follows from speaker, time and text."""
    written = f"{speaker}|{at_ms}|{text}|{more.get('external_id', '')}"
    key = hashlib.sha256(written.encode()).hexdigest()[:32]
    return ImportedTurn(speaker, role, kind, text, at_ms, offset_minutes, **{"key": key} | more)


def append_source(db: Connection, *, new: int = 0, at_ms: int = 1) -> int:
    """Record an import that nothing is said about; at 0 it would be one that is not complete."""
    return sources.append_source(
        db,
        format="test",
        file_name="chat.txt",
        sha256="ab",
        zone="UTC",
        date_order="dmy",
        date_order_certain=False,
        imported_at_ms=at_ms,
        turns_new=new,
        turns_known=0,
        problems=(),
    )


def store_chat(
    db: Connection, new: Sequence[ImportedTurn], *, title: str = "chat", external_id: str = ""
) -> list[int]:
    """Import a chat as the import service does; return the numbers of the turns that were new."""
    keys = [turn.key for turn in new]
    chat_id = conversations.find_conversation_id(
        db, format="test", external_id=external_id, keys=keys
    )
    if chat_id is None:
        chat_id = conversations.append_conversation(
            db, format="test", external_id=external_id, title=title, is_group=False
        )
    source_id = append_source(db, new=len(new))
    return turns.append_turns(db, conversation_id=chat_id, source_id=source_id, turns=new)


def store_entity(db: Connection, name: str, *, kind: str = "person") -> int:
    """Store a new entity."""
    return entities.append_entity(db, name=name, type=kind, is_speaker=False, recorded_at_ms=0)


def held_when_said(at_ms: int) -> Bound:
    """The start of what was said without time words."""
    return Bound(None, at_ms, Precision.UNKNOWN, TimeSource.MESSAGE_TIME)


def stated(earliest_ms: int, latest_ms: int, precision: Precision = Precision.DAY) -> Bound:
    """A bound that words told."""
    return Bound(earliest_ms, latest_ms, precision, TimeSource.STATED)


def store_fact(
    db: Connection,
    subject_id: int,
    value: str,
    *,
    property: str = "lives_in",  # noqa: A002
    single_valued: bool = True,
    at_ms: int = START_MS,
    start: Bound | None = None,
    end: Bound | None = None,
    recorded_at_ms: int = 0,
    offset_minutes: int = 0,
    **more: Any,
) -> int:
    """Store a fact about an entity, with a turn of its own that proves it."""
    known = properties.ensure_property(
        db,
        name=property,
        value_type=ValueType.STRING,
        single_valued=single_valued,
        recorded_at_ms=0,
    )
    new = make_turn(
        value, at_ms=at_ms, offset_minutes=offset_minutes, external_id=str(next(_NUMBERS))
    )
    [turn_id] = store_chat(db, [new], external_id="proofs", title="proofs")
    return facts.append_fact(
        db,
        NewFact(
            subject_id=subject_id,
            property_id=known.id,
            value=value,
            value_type=ValueType.STRING,
            validity=Validity(start or held_when_said(at_ms), end),
            quotes=(Quote(turn_id, 0, len(value), value),),
            confidence=0.8,
            **more,
        ),
        recorded_at_ms=recorded_at_ms,
    )


def store_event(db: Connection, turn_id: int, words: str, start: Bound, **more: Any) -> int:
    """Store an event proved by the first words of a turn."""
    new = NewEvent(
        "dinner", words, Validity(start), (Quote(turn_id, 0, len(words), words),), **more
    )
    return events.append_event(db, new, recorded_at_ms=0)


@contextmanager
def tried(vault: Vault) -> Iterator[Connection]:
    """Lend the writing connection and let what was done fail in the end, so that nothing stays."""
    with suppress(_TriedError), vault.write() as db:
        yield db
        raise _TriedError


class _TriedError(Exception):
    """Raised to undo a write."""


def count(vault: Vault, table: str) -> int:
    """Count the rows of a table."""
    with vault.read() as db:
        found: int = db.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
    return found
