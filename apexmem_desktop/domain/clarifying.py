"""What the memory cannot settle by itself and asks the user."""

from dataclasses import dataclass
from enum import StrEnum

from apexmem_desktop.domain.graph import Entity, Fact
from apexmem_desktop.domain.interval import Bound
from apexmem_desktop.domain.reports import SourceSummary


class OpenKind(StrEnum):
    """What a question is about."""

    CONFLICT = "conflict"  # two values that cannot both hold: which is right?
    SAME = "same"  # two names: one and the same?
    DATE = "date"  # a date whose day and month can be exchanged: which is meant?
    ORDER = "order"  # an import whose order of dates was guessed: was that right?


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """One thing to be decided by the user.

    Attributes:
        key: The same for the same question each time it is listed.
        property_name: Of a conflict or a date.
        sides: The facts that contradict each other; of a date the one fact.
        entities: The two that may be one.
        apps: Where each of the two speaks; empty where their names tell them apart.
        joined: Whether these two count as one until somebody says otherwise.
        other_start: When a fact's value would have begun by the other reading of its date.
        source: The import whose order of dates was guessed.
    """

    kind: OpenKind
    key: str
    property_name: str = ""
    sides: tuple[Fact, ...] = ()
    entities: tuple[Entity, ...] = ()
    apps: tuple[tuple[str, ...], ...] = ()
    joined: bool = False
    other_start: Bound | None = None
    source: SourceSummary | None = None

    @property
    def choices(self) -> int:
        """Count the ways in which it can be decided."""
        return len(self.sides) if self.kind is OpenKind.CONFLICT else 2
