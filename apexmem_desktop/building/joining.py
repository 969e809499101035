"""Links a new entity with the one it was found to be, and with those that are one with that.

No link joins through a third: each of those that are one already needs a proof of its own, by its
own names. Where there is none, the link is kept and held back, and the user is asked.
"""

from itertools import product

from apexmem_desktop.building import identity
from apexmem_desktop.building.identity import Identity
from apexmem_desktop.building.nicknames import why_beside
from apexmem_desktop.domain.graph import Entity
from apexmem_desktop.storage import entities
from apexmem_desktop.storage.vault import Connection

_RULE = "rule"


def join(db: Connection, new_id: int, known_id: int, decided: Identity, at_ms: int) -> None:
    """Link a new entity with a known one, and with the others of its group that a rule proves."""
    group = entities.find_members_named(db, known_id)
    [own] = [one for one in group if one.id == known_id]
    [new] = [one for one in entities.find_members_named(db, new_id) if one.id == new_id]
    reasons = {one.id: _why(new, one, own) for one in group if one.id != new_id}
    if decided.by != _RULE or not any(reasons.values()):
        reasons[known_id] = decided.reason
    for number, reason in reasons.items():
        if reason:
            by = decided.by if number == known_id else _RULE
            entities.append_link(db, new_id, number, "same_as", by, reason, at_ms)


def _why(new: Entity, one: Entity, found: Entity) -> str:
    """Say why a new one is one of a group, apart from what it was found to be; "" for nothing."""
    for name in (new.name, *new.aliases):
        why = identity.known_by_rule(name, one)
        if why:
            return why
    if one.id == found.id:
        return ""
    if one.type == "person":
        pairs = product((new.name, *new.aliases), (one.name, *one.aliases))
        return next(filter(None, (why_beside(name, form) for name, form in pairs)), "")
    forms = {identity.core(form) for form in (found.name, *found.aliases)} - {""}
    alike = next((form for form in (one.name, *one.aliases) if identity.core(form) in forms), "")
    return f"{alike} is only another writing of {found.name}" if alike else ""
