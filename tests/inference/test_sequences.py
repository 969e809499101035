"""Which prefix is kept and shared, on a model that only notes what it is told."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apexmem_desktop.inference.engine import goes_in_circles
from apexmem_desktop.inference.llama import Logits, Row
from apexmem_desktop.inference.sequences import Feed, SequencePool


class NotingLlama:
    """Keeps each sequence's tokens, as the cache would."""

    def __init__(self, cells: int = 100) -> None:
        self.cells = cells
        self.batch_tokens = 16
        self.held: dict[int, list[int]] = {}
        self.decoded = 0

    def decode(self, rows: list[Row]) -> None:
        for row in rows:
            held = self.held.setdefault(row.sequence, [])
            assert len(held) == row.position
            held.append(row.token)
        self.decoded += len(rows)

    def logits(self, row: int) -> Logits:
        return np.array([row], dtype=np.float32)

    def share(self, source: int, target: int, length: int) -> None:
        assert not self.held.get(target)
        self.held[target] = self.held[source][:length]

    def truncate(self, sequence: int, length: int) -> None:
        self.held[sequence] = self.held.get(sequence, [])[:length]


def _pool(llama: NotingLlama, active: int = 2, kept: int = 2) -> SequencePool:
    return SequencePool(llama, active=active, kept=kept)  # type: ignore[arg-type]


def _keep(pool: SequencePool, tokens: list[int]) -> None:
    one = pool.open(tokens)
    pool.feed([Feed(one, tokens[len(one.tokens) :], wants_logits=False)])
    pool.keep(one)


def test_a_kept_prefix_costs_nothing_again() -> None:
    llama = NotingLlama()
    pool = _pool(llama)
    _keep(pool, [1, 2, 3])
    first, second = pool.open([1, 2, 3, 4]), pool.open([1, 2, 9])
    assert (first.tokens, second.tokens) == ([1, 2, 3], [1, 2])
    assert llama.decoded == 3
    assert pool.used_cells() == 3
    pool.feed([Feed(first, [4], wants_logits=True), Feed(second, [9], wants_logits=False)])
    assert pool.used_cells() == 5
    assert llama.held[first.id] == [1, 2, 3, 4]


def test_the_prefix_not_used_for_longest_goes() -> None:
    pool = _pool(NotingLlama())
    _keep(pool, [1, 1])
    _keep(pool, [2, 2])
    pool.close(pool.open([1, 1, 5]))
    _keep(pool, [3, 3])
    assert [pool.reusable([n, n]) for n in (1, 2, 3)] == [2, 0, 2]


def test_kept_prefixes_leave_half_the_cache_free() -> None:
    pool = _pool(NotingLlama(cells=10), kept=5)
    _keep(pool, [1, 1, 1, 1])
    _keep(pool, [2, 2, 2, 2])
    assert pool.used_cells() == 4


def test_a_longer_prefix_grows_out_of_a_shorter_one() -> None:
    llama = NotingLlama()
    pool = _pool(llama)
    _keep(pool, [1, 2])
    _keep(pool, [1, 2, 3, 4])
    assert llama.decoded == 4
    assert pool.used_cells() == 4


@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=5), max_size=12))
def test_what_a_sequence_says_it_holds_is_what_the_cache_holds(prompts: list[list[int]]) -> None:
    llama = NotingLlama(cells=12)
    pool = _pool(llama)
    for number, prompt in enumerate(prompts):
        one = pool.open(prompt)
        pool.feed([Feed(one, prompt[len(one.tokens) :], wants_logits=True)])
        assert llama.held[one.id] == one.tokens == prompt
        if number % 2:
            pool.keep(one)
        else:
            pool.close(one)
    while pool.forget_oldest():
        pass
    assert pool.used_cells() == 0
    assert not any(llama.held.values())


def test_going_in_circles_is_noticed_and_a_list_is_not() -> None:
    assert goes_in_circles([7, 8] + [1, 2, 3] * 6)
    assert goes_in_circles([5] * 24)
    assert not goes_in_circles([1, 2, 3] * 5)
    assert not goes_in_circles(list(range(200)))
