"""Bounds and validities as columns, and back.

A row keeps one instant of a bound, its anchor, and not even that where it is told elsewhere: by
the turn that proves it, or by the other bound. How far the bound reaches from there is, for the
usual lengths, a matter of the row's kind.
"""

from dataclasses import dataclass
from typing import Any

from apexmem_desktop.domain.interval import Bound, Precision, TimeSource

# An entity may have thousands of facts; a look-up takes a third of what Precision(…) does.
_PRECISIONS = {str(one): one for one in Precision}
_SOURCES = {str(one): one for one in TimeSource}
_HOUR_MS = 3_600_000
_LONGEST_SHARED_MS = 367 * 24 * _HOUR_MS


@dataclass(frozen=True, slots=True)
class LeanBound:
    """A bound as it is stored.

    Attributes:
        anchor_ms: Its earliest instant, or the latest where it has no earliest; None where it
            has neither.
        own: Columns of the row.
        shared: Columns of the row's kind.
    """

    anchor_ms: int | None
    own: dict[str, int | None]
    shared: dict[str, Any]


def lean_bound(name: str, bound: Bound | None, told_ms: int | None) -> LeanBound:
    """Split a bound into what its row and what the row's kind keeps.

    Args:
        name: What its columns begin with.
        told_ms: The anchor that counts where the row has none.
    """
    earliest = bound.earliest_ms if bound else None
    latest = bound.latest_ms if bound else None
    anchor = latest if earliest is None else earliest
    after = None if anchor is None or latest is None else latest - anchor
    shares = after is not None and _is_usual(after)
    own = {
        f"{name}_ms": None if anchor == told_ms else anchor,
        f"{name}_latest_ms": None if shares else latest,
    }
    shared = {
        f"{name}_precision": str(bound.precision) if bound else None,
        f"{name}_source": str(bound.source) if bound else None,
        f"{name}_has_earliest": int(earliest is not None),
        f"{name}_after_ms": after if shares else None,
    }
    return LeanBound(anchor, own, shared)


def _is_usual(length_ms: int) -> bool:
    """Tell whether many bounds have this length: whole hours, the last millisecond in or out."""
    return 0 <= length_ms <= _LONGEST_SHARED_MS and length_ms % _HOUR_MS in (0, _HOUR_MS - 1)


def read_bound(row: Any, name: str) -> Bound:
    """Read a bound that must be there."""
    bound = find_bound(row, name)
    if bound is None:
        raise ValueError(f"row {row.id} has no {name} bound")
    return bound


def find_bound(row: Any, name: str) -> Bound | None:
    """Read a bound; None when nobody said one."""
    return make_bound(
        getattr(row, f"{name}_earliest_ms"),
        getattr(row, f"{name}_latest_ms"),
        getattr(row, f"{name}_precision"),
        getattr(row, f"{name}_source"),
    )


def make_bound(
    earliest_ms: int | None, latest_ms: int | None, precision: str | None, source: str | None
) -> Bound | None:
    """Make a bound of its four columns; None when nobody said one."""
    if precision is None or source is None:
        return None
    return Bound(earliest_ms, latest_ms, _PRECISIONS[precision], _SOURCES[source])
