"""What is asked of the graph by one query."""

from dataclasses import dataclass
from enum import StrEnum


class Shape(StrEnum):
    """What a query does with the facts that it finds; also names its worked examples."""

    LIST = "list"
    COUNT = "count"
    MOST = "most"
    ORDER = "order"
    AROUND = "around"
    JOIN = "join"


@dataclass(frozen=True, slots=True)
class Sought:
    """Facts that a query looks for.

    Attributes:
        properties: Which it may be about, likeliest first; all of them are in the graph.
        words: Must stand in the value, in this order.
    """

    properties: tuple[str, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """A question that the graph answers by one query.

    Attributes:
        column: What is asked for: "subject" or "value".
        counted: Whether their number is asked for.
        subjects: Whose facts, of a choice between some.
        subject: Whose facts; "" for everybody's.
        without: Whose facts not: "my friends" are not who asks; "" for nobody's.
        beside: The event that they lie around, or what leads to whom they are about.
        is_after: Whether they lie after that event; of an order, whether the last is asked for.
        days: First day of the time asked about and the first after it, YYYY-MM-DD.
        is_now: Whether only what holds is asked for.
        is_over: Whether only what holds no longer is asked for.
        is_least: Of the most, whether the fewest are asked for.
        place: Of an order: how many lie before the one asked for.
        events: Facts that it lies around, each with how days from its own compare to 0.
        is_nearest: Whether only what lies nearest to them is asked for.
        is_state: Whether one value holds at a time: what begins on an event's day came with it.
        owner: Whose sister, or flatmate, it is about; "" for everybody's.
        is_same: Of a join: whether both facts are of one subject: "who has a pet and moved".
        asks_owner: Of a join: whether they are asked for whom it leads from.
    """

    shape: Shape
    column: str
    sought: Sought
    counted: bool = False
    subject: str = ""
    without: str = ""
    beside: Sought | None = None
    is_after: bool = False
    days: tuple[str, str] | None = None
    is_now: bool = False
    is_over: bool = False
    is_least: bool = False
    place: int = 0
    events: tuple[tuple[int, str], ...] = ()
    is_nearest: bool = False
    is_state: bool = False
    owner: str = ""
    is_same: bool = False
    asks_owner: bool = False
    subjects: tuple[str, ...] = ()
