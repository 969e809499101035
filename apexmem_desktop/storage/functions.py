"""SQL functions of our own: time arithmetic for small models, and the clock of a query."""

import re
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from apexmem_desktop.domain.graph import ValueType
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.values import normalised_text
from apexmem_desktop.domain.wall import WallClock, zone_of_turn
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.packs import TextsAtHand, turn_text

FOREVER_MS = 2**62
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WRITTEN = re.compile(r"\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2}):(\d{2}))?)?)?")
_FIRST_YEAR, _AFTER_LAST_YEAR = 1000, 10_000  # a bare number between is a year, else milliseconds
_DIGEST = re.compile("[0-9a-f]{32}")
_NAME_CHARS = 10_000
_TRIMMED_CHARS = 100
SqlTime = str | int | float | None
SqlCell = SqlTime | bytes


def wall_ms() -> int:
    """Read the clock of this computer, in UTC milliseconds."""
    return time.time_ns() // 1_000_000


def add_functions(
    db: sqlite3.Connection, *, now_ms: int | None = None, known_at_ms: int = FOREVER_MS
) -> None:
    """Give a connection our functions; the views need `now_ms` and `known_at_ms`.

    Args:
        now_ms: What "now" is for this connection; None for the clock.
        known_at_ms: The views leave out facts recorded after this instant.
    """
    clock: Callable[[], int] = wall_ms if now_ms is None else lambda: now_ms
    db.create_function("now_ms", 0, clock)
    add_known_at(db, known_at_ms)
    db.create_function("iso", 1, _iso, deterministic=True)
    db.create_function("local_day", 5, _local_day, deterministic=True)
    db.create_function("days_between", 2, _days_between, deterministic=True)
    db.create_function("months_between", 2, _months_between, deterministic=True)
    add_comparing(db)


def add_known_at(db: sqlite3.Connection, known_at_ms: int) -> None:
    """Say until when a connection knows what was recorded."""
    db.create_function("known_at_ms", 0, lambda: known_at_ms)


def add_comparing(db: sqlite3.Connection) -> None:
    """Give a connection the functions that columns are filled and turns' words are read with."""
    db.create_function("normalise", 1, _normalise, deterministic=True)
    db.create_function("normalise_value", 2, _normalise_value, deterministic=True)
    db.create_function("turn_key_bytes", 1, turn_key_bytes, deterministic=True)
    db.create_function("turn_text", 3, turn_text, deterministic=True)
    db.create_function("text_at_hand", 1, _nothing_at_hand, deterministic=True)


def keep_texts_at_hand(db: sqlite3.Connection) -> None:
    """Let a connection that lives for one query hand over each pack of texts only once."""
    hand = TextsAtHand()
    db.create_function("turn_text", 3, hand.turn_text)
    db.create_function("text_at_hand", 1, hand.text_at_hand)


def _nothing_at_hand(_: int) -> None:
    """Stand in where a pack may change between two queries."""


def turn_key_bytes(key: str) -> str | bytes:
    """Give a turn's key as steps 7 to 11 had it: a digest as its bytes, else as it is."""
    return bytes.fromhex(key) if _DIGEST.fullmatch(key) else key


def bound_functions(db: sqlite3.Connection) -> None:
    """Put ours for those of SQLite's functions whose time grows with the product of two texts.

    Two texts of half a megabyte keep SQLite's instr busy for many seconds, in which it looks at
    no clock. Ours do the same in linear time, or refuse.
    """
    db.create_function("instr", 2, _instr, deterministic=True)
    for name, strip in (("trim", str.strip), ("ltrim", str.lstrip), ("rtrim", str.rstrip)):
        db.create_function(name, 2, _bounded(strip), deterministic=True)
    db.create_function("normalise", 1, _normalise_names, deterministic=True)


def _instr(text: SqlCell, part: SqlCell) -> int | None:
    if text is None or part is None:
        return None
    if isinstance(text, bytes) and isinstance(part, bytes):
        return text.find(part) + 1
    return _as_text(text).find(_as_text(part)) + 1


def _bounded(strip: Callable[[str, str], str]) -> Callable[[SqlCell, SqlCell], str | None]:
    def trim(text: SqlCell, letters: SqlCell) -> str | None:
        if text is None or letters is None:
            return None
        wanted = _as_text(letters)
        if len(wanted) > _TRIMMED_CHARS:
            raise ValueError("too many letters to trim")
        return strip(_as_text(text), wanted)

    return trim


def _as_text(value: str | bytes | float) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _normalise_names(text: SqlTime) -> str | None:
    """Normalise what may be a name; of anything longer the beginning."""
    return None if text is None else normalise(str(text)[:_NAME_CHARS])


def _normalise(text: SqlTime) -> str | None:
    return None if text is None else normalise(str(text))


def _normalise_value(value: SqlTime, value_type: SqlTime) -> str | None:
    if value is None or value_type not in {str(one) for one in ValueType}:
        return _normalise(value)
    return normalised_text(str(value), ValueType(str(value_type)))


def _iso(ms: SqlTime) -> str | None:
    moment = _instant(ms) if isinstance(ms, int | float) else _moment(ms)
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _local_day(
    ms: int | None, precision: str | None, offset: int | None, zone: str | None, said_ms: int | None
) -> str | None:
    """Give the day on which a bound lies by the calendar of the clock that told it."""
    if ms is None:
        return None
    clock = WallClock(offset or 0, zone_of_turn(zone or "", said_ms, offset or 0))
    if precision == Precision.INSTANT:
        return _day_text(clock.local_ms(ms))
    is_last = ms % 1000 == 999  # the last moment of a day, else the first of one
    bound = Bound(
        None if is_last else ms, ms if is_last else None, Precision.DAY, TimeSource.STATED
    )
    return _day_text(clock.of_bound(bound).local_ms(ms))


def _day_text(local_ms: int) -> str | None:
    moment = _instant(local_ms)
    return None if moment is None else f"{moment:%Y-%m-%d}"


def _days_between(first: SqlTime, second: SqlTime) -> int | None:
    start, end = _moment(first), _moment(second)
    return None if start is None or end is None else (end.date() - start.date()).days


def _months_between(first: SqlTime, second: SqlTime) -> int | None:
    start, end = _moment(first), _moment(second)
    if start is None or end is None:
        return None
    if end < start:
        return -(_months_between(second, first) or 0)
    whole = (end.year - start.year) * 12 + end.month - start.month
    return whole - 1 if end.day < start.day else whole


def _instant(ms: float) -> datetime | None:
    try:
        return _EPOCH + timedelta(milliseconds=ms)
    except (OverflowError, ValueError):
        return None


def _moment(value: SqlTime) -> datetime | None:
    """Read UTC milliseconds, a year, or an ISO date of any precision; None for anything else."""
    if value is None:
        return None
    if isinstance(value, int | float) and not _FIRST_YEAR <= value < _AFTER_LAST_YEAR:
        return _instant(value)
    found = _WRITTEN.match(str(value))
    if found is None:
        return None
    year, month, day, hour, minute = (int(part) if part else None for part in found.groups())
    try:
        return datetime(year or 1, month or 1, day or 1, hour or 0, minute or 0, tzinfo=UTC)
    except ValueError:
        return None
