"""Messages that go on and on: each is read to its end, and what it tells is found.

What tries every way to take such a message apart never comes to an end with these.
"""

import pytest

from apexmem_desktop.building.gate import find_openings
from apexmem_desktop.building.misread import why_misread
from tests.building.telling import read, said
from tests.building.test_grounding import proposed


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("haha " * 60 + "I moved to Lisbon", "lives_in Lisbon"),
        ("oh," * 60 + " I moved to Lisbon", "lives_in Lisbon"),
        ("哈" * 80 + "，我搬到上海了", "lives_in 上海"),
        ("嗯" * 80 + "，我搬到上海了", "lives_in 上海"),
        ("在家" * 40 + "，我搬到上海了", "lives_in 上海"),
        ("和我3月" * 30 + "，我搬到上海了", "lives_in 上海"),
        ("每天早上" * 30 + "，我搬到上海了", "lives_in 上海"),
        ("刚" * 90 + "，我搬到上海了", "lives_in 上海"),
        ("I moved to Lisbon. " + "Ana Ruiz " * 400, "lives_in Lisbon"),
        ("I moved to Lisbon. " + "A-" * 1900, "lives_in Lisbon"),
    ],
)
def test_what_is_told_beside_it_is_read(text: str, told: str) -> None:
    assert told in [f"{one.property} {one.value}" for one in read(said(text))]


@pytest.mark.parametrize(
    "piece", ["哈", "我和", "跟我", "3月", "常", "真的很", "wow,,,", "so you "]
)
def test_nothing_is_read_of_what_only_goes_on(piece: str) -> None:
    asked = said(f"{piece * 60} did you sleep?", speaker="Ben Hale")
    assert read(said(f"{piece * 60}x!9"), asked) == []


def test_really_said_many_times_is_weighed() -> None:
    text = f"they{' really' * 60} 9 nets"
    assert why_misread(said(text), proposed(text, "Ana Ruiz", "owns", "nets")) == ""


def test_of_many_quotes_some_are_read() -> None:
    turn = said('Omar said "I moved to Oslo." ' * 4000)
    assert "Omar" in {one.told[0].who for one in find_openings(turn) if one.told}
