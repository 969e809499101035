"""Reading one conversation: from any place in it, only some of it, with what it proves."""

from collections.abc import Sequence

from apexmem_desktop.domain.reading import ALL_TURNS, MarginFact, TurnFilter
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import pages
from apexmem_desktop.storage.rulings import find_rulings

MOST_MATCHES = 10_000
_OUT = frozenset({"reject", "hide"})
PAGE_TURNS = 60  # laid out in one go without holding the window up


def count(ws: Workspace, conversation_id: int, only: TurnFilter = ALL_TURNS) -> int:
    """Count the turns that a filter lets through."""
    with ws.vault.read() as db:
        return pages.count_turns(db, conversation_id, only)


def page(
    ws: Workspace,
    conversation_id: int,
    only: TurnFilter = ALL_TURNS,
    *,
    beside: int | None = None,
    backwards: bool = False,
    limit: int = PAGE_TURNS,
) -> tuple[Turn, ...]:
    """Give the turns behind a turn, or before it, in time order.

    Args:
        beside: Number of the turn; None for the beginning, or backwards for the end.
    """
    with ws.vault.read() as db:
        found = pages.find_page(
            db, conversation_id, only, beside=beside, backwards=backwards, limit=limit
        )
    return tuple(found)


def around(
    ws: Workspace,
    conversation_id: int,
    only: TurnFilter,
    turn_id: int,
    *,
    limit: int = PAGE_TURNS,
) -> tuple[Turn, ...]:
    """Give a turn with as many before it as behind it."""
    with ws.vault.read() as db:
        before = pages.find_page(
            db, conversation_id, only, beside=turn_id, backwards=True, limit=limit // 2
        )
        last = before[-1].id if before else None
        behind = pages.find_page(db, conversation_id, only, beside=last, limit=limit // 2)
    return (*before, *behind)


def turn_at(ws: Workspace, conversation_id: int, only: TurnFilter, *, number: int) -> int | None:
    """Find the turn that so many turns stand before."""
    with ws.vault.read() as db:
        return pages.find_turn_at(db, conversation_id, only, number=number)


def turn_from(ws: Workspace, conversation_id: int, only: TurnFilter, *, at_ms: int) -> int | None:
    """Find the first turn said at or after a UTC instant, or the last one."""
    with ws.vault.read() as db:
        return pages.find_turn_from(db, conversation_id, only, at_ms=at_ms)


def number_of(ws: Workspace, conversation_id: int, only: TurnFilter, *, turn_id: int) -> int:
    """Tell how many turns stand before one."""
    with ws.vault.read() as db:
        return pages.count_before(db, conversation_id, only, turn_id=turn_id)


def find_within(
    ws: Workspace, conversation_id: int, words: str, only: TurnFilter = ALL_TURNS
) -> tuple[int, ...]:
    """Find the turns that hold some signs, in time order; at most MOST_MATCHES."""
    with ws.vault.read() as db:
        return tuple(pages.find_within(db, conversation_id, only, words, limit=MOST_MATCHES))


def margin(ws: Workspace, turn_ids: Sequence[int]) -> dict[int, tuple[MarginFact, ...]]:
    """Tell what turns prove, by turn; what the user called wrong or hid is left out."""
    with ws.vault.read() as db:
        told = pages.find_margin(db, turn_ids)
        ruled = find_rulings(db, [fact.fact_id for facts in told.values() for fact in facts])
    kept = {
        number: tuple(fact for fact in facts if ruled.get(fact.fact_id) not in _OUT)
        for number, facts in told.items()
    }
    return {number: facts for number, facts in kept.items() if facts}
