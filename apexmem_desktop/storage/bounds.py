"""Bounds and validities as columns, and back."""

from typing import Any

from apexmem_desktop.domain.interval import Bound, Precision, TimeSource

# An entity may have thousands of facts; a look-up takes a third of what Precision(…) does.
_PRECISIONS = {str(one): one for one in Precision}
_SOURCES = {str(one): one for one in TimeSource}


def bound_columns(name: str, bound: Bound | None) -> dict[str, Any]:
    """Give the four columns of a bound; all are NULL when there is none."""
    return {
        f"{name}_earliest_ms": bound.earliest_ms if bound else None,
        f"{name}_latest_ms": bound.latest_ms if bound else None,
        f"{name}_precision": str(bound.precision) if bound else None,
        f"{name}_source": str(bound.source) if bound else None,
    }


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
