"""Importance, habits and summaries are worked out from facts by rule, and mended where wrong."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from apexmem_desktop.domain.derived import Derived
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.interval import Bound, Precision, TimeSource
from apexmem_desktop.domain.reports import EraseScope
from apexmem_desktop.recall.search import best_first
from apexmem_desktop.services import maintenance, rulings, upkeep
from apexmem_desktop.services.settings import Settings
from apexmem_desktop.services.workspace import Workspace
from apexmem_desktop.storage import derived
from apexmem_desktop.storage.tables import habits, importance, summaries
from apexmem_desktop.upkeep.habits import find_habits
from apexmem_desktop.upkeep.importance import weigh
from tests.recall.builders import make_fact, ms
from tests.recall.chats import entity, store_chat, store_fact

DAY = 86_400_000
LINES = [
    ("Ana", "2023-01-01T10:00", "I live in Paris."),
    ("Ana", "2023-06-01T10:00", "I live in Lyon now."),
    ("Ana", "2023-06-02T10:00", "As I said, I live in Lyon."),
    ("Ana", "2023-06-03T10:00", "I have a cat named Tofu."),
    ("Ben", "2023-06-04T10:00", "I swim every Tuesday."),
]


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """Ana moved, and said of one home twice; Ben swims."""
    with Workspace(
        tmp_path / "memory.sqlite", settings=Settings(zone="UTC"), clock=lambda: ms("2024-01-01")
    ) as opened:
        turns = store_chat(opened.vault, LINES)
        for index, value in ((0, "Paris"), (1, "Lyon"), (2, "Lyon")):
            store_fact(opened.vault, turns[index], "Ana", "lives_in", value)
        store_fact(opened.vault, turns[3], "Ana", "pet", "Tofu", single_valued=False)
        store_fact(opened.vault, turns[4], "Ben", "practises", "swimming", single_valued=False)
        upkeep.refresh(opened)
        yield opened


def of(ws: Workspace, name: str) -> Derived:
    with ws.vault.write() as db:
        number = entity(db, name)
    return upkeep.derived_of(ws, [number])[number]


def on(day: str, number: int, *, polarity: bool = True) -> Fact:
    """A visit to the sauna on a day."""
    start = Bound(ms(day), ms(day) + DAY - 1, Precision.DAY, TimeSource.STATED)
    return make_fact(number, "sauna", day, property="visited", start=start, polarity=polarity)


def test_what_was_said_twice_weighs_more(ws: Workspace) -> None:
    """0.6 for how often it was said (half of it missing at each turn), 0.2 for how lately."""
    weights = of(ws, "Ana").importance
    lately = 0.2 * 0.5 ** ((ms("2023-06-03T10:00") - ms("2023-06-02T10:00")) / (182 * DAY))
    assert weights[3] == pytest.approx(0.6 * 0.75 + lately, abs=1e-6)
    assert weights[4] == pytest.approx(0.6 * 0.5 + 0.2)
    assert weights[1] < weights[4] < weights[3]


def test_rulings_weigh_most_and_undo_takes_that_back(ws: Workspace) -> None:
    before = of(ws, "Ana").importance
    rulings.pin(ws, 4)
    assert of(ws, "Ana").importance[4] == 1.0
    with ws.vault.read() as db:
        kept = db.execute(select(importance.c.score).where(importance.c.fact_id == 4)).scalar()
    assert kept == 1.0
    rulings.undo(ws)
    assert of(ws, "Ana").importance == before
    rulings.reject(ws, 4)
    assert of(ws, "Ana").importance[4] == 0.0
    assert upkeep.check(ws).detail == "in order"


def test_one_turn_counts_once() -> None:
    first = make_fact(1, "Tofu", "2023-06-01")
    again = replace(make_fact(2, "tofu", "2023-06-01"), evidence=first.evidence)
    assert weigh([first, again], {})[1] == pytest.approx(0.6 * 0.5 + 0.2)


def test_a_summary_names_what_holds_with_its_facts(ws: Workspace) -> None:
    found = of(ws, "Ana").summary
    assert found is not None
    assert found.text.splitlines()[0] == "lives in: Lyon (fact 3)"
    assert "pet: Tofu (fact 4)" in found.text
    assert "Paris" not in found.text
    assert set(found.fact_ids) == {2, 3, 4}


def test_a_habit_as_stated(ws: Workspace) -> None:
    [habit] = of(ws, "Ben").habits
    assert habit.stated
    assert (habit.times, habit.every_days) == (1, 7.0)
    assert habit.text == "practises: swimming, every Tuesday as said (fact 5)"


@pytest.mark.parametrize(
    ("days", "every"),
    [
        (["2023-05-02", "2023-05-09", "2023-05-16", "2023-05-23"], 7.0),
        (["2023-05-02", "2023-05-10", "2023-05-16", "2023-05-23"], 7.0),  # a day late
        (["2023-01-01", "2023-02-01", "2023-03-01", "2023-04-01", "2023-05-01"], 30.5),
        (["2023-05-02", "2023-05-09", "2023-05-16"], None),  # three may be chance
        (["2023-05-02", "2023-05-09", "2023-05-30", "2023-06-02"], None),
    ],
)
def test_a_habit_is_possible_where_distances_are_even(days: list[str], every: float | None) -> None:
    found = find_habits([on(day, number) for number, day in enumerate(days, start=1)], {})
    assert [habit.every_days for habit in found] == ([] if every is None else [every])
    for habit in found:
        assert not habit.stated
        assert "possibly" in habit.text
        assert habit.fact_ids == tuple(range(1, len(days) + 1))


def test_what_was_refused_or_said_not_to_be_is_no_habit() -> None:
    days = ["2023-05-02", "2023-05-09", "2023-05-16", "2023-05-23"]
    told = [on(day, number) for number, day in enumerate(days, start=1)]
    assert find_habits(told, {1: "reject"}) == ()
    denied = [on(day, number, polarity=False) for number, day in enumerate(days, start=1)]
    assert find_habits(denied, {}) == ()


def test_verify_mends_what_is_wrong_missing_or_left_over(ws: Workspace) -> None:
    with ws.vault.read() as db:
        right = derived.stored(db)
    assert all(len(rows) > 0 for rows in right.values())
    for damage in (
        update(importance).values(score=0.123),
        delete(summaries),
        update(habits).values(times=99),
    ):
        with ws.vault.write() as db:
            db.execute(damage)
        checks = {check.name: check for check in maintenance.verify(ws)}
        check = checks["importance, habits, summaries"]
        assert (check.ok, "built anew" in check.detail) == (True, True)
        with ws.vault.read() as db:
            assert derived.stored(db) == right
    assert upkeep.check(ws).detail == "in order"


def test_erasing_takes_them_too(ws: Workspace) -> None:
    with ws.vault.write() as db:
        ana = entity(db, "Ana")
    maintenance.erase(ws, EraseScope(kind="entity", id=ana))
    with ws.vault.read() as db:
        left = derived.stored(db)
    assert {row[0] for row in left["importance"]} == {5}
    assert not [row for row in left["summaries"] if "Lyon" in row[1] or "Tofu" in row[1]]
    assert upkeep.check(ws).ok


def test_only_a_tie_is_decided_by_importance() -> None:
    scores = {1: 0.5, 2: 0.5, 3: 0.5 + 1e-9, 4: 0.1}
    assert best_first(scores, {}) == [3, 1, 2, 4]
    assert best_first(scores, {2: 1.0, 4: 1.0}) == [3, 2, 1, 4]
