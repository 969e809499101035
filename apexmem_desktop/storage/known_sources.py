"""A file that was imported before, known again by its digest, and what came with it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, distinct, func, select

from apexmem_desktop.domain.reports import SourceSummary
from apexmem_desktop.storage.lists import among
from apexmem_desktop.storage.sources import find_sources
from apexmem_desktop.storage.tables import conversations, erasures, sources, turn_rows, voices
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class KnownSource:
    """An import of which every turn is still there.

    Attributes:
        first_offset_minutes: Offset from UTC of the clock of the first turn.
        offset_minutes: Offset from UTC of the clock of the last turn.
        chats: Each with its number, its title and its own id.
    """

    source: SourceSummary
    sessions: int
    speakers: tuple[str, ...]
    chats: tuple[tuple[int, str, str], ...]
    first_at_ms: int | None
    last_at_ms: int | None
    first_offset_minutes: int
    offset_minutes: int


def find_whole_sources(db: Connection, sha256: str) -> Iterator[KnownSource]:
    """Find the imports of this very file that brought every turn of it, and lost none since."""
    numbers = set(db.execute(select(sources.c.id).where(sources.c.sha256 == sha256)).scalars())
    for source in find_sources(db) if numbers else ():
        if source.id in numbers and _is_whole(db, source):
            yield _known(db, source)


def _is_whole(db: Connection, source: SourceSummary) -> bool:
    # Of what was known before it is not told which import it is in, so its loss is not seen here.
    if source.turns_known:
        return False
    newest_erasure = db.execute(select(func.max(erasures.c.erased_at_ms))).scalar()
    if newest_erasure is not None and newest_erasure >= source.imported_at_ms:
        return False
    kept = select(func.count()).where(_is_of(source))
    return db.execute(kept).scalar_one() == source.turns_new


def _is_of(source: SourceSummary) -> ColumnElement[bool]:
    """Say that a turn came with an import: its voice tells."""
    mine = select(voices.c.id).where(voices.c.source_id == source.id)
    return turn_rows.c.voice_id.in_(mine)


def _known(db: Connection, source: SourceSummary) -> KnownSource:
    of = voices.c
    # Turns have no index of their voices: one walk over them, whatever the number of chats.
    said = (
        select(
            turn_rows.c.voice_id,
            func.min(turn_rows.c.said_at_ms).label("first_at_ms"),
            func.max(turn_rows.c.said_at_ms).label("last_at_ms"),
            func.min(turn_rows.c.id).label("first_id"),
        )
        .where(_is_of(source))
        .group_by(turn_rows.c.voice_id)
        .cte("said")
        .prefix_with("MATERIALIZED")
    )
    by_voice = (
        select(
            *(of.speaker, of.conversation_id, of.offset_minutes),
            *(said.c.first_at_ms, said.c.last_at_ms),
        )
        .join_from(said, voices, of.id == said.c.voice_id)
        .order_by(said.c.first_id)
    )
    spoken = db.execute(by_voice).all()
    timed = [voice for voice in spoken if voice.first_at_ms is not None]
    first = min(timed, key=lambda voice: voice.first_at_ms, default=None)
    last = max(timed, key=lambda voice: voice.last_at_ms, default=None)
    of_chat = conversations.c
    chats = select(of_chat.id, of_chat.title, of_chat.external_id).where(
        among(conversations.c.id, {voice.conversation_id for voice in spoken})
    )
    sessions = select(func.count(distinct(turn_rows.c.session_id))).where(_is_of(source))
    return KnownSource(
        source=source,
        sessions=db.execute(sessions).scalar_one(),
        speakers=tuple(dict.fromkeys(voice.speaker for voice in spoken if voice.speaker)),
        chats=tuple((row[0], row[1], row[2]) for row in db.execute(chats.order_by(of_chat.id))),
        first_at_ms=first.first_at_ms if first else None,
        last_at_ms=last.last_at_ms if last else None,
        first_offset_minutes=first.offset_minutes if first else 0,
        offset_minutes=last.offset_minutes if last else 0,
    )
