"""Keeping what is derived of people and things in step with their facts."""

from collections.abc import Iterable, Sequence

from apexmem_desktop.domain.derived import Derived
from apexmem_desktop.domain.errors import VaultError
from apexmem_desktop.domain.reports import Check
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import derived, judged
from apexmem_desktop.upkeep import deriving

_NAME = "importance, habits, summaries"


def refresh(ws: Workspace, fact_ids: Iterable[int] | None = None) -> int:
    """Work out anew what is derived of those whom these facts are about, or of all.

    Returns:
        Of how many.
    """
    with ws.vault.write() as db:
        about = derived.find_subjects(db, fact_ids)
        deriving.refresh(db, about, now_ms=ws.now_ms())
    judge(ws)
    return len(about)


def judge(ws: Workspace) -> None:
    """Keep anew what is outdated of the judgements, a part at a time: others may write between."""
    is_left = True
    while is_left:
        with ws.vault.write() as db:
            is_left = judged.refresh(db)


def derived_of(ws: Workspace, entity_ids: Sequence[int]) -> dict[int, Derived]:
    """Work out what is derived of some people and things from their facts as they are now."""
    with ws.vault.read() as db:
        found = {one.entity_id: one for one in deriving.work_out(db, entity_ids)}
    return {number: found.get(number, Derived(number, {})) for number in entity_ids}


def check(ws: Workspace) -> Check:
    """See that what is stored is what the facts give; make it anew where it is not."""
    try:
        with ws.vault.read() as db:
            right = deriving.is_right(db)
    except VaultError as error:
        return Check(_NAME, ok=False, detail=error.message)
    if right or ws.vault.read_only:
        return Check(_NAME, ok=right, detail="in order" if right else "not as the facts give them")
    number = refresh(ws)
    return Check(_NAME, ok=True, detail=f"worked out for {number}; built anew")
