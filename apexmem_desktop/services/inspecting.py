"""Everything of one kind that a vault holds, for what measures it or writes it out."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.building.dialogue import find_earlier
from apexmem_desktop.building.gate import find_openings, is_let_through
from apexmem_desktop.domain.graph import Event, Fact
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import events, facts, turns

_EVERY = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Gated:
    """What the gate lets through of a memory's messages.

    Attributes:
        turns: How many messages it looked at.
        passed: The numbers of those in which it found something to read.
    """

    turns: int
    passed: frozenset[int]
    seconds: float


def every_fact(ws: Workspace) -> list[Fact]:
    """Give all facts in order of valid time, as stored: nothing is judged."""
    with ws.vault.read() as db:
        return facts.find_facts(db, limit=_EVERY)


def every_event(ws: Workspace) -> list[Event]:
    """Give all events in order of time; those too that only carry facts."""
    with ws.vault.read() as db:
        return events.find_events(db, limit=_EVERY)


def external_ids(ws: Workspace) -> dict[int, str]:
    """Map the turns' numbers to the ids that their exports gave them; "" where they gave none."""
    with ws.vault.read() as db:
        return turns.find_external_ids(db)


def gate_every_turn(ws: Workspace) -> Gated:
    """Hold every message against the gate of building, without a model; nothing is written."""
    with ws.vault.read() as db:
        all_turns = turns.find_turns(db, list(turns.find_external_ids(db)))
    begin = time.perf_counter()
    with ws.vault.read() as db:
        before = find_earlier(db, all_turns)
    passed = frozenset(one.id for one in all_turns if _is_let_through(one, before[one.id]))
    return Gated(len(all_turns), passed, time.perf_counter() - begin)


def sessions_by_name(ws: Workspace) -> dict[str, set[int]]:
    """Map the ids that exports gave their turns to the numbers of the sessions these stand in."""
    names = external_ids(ws)
    found: dict[str, set[int]] = {}
    with ws.vault.read() as db:
        for turn in turns.find_turns(db, list(names)):
            found.setdefault(names[turn.id], set()).add(turn.session_id)
    return found


def _is_let_through(turn: Turn, before: Sequence[Turn]) -> bool:
    return is_let_through(turn, before, find_openings(turn, before))
