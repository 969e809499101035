"""Where the conversations of a file belong in the memory, and how much of them is new."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apexmem_desktop.domain.reports import ImportChoices, ImportProblem
from apexmem_desktop.importers.reading import Reading
from apexmem_desktop.services.import_batches import packed
from apexmem_desktop.services.import_spool import Kept, Spool
from apexmem_desktop.services.joining import ChatFinder
from apexmem_desktop.services.known_words import KnownWords
from apexmem_desktop.services.rereading import Misreadings
from apexmem_desktop.storage import conversations, tombstones
from apexmem_desktop.storage.keys import ChatKeys
from apexmem_desktop.storage.vault import Connection


@dataclass(frozen=True, slots=True)
class Place:
    """Where a conversation of the file belongs in the vault.

    Attributes:
        conversation_id: None while it is new (in a preview), or not to be stored.
        new: Turns that the vault does not have.
        problem: Set when nothing of it may be stored, and why.
        erased: Keys of turns that stay out, since the user erased them.
        all_new: Whether the vault has none of its turns.
        is_new: Whether the vault did not have the conversation either.
        fresh: Which of its batches hold something new; None for all.
        other: By batch, the packed keys of turns that are stored under another key.
        called: Names of the export and of the memory for the same person, where they differ.
        shifted_from: The stored conversation that is this one with other times, if any.
    """

    conversation_id: int | None
    new: int
    problem: ImportProblem | None = None
    erased: frozenset[str] = frozenset()
    all_new: bool = False
    is_new: bool = False
    fresh: frozenset[int] | None = None
    other: Mapping[int, bytes] = field(default_factory=dict)
    called: frozenset[tuple[str, str]] = frozenset()
    shifted_from: int | None = None


def find_places(
    db: Connection,
    reading: Reading,
    spool: Spool,
    choices: ImportChoices,
    *,
    store: bool,
) -> list[Place]:
    """Find for each conversation where it belongs and how much of it is new.

    Args:
        store: Make the conversations that are new.
    """
    look = _Look(db, reading, spool, choices)
    places = [look.place(kept, store=store) for kept in spool.conversations]
    conversations.append_conversations(db, look.made)
    return places


class _Look:
    """A look at the vault on behalf of one file."""

    def __init__(
        self,
        db: Connection,
        reading: Reading,
        spool: Spool,
        choices: ImportChoices,
    ) -> None:
        self._db = db
        self._reading = reading
        self._spool = spool
        self._keeps_out = not choices.erased_too and tombstones.has_erased_turns(db)
        # A file may hold one conversation twice; its turns then count once.
        self._placed: dict[int, list[Kept]] = {}
        self._named = conversations.find_ids_by_external_id(db, reading.format)
        self._next_id = conversations.next_conversation_id(db)
        self._finder = ChatFinder(db, reading.format, spool)
        self._misreadings = Misreadings(db, reading, spool)
        self._known_words: dict[int, KnownWords] = {}
        self.made: list[conversations.NewConversation] = []

    def place(self, kept: Kept, *, store: bool) -> Place:
        """Find the place of one conversation."""
        conversation_id = self._find(kept)
        shifted_from = self._misreadings.find_shifted(kept, conversation_id)
        if shifted_from is not None:
            problem = self._misreadings.problem(kept)
            return Place(None, 0, problem, shifted_from=shifted_from)
        erased = self._erased(kept) if self._keeps_out else frozenset()
        words = self._begin_words(kept, conversation_id)
        new, fresh, other = self._count_new(kept, conversation_id, erased, words)
        is_new = conversation_id is None and store and len(erased) < kept.distinct
        if is_new:
            conversation_id = self._make(kept)
        if conversation_id is not None:
            self._placed.setdefault(conversation_id, []).append(kept)
        all_new = new == kept.turns
        called = frozenset(words.called) if words is not None else frozenset()
        return Place(conversation_id, new, None, erased, all_new, is_new, fresh, other, called)

    def _find(self, kept: Kept) -> int | None:
        known = self._named.get(kept.external_id) if kept.external_id else None
        return known if known is not None else self._finder.find(kept)

    def _begin_words(self, kept: Kept, conversation_id: int | None) -> KnownWords | None:
        if conversation_id is None or conversation_id >= self._next_id:
            return None  # nothing of it is stored yet
        words = self._known_words.get(conversation_id)
        if words is None:
            words = KnownWords(self._db, conversation_id, self._spool)
            self._known_words[conversation_id] = words
        words.begin(kept)
        return words

    def _make(self, kept: Kept) -> int:
        """Make a conversation that is new; all of a file are stored together."""
        number = self._next_id + len(self.made)
        self.made.append(
            conversations.NewConversation(
                number, self._reading.format, kept.external_id, kept.title, int(kept.is_group)
            )
        )
        if kept.external_id:
            self._named[kept.external_id] = number
        return number

    def _erased(self, kept: Kept) -> frozenset[str]:
        """Find the turns that stay out: the user erased them and did not ask for them again."""
        found: set[str] = set()
        for keys in self._spool.keys(kept):
            found |= tombstones.find_erased_keys(
                self._db, self._reading.format, kept.external_id, keys
            )
        return frozenset(found)

    def _count_new(
        self,
        kept: Kept,
        conversation_id: int | None,
        erased: frozenset[str],
        words: KnownWords | None,
    ) -> tuple[int, frozenset[int] | None, dict[int, bytes]]:
        """Count what is new.

        Returns:
            How many turns; in which of the batches they are (None: all); and by batch, which are
            stored under another key.
        """
        if conversation_id is None and not erased:
            return kept.distinct, None, {}
        earlier = self._placed.get(conversation_id or 0, ())
        in_file = {key for one in earlier for keys in self._spool.keys(one) for key in keys}
        known_before = words.known_so_far() if words is not None and in_file else set()
        known = None
        if conversation_id is not None:
            known = ChatKeys(self._db, conversation_id)
        new: dict[int, int] = {}
        other: dict[int, bytes] = {}
        for batch, keys in enumerate(self._spool.keys(kept)):
            left = set(keys) - erased
            if known is not None:
                left -= known.find_known(left)
            elsewhere = left & known_before
            left -= in_file
            if words is not None and left:
                elsewhere |= words.find(batch, left)
            if elsewhere:
                other[batch] = packed(elsewhere)
            if left := left - elsewhere:
                new[batch] = len(left)
        return sum(new.values()), frozenset(new), other
