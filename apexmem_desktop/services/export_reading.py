"""The whole memory, piece by piece, as it was at one moment: what every form of export is given."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta, timezone

from apexmem_desktop.domain.graph import Entity, Event, Fact
from apexmem_desktop.domain.progress import CancelToken, Progress, ProgressSink
from apexmem_desktop.domain.reports import ConversationSummary, SourceSummary
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.recall.lookup import judged_facts
from apexmem_desktop.storage import conversations, entities, events, sources, turns
from apexmem_desktop.storage.vault import Connection

_PAGE = 1_000
_EVERY_ENTITY = 10_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 - beside the other offsets


class MemoryReader:
    """Reads from one connection, which sees one unchanging state; a page at a time.

    Attributes:
        now_ms: What "now" is for which facts hold, UTC.
    """

    def __init__(
        self, db: Connection, now_ms: int, progress: ProgressSink, cancel: CancelToken
    ) -> None:
        self.now_ms = now_ms
        self._db = db
        self._progress = progress
        self._cancel = cancel

    def sources(self) -> list[SourceSummary]:
        """List the imports, newest first."""
        return sources.find_sources(self._db)

    def conversations(self) -> list[ConversationSummary]:
        """List the chats, the one with the newest turn first."""
        return conversations.find_conversations(self._db)

    def turns(self, conversation_id: int) -> Iterator[Turn]:
        """Give the turns of a chat in time order."""
        last = -1
        while True:
            self._cancel.check()
            page = turns.find_conversation_turns(
                self._db, conversation_id, limit=_PAGE, after_position=last
            )
            if not page:
                return
            yield from page
            last = page[-1].position

    def entities(self) -> Iterator[Entity]:
        """Give the people and things, those that most is known of first."""
        found = entities.find_entities(self._db, limit=_EVERY_ENTITY)
        for done, entity in enumerate(found, start=1):
            self._cancel.check()
            yield entity
            self._progress(Progress("Writing", done, len(found), "people and things"))

    def facts(self, entity: Entity) -> Sequence[Fact]:
        """Give all facts about an entity, past and rejected ones too, in order of their time."""
        return judged_facts(self._db, entity.id, as_of_ms=self.now_ms)

    def events(self) -> Iterator[Event]:
        """Give all events in the order they were recorded."""
        last = events.newest_event_id(self._db)
        for first in range(1, last + 1, _PAGE):
            self._cancel.check()
            page = range(first, first + _PAGE)
            yield from sorted(
                events.find_events(self._db, ids=page, limit=_PAGE), key=lambda one: one.id
            )


def moment(at_ms: int, offset_minutes: int = 0) -> datetime | None:
    """Give a UTC instant by the clock of an offset; None when it is outside the calendar."""
    try:
        clock = timezone(timedelta(minutes=offset_minutes))
        return (_EPOCH + timedelta(milliseconds=at_ms)).astimezone(clock)
    except (OverflowError, ValueError):
        return None


def iso(at_ms: int | None, offset_minutes: int = 0) -> str | None:
    """Spell a UTC instant as ISO 8601 by the clock of that offset; None stays None."""
    at = None if at_ms is None else moment(at_ms, offset_minutes)
    if at is None:
        return None
    return at.isoformat(timespec="milliseconds" if at.microsecond else "seconds")


def day_of(at_ms: int | None, offset_minutes: int = 0) -> date | None:
    """Give the calendar day of a UTC instant by the clock of an offset."""
    at = None if at_ms is None else moment(at_ms, offset_minutes)
    return None if at is None else at.date()
