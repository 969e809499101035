"""Time as people mean it: a span with a precision, and validity as two uncertain bounds."""

from dataclasses import dataclass
from enum import StrEnum


class Precision(StrEnum):
    """How finely the words told the time."""

    INSTANT = "instant"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    UNKNOWN = "unknown"


class TimeSource(StrEnum):
    """Where a bound comes from."""

    STATED = "stated"  # an absolute date stood in the words
    WORKED_OUT = "worked_out"  # relative words, resolved against the turn's own clock
    MESSAGE_TIME = "message_time"  # no time words: the moment it was said
    NEXT_VALUE = "next_value"  # a later value of the same property ended it
    USER = "user"  # the user ruled so


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a validity: somewhere in [earliest_ms, latest_ms], both UTC.

    Attributes:
        earliest_ms: None when nothing is known of how early.
        latest_ms: None when nothing is known of how late.
    """

    earliest_ms: int | None
    latest_ms: int | None
    precision: Precision
    source: TimeSource


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A half-open stretch [start_ms, end_ms) of UTC that some words mean.

    Attributes:
        start_ms: First millisecond, UTC.
        end_ms: First millisecond after, UTC.
        precision: How finely the words told it.
        source: Stated outright, or worked out from the anchor.
        phrase: The words as they stood, "" when none.
        phrase_start: Offset of the phrase in the text it was found in, in characters.
        anchor_ms: The UTC instant the words were resolved against.
        offset_minutes: Offset from UTC of the clock the words were said by.
        zone: Name of the time zone of that clock; "" where only the offset is known.
        role: "at" (when it happens), "since" (from then on), "until" (up to then),
            "for" (a duration that ends at the anchor unless the words say otherwise).
        ends: Of words that told a beginning and an end ("from 2015 to 2018"), where each lies;
            None for one time, of which nobody said that something filled it.
    """

    start_ms: int
    end_ms: int
    precision: Precision
    source: TimeSource
    phrase: str = ""
    phrase_start: int = 0
    anchor_ms: int = 0
    offset_minutes: int = 0
    role: str = "at"
    ends: tuple[Bound, Bound] | None = None
    zone: str = ""

    def __post_init__(self) -> None:
        """Refuse a span that ends before it starts."""
        if self.end_ms < self.start_ms:
            raise ValueError(f"span ends before it starts: {self.start_ms}..{self.end_ms}")


@dataclass(frozen=True, slots=True)
class Validity:
    """When something held. `end` is None unless somebody said that it ended."""

    start: Bound
    end: Bound | None = None
    phrase: str = ""


class Certainty(StrEnum):
    """Whether something about uncertain times is so in every case, in some, or in none."""

    CERTAIN = "certain"
    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class UncertainSpan:
    """A half-open stretch [start, end) whose ends are known only within limits.

    It stands for every stretch of at least a millisecond whose start lies in
    [start_earliest_ms, start_latest_ms] and whose end lies in [end_earliest_ms, end_latest_ms],
    all UTC. The limits are tight: each of them is the end of some such stretch. None is an open
    limit: nothing is known of how early, or of how late. `chronology.uncertain` builds them.
    """

    start_earliest_ms: int | None
    start_latest_ms: int | None
    end_earliest_ms: int | None
    end_latest_ms: int | None

    def __post_init__(self) -> None:
        """Refuse limits that run backwards, and such as no stretch can reach."""
        for low, high, least in (
            (self.start_earliest_ms, self.start_latest_ms, 0),
            (self.end_earliest_ms, self.end_latest_ms, 0),
            (self.start_earliest_ms, self.end_earliest_ms, 1),
            (self.start_latest_ms, self.end_latest_ms, 1),
        ):
            if low is not None and high is not None and high - low < least:
                raise ValueError(f"limits that no stretch of time can meet: {low}..{high}")
        if self.end_earliest_ms is None and self.start_earliest_ms is not None:
            raise ValueError("no end can come before the earliest start")
        if self.start_latest_ms is None and self.end_latest_ms is not None:
            raise ValueError("no start can come after the latest end")
