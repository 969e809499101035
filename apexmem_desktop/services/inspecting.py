"""Everything of one kind that a vault holds, for what measures it or writes it out."""

from apexmem_desktop.domain.graph import Event, Fact
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import events, facts, turns

_EVERY = 1_000_000_000


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
