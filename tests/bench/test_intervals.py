"""Intervals against published and hand-worked values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.bench.intervals import mean, quantile, share


def test_wilsons_interval() -> None:
    found = share([True] * 8 + [False] * 2)
    assert found.value == 0.8
    assert (found.low, found.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert share([]).spell() == "—"


def test_the_bootstrap_is_the_same_for_the_same_seed() -> None:
    values = [0.0, 0.2, 0.5, 1.0, 1.0]
    assert mean(values, seed=3) == mean(values, seed=3)
    assert mean(values).value == pytest.approx(0.54)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_holds_its_mean(values: list[float]) -> None:
    found = mean(values)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_quantiles_are_measured_values() -> None:
    assert quantile([3, 1, 2, 4], 0.5) == 2
    assert quantile([3, 1, 2, 4], 0.95) == 4
    assert quantile([], 0.5) == 0.0
