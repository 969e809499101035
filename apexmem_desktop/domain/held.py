"""When something held, for how long and how often, as far as uncertain bounds allow to tell."""

from dataclasses import dataclass
from enum import StrEnum

from apexmem_desktop.domain.graph import Event, Fact
from apexmem_desktop.domain.interval import Bound


class Certainty(StrEnum):
    """Whether something held at an instant."""

    CERTAIN = "certain"
    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Held:
    """One value for as long as it held without a break.

    Attributes:
        facts: What says so, in valid-time order.
        start: It began somewhere in here; `earliest_ms` is None where nobody said since when.
        end: It ended somewhere in here; None while it holds.
    """

    facts: tuple[Fact, ...]
    start: Bound
    end: Bound | None

    def certainty_at(self, at_ms: int) -> Certainty:
        """Tell whether it held at a UTC instant; a bound is over from its latest instant on."""
        start, end = self.start, self.end
        if start.earliest_ms is not None and at_ms < start.earliest_ms:
            return Certainty.IMPOSSIBLE
        if end is not None and end.latest_ms is not None and at_ms >= end.latest_ms:
            return Certainty.IMPOSSIBLE
        begun = start.latest_ms is not None and at_ms >= start.latest_ms
        return Certainty.CERTAIN if begun and not self._may_be_over(at_ms) else Certainty.POSSIBLE

    def _may_be_over(self, at_ms: int) -> bool:
        if self.end is None or at_ms == self.start.latest_ms:
            return False  # it held when it had surely begun
        return self.end.earliest_ms is None or at_ms >= self.end.earliest_ms


@dataclass(frozen=True, slots=True)
class HeldAt:
    """A value and whether it held at the instant asked about."""

    held: Held
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class Around:
    """What held before something happened, and what after it."""

    before: tuple[HeldAt, ...]
    after: tuple[HeldAt, ...]


@dataclass(frozen=True, slots=True)
class Length:
    """For how long something held, by its clock and calendar: from noon to noon are 24 hours.

    Attributes:
        least_ms: Surely so long.
        most_ms: At most so long; None where nobody said since when.
        ongoing: It still holds at the instant that it was measured to.
    """

    least_ms: int
    most_ms: int | None
    ongoing: bool


@dataclass(frozen=True, slots=True)
class Count:
    """How many times something happened in a period: surely `least`, at most `most`.

    Attributes:
        facts: Those that tell of it, the surest first.
    """

    least: int
    most: int
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """How two events can lie to each other in time.

    Attributes:
        relations: Names of Allen's thirteen, read "first … second"; a single one is certain.
    """

    first: Event
    second: Event
    relations: tuple[str, ...]
