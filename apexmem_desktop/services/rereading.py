"""Notice that an export stands in the memory already, read with another zone or date order.

The times of such turns would differ from the stored ones, so each would be stored a second time.
"""

from collections import Counter
from collections.abc import Iterable

from apexmem_desktop.domain.reports import ImportProblem
from apexmem_desktop.domain.turn import ImportedConversation, ImportedTurn, Turn
from apexmem_desktop.importers.reading import Reading
from apexmem_desktop.storage import conversations, turns
from apexmem_desktop.storage.vault import Connection

_SAMPLE_TURNS = 200
_ENOUGH_PAIRS = 3
_MIN_SHARE = 0.5
_MINUTE_MS = 60_000


def misread_problem(
    db: Connection,
    reading: Reading,
    conversation: ImportedConversation,
    conversation_id: int | None,
) -> ImportProblem | None:
    """Tell that the memory has this conversation with other times; None when all is well.

    Args:
        conversation_id: The stored conversation that its turn keys belong to, if any.
    """
    if conversation.external_id:
        return None  # such exports carry instants or ids, which no choice changes
    said_at = _unique_times(conversation.turns)
    if conversation_id is not None:
        candidates = [conversation_id]
    elif reading.date_order:
        # Another date order gives other keys, so only the words can tell that it is known.
        speakers = {turn.speaker for turn in conversation.turns if turn.speaker}
        stored = conversations.find_conversations(db)
        candidates = [
            chat.id
            for chat in stored
            if chat.format == reading.format and not speakers.isdisjoint(chat.speakers)
        ]
    else:
        candidates = []
    if any(_is_shifted(db, candidate, said_at) for candidate in candidates):
        choices = ", ".join(filter(None, (reading.zone, reading.date_order)))
        what = _PROBLEM.format(choices=choices)
        return ImportProblem(conversation.title, what, turns=len(conversation.turns))
    return None


_PROBLEM = (
    "the memory has this chat already with other times than this reading ({choices}) gives, so "
    "nothing was added; export it as the first time and give the same --zone and --date-order"
)


def _is_shifted(
    db: Connection, conversation_id: int, said_at: dict[tuple[str, str], int | None]
) -> bool:
    """Tell whether the same words stand in the stored conversation, most at other times."""
    sample = turns.find_conversation_turns(db, conversation_id, limit=_SAMPLE_TURNS)
    stored = _unique_times(sample)
    pairs = [(minute, said_at[words]) for words, minute in stored.items() if words in said_at]
    if len(pairs) < min(_ENOUGH_PAIRS, len(stored), len(said_at)) or not pairs:
        return False
    if len(pairs) < _MIN_SHARE * min(len(stored), len(said_at)):
        return False
    shifted = sum(1 for stored_minute, read_minute in pairs if stored_minute != read_minute)
    return shifted > _MIN_SHARE * len(pairs)


def _unique_times(items: Iterable[ImportedTurn | Turn]) -> dict[tuple[str, str], int | None]:
    """Map who said what to the minute it was said in, without what was said more than once.

    Seconds do not count: one kind of phone writes them and another does not.
    """
    items = list(items)
    times = Counter((turn.speaker, turn.text) for turn in items)
    return {
        (turn.speaker, turn.text): _minute(turn.said_at_ms)
        for turn in items
        if times[turn.speaker, turn.text] == 1
    }


def _minute(at_ms: int | None) -> int | None:
    return None if at_ms is None else at_ms // _MINUTE_MS
