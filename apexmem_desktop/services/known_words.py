"""Which turns of an export the memory has under another key, by who said what in which minute.

A turn may have become another kind since it was stored: its sender deleted it, or this program
learned that "3 photos" is no message. What is stored and missing in the export then answers for it.
"""

from collections.abc import Iterable, Iterator, Sequence

from apexmem_desktop.domain.turn import ImportedTurn, TurnKind
from apexmem_desktop.services.import_batches import packed, unpacked
from apexmem_desktop.services.import_spool import Kept, Spool
from apexmem_desktop.storage import chat_matches
from apexmem_desktop.storage.chat_matches import StoredWords
from apexmem_desktop.storage.keys import known_by
from apexmem_desktop.storage.vault import Connection

_MINUTE_MS = 60_000
_WORDS = (TurnKind.MESSAGE, TurnKind.MEDIA)  # of other kinds the wording differs by language
_LONGEST_WORDS_ABOUT_A_FILE = 20
_Waiting = dict[tuple[int, str, str], list[StoredWords]]


class KnownWords:
    """The turns of one stored chat, each to answer for one turn of a file that has another key.

    So equal messages both stay. Somebody who speaks in the export under their stored name is
    nobody else in it. The file is walked batch by batch; of what was found, the keys are kept.

    Attributes:
        called: Who of the conversation begun last is called otherwise in the memory:
            (name in the export, stored name).
    """

    def __init__(self, db: Connection, conversation_id: int, spool: Spool) -> None:
        self._db = db
        self._conversation_id = conversation_id
        self._spool = spool
        self._kept: list[Kept] = []
        self._used: list[tuple[int, int, bytes]] = []
        self._known: list[bytes] = []
        self.called: set[tuple[str, str]] = set()

    def begin(self, kept: Kept) -> None:
        """Take up one conversation of the file; one after another where it is there twice."""
        self._kept.append(kept)
        self.called = set()

    def known_so_far(self) -> set[str]:
        """Give the keys of all turns that are stored under another key."""
        return {key for keys in self._known for key in unpacked(keys)}

    def find(self, batch: int, new: set[str]) -> set[str]:
        """Find which turns are stored under another key.

        Args:
            batch: Which batch of the conversation that was begun last.
            new: Keys of it that are not stored.
        """
        kept = self._kept[-1]
        (some,) = self._spool.turns(kept, {batch})
        turns = [turn for turn in some if turn.key in new and turn.said_at_ms is not None]
        times = [turn.said_at_ms for turn in turns if turn.said_at_ms is not None]
        if not times:
            return set()
        from_ms = min(times) // _MINUTE_MS * _MINUTE_MS
        before_ms = (max(times) // _MINUTE_MS + 1) * _MINUTE_MS
        stored = self._unanswered(_Wanted(turns), from_ms, before_ms)
        if not stored:
            return set()
        answered = _answered(turns, stored, kept.speakers)
        self._used.append((from_ms, before_ms, packed(stored.key for _, stored in answered)))
        self._known.append(packed(turn.key for turn, _ in answered))
        pairs = {(turn.speaker, stored.speaker) for turn, stored in answered}
        self.called |= {pair for pair in pairs if pair[0] != pair[1]}
        return {turn.key for turn, _ in answered}

    def _unanswered(self, wanted: "_Wanted", from_ms: int, before_ms: int) -> list[StoredWords]:
        """Find what is stored of what is wanted, and answers for no other turn of the file."""
        found = [
            stored
            for stored in chat_matches.find_words(
                self._db, self._conversation_id, from_ms, before_ms, with_keys=True
            )
            if wanted.could_be(stored)
        ]
        left = {stored.key for stored in found}
        for keys in self._answering(from_ms, before_ms) if left else ():
            left.difference_update(map(known_by, keys))
        return [stored for stored in found if stored.key in left]

    def _answering(self, from_ms: int, before_ms: int) -> Iterator[Sequence[str]]:
        """Give the keys that the file has itself in a stretch of time, and those used up."""
        for kept in self._kept:
            near = self._spool.batches_between(kept, from_ms, before_ms)
            yield from self._spool.keys(kept, near)
        for first_ms, end_ms, keys in self._used:
            if first_ms < before_ms and end_ms > from_ms:
                yield unpacked(keys)


class _Wanted:
    """What could be one of some turns, as far as that is told quickly."""

    def __init__(self, turns: Sequence[ImportedTurn]) -> None:
        self._places = {_place_of(turn) for turn in turns}
        self._texts = {(_minute(turn), turn.text) for turn in turns if turn.text}
        # Of these, what is stored may have had any words.
        self._minutes = {_minute(turn) for turn in turns if _can_have_changed(turn)}

    def could_be(self, stored: StoredWords) -> bool:
        """Tell whether it could be one of the turns."""
        minute = stored.said_at_ms // _MINUTE_MS
        return (
            minute in self._minutes
            or _place(stored.said_at_ms, stored.kind, stored.text) in self._places
            or (minute, stored.text.partition("\n")[0]) in self._texts
            or (minute, stored.text) in self._texts
        )


def _answered(
    turns: Iterable[ImportedTurn], stored: Sequence[StoredWords], here: frozenset[str]
) -> list[tuple[ImportedTurn, StoredWords]]:
    """Pair turns with what is stored of them: first the same, then what became another kind."""
    waiting: _Waiting = {}
    for one in stored:
        waiting.setdefault(_place(one.said_at_ms, one.kind, one.text), []).append(one)
    pairs: list[tuple[ImportedTurn, StoredWords]] = []
    left: list[ImportedTurn] = []
    for turn in turns:
        could = waiting.get(_place_of(turn), [])
        chosen = next((one for one in could if one.speaker == turn.speaker), None)
        chosen = chosen or next((one for one in could if one.speaker not in here), None)
        if chosen is None:
            left.append(turn)
        else:
            could.remove(chosen)
            pairs.append((turn, chosen))
    rest = [one for ones in waiting.values() for one in ones]
    return pairs + (list(_changed(left, rest, pairs)) if left and rest else [])


def _changed(
    turns: Iterable[ImportedTurn],
    stored: Iterable[StoredWords],
    pairs: Iterable[tuple[ImportedTurn, StoredWords]],
) -> Iterator[tuple[ImportedTurn, StoredWords]]:
    """Pair turns with what was stored as another kind, in the same minute, of the same person."""
    renamed = {(turn.speaker, one.speaker) for turn, one in pairs}
    by_minute: dict[int, list[StoredWords]] = {}
    for one in stored:
        by_minute.setdefault(one.said_at_ms // _MINUTE_MS, []).append(one)
    for turn in turns:
        could = by_minute.get(_minute(turn), [])
        near = [one for one in could if _is_same_person(turn, one, renamed)]
        chosen = next((one for one in near if _is_same_said_otherwise(turn, one)), None)
        if chosen is None and turn.kind is TurnKind.DELETED:
            chosen = next((one for one in near if one.kind in _WORDS and one.speaker), None)
        if chosen is not None:
            could.remove(chosen)
            yield turn, chosen


def _is_same_person(turn: ImportedTurn, one: StoredWords, renamed: set[tuple[str, str]]) -> bool:
    # Nobody's words were taken for somebody's, or the other way round.
    pair = (turn.speaker, one.speaker)
    return turn.speaker == one.speaker or pair in renamed or (not all(pair) and bool(turn.text))


def _is_same_said_otherwise(turn: ImportedTurn, one: StoredWords) -> bool:
    """Tell whether what is stored is the turn, read by rules that were others then."""
    if turn.text:
        same = one.text == turn.text and one.kind != turn.kind
        return same or (
            # What follows it is a notice of its own now.
            turn.speaker == one.speaker and one.text.startswith(f"{turn.text}\n")
        )
    return one.kind != turn.kind and any(
        name in one.text and len(one.text) <= len(name) + _LONGEST_WORDS_ABOUT_A_FILE
        for name in turn.attachments
        if name
    )


def _can_have_changed(turn: ImportedTurn) -> bool:
    return turn.kind is TurnKind.DELETED or (not turn.text and bool(turn.attachments))


def _minute(turn: ImportedTurn) -> int:
    return (turn.said_at_ms or 0) // _MINUTE_MS


def _place_of(turn: ImportedTurn) -> tuple[int, str, str]:
    return _place(turn.said_at_ms or 0, turn.kind, turn.text)


def _place(at_ms: int, kind: str, text: str) -> tuple[int, str, str]:
    words = text if kind in _WORDS else ""
    if "\n" in words:  # how a message is broken into lines differs by app and version
        words = "\n".join(filter(None, map(str.strip, words.split("\n"))))
    return at_ms // _MINUTE_MS, str(kind), words
