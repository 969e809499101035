"""Chinese clauses against gold of our own; figures of all three sets are in docs/quality.md."""

import tomllib
from pathlib import Path

import pytest

from apexmem_desktop.building.dating import date_candidate
from tests.building.chinese_gold import APART, LAST, TOLD, hold
from tests.building.telling import day, read, said, spell


def test_the_set_is_as_large_as_it_should_be() -> None:
    table = tomllib.loads((Path(__file__).parent / "gold" / TOLD).read_text(encoding="utf-8"))
    assert sum(len(gold) for _, gold in table["facts"]) >= 60
    assert len(table["none"]) >= 40


def test_what_the_rules_were_written_with_is_read_and_nothing_else() -> None:
    held = hold(TOLD)
    assert held.missed == ()
    assert held.beside == ()


@pytest.mark.parametrize(("name", "recall", "precision"), [(APART, 0.85, 0.85), (LAST, 0.85, 0.85)])
def test_other_chat_is_read_nearly_as_well(name: str, recall: float, precision: float) -> None:
    held = hold(name)
    assert held.recall >= recall, held.missed
    assert held.precision >= precision, held.beside


@pytest.mark.parametrize(
    ("text", "value", "begins"),
    [
        ("我去年搬到了成都", "成都", "2023-01-01"),
        ("我上周买了一台相机", "相机", "2024-06-03"),
        ("我昨天参加了婚礼", "婚礼", "2024-06-11"),
    ],
)
def test_a_chinese_clause_is_dated_by_its_own_words(text: str, value: str, begins: str) -> None:
    turn = said(text, speaker="李雪")
    [one] = [one for one in read(turn) if one.value == value and one.property != "owns"]
    assert day(date_candidate(turn, one).validity.start.earliest_ms) == begins


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我姐来了。她上个月搬到了苏州", "~姐 lives_in 苏州"),
        ("我喜欢徒步，不喜欢爬山", "李雪 dislikes 爬山"),
        ("我妈退休了，我也想退休", "~妈 life_event 退休"),
    ],
)
def test_a_clause_goes_on_about_the_one_before(text: str, told: str) -> None:
    assert told in [spell(one) for one in read(said(text, speaker="李雪"))]


@pytest.mark.parametrize(
    "text",
    ["我姐和我妈来了。她搬到了苏州", "她上个月搬到了苏州", "听说小区门口开了超市，搬到了苏州"],
)
def test_whom_it_is_about_must_be_certain(text: str) -> None:
    assert not [one for one in read(said(text, speaker="李雪")) if one.property == "lives_in"]
