"""When something changed, from what to what."""

from collections.abc import Sequence
from dataclasses import replace

from apexmem_desktop.domain.graph import Fact, Modality, ValueType
from apexmem_desktop.recall.history import changes, direction, runs
from apexmem_desktop.recall.holding import judge
from tests.recall.builders import between, make_fact, ms

NOW = ms("2025-01-01")


def judged(*facts: Fact) -> list[Fact]:
    """Judge for the tests' today."""
    return judge(facts, as_of_ms=NOW, rulings={})


def told(facts: Sequence[Fact]) -> list[tuple[str | None, str | None]]:
    """Changes as (from, to)."""
    return [
        (c.before.value if c.before else None, c.after.value if c.after else None)
        for c in changes(facts)
    ]


def test_a_move_is_one_change_between_the_two_times_it_was_said() -> None:
    facts = judged(
        make_fact(1, "Paris", "2023-01-01"),
        make_fact(2, "Paris", "2023-03-01"),
        make_fact(3, "Berlin", "2023-06-01"),
    )
    (change,) = changes(facts)
    assert told(facts) == [("Paris", "Berlin")]
    assert (change.when.earliest_ms, change.when.latest_ms) == (ms("2023-03-01"), ms("2023-06-01"))


def test_there_and_back_again_are_two_changes() -> None:
    facts = judged(
        make_fact(1, "Paris", "2023-01-01"),
        make_fact(2, "Berlin", "2023-03-01"),
        make_fact(3, "Paris", "2023-06-01"),
    )
    assert told(facts) == [("Paris", "Berlin"), ("Berlin", "Paris")]
    assert [run.first.value for run in runs(facts)] == ["Paris", "Berlin", "Paris"]


def test_a_gap_between_two_jobs_is_an_end_and_a_beginning() -> None:
    end = between(ms("2022-06-01"), ms("2022-06-30"))
    start = between(ms("2023-01-01"), ms("2023-01-31"))
    facts = judged(
        make_fact(1, "Lumo", "2024-01-01", property="works_at", end=end),
        make_fact(2, "Foo", "2024-02-01", property="works_at", start=start),
    )
    assert told(facts) == [("Lumo", None), (None, "Foo")]


def test_a_sport_stopped_and_taken_up_again() -> None:
    facts = judged(
        make_fact(1, "tennis", "2023-01-01", property="plays", single_valued=False),
        make_fact(2, "tennis", "2023-03-01", property="plays", single_valued=False, polarity=False),
        make_fact(3, "tennis", "2023-06-01", property="plays", single_valued=False),
    )
    assert told(facts) == [("tennis", None), (None, "tennis")]


def test_many_values_side_by_side_are_no_change() -> None:
    facts = judged(
        make_fact(1, "tea", "2023-01-01", property="likes", single_valued=False),
        make_fact(2, "jazz", "2023-03-01", property="likes", single_valued=False),
    )
    assert told(facts) == []


def test_a_plan_is_no_change() -> None:
    facts = judged(
        make_fact(1, "Paris", "2023-01-01"),
        make_fact(2, "Lyon", "2023-03-01", modality=Modality.PLANNED),
    )
    assert told(facts) == []


def test_a_number_that_grew_is_told_so_and_its_spelling_is_no_change() -> None:
    said = [("3,000", "2023-01-01"), ("3000", "2023-02-01"), ("4500", "2023-03-01")]
    facts = [
        replace(make_fact(n, value, f"{day}T10:00", property="rent"), value_type=ValueType.INTEGER)
        for n, (value, day) in enumerate(said, start=1)
    ]
    [grew, *more] = changes(judge(facts, as_of_ms=NOW, rulings={}))
    assert more == []
    assert told([facts[1], facts[2]]) == [("3000", "4500")]
    assert [direction(grew), direction(replace(grew, after=None))] == [1, None]
    back = replace(grew, before=grew.after, after=grew.before)
    assert direction(back) == -1
