"""Stores an export while it is still being read, on the guess that none of it is known.

For most files that is so. Whether it was is told at the end, from all that was read, by the same
look at the memory as for every other file; a wrong guess is taken back.
"""

from collections.abc import Iterator, Sequence

from apexmem_desktop.importers.reading import Reading
from apexmem_desktop.services import import_batches
from apexmem_desktop.services.import_batches import Batch, Chat, Ended, Frame, unpacked
from apexmem_desktop.services.placing import Place
from apexmem_desktop.storage import chat_matches, conversations, sources, tombstones, turns
from apexmem_desktop.storage.columns import Columns, columns_of
from apexmem_desktop.storage.conversations import NewConversation
from apexmem_desktop.storage.vault import Connection

_ASKED_KEYS = 64
_SMALL_AT_ONCE = 2_000  # turns of small chats; while these are stored, the next are read


class GuessedWrongError(Exception):
    """The memory has some of it; what was stored ahead is to be taken back."""


def is_likely_new(db: Connection, format: str, chat: Chat, batch: Batch) -> bool:  # noqa: A002
    """Guess from the first turns whether the memory has nothing of a file."""
    if tombstones.has_erased_turns(db):
        return False
    if chat.external_id:
        return not conversations.find_ids_by_external_id(db, format)
    keys = unpacked(batch.keys)
    return not chat_matches.count_shared(db, keys[:: max(1, len(keys) // _ASKED_KEYS)])


class Ahead:
    """Stores what comes as chats that the memory does not have.

    Attributes:
        stored: How many turns are stored.
        source_id: The number of the import, whose row is completed last.
    """

    def __init__(self, db: Connection, reading: Reading) -> None:
        self._db = db
        self._format = reading.format
        self._next_id = conversations.next_conversation_id(db)
        self._met: set[str] = set()
        self._chat = Chat("", "", is_group=False)
        self._chat_id: int | None = None
        self._held: Batch | None = None
        self._small: list[tuple[int, Columns]] = []
        self._made: list[NewConversation] = []
        self._waiting = 0
        self.source_id = sources.begin_source(
            db, format=reading.format, file_name=reading.file_name, sha256=reading.sha256
        )
        self.stored = 0

    def take(self, frame: Frame) -> None:
        """Store what comes next.

        Raises:
            GuessedWrongError: The file has one chat twice.
        """
        if isinstance(frame, Batch):
            self._take_turns(frame)
        elif isinstance(frame, Chat):
            if frame.external_id and frame.external_id in self._met:
                raise GuessedWrongError
            self._met.add(frame.external_id)
            self._chat, self._chat_id = frame, None
        elif isinstance(frame, Ended) and self._held is not None:
            self._small.append((self._make(), _columns(self._held)))
            self._waiting += self._held.brief.turns
            self._held = None
            if self._waiting >= min(_SMALL_AT_ONCE, import_batches.TURNS_AT_ONCE):
                self.flush()

    def flush(self) -> None:
        """Store the small chats that wait."""
        conversations.append_conversations(self._db, self._made)
        if self._small:
            self.stored += len(turns.append_first_turns(self._db, self.source_id, self._small))
        self._small, self._made, self._waiting = [], [], 0

    def _take_turns(self, batch: Batch) -> None:
        if self._chat_id is None and self._held is None:
            self._held = batch  # the only one of its chat, perhaps
            return
        if self._held is not None:
            first, self._held = self._held, None
            self._chat_id = self._make()
            self.flush()
            self._append(self._chat_id, first)
        if self._chat_id is not None:
            self._append(self._chat_id, batch)

    def _append(self, conversation_id: int, batch: Batch) -> None:
        self.stored += len(
            turns.append_turns(
                self._db,
                conversation_id=conversation_id,
                source_id=self.source_id,
                turns=_columns(batch),
            )
        )

    def _make(self) -> int:
        number, chat = self._next_id, self._chat
        self._next_id += 1
        self._made.append(
            NewConversation(number, self._format, chat.external_id, chat.title, int(chat.is_group))
        )
        return number


def _columns(batch: Batch) -> Columns:
    """Give a batch's turns back, each once."""
    return batch.columns() or columns_of(list({turn.key: turn for turn in batch.turns()}.values()))


def check_guess(places: Sequence[Place], kept_turns: Iterator[int]) -> None:
    """See whether all of a file was new, as it was stored.

    Args:
        places: Where its chats belong, by the memory as it was before.
        kept_turns: How many turns each chat has.

    Raises:
        GuessedWrongError: Something of it was known, or may not be stored.
    """
    for place, count in zip(places, kept_turns, strict=True):
        if place.conversation_id is not None or place.problem or place.new != count:
            raise GuessedWrongError
