"""Garbage is collected by the GUI thread alone, a little at a time."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from apexmem_desktop.ui import sweeper
from apexmem_desktop.ui.sweeper import Sweeper
from tests.ui.fake_memory import InlineRunner


class Ring:
    """Refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def sweeping(qapp: object) -> Iterator[Sweeper]:
    runner = InlineRunner()
    made = Sweeper(runner)
    made.begin()
    yield made
    made.end()
    runner.close()


def test_python_collects_nothing_by_itself_while_a_window_is_open(sweeping: Sweeper) -> None:
    assert not gc.isenabled()
    sweeping.end()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_a_sweep_frees_what_refers_to_itself(
    sweeping: Sweeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "_FEW", 0)
    ring = Ring()
    gone = weakref.ref(ring)
    del ring
    assert gone() is not None
    sweeping.sweep()
    assert gone() is None


def test_few_new_objects_wait_for_the_next_sweep(
    sweeping: Sweeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "_FEW", 1_000_000)
    ring = Ring()
    gone = weakref.ref(ring)
    del ring
    sweeping.sweep()
    assert gone() is not None


def test_all_is_swept_once_nothing_runs_for_a_while(
    sweeping: Sweeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = Ring()
    gone = weakref.ref(ring)
    gc.collect(1)  # the ring is old now, and only a full collection looks at it
    del ring
    monkeypatch.setattr(sweeper, "_APART_S", -1.0)
    monkeypatch.setattr(sweeper, "_QUIET_S", -1.0)
    sweeping.sweep()
    assert gone() is None


def test_what_was_left_out_is_looked_at_once_its_window_is_gone(
    sweeping: Sweeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "_APART_S", -1.0)
    monkeypatch.setattr(sweeper, "_QUIET_S", -1.0)
    ring = Ring()
    gone = weakref.ref(ring)
    gc.freeze()  # as the window is, with all that was there when it was opened
    del ring
    sweeping.sweep()
    assert gone() is not None
    sweeping.look_at_all()
    sweeping.sweep()
    assert gone() is None
    assert gc.get_freeze_count() > 0
    frozen = gc.get_freeze_count()
    sweeping.sweep()
    assert gc.get_freeze_count() == frozen
