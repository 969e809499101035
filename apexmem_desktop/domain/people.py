"""Two entities that may be one person; only the user says so."""

from dataclasses import dataclass

from apexmem_desktop.domain.graph import Entity


@dataclass(frozen=True, slots=True)
class Proposal:
    """Somebody of two exports who may be one person.

    Attributes:
        formats: Where the first one speaks, and where the second one does.
        why: In plain words, what they have in common.
    """

    first: Entity
    second: Entity
    formats: tuple[tuple[str, ...], tuple[str, ...]]
    why: str
