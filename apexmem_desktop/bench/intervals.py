"""95 % intervals: Wilson's for shares, the bootstrap's for means. Both say how little n tells."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

_Z = 1.959964
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a share with its 95 % interval, from n cases. Without cases: all zero."""

    value: float
    low: float
    high: float
    n: int

    def spell(self) -> str:
        """Spell it for a table: "0.52 (0.31–0.70)"."""
        return f"{self.value:.2f} ({self.low:.2f}–{self.high:.2f})" if self.n else "—"

    def to_json(self) -> dict[str, float | int]:
        """Give it as plain JSON values."""
        return {
            "value": round(self.value, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
            "n": self.n,
        }


def share(cases: Sequence[bool]) -> Estimate:
    """Estimate a share (Wilson 1927)."""
    n = len(cases)
    if not n:
        return Estimate(0.0, 0.0, 0.0, 0)
    p = sum(cases) / n
    middle = p + _Z**2 / (2 * n)
    half = _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n * n))
    scale = 1 + _Z**2 / n
    return Estimate(p, max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale), n)


def mean(values: Sequence[float], *, seed: int = 0) -> Estimate:
    """Estimate a mean by the percentile bootstrap; the same seed gives the same interval."""
    n = len(values)
    if not n:
        return Estimate(0.0, 0.0, 0.0, 0)
    draw = random.Random(seed)  # noqa: S311 - statistics, no secret
    means = sorted(sum(draw.choices(values, k=n)) / n for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[ceil(0.975 * RESAMPLES) - 1]
    return Estimate(sum(values) / n, low, high, n)


def quantile(values: Sequence[float], part: float) -> float:
    """Return the nearest-rank quantile: 0.5 the median, 0.95 the 95th percentile; 0.0 of none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, ceil(part * len(ordered)) - 1)]
