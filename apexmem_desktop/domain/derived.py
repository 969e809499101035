"""What is worked out from facts and stored beside them; it decides nothing about what is true."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habit:
    """What somebody does again and again: as said, or possibly, found from its dates.

    Attributes:
        times: On how many different days it is known of.
        every_days: The middle distance between two of them, in days.
        first_ms: The first of them, UTC; last_ms, the last.
        stated: Somebody said so ("every Tuesday"); else it is only possible.
        text: The habit in words, with its facts' numbers.
    """

    entity_id: int
    property_id: int
    value_normalised: str
    times: int
    every_days: float
    first_ms: int
    last_ms: int
    fact_ids: tuple[int, ...]
    stated: bool
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What holds of an entity by the last that was said of it, a line a fact with its number."""

    entity_id: int
    text: str
    fact_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Derived:
    """All that is worked out from the facts of one entity.

    Attributes:
        importance: By fact number, from 0 to 1.
        summary: None where nothing holds any more.
    """

    entity_id: int
    importance: dict[int, float]
    habits: tuple[Habit, ...] = ()
    summary: Summary | None = None

    @property
    def weight(self) -> float:
        """How much the entity matters: as much as the weightiest of its facts."""
        return max(self.importance.values(), default=0.0)
