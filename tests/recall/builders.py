"""Facts for the tests of this room, with as little said as a test needs."""

from datetime import UTC, datetime

from apexmem_desktop.domain.graph import (
    Evidence,
    Fact,
    FactLink,
    FactStatus,
    MemoryType,
    Modality,
    ValueType,
)
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource


def ms(text: str) -> int:
    """UTC milliseconds of an ISO date or time."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def said(at_ms: int) -> Bound:
    """The start of what was said without time words: it held by then."""
    return Bound(None, at_ms, Precision.UNKNOWN, TimeSource.MESSAGE_TIME)


def between(earliest_ms: int, latest_ms: int) -> Bound:
    """A start that words told, within a stretch."""
    return Bound(earliest_ms, latest_ms, Precision.DAY, TimeSource.STATED)


def make_fact(
    id: int,  # noqa: A002
    value: str,
    said_at: str | int,
    *,
    property: str = "lives_in",  # noqa: A002
    start: Bound | None = None,
    end: Bound | None = None,
    single_valued: bool = True,
    polarity: bool = True,
    modality: Modality = Modality.ASSERTED,
    recorded_at_ms: int = 0,
    links: tuple[FactLink, ...] = (),
    value_entity_id: int | None = None,
    subject_id: int = 1,
    holder: str = "Ana",
) -> Fact:
    """One fact about Ana, proved by turn number `id`."""
    at_ms = said_at if isinstance(said_at, int) else ms(said_at)
    evidence = Evidence(id, 1, "chat", holder, at_ms, 0, value, 0, len(value))
    return Fact(
        id=id,
        subject_id=subject_id,
        subject="Ana",
        property_id=1,
        property=property,
        value=value,
        value_type=ValueType.STRING,
        polarity=polarity,
        modality=modality,
        memory_type=MemoryType.FACT,
        valid_from=start if start is not None else said(at_ms),
        valid_to=end,
        effective_to=end,
        confidence=0.9,
        holder=holder,
        recorded_at_ms=recorded_at_ms,
        phrase="",
        status=FactStatus.CURRENT,
        single_valued=single_valued,
        value_entity_id=value_entity_id,
        evidence=(evidence,),
        links=links,
    )
