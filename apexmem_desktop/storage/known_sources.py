"""A file that was imported before, known again by its digest, and what came with it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import distinct, func, select

from apexmem_desktop.domain.reports import SourceSummary
from apexmem_desktop.storage.sources import find_sources
from apexmem_desktop.storage.tables import conversations, erasures, sources, turns
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class KnownSource:
    """An import of which every turn is still there.

    Attributes:
        first_offset_minutes: Offset from UTC of the clock of the first turn.
        offset_minutes: Offset from UTC of the clock of the last turn.
    """

    source: SourceSummary
    sessions: int
    speakers: tuple[str, ...]
    titles: tuple[str, ...]
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
    kept = select(func.count()).select_from(turns).where(turns.c.source_id == source.id)
    return db.execute(kept).scalar_one() == source.turns_new


def _known(db: Connection, source: SourceSummary) -> KnownSource:
    mine = turns.c.source_id == source.id
    counted = select(
        func.min(turns.c.said_at_ms),
        func.max(turns.c.said_at_ms),
        func.count(distinct(turns.c.session_id)),
    )
    first_at_ms, last_at_ms, sessions = db.execute(counted.where(mine)).one()
    spoken = select(turns.c.speaker).where(mine, turns.c.speaker != "")
    by_first_words = spoken.group_by(turns.c.speaker).order_by(func.min(turns.c.id))
    chats = select(turns.c.conversation_id).where(mine).distinct()
    titled = select(conversations.c.title).where(conversations.c.id.in_(chats))
    offsets = []
    for at_ms, order in ((first_at_ms, turns.c.id.asc()), (last_at_ms, turns.c.id.desc())):
        at = select(turns.c.offset_minutes).where(turns.c.said_at_ms == at_ms, mine)
        offsets.append(db.execute(at.order_by(order).limit(1)).scalar() or 0)
    return KnownSource(
        source=source,
        sessions=sessions,
        speakers=tuple(db.execute(by_first_words).scalars()),
        titles=tuple(db.execute(titled.order_by(conversations.c.id)).scalars()),
        first_at_ms=first_at_ms,
        last_at_ms=last_at_ms,
        first_offset_minutes=offsets[0],
        offset_minutes=offsets[1],
    )
