"""Notice that an export stands in the memory already, read with another zone or date order.

The times of such turns would differ from the stored ones, so each would be stored a second time.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.importers.reading import Reading
from apexmem_desktop.services.import_spool import Kept, Spool
from apexmem_desktop.storage import conversations, turns
from apexmem_desktop.storage.vault import Connection

_SAMPLE_TURNS = 200
_ENOUGH_PAIRS = 3
_MIN_SHARE = 0.5
_MINUTE_MS = 60_000
_MOST_COUNTED = 20_000
_MOST_LOOKED_AT = 24
_Words = tuple[str, str]
_Times = dict[_Words, int | None]


class Misreadings:
    """Looks whether the memory has conversations of one file with other times."""

    def __init__(self, db: Connection, reading: Reading, spool: Spool) -> None:
        self._db = db
        self._reading = reading
        self._spool = spool

    def find_shifted(self, kept: Kept, conversation_id: int | None) -> int | None:
        """Find the stored conversation that is this one with other times; None when all is well.

        Args:
            conversation_id: The stored conversation that its turn keys belong to, if any.
        """
        if kept.external_id:
            return None  # such exports carry instants or ids, which no choice changes
        if conversation_id is not None:
            candidates = [conversation_id]
        elif self._reading.wall_clock:
            # Another date order or zone may give other keys, so only the words can tell.
            candidates = self._with_a_speaker_of(kept)
        else:
            candidates = []
        samples = [_unique_times(_sample(self._db, candidate)) for candidate in candidates]
        place = _find_shifted(samples, kept, self._spool) if samples else None
        return candidates[place] if place is not None else None

    def problem(self, kept: Kept) -> ImportProblem:
        """Tell that the memory has a conversation with other times than it was read with."""
        choices = ", ".join(filter(None, (kept.zone, self._reading.date_order)))
        return ImportProblem(kept.title, _PROBLEM.format(choices=choices), turns=kept.turns)

    def _with_a_speaker_of(self, kept: Kept) -> list[int]:
        """Find the stored conversations of the format in which somebody of this one speaks too.

        The owner speaks in all of them. Where these are many, most of the people have to be
        the same.
        """
        own = kept.speakers - {""}
        shared = {number: len(own & theirs) for number, theirs in self._stored.items()}
        some = [number for number, count in shared.items() if count]
        if len(some) <= _MOST_LOOKED_AT:
            return some
        fewer = {number: min(len(own), len(self._stored[number])) for number in some}
        return [number for number in some if 2 * shared[number] > fewer[number]]

    @cached_property
    def _stored(self) -> dict[int, frozenset[str]]:
        """The speakers of the stored conversations of the format."""
        stored = conversations.find_conversations(self._db)
        form = self._reading.format
        return {chat.id: frozenset(chat.speakers) for chat in stored if chat.format == form}


_PROBLEM = (
    "the memory has this chat already with other times than this reading ({choices}) gives, so "
    "nothing was added; export it as the first time and give the same --zone and --date-order"
)


def _sample(db: Connection, conversation_id: int) -> list[Turn]:
    return turns.find_conversation_turns(db, conversation_id, limit=_SAMPLE_TURNS)


def _find_shifted(samples: Sequence[_Times], kept: Kept, spool: Spool) -> int | None:
    """Find which of stored conversations has the same words, most at other times."""
    said_at, unique = _times_of(chain.from_iterable(samples), kept, spool)
    shifted = (n for n, stored in enumerate(samples) if _is_shifted(stored, said_at, unique))
    return next(shifted, None)


def _is_shifted(stored: _Times, said_at: _Times, unique: int) -> bool:
    pairs = [(minute, said_at[words]) for words, minute in stored.items() if words in said_at]
    if len(pairs) < min(_ENOUGH_PAIRS, len(stored), unique) or not pairs:
        return False
    if len(pairs) < _MIN_SHARE * min(len(stored), unique):
        return False
    shifted = sum(1 for stored_minute, read_minute in pairs if stored_minute != read_minute)
    return shifted > _MIN_SHARE * len(pairs)


def _times_of(wanted: Iterable[_Words], kept: Kept, spool: Spool) -> tuple[_Times, int]:
    """Map what was said once in the conversation, of what is wanted, to its minute.

    Returns:
        The times, and how much was said once; of a long conversation that is not counted.
    """
    sought = set(wanted)
    is_long = kept.turns > _MOST_COUNTED
    times: Counter[_Words] = Counter()
    said_at: _Times = {}
    for speaker, text, at_ms in chain.from_iterable(spool.words(kept)):
        words = (speaker, text)
        if words in sought:
            said_at[words] = _minute(at_ms)
        elif is_long:
            continue
        times[words] += 1
    once = {words for words, count in times.items() if count == 1}
    unique = kept.turns if is_long else len(once)
    return {words: minute for words, minute in said_at.items() if words in once}, unique


def _unique_times(sample: Sequence[Turn]) -> _Times:
    """Map who said what to the minute it was said in, without what was said more than once.

    Seconds do not count: one kind of phone writes them and another does not.
    """
    times = Counter((turn.speaker, turn.text) for turn in sample)
    return {
        (turn.speaker, turn.text): _minute(turn.said_at_ms)
        for turn in sample
        if times[turn.speaker, turn.text] == 1
    }


def _minute(at_ms: int | None) -> int | None:
    return None if at_ms is None else at_ms // _MINUTE_MS
