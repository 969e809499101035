"""What was told later of the same thing holds over what was told before.

The nearest turn is not the newest: "seventeen so far" lies as near to a question how many there are
as the "twenty-five" of months later. So where a question asks what holds, the turns that were said
later and are as much on its topic are read one by one, and the latest that answers it is taken; the
older one stays beside it as its proof.
"""

from collections.abc import Sequence

from apexmem_desktop.agent.copying import cleaned, is_copied, repeats, words_of
from apexmem_desktop.agent.finding import MAX_TURNS
from apexmem_desktop.agent.inquiry import LEAST_SUPPORT_OF_FINDS, Inquiry
from apexmem_desktop.agent.reading import copy_requests
from apexmem_desktop.agent.topic import share_on_topic, topic_words
from apexmem_desktop.agent.verifying import Proved
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.recall.kinds import Kind

MAX_LATER = 3
# Questions of what holds; of the others only those answered by an amount are.
_OF_STATE = (Kind.CURRENT, Kind.HOW_MANY, Kind.HOW_LONG)
_OF_AMOUNT = (Kind.OPEN,)
_HOW_OFTEN = frozenset(("every", "each", "per", "daily", "weekly", "monthly", "yearly"))


def newest(inquiry: Inquiry, found: Proved) -> Proved:
    """Give what the latest turn tells that tells it, else what was found."""
    later = _later(inquiry, found) if _may_change(inquiry, found) else []
    replies = inquiry.generate_all(copy_requests(inquiry, later))
    for hit, reply in zip(later, replies, strict=True):
        answer = cleaned(reply)
        if not answer or not _is_alike(inquiry, answer, found.answer, hit):
            continue
        if words_of(answer) == words_of(found.answer):
            return found
        if inquiry.is_told(answer, inquiry.board.said(hit), at_least=LEAST_SUPPORT_OF_FINDS):
            return Proved(answer, (hit, *found.hits[:1]))
    return found


def _may_change(inquiry: Inquiry, found: Proved) -> bool:
    read = inquiry.read
    if read.spans or not found.hits:
        return False
    return read.kind in _OF_STATE or (read.kind in _OF_AMOUNT and is_amount(found.answer))


def _later(inquiry: Inquiry, found: Proved) -> list[TurnHit]:
    """Find the turns of other sessions said after those cited, and as much on the topic."""
    topic = topic_words(inquiry.read, inquiry.about)
    least = max(share_on_topic(hit.text, topic) for hit in found.hits)
    said_ms = max(hit.said_at_ms or 0 for hit in found.hits)
    sessions = {hit.session_id for hit in found.hits}
    later = [
        hit
        for hit in inquiry.admitted[:MAX_TURNS]
        if (hit.said_at_ms or 0) > said_ms
        and hit.session_id not in sessions
        and share_on_topic(hit.text, topic) >= max(least, _least_of(topic))
    ]
    return sorted(later, key=lambda hit: hit.said_at_ms or 0, reverse=True)[:MAX_LATER]


def _least_of(topic: Sequence[str]) -> float:
    """A turn with none of the words is about something else."""
    return 1 / len(topic) if topic else 1.0


def _is_alike(inquiry: Inquiry, answer: str, before: str, hit: TurnHit) -> bool:
    """Whether it is copied, and an amount where the one before is."""
    return (
        is_copied(answer, inquiry.board.said(hit))
        and not repeats(answer, inquiry.read.question)
        and is_amount(answer) == is_amount(before)
    )


def is_amount(answer: str) -> bool:
    """Tell whether an answer is a number of something, or how often something is done."""
    return any(word.isdigit() or word in _HOW_OFTEN for word in words_of(answer))
