"""A measured thing with the limit it is held against, for people, for JSON and for the docs."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from apexmem_desktop.bench.intervals import quantile

T = TypeVar("T")

_HEADS = ("what", "value", "limit in the same run", "ratio")
_LEAST_S = 1e-9
_SIZES = ("MB",)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing.

    Attributes:
        limit: What it is held against, measured in the same run; "" without one.
        ratio: How much of the limit's speed it reaches: 1 is as fast, 0.5 takes twice as long.
            Of sizes, how many times the limit's.
        limit_value: The limit itself, in the same unit.
    """

    name: str
    value: float
    unit: str
    limit: str = ""
    ratio: float | None = None
    limit_value: float | None = None

    def line(self) -> str:
        """Write it for people."""
        told = f"{self.name}: {_spell(self.value)} {self.unit}"
        if self.ratio is None:
            return told
        beside = "times" if self.unit in _SIZES else "of the speed of"
        return f"{told} ({_spell(self.ratio)} {beside} {self._limit()})"

    def row(self) -> str:
        """Write it as a line of a Markdown table."""
        ratio = "" if self.ratio is None else _spell(self.ratio)
        cells = (self.name, f"{_spell(self.value)} {self.unit}", self._limit(), ratio)
        return "| " + " | ".join(cells) + " |"

    def to_json(self) -> dict[str, Any]:
        """Give it as plain JSON values."""
        return asdict(self)

    def _limit(self) -> str:
        if self.limit_value is None:
            return self.limit
        return f"{self.limit}: {_spell(self.limit_value)} {self.unit}"


def table(figures: Sequence[Figure]) -> list[str]:
    """Write figures as a Markdown table."""
    head = "| " + " | ".join(_HEADS) + " |"
    return [head, "|" + "---|" * len(_HEADS), *(one.row() for one in figures)]


def rate(
    name: str, count: float, unit: str, took_s: float, *limits: tuple[str, float]
) -> list[Figure]:
    """Tell how many a second, once for each limit (what, its seconds for as many)."""
    value = count / max(took_s, _LEAST_S)
    if not limits:
        return [Figure(name, value, unit)]
    return [
        Figure(
            name,
            value,
            unit,
            limit,
            limit_s / max(took_s, _LEAST_S),
            count / max(limit_s, _LEAST_S),
        )
        for limit, limit_s in limits
    ]


def latencies(
    name: str, ms: Sequence[float], limit: str = "", bare_ms: Sequence[float] = ()
) -> list[Figure]:
    """Tell the median and the 95th percentile, each beside that of the limit."""
    found = []
    for told, part in (("median", 0.5), ("95 %", 0.95)):
        value = quantile(ms, part)
        if bare_ms:
            bare = quantile(bare_ms, part)
            found.append(
                Figure(f"{name}, {told}", value, "ms", limit, bare / max(value, _LEAST_S), bare)
            )
        else:
            found.append(Figure(f"{name}, {told}", value, "ms"))
    return found


@dataclass(frozen=True, slots=True)
class Took:
    """What some work took: by the clock, and of the processor alone.

    Where a machine has other work too, the second still says what the work itself costs.
    """

    seconds: float
    processor_s: float

    def __add__(self, other: "Took") -> "Took":
        """Add what other work took."""
        return Took(self.seconds + other.seconds, self.processor_s + other.processor_s)


def took(work: Callable[[], object]) -> Took:
    """Time some work both ways."""
    began_s = time.process_time()
    wall_s = seconds(work)
    return Took(wall_s, max(time.process_time() - began_s, _LEAST_S))


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Do some work; give its result and its seconds, never 0."""
    began = time.perf_counter()
    found = work()
    return found, max(time.perf_counter() - began, _LEAST_S)


def seconds(work: Callable[[], object]) -> float:
    """Time some work, in seconds; never 0."""
    return timed(work)[1]


def _spell(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2g}"
